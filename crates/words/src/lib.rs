//! Words of the band engine between its blocks, in memory and on disk, and checkpoints.
//!
//! A block of the engine ([`sweep::band`]) completes words of the columns, and another block reads
//! them much later. A run that is never interrupted keeps them in memory, and does not need this
//! crate. This crate has the [`WordStorage`](sweep::band::pipeline::WordStorage) of a run that can
//! be interrupted. This storage can keep words in files, and the run can resume from its
//! checkpoints.
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
//! | `store` | words that wait: the life of the words of a reader |
//! | `disk` | the files of words |
//! | `run` | a run with checkpoints |
//! | `parts` | the interface for a run that several processes share, with the feature `ranks` |

// `parts` exports functions that were made for this crate.
#![allow(clippy::must_use_candidate)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests open their own files"))]

mod amount;
mod checkpoint;
mod disk;
mod error;
mod run;
mod store;

pub use amount::Bytes;
pub use checkpoint::{Checkpoint, CheckpointEvent, Checkpoints};
pub use error::{FileProblem, WordsError};
pub use run::{least_words, resumable_rows, words_on_disk};

/// The interface for a run that several processes share: for the crate `cluster`, which turns on
/// the feature `ranks`. It can change with every version.
#[cfg(feature = "ranks")]
pub mod parts {
    pub use crate::disk::FileState;
    pub use crate::run::Run;
    pub use crate::store::{Share, Store};
}
