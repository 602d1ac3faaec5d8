//! The errors of the engines, which never guess, and of runs with checkpoints; amounts of memory in
//! their messages.

use crate::hypothesis::Hypothesis;
use crate::units::{ColumnIndex, RowIndex};
use std::fmt;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

/// A case that an engine cannot decide, with its cell; or the reason why a run cannot begin or
/// continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// A row without a record: the periods of the rows below have no common multiple below 2^64, or
    /// no record can describe the row, a defect of this program.
    #[error("row {row}: {problem}")]
    Row {
        /// The row.
        row: u64,
        /// The reason.
        problem: String,
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
    /// Words cannot be written to disk, or not read back.
    #[error(
        "{problem}; the run has ended: make room, or put the file back, and the same command \
         resumes from the newest checkpoint"
    )]
    Words {
        /// The file, and the error of the operating system.
        problem: String,
    },
    /// A link between blocks has failed, or words are missing.
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

    /// The system refuses a thread of this number.
    pub(crate) fn threads(wanted: usize) -> impl Fn(io::Error) -> Self {
        move |problem| Self::Threads { wanted, problem: problem.to_string() }
    }
}

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
    /// A folder cannot be used for the words of this run. Nothing has been computed.
    SpillFolder,
}

/// The problem with a file, and what to do.
fn in_words(kind: FileProblem, file: &impl Display, problem: &str) -> String {
    match kind {
        FileProblem::Unreadable => format!(
            "cannot read the checkpoint {file}: {problem}; it has not been changed: make it readable, \
             or move it away, and the same command resumes from the one before it, or starts again"
        ),
        FileProblem::Unusable => format!("the checkpoint {file} {problem}"),
        FileProblem::SpillFolder => format!("words cannot wait on disk: {file}: {problem}"),
    }
}

impl FileProblem {
    /// The error of this file.
    pub(crate) fn of(self, file: &Path, problem: impl Display) -> WordsError {
        WordsError::File { kind: self, file: file.to_owned(), problem: problem.to_string() }
    }
}

/// A number of bytes, shown in MB, GB or TB, rounded up.
///
/// ```
/// use sweep::checkpoints::Bytes;
/// let shown = [1, 10_000_000, 15_134_700_000, 372_887_300_000].map(|n| Bytes(n).to_string());
/// assert_eq!(shown, ["1 MB", "10 MB", "15.2 GB", "373 GB"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        const MEGA: u64 = 1_000_000;
        let megabytes = self.0.div_ceil(MEGA);
        let (unit, name) = match megabytes {
            0..1000 => return write!(f, "{megabytes} MB"),
            1000..MEGA => (1000, "GB"),
            MEGA.. => (MEGA, "TB"),
        };
        if megabytes >= 100 * unit {
            return write!(f, "{} {name}", megabytes.div_ceil(unit));
        }
        let tenths = megabytes.div_ceil(unit / 10);
        write!(f, "{}.{} {name}", tenths / 10, tenths % 10)
    }
}
