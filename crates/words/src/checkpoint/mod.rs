//! Checkpoints: an interrupted run leaves them, and a later run resumes from them.
//!
//! The state of a run between two blocks is in the messages that one block sends to the next, the
//! corner and the groups, and in the words that wait. Together with all rows below, that is
//! everything that a later cell reads (proofs/sweep.md, section 7). A checkpoint is a copy of
//! these, made while the messages flow: the pipeline does not stop. It depends on the windows and
//! on the end of the run that wrote it, since words that it will not read are not stored; but not
//! on the threads or the kernel.
//!
//! A file, all numbers little-endian:
//!
//! | part | bytes |
//! |---|---|
//! | header | a line of text: `chomp-checkpoint 6 row R end E windows A B C`, the version, the first row above the boundary, the row from which on none can be swept, and the windows |
//! | corner | floor; 7 columns of groups, each 4 words for 8 columns |
//! | groups | each: first stored word; low, high, partial and last word; two words that it carries; two lists of exceptions |
//! | words | those that wait, each run with its reader, its source and how many there are |
//! | rows | from 0 to before R, 20 to 30 bytes each |
//! | files | those of words that wait on disk: their numbers, how far they go, and the hash of that |
//! | trailer | six numbers: how many groups; where the rows begin; how many files; cells done; tiles done by the exact path; R |
//! | hash | BLAKE3 of all that precedes, 32 bytes, in every version |
//!
//! It is written under a name that starts with `.writing-`, fsynced and renamed to
//! `checkpoint-R.bin`; the two with the greatest R are kept. Nothing of a file is used before all
//! of it has been hashed. The hash tells damage from what was written, and nothing else: what a
//! file with a hash that fits says is believed, but for what section 7.3 verifies.
//!
//! A file may be worth a day. So one that cannot be read is left as it is, and a run leaves the
//! checkpoints of runs that end later.
//!
//! | module | contents |
//! |---|---|
//! | `file` | one checkpoint, as a file |
//! | `folder` | where checkpoints are kept |
//! | `recorder` | making one while the pipeline goes on |
//! | `saver` | writing it |
//! | `event` | what the caller is told of them |

mod event;
mod file;
mod folder;
mod recorder;
mod saver;

pub use {
    event::CheckpointEvent,
    file::Checkpoint,
    folder::Checkpoints,
    recorder::Recorder,
    saver::{CheckpointWords, Saver, encode_run},
};
