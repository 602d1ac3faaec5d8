//! Runs of the [band engine](crate::band) that can be interrupted: they leave checkpoints, resume
//! from them, and can keep words in files.
//!
//! A block of the engine completes words of the columns, and another block reads them much later. A
//! run that is never interrupted keeps them in memory.
//!
//! ```no_run
//! use record::Record;
//! use std::ops::ControlFlow;
//! use sweep::band::Options;
//! use sweep::checkpoints::{Checkpoints, WordsError, resumable_rows};
//!
//! let checkpoints = Checkpoints::new("rows/checkpoints");
//! let from = checkpoints.newest()?;
//! let mut visit = |row: Record| ControlFlow::Continue(());
//! resumable_rows(1_000_000, Options::default(), &checkpoints, from, &mut visit)?;
//! checkpoints.remove(1_000_000).expect("they can be removed");
//! # Ok::<(), WordsError>(())
//! ```

pub use crate::band::checkpoint::{
    Checkpoint, CheckpointEvent, Checkpoints, least_words, resumable_rows, words_on_disk,
};
pub use crate::error::{Bytes, FileProblem, WordsError};
