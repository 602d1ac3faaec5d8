//! Why a run with checkpoints does not begin, or ends.

use std::path::PathBuf;
use sweep::error::SweepError;

/// Why a run with checkpoints does not begin, or ends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WordsError {
    /// The engine has stopped.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// A checkpoint was read, and says what cannot be so.
    #[error(
        "the checkpoint {} is wrong: {problem}; move it away, and the same command goes on from the \
         one before it, or begins anew",
        file.display()
    )]
    Checkpoint {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A checkpoint cannot be read, and may be whole.
    #[error(
        "cannot read the checkpoint {}: {problem}; it is left as it is: make it readable, or move it \
         away, and the same command goes on from the one before it, or begins anew",
        file.display()
    )]
    CheckpointUnreadable {
        /// The file, or its folder.
        file: PathBuf,
        /// What the operating system says.
        problem: String,
    },
    /// A checkpoint has another format.
    #[error(
        "the checkpoint {} has format version {version}, and this program reads versions {} and {expected}; finish the run with the program that began it, or remove the checkpoint",
        file.display(),
        expected - 1
    )]
    CheckpointVersion {
        /// The file.
        file: PathBuf,
        /// Its version.
        version: u64,
        /// The last version that can be read; the one before it can be read, too.
        expected: u64,
    },
    /// Words that memory has no room for cannot be written, or not be read again.
    #[error(
        "{}: {problem}; the run has ended: make room, or put the file back, and the same command \
         resumes from the newest checkpoint",
        file.display()
    )]
    Spill {
        /// The file, or its folder.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A folder cannot have the words of this run. Nothing has been computed.
    #[error("words cannot wait on disk: {}: {problem}", file.display())]
    SpillFolder {
        /// The folder, or a file in it.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A checkpoint needs words that cannot be read.
    #[error(
        "the checkpoint {} needs words that cannot be read: {}: {problem}; is {} the folder of that run, \
         and is its disk mounted? If the words are lost, move the checkpoint away: the same command \
         then resumes from the one before it, or begins anew",
        file.display(), words.display(), folder.display()
    )]
    CheckpointWords {
        /// The checkpoint.
        file: PathBuf,
        /// The folder of words that was given.
        folder: PathBuf,
        /// The file of words, or its folder.
        words: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A checkpoint needs words that are in another folder.
    #[error(
        "the checkpoint {} is of a run that keeps words in a folder, and this one was given none; \
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
    /// A checkpoint was written by a run to a smaller row, for which columns did not keep enough.
    #[error(
        "the checkpoint {} is of a run that ends before row {found} and keeps no more than that \
         needs, while this one goes to before row {wanted}; let the smaller run end first, choose \
         another folder, or remove the checkpoint",
        file.display()
    )]
    CheckpointEnd {
        /// The file.
        file: PathBuf,
        /// The row from which on it does not serve.
        found: u64,
        /// The row from which on this run wants none.
        wanted: u64,
    },
}
