//! The errors of a run with checkpoints.

use std::path::PathBuf;
use sweep::error::SweepError;

/// The version of a checkpoint that contains its words, and of one that names files with them.
/// They must be raised whenever the files or their meaning change: bands, groups, windows or
/// anchors. Earlier programs also wrote version 8 with files, which can be read, and version 9 with
/// files in folders of several processes.
pub(crate) const VERSION_WITH_WORDS: u64 = 8;
pub(crate) const VERSION_WITH_FILES: u64 = 10;

/// The reason why a run with checkpoints cannot begin or continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WordsError {
    /// The engine has stopped.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// The caller stopped the reading of checkpoints ([`Checkpoints::stop`](crate::Checkpoints)).
    #[error("interrupted")]
    Stopped,
    /// A checkpoint cannot be read. It may be intact.
    #[error(
        "cannot read the checkpoint {}: {problem}; it has not been changed: make it readable, or move \
         it away, and the same command resumes from the one before it, or starts again",
        file.display()
    )]
    CheckpointUnreadable {
        /// The file, or its folder.
        file: PathBuf,
        /// The error of the operating system.
        problem: String,
    },
    /// A checkpoint has been read, and cannot be used.
    #[error("the checkpoint {} {problem}", file.display())]
    Checkpoint {
        /// The file.
        file: PathBuf,
        /// The problem, and what to do.
        problem: String,
    },
    /// Words cannot be written to disk, or not read back.
    #[error(
        "{}: {problem}; the run has ended: make room, or put the file back, and the same command \
         resumes from the newest checkpoint",
        file.display()
    )]
    Spill {
        /// The file, or its folder.
        file: PathBuf,
        /// The problem.
        problem: String,
    },
    /// A folder cannot be used for the words of this run. Nothing has been computed.
    #[error("words cannot wait on disk: {}: {problem}", file.display())]
    SpillFolder {
        /// The folder, or a file in it.
        file: PathBuf,
        /// The problem.
        problem: String,
    },
    /// A checkpoint needs words in a folder, and no folder was given.
    #[error(
        "the checkpoint {} belongs to a run that keeps words in a folder, and this run was given none; \
         give it the same folder, or remove the checkpoint",
        file.display()
    )]
    CheckpointSpill {
        /// The file.
        file: PathBuf,
    },
}
