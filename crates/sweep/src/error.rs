//! Why an engine stops: it never guesses.

use crate::{
    hypothesis::Hypothesis,
    units::{ColumnIndex, RowIndex},
};
use record::Fault;
use std::path::PathBuf;

/// A case that an engine is not sure of, with the cell that raised it, or a checkpoint that cannot
/// be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The least common multiple of a certificate's periods does not fit 64 bits.
    #[error("row {row}: the periods of the rows below have no common multiple below 2^64")]
    Modulus {
        /// The row.
        row: u64,
    },
    /// A row that no record can state: a defect of this program.
    #[error("row {row}: {fault}; this is a defect of the program, please report it")]
    Record {
        /// The row.
        row: u64,
        /// Why not.
        fault: Fault,
    },
    /// The row repeats from before the first column whose offset was kept.
    #[error(
        "row {row}: it repeats already in column {column}, where the band engine kept no offsets; the \
         pointer engine keeps them all"
    )]
    EarlyStart {
        /// The row.
        row: u64,
        /// The first column kept.
        column: u64,
    },
    /// A hypothesis of proofs/sweep.md that the band engine does not work around.
    #[error(
        "cell ({column}, {row}): hypothesis {hypothesis} of proofs/sweep.md fails: {}; {}",
        hypothesis.statement(),
        hypothesis.remedy()
    )]
    Hypothesis {
        /// The column.
        column: u64,
        /// The row.
        row: u64,
        /// Which.
        hypothesis: Hypothesis,
    },
    /// Several processes share the run, and one of them is missing or has failed.
    #[error("{problem}")]
    Part {
        /// Which one, and why.
        problem: String,
    },
    /// More rows than the band engine has numbers for.
    #[error("the band engine sweeps rows below {most}, and {end} rows were asked for")]
    End {
        /// The row from which on none was wanted.
        end: u64,
        /// The largest that it can be.
        most: u64,
    },
    /// The kernel asked for needs instructions that this machine does not have.
    #[error("this machine cannot run the {kernel} kernel")]
    Kernel {
        /// Its name.
        kernel: &'static str,
    },
    /// The operating system does not create all the threads.
    #[error(
        "the sweep cannot have {wanted} threads here: {problem}; choose fewer, or \
         raise the limits on threads and memory (ulimit -u, -v)"
    )]
    Threads {
        /// How many it was to have.
        wanted: usize,
        /// What the operating system says.
        problem: String,
    },
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

impl SweepError {
    /// A hypothesis that fails in a cell.
    pub(crate) fn hypothesis(column: ColumnIndex, row: RowIndex, hypothesis: Hypothesis) -> Self {
        Self::Hypothesis { column: column.0, row: row.0, hypothesis }
    }

    /// Whether a checkpoint is what cannot be used, and no row is in doubt.
    #[must_use]
    pub fn is_of_checkpoint(&self) -> bool {
        matches!(
            self,
            Self::Checkpoint { .. }
                | Self::CheckpointUnreadable { .. }
                | Self::CheckpointVersion { .. }
                | Self::CheckpointWindows { .. }
                | Self::CheckpointEnd { .. }
                | Self::CheckpointSpill { .. }
                | Self::CheckpointWords { .. }
        )
    }
}
