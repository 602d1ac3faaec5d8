//! The errors of the engines, which never guess.

use crate::hypothesis::Hypothesis;
use crate::units::{ColumnIndex, RowIndex};
use record::Fault;

/// A case that an engine cannot decide, with its cell; or the reason why a run cannot begin or
/// continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The least common multiple of a certificate's periods does not fit 64 bits.
    #[error("row {row}: the periods of the rows below have no common multiple below 2^64")]
    Modulus {
        /// The row.
        row: u64,
    },
    /// A row that no record can describe: a defect of this program.
    #[error("row {row}: {fault}; this is a defect of the program, please report it")]
    Record {
        /// The row.
        row: u64,
        /// The reason.
        fault: Fault,
    },
    /// The row repeats from before the first column whose offset was kept.
    #[error(
        "row {row} repeats from column {column} on, perhaps from earlier; the band engine keeps no \
         earlier offsets, the pointer engine keeps all"
    )]
    EarlyStart {
        /// The row.
        row: u64,
        /// The first column kept.
        column: u64,
    },
    /// A hypothesis of proofs/sweep.md that the band engine needs, and that fails.
    #[error(
        "cell ({column}, {row}): hypothesis {hypothesis} of the proofs on the engines fails: {}; {}",
        hypothesis.statement(),
        hypothesis.remedy()
    )]
    Hypothesis {
        /// The column.
        column: u64,
        /// The row.
        row: u64,
        /// The hypothesis.
        hypothesis: Hypothesis,
    },
    /// A storage of words, or a link between blocks, has failed.
    #[error("{problem}")]
    Outside {
        /// The cause.
        problem: String,
    },
    /// More rows than the numbers of the band engine allow.
    #[error("the band engine computes rows below {most}, and {end} rows were requested")]
    End {
        /// The number of rows requested.
        end: u64,
        /// The largest possible number.
        most: u64,
    },
    /// The requested kernel needs instructions that this machine does not have.
    #[error("this machine cannot run the {kernel} kernel")]
    Kernel {
        /// Its name.
        kernel: &'static str,
    },
    /// The operating system has refused a thread.
    #[error(
        "the sweep cannot have {wanted} threads here: {problem}; choose fewer, or \
         raise the limits on threads and memory (ulimit -u, -v)"
    )]
    Threads {
        /// The number of threads that the run needs.
        wanted: usize,
        /// The error of the operating system.
        problem: String,
    },
}

impl SweepError {
    /// A hypothesis that fails in a cell.
    pub(crate) fn hypothesis(column: ColumnIndex, row: RowIndex, hypothesis: Hypothesis) -> Self {
        Self::Hypothesis { column: column.0, row: row.0, hypothesis }
    }
}
