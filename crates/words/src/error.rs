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
    /// A checkpoint has been read, and its content is impossible.
    #[error(
        "the checkpoint {} is wrong: {problem}; move it away, and the same command resumes from the \
         one before it, or starts again",
        file.display()
    )]
    Checkpoint {
        /// The file.
        file: PathBuf,
        /// The problem.
        problem: String,
    },
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
    /// A checkpoint has another format.
    #[error(
        "the checkpoint {} has format version {version}, and this program reads versions \
         {VERSION_WITH_WORDS} and {VERSION_WITH_FILES}; finish the run with the program that began \
         it, or remove the checkpoint",
        file.display()
    )]
    CheckpointVersion {
        /// The file.
        file: PathBuf,
        /// Its version.
        version: u64,
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
    /// A checkpoint needs words on disk that cannot be read.
    #[error(
        "the checkpoint {} needs words that cannot be read: {}: {problem}; is {} the folder of that run, \
         and is its disk mounted? If the words are lost, move the checkpoint away: the same command \
         then resumes from the one before it, or starts again",
        file.display(), words.display(), folder.display()
    )]
    CheckpointWords {
        /// The checkpoint.
        file: PathBuf,
        /// The folder of words that was given.
        folder: PathBuf,
        /// The file of words, or its folder.
        words: PathBuf,
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
    /// A checkpoint was written by a run with other windows.
    #[error(
        "the checkpoint {} was written with the windows {found:?}, and this run has {wanted:?}; use the same windows, or remove the checkpoint",
        file.display()
    )]
    CheckpointWindows {
        /// The file.
        file: PathBuf,
        /// Its `below_low`, `below_high` and `guard`.
        found: [u64; 3],
        /// Those of the run.
        wanted: [u64; 3],
    },
    /// A checkpoint was written by a run that ends at a smaller row, and keeps too few words.
    #[error(
        "the checkpoint {} has the words for rows below {found} only, and this run needs rows below \
         {wanted}; finish the smaller run first, choose another folder, or remove the checkpoint",
        file.display()
    )]
    CheckpointEnd {
        /// The file.
        file: PathBuf,
        /// It has the words for rows below this one.
        found: u64,
        /// This run computes the rows below this one.
        wanted: u64,
    },
}
