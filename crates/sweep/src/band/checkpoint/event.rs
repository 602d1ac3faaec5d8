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
        /// Its new name, or why it cannot be renamed; `None` if the run is refused.
        aside: Option<Result<PathBuf, String>>,
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
            Self::Damaged { file, aside, problem } => {
                write!(f, "the checkpoint {} is damaged ({problem})", file.display())?;
                match aside {
                    None => return write!(f, "; it has not been changed"),
                    Some(Ok(aside)) => write!(f, "; it is now {}", aside.display())?,
                    Some(Err(refused)) => write!(f, "; it cannot be renamed ({refused})")?,
                }
                write!(f, ", and the run resumes from the one before it, or starts again")
            }
            Self::NotRemoved { folder, problem } => write!(
                f,
                "old or unfinished checkpoints in {} cannot be removed: {problem}",
                folder.display()
            ),
        }
    }
}
