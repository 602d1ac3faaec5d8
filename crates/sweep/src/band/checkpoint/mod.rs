//! Checkpoints: an interrupted run leaves them, and a later run resumes from them.
//!
//! The state of a run between two blocks consists of the messages from one block to the next (the
//! corner and the groups) and the words that wait. With all rows below, these are everything that a
//! later cell reads (proofs/sweep.md, section 7). A checkpoint is a copy of them, made while the
//! pipeline runs. It depends on the windows, and on the end of the run, because words that the run
//! will not read are not stored; but not on the threads or the kernel.
//!
//! A file, all numbers little-endian:
//!
//! | part | bytes |
//! |---|---|
//! | header | a line of text: `chomp-checkpoint V row R end E windows A B C cells D fallbacks X files F`, with the version, the first row above the boundary, the end (only rows below it can be computed), the windows, the work done for the rows, and the number of files |
//! | files | the files of the words that wait: their numbers, lengths and hashes |
//! | rows | from 0 to before R, 20 to 30 bytes each |
//! | corner | floor; 7 columns of groups, each 4 words for 8 columns |
//! | groups | each: first stored word; windows, partial and last word; two words that it carries; two lists of exceptions. The rows determine their number |
//! | hash | BLAKE3 of all bytes before it, 32 bytes, in every version |
//!
//! A checkpoint is written under a name that starts with `.writing-`, fsynced and renamed to
//! `checkpoint-R.bin`. The two with the greatest R are kept. The hash of the whole file is verified
//! before anything in it is used. The hash detects damage only: if it is right, the content is
//! believed, except for the parts that section 7.3 verifies.
//!
//! A file can hold the work of a day. So a file that cannot be read is not changed, and a run does
//! not remove the checkpoints of runs that end later.
//!
//! | module | contents |
//! |---|---|
//! | `file` | one checkpoint, as a file |
//! | `restore` | the boundary in it, and what is verified |
//! | `folder` | the folder of checkpoints, and events for the caller |
//! | `run` | a run with checkpoints, and the thread that writes them |

mod file;
mod folder;
mod restore;
mod run;

pub use file::Checkpoint;
pub use folder::{CheckpointEvent, Checkpoints};
#[cfg(feature = "ranks")]
pub use run::Run;
pub use run::{least_words, resumable_rows, words_on_disk};
