//! The errors of a run with checkpoints.

use crate::error::SweepError;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The reason why a run with checkpoints cannot begin or continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WordsError {
    /// The engine has stopped.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// The caller stopped the reading of checkpoints.
    #[error("interrupted")]
    Stopped,
    /// A checkpoint, or words on disk.
    #[error("{}", in_words(*kind, &file.display(), problem))]
    File {
        /// What is the matter with it.
        kind: FileProblem,
        /// The file, or its folder.
        file: PathBuf,
        /// The problem, in words.
        problem: String,
    },
}

/// What is the matter with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileProblem {
    /// A checkpoint cannot be read. It may be intact.
    Unreadable,
    /// A checkpoint has been read, and cannot be used.
    Unusable,
    /// A checkpoint needs words in a folder, and no folder was given.
    NoSpill,
    /// A folder cannot be used for the words of this run. Nothing has been computed.
    SpillFolder,
    /// Words cannot be written to disk, or not read back.
    Spill,
}

/// The problem with a file, and what to do.
fn in_words(kind: FileProblem, file: &impl Display, problem: &str) -> String {
    match kind {
        FileProblem::Unreadable => format!(
            "cannot read the checkpoint {file}: {problem}; it has not been changed: make it readable, \
             or move it away, and the same command resumes from the one before it, or starts again"
        ),
        FileProblem::Unusable | FileProblem::NoSpill => format!("the checkpoint {file} {problem}"),
        FileProblem::SpillFolder => format!("words cannot wait on disk: {file}: {problem}"),
        FileProblem::Spill => format!(
            "{file}: {problem}; the run has ended: make room, or put the file back, and the same \
             command resumes from the newest checkpoint"
        ),
    }
}

impl FileProblem {
    /// The error of this file.
    pub(crate) fn of(self, file: &Path, problem: impl Display) -> WordsError {
        WordsError::File { kind: self, file: file.to_owned(), problem: problem.to_string() }
    }
}
