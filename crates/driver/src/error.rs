//! Why there is no result, and the kinds of failure.

use std::{io, path::PathBuf};

use answers::{Position, QueryError};
use boards::SolveError;
use census::sequences::{Sequence, TermError};
use check::CheckError;
use posets::Unfinished;
use record::data_set::DataSetError;
use record::{Family, Problem, ReadError, RowKey};
use sweep::error::SweepError;
use thiserror::Error;
use words::WordsError;

use crate::Bytes;
use crate::LARGEST_ROW;
use crate::bites::MOST_SQUARES;
use crate::checked_positions::PositionsRefuted;
use crate::memory::Shortage;
#[cfg(feature = "files")]
use crate::parts::PartsError;
#[cfg(feature = "files")]
use crate::sequences::SequenceError;
#[cfg(feature = "files")]
use crate::write::Kept;

/// Why there is no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A row past the largest that can be computed.
    #[error("rows go to {LARGEST_ROW} here, and row {row} is asked for")]
    RowTooLarge {
        /// The row.
        row: u64,
    },
    /// A sequence whose terms need rows past the largest.
    #[error("the last of these terms of {sequence} need rows past {LARGEST_ROW}; ask for fewer")]
    TooManyTerms {
        /// The sequence.
        sequence: Sequence,
    },
    /// More memory is needed than there is.
    #[error(transparent)]
    Memory(#[from] Shortage),
    /// A Grundy value that neither a table nor rows of levels give.
    #[error(
        "neither a table nor rows of levels give this Grundy value. The table: {table}. The rows: \
         {rows}. Boards to about 14x14 have a table; rows reach any length of the two longest rows \
         above short ones, as in (1000000,999999,5)"
    )]
    GrundyOutOfReach {
        /// Why there is no table.
        table: Box<Error>,
        /// Why there are no rows of levels.
        rows: Box<Error>,
    },
    /// Too little memory for a run that spills.
    #[error(
        "rows to {last} need at least {} of memory, wherever their words wait, and may take {}; \
         allow more, or choose a smaller row",
        Bytes(*least), Bytes(*memory)
    )]
    SpillMemory {
        /// The last row.
        last: u64,
        /// The bytes that they may take.
        memory: u64,
        /// The bytes that they need at least.
        least: u64,
    },
    /// The literal recurrence has no listeners to cells.
    #[error("the literal recurrence reports no cells; only the sweep does")]
    CellsOfLiteral,
    /// The operating system does not create the thread of the self-check.
    #[error(
        "the self-check cannot have its thread: {0}; raise the limits on threads and memory (ulimit \
         -u, -v)"
    )]
    SelfCheckThread(#[source] io::Error),
    /// A row that the literal recurrence did not prove.
    #[error(transparent)]
    Literal(#[from] byrnes::RowError),
    /// A row of a level that the literal recurrence did not prove.
    #[error(transparent)]
    LiteralLevel(#[from] byrnes::LevelError),
    /// Losers that were not proved.
    #[error(transparent)]
    Losers(#[from] byrnes::LosersError),
    /// The literal recurrence has three rows only.
    #[error("the literal recurrence has three rows only")]
    LiteralTails,
    /// A case that the sweep does not prove.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// A checkpoint or words on disk that cannot be used.
    #[error(transparent)]
    Words(WordsError),
    /// Rows of levels and tails that are too many, or that were not proved.
    #[error(transparent)]
    Levels(levels::Error),
    /// A row that no record can state: a defect of an engine.
    #[error(transparent)]
    Record(#[from] record::Fault),
    /// A line of a text that is no record.
    #[error(transparent)]
    Line(#[from] ReadError),
    /// A term of a sequence that the records do not give.
    #[error(transparent)]
    Term(#[from] TermError),
    #[cfg(feature = "files")]
    /// A sequence that has no such terms here.
    #[error(transparent)]
    Sequence(#[from] SequenceError),
    /// A data set that cannot be read or written.
    #[error(transparent)]
    DataSet(#[from] DataSetError),
    /// The folder for words is in the folder of a data set.
    #[error(
        "words cannot wait in {}: it is in the folder of the data set, {}, which holds nothing else; \
         choose another folder",
        folder.display(), data_set.display()
    )]
    WordsAmongRows {
        /// The folder for words.
        folder: PathBuf,
        /// The folder of the data set.
        data_set: PathBuf,
    },
    /// A data set, or records in memory, do not hold a row.
    #[error("{held}, not {key}")]
    NoSuchRow {
        /// The rows that are held, as in `rows/ holds rows 0 to 130`.
        held: String,
        /// The row asked for.
        key: Box<RowKey>,
    },
    /// A position without a natural number as Grundy value.
    #[error("{position} has a row of ω squares, and no natural number as value")]
    InfiniteValue {
        /// The position.
        position: Box<Position>,
    },
    /// A board whose bites would make a list that is too long.
    #[error("{position} has more than {MOST_SQUARES} squares, too many for a list")]
    TooManyBites {
        /// The position.
        position: Box<Position>,
    },
    /// A row without a period.
    #[error("row {row} is finite, and has no period: it ends in column {last}")]
    NoPeriod {
        /// The row.
        row: u64,
        /// Its last column.
        last: u64,
    },
    /// Records do not answer a question.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A row of the data set that is extended came out differently.
    #[error("{}{}", DataSetError::Contradicted { row: *row }, or_checkpoint(*believed))]
    Contradicted {
        /// The first row that differs.
        row: u64,
        /// The row of the checkpoint that the run resumed from.
        believed: Option<u64>,
    },
    /// A data set was not verified.
    #[error("{}", checked(.0))]
    Check(#[source] Box<CheckError>),
    /// The self-check of a run did not verify the written rows.
    #[error(
        "{} the rows of this run: {source}. No manifest was written{}",
        if source.is_refutation() { "the self-check refuted" } else { "the self-check did not verify" },
        from_checkpoint(*believed)
    )]
    SelfCheck {
        /// The finding.
        source: Box<CheckError>,
        /// The row of the checkpoint that the run resumed from.
        believed: Option<u64>,
    },
    /// A board that cannot be solved.
    #[error(transparent)]
    Board(SolveError),
    /// P-positions that contradict each other: a defect of this program.
    #[error("refuted: {0}")]
    PositionsRefuted(Box<PositionsRefuted>),
    /// The state of a run that finds P-positions cannot be used.
    #[error("{}: {problem}", file.display())]
    PositionsState {
        /// The file.
        file: PathBuf,
        /// The problem, and a remedy.
        problem: String,
    },
    /// The watcher stopped the search for P-positions, and the state is kept.
    #[error("interrupted; {} holds the state, and the same command resumes at a = {next}", file.display())]
    PositionsInterrupted {
        /// The file.
        file: PathBuf,
        /// The least length of row 1 that is not done.
        next: u16,
    },
    /// A poset that is too large for a search.
    #[error(transparent)]
    Poset(Unfinished),
    /// The watcher stopped the work.
    #[error("interrupted")]
    Interrupted,
    #[cfg(feature = "files")]
    /// Parts of a rectangle that cannot be used or kept.
    #[error(transparent)]
    Parts(#[from] PartsError),
    /// The watcher stopped the solution of a rectangle in parts.
    #[error(
        "interrupted; {} holds {there} of {all} parts, and the same command resumes from them",
        folder.display()
    )]
    PartsInterrupted {
        /// The folder of the parts.
        folder: PathBuf,
        /// The number of parts that were kept.
        there: usize,
        /// The number of all parts.
        all: usize,
    },
    #[cfg(feature = "files")]
    /// The watcher stopped the writing of a data set.
    #[error("interrupted{}", words(kept.as_deref()))]
    WriteInterrupted {
        /// The rows that were kept; `None` if the folder is as it was before.
        kept: Option<Box<Kept>>,
    },
    /// The watcher stopped the verification of a data set that is written.
    #[error("interrupted; {} holds {family}, written but not verified", folder.display())]
    VerificationInterrupted {
        /// The folder of the data set.
        folder: PathBuf,
        /// Its rows.
        family: Family,
    },
    /// A contradiction, which only a defect of this program explains.
    #[error("{what}, a defect of this program")]
    Defect {
        /// The contradiction.
        what: String,
    },
}

/// The kind of an [`Error`](enum@Error), for an exit code or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request makes no sense, or not here.
    Usage,
    /// A statement was shown to be wrong.
    Refuted,
    /// Something cannot be read or written.
    InputOrOutput,
    /// The work was interrupted, or did not finish.
    Incomplete,
}

impl From<CheckError> for Error {
    fn from(error: CheckError) -> Self {
        Self::Check(Box::new(error))
    }
}

/// Errors of searches: one that the watcher stopped is [`Error::Interrupted`].
macro_rules! of_searches {
    ($($error:ty => $variant:ident,)*) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                match error {
                    <$error>::Stopped => Self::Interrupted,
                    error => Self::$variant(error),
                }
            }
        }
    )*};
}

of_searches! {
    levels::Error => Levels,
    SolveError => Board,
    Unfinished => Poset,
}

impl From<WordsError> for Error {
    fn from(error: WordsError) -> Self {
        match error {
            WordsError::Sweep(error) => Self::Sweep(error),
            WordsError::Stopped => Self::Interrupted,
            error => Self::Words(error),
        }
    }
}

impl Error {
    /// Its kind.
    ///
    /// ```
    /// use driver::{Engine, ErrorKind};
    /// let error = Engine::default().row_in_full(u64::MAX, &()).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Usage);
    /// ```
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::RowTooLarge { .. }
            | Self::TooManyTerms { .. }
            | Self::Memory(_)
            | Self::GrundyOutOfReach { .. }
            | Self::SpillMemory { .. }
            | Self::CellsOfLiteral
            | Self::SelfCheckThread(_)
            | Self::WordsAmongRows { .. }
            | Self::LiteralTails
            | Self::NoSuchRow { .. }
            | Self::InfiniteValue { .. }
            | Self::TooManyBites { .. }
            | Self::NoPeriod { .. }
            | Self::Sweep(SweepError::Threads { .. } | SweepError::Kernel { .. })
            | Self::Levels(levels::Error::TooMany { .. })
            | Self::Board(_)
            | Self::Poset(_)
            | Self::Query(QueryError::NeedsHead { .. }) => ErrorKind::Usage,
            Self::Literal(_)
            | Self::LiteralLevel(_)
            | Self::Losers(_)
            | Self::Levels(_)
            | Self::Sweep(_)
            | Self::Record(_)
            | Self::Term(_)
            | Self::VerificationInterrupted { .. }
            | Self::PartsInterrupted { .. }
            | Self::PositionsInterrupted { .. }
            | Self::Interrupted => ErrorKind::Incomplete,
            Self::PositionsRefuted(_) => ErrorKind::Refuted,
            Self::Check(error) => kind(error),
            Self::Line(error) if matches!(error.problem, Problem::Fault(_)) => ErrorKind::Refuted,
            // A record that it cannot read or decide is not refuted, and the run has written
            // nothing.
            Self::SelfCheck { source, .. } if source.is_refutation() => ErrorKind::Refuted,
            Self::Words(_)
            | Self::Line(_)
            | Self::Query(_)
            | Self::SelfCheck { .. }
            | Self::DataSet(_)
            | Self::Contradicted { .. }
            | Self::PositionsState { .. }
            | Self::Defect { .. } => ErrorKind::InputOrOutput,
            #[cfg(feature = "files")]
            Self::Sequence(error) if error.is_incomplete() => ErrorKind::Incomplete,
            #[cfg(feature = "files")]
            Self::Sequence(_) => ErrorKind::Usage,
            #[cfg(feature = "files")]
            Self::WriteInterrupted { .. } => ErrorKind::Incomplete,
            #[cfg(feature = "files")]
            Self::Parts(_) => ErrorKind::InputOrOutput,
        }
    }
}

fn kind(error: &CheckError) -> ErrorKind {
    match error {
        CheckError::Interrupted | CheckError::Part(_) | CheckError::Incomplete(_) => {
            ErrorKind::Incomplete
        }
        CheckError::Resumed { source, .. } => kind(source),
        CheckError::NoSuchRows { .. } | CheckError::WholeFamily { .. } => ErrorKind::Usage,
        error if error.is_refutation() => ErrorKind::Refuted,
        _ => ErrorKind::InputOrOutput,
    }
}

fn checked(error: &CheckError) -> String {
    match error {
        CheckError::Incomplete(_) | CheckError::Part(_) => format!("incomplete: {error}"),
        CheckError::Resumed { source, .. } if matches!(**source, CheckError::Incomplete(_)) => {
            format!("incomplete: {error}")
        }
        error if error.is_refutation() => format!("refuted: {error}"),
        _ => error.to_string(),
    }
}

fn or_checkpoint(believed: Option<u64>) -> String {
    believed.map_or(String::new(), |row| {
        format!(", or the checkpoint at row {row} that this run resumed from")
    })
}

fn from_checkpoint(believed: Option<u64>) -> String {
    believed.map_or(String::new(), |row| {
        format!(
            ". The run resumed from the checkpoint at row {row}, which may be wrong: move that \
             checkpoint away, and the same command resumes from the one before it, or begins anew"
        )
    })
}

#[cfg(feature = "files")]
fn words(kept: Option<&Kept>) -> String {
    let Some(Kept { folder, last, .. }) = kept else {
        return "; the folder is as it was before".to_owned();
    };
    format!(
        "; {} holds rows 0 to {last}, and the same command extends them, from the newest checkpoint if \
         there is one",
        folder.display()
    )
}
