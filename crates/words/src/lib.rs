//! Words of the band engine between its blocks, in memory and on disk, and checkpoints.
//!
//! A block of the engine ([`sweep::band`]) completes words of the columns, which another block
//! reads much later. In a run that is done at once they wait in memory, and this crate is not
//! needed. Here is the [`Storage`](sweep::band::pipeline::Storage) of a run that can be
//! interrupted: it writes checkpoints, from which the same run resumes, and may keep words in
//! files.
//!
//! ```no_run
//! use record::Record;
//! use std::ops::ControlFlow;
//! use sweep::band::Options;
//! use words::{Checkpoints, resumable_rows};
//!
//! let checkpoints = Checkpoints::new("rows/checkpoints");
//! let from = checkpoints.newest()?;
//! let mut visit = |row: Record| ControlFlow::Continue(());
//! resumable_rows(1_000_000, Options::default(), &checkpoints, from, &mut visit)?;
//! checkpoints.remove(1_000_000).expect("they can be removed");
//! # Ok::<(), words::WordsError>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `checkpoint` | checkpoints, and the thread that writes them |
//! | `store`, `queues` | words that wait, and the thread that writes and reads their files |
//! | `disk` | these files |
//! | `run` | a run with all this |
//! | [`parts`] | all that a run needs which is shared by several processes |

// What `parts` exports was made for this crate.
#![allow(clippy::must_use_candidate)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests open what they have made"))]

mod checkpoint;
mod disk;
mod error;
mod queues;
mod run;
mod store;

pub use checkpoint::{Checkpoint, CheckpointEvent, Checkpoints};
pub use error::WordsError;
pub use run::{least_words, resumable_rows, words_on_disk};

/// What a run needs that is shared by several processes: for the crate `cluster`. It may change
/// with every version.
pub mod parts {
    pub use crate::{
        checkpoint::{CheckpointWords, Recorder, Saver, encode_run},
        disk::{FileState, Place, Share},
        queues::Reads,
        run::{outcome, prepare, start},
        store::{Store, User},
    };
}
