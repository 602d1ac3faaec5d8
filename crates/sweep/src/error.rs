//! Why an engine stops: it never guesses.

use crate::{
    hypothesis::Hypothesis,
    units::{ColumnIndex, RowIndex},
};
use record::Fault;

/// A case that an engine is not sure of, with the cell that raised it, or a run that cannot begin
/// or go on.
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
    /// A storage of words, or a link between blocks, has failed.
    #[error("{problem}")]
    Outside {
        /// What is wrong.
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
}

impl SweepError {
    /// A hypothesis that fails in a cell.
    pub(crate) fn hypothesis(column: ColumnIndex, row: RowIndex, hypothesis: Hypothesis) -> Self {
        Self::Hypothesis { column: column.0, row: row.0, hypothesis }
    }
}
