//! Events about checkpoints while rows are computed.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::time::Duration;

/// An event about a checkpoint, which displays as a sentence. It changes no row, and the run
/// continues. All except [`Self::Written`] are warnings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckpointEvent {
    /// A checkpoint has been written and synced.
    Written {
        /// Its file.
        file: PathBuf,
        /// Its size.
        bytes: u64,
        /// The time from its first byte on.
        took: Duration,
    },
    /// A checkpoint could not be written.
    NotWritten {
        /// Its row.
        row: u64,
        /// The folder.
        folder: PathBuf,
        /// The error of the operating system.
        problem: String,
    },
    /// A checkpoint is damaged. The one before it is used.
    Damaged {
        /// Its file.
        file: PathBuf,
        /// Its new name, or why it cannot be renamed.
        aside: Result<PathBuf, String>,
        /// The damage.
        problem: String,
    },
    /// Checkpoints that nobody needs, old or unfinished ones, cannot be removed.
    NotRemoved {
        /// Their folder.
        folder: PathBuf,
        /// The error of the operating system.
        problem: String,
    },
}

impl Display for CheckpointEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Written { file, bytes, took } => {
                write!(f, "{}: {bytes} bytes in {took:?}", file.display())
            }
            Self::NotWritten { row, folder, problem } => write!(
                f,
                "the checkpoint at row {row} could not be written to {}: {problem}; the run \
                 continues",
                folder.display()
            ),
            Self::Damaged { file, aside: Ok(aside), problem } => write!(
                f,
                "the checkpoint {} is damaged ({problem}); it is now {}, and the run resumes from \
                 the one before it, or starts again",
                file.display(),
                aside.display()
            ),
            Self::Damaged { file, aside: Err(refused), problem } => write!(
                f,
                "the checkpoint {} is damaged ({problem}) and cannot be renamed ({refused}); the \
                 run resumes from the one before it, or starts again",
                file.display()
            ),
            Self::NotRemoved { folder, problem } => write!(
                f,
                "old or unfinished checkpoints in {} cannot be removed: {problem}",
                folder.display()
            ),
        }
    }
}
