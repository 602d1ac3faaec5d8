//! Checkpoints: what an interrupted run leaves behind, and a later one goes on from.
//!
//! Between two blocks all that goes on is in the messages that one block hands to the next, the
//! corner and the groups, as the rows below the boundary have left them; and in the post. With the
//! rows below, all of them, that is everything that a later cell reads (proofs/sweep.md, section
//! 7). A checkpoint is a copy of these, taken while the messages flow: the pipeline goes on
//! meanwhile. It depends on the windows and on how far the run goes that wrote it, since what it
//! will not read is not posted; but not on the threads or the kernel.
//!
//! A file, all numbers little-endian:
//!
//! | part | bytes |
//! |---|---|
//! | header | a line of text: `chomp-checkpoint 6 row R end E windows A B C`, the version, the first row above the boundary, the row from which on none can be swept, and the windows |
//! | corner | floor; 7 columns of groups, each 4 words for 8 columns |
//! | groups | each: first stored word; low, high, partial and last word; two words that it carries; two lists of exceptions |
//! | words | those in the post, each run with its reader, its source and how many there are |
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
//! Where several processes share a run, one of them writes the same file, for all (7.4 there).
//!
//! No file goes that may be worth a day: one that cannot be read is left as it is, and a run leaves
//! the checkpoints of runs that end later.
//!
//! | module | what |
//! |---|---|
//! | `file` | one checkpoint, as a file |
//! | `folder` | where checkpoints are kept |
//! | `saver` | writing one while the pipeline goes on |
//! | `words` | the words of one, from all who have some |
//! | `believed` | what of one is verified when it is read |
//! | `news` | what the caller is told of them |

mod believed;
mod file;
mod folder;
mod news;
mod saver;
mod words;

pub use {file::Checkpoint, folder::Checkpoints, news::CheckpointNews};
pub(crate) use {
    saver::{AllButWords, Job, Saver, Tee},
    words::{Encoded, Tell, ToOthers, Words, encode_files},
};
