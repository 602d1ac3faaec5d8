//! Why there is no result: its words, its kind, and a hint at what helps.
//!
//! A variant of its own has what a program acts on; all other reasons are [`Error::Other`].

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use answers::{Position, QueryError};
use boards::SolveError;
use census::export::ExportError;
use census::sequences::TermError;
use check::{CheckError, Verified};
use posets::Unfinished;
use record::data_set::DataSetError;
use record::{Problem, ReadError, RowKey};
use sweep::checkpoints::WordsError;
use sweep::error::SweepError;
use thiserror::Error;

/// Why there is no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The watcher stopped the work, and nothing is kept of it.
    #[error("interrupted")]
    Interrupted,
    /// The watcher stopped the writing of a data set.
    #[error("interrupted{}", words(kept.as_deref()))]
    WriteInterrupted {
        /// The rows that were kept; `None` if the folder is as it was before.
        kept: Option<Box<Kept>>,
    },
    /// More memory is needed than this process may have.
    #[error("{words}")]
    Memory {
        /// The need, the limit, and a way to need less.
        words: String,
        /// The bytes that it may have, besides those for its threads.
        left: u64,
        /// What helps.
        hint: Hint,
    },
    /// A case that the sweep does not prove.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// A checkpoint or words on disk that cannot be used.
    #[error(transparent)]
    Words(WordsError),
    /// A data set that cannot be read or written.
    #[error(transparent)]
    DataSet(DataSetError),
    /// Records do not answer a question.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A data set was not verified.
    #[error("{}", checked(.0))]
    Check(#[source] Box<CheckError>),
    /// The operating system refused a request.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another reason.
    #[error("{words}")]
    Other {
        /// Its kind.
        kind: ErrorKind,
        /// The reason, where it lies, and what to do.
        words: String,
        /// What helps.
        hint: Hint,
    },
}

/// The smaller data set that an interrupted run has kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its folder.
    pub folder: PathBuf,
    /// Its last row.
    pub last: u64,
    /// The verdict on the rows that were read back, from row 0 on; `None` if none were, because
    /// that would have taken too large a share of the processor time.
    pub self_check: Option<Verified>,
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
    /// What is asked for does not exist, which is the answer.
    Nothing,
    /// Nobody reads the result any more.
    Closed,
}

/// What helps, for a program that offers it by an option or a command of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Nothing but what the words say.
    None,
    /// The sweep instead of the literal recurrence.
    Sweep,
    /// Fewer threads.
    Threads,
    /// More, or less, memory.
    Memory,
    /// No data set.
    NoData,
    /// A data set.
    Data,
    /// A data set with all offsets, or none.
    Offsets,
    /// A data set with all offsets.
    OnlyOffsets,
    /// A check of the data set in this folder.
    Check(PathBuf),
}

impl Error {
    /// A request that makes no sense, or not here.
    pub fn usage(words: impl Display) -> Self {
        Self::of(ErrorKind::Usage, words)
    }

    /// Something that cannot be read or written.
    pub fn file(words: impl Display) -> Self {
        Self::of(ErrorKind::InputOrOutput, words)
    }

    /// A statement that was shown to be wrong.
    pub fn refuted(why: impl Display) -> Self {
        Self::of(ErrorKind::Refuted, format!("refuted: {why}"))
    }

    /// Work that did not end.
    pub fn incomplete(why: impl Display) -> Self {
        Self::of(ErrorKind::Incomplete, format!("incomplete: {why}"))
    }

    /// What is asked for does not exist.
    pub fn nothing(why: impl Display) -> Self {
        Self::of(ErrorKind::Nothing, why)
    }

    /// The watcher stopped the work; `what` says what is left of it.
    pub fn interrupted(what: impl Display) -> Self {
        Self::of(ErrorKind::Incomplete, format!("interrupted{what}"))
    }

    /// A contradiction, which only a defect of this program explains.
    pub fn defect(what: impl Display) -> Self {
        Self::of(ErrorKind::InputOrOutput, format!("{what}, a defect of this program"))
    }

    /// Rows that are not held; `held` says which are, as in `rows/ holds rows 0 to 130`.
    pub fn no_such_row(held: &str, key: &RowKey) -> Self {
        Self::usage(format!("{held}, not {key}"))
    }

    /// A position without a natural number as Grundy value.
    pub fn infinite(position: &Position) -> Self {
        Self::usage(format!("{position} has a row of ω squares, and no natural number as value"))
    }

    /// A reason of this kind.
    pub fn of(kind: ErrorKind, words: impl Display) -> Self {
        Self::Other { kind, words: words.to_string(), hint: Hint::None }
    }

    /// The same reason with a hint.
    pub(crate) fn with(self, hint: Hint) -> Self {
        match self {
            Self::Other { kind, words, .. } => Self::Other { kind, words, hint },
            own => own,
        }
    }

    /// Its kind.
    ///
    /// ```
    /// use driver::{Engine, ErrorKind};
    /// let error = Engine::default().row_in_full(u64::MAX, &()).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Usage);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Other { kind, .. } => *kind,
            Self::Memory { .. }
            | Self::Sweep(SweepError::Threads { .. } | SweepError::Kernel { .. })
            | Self::Query(QueryError::NeedsHead { .. }) => ErrorKind::Usage,
            Self::Check(error) => kind_of_check(error),
            Self::Sweep(SweepError::Words { .. })
            | Self::Words(_)
            | Self::DataSet(_)
            | Self::Query(_)
            | Self::Io(_) => ErrorKind::InputOrOutput,
            Self::Sweep(_) | Self::Interrupted | Self::WriteInterrupted { .. } => {
                ErrorKind::Incomplete
            }
        }
    }
}

/// The kind of an error of the checker.
pub fn kind_of_check(error: &CheckError) -> ErrorKind {
    match error {
        CheckError::Interrupted | CheckError::Part(_) | CheckError::Incomplete(_) => {
            ErrorKind::Incomplete
        }
        CheckError::Resumed { source, .. } => kind_of_check(source),
        CheckError::NoSuchRows { .. } | CheckError::WholeFamily { .. } => ErrorKind::Usage,
        error if error.is_refutation() => ErrorKind::Refuted,
        _ => ErrorKind::InputOrOutput,
    }
}

impl From<CheckError> for Error {
    fn from(error: CheckError) -> Self {
        Self::Check(Box::new(error))
    }
}

impl From<DataSetError> for Error {
    fn from(error: DataSetError) -> Self {
        match error {
            DataSetError::Stopped => Self::Interrupted,
            error => Self::DataSet(error),
        }
    }
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

/// Errors of libraries by their kinds; one that the watcher stopped is [`Error::Interrupted`].
macro_rules! of_libraries {
    ($($error:ty { $($which:pat => $kind:ident,)* })*) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Self {
                let kind = match error {
                    $($which => of_libraries!($kind),)*
                };
                Self::of(kind, error)
            }
        }
    )*};
    (Stopped) => { return Self::Interrupted };
    ($kind:ident) => { ErrorKind::$kind };
}

of_libraries! {
    levels::Error {
        levels::Error::Stopped => Stopped,
        levels::Error::TooMany { .. } => Usage,
        _ => Incomplete,
    }
    SolveError { SolveError::Stopped => Stopped, _ => Usage, }
    Unfinished { Unfinished::Stopped => Stopped, _ => Usage, }
    byrnes::RowError { _ => Incomplete, }
    byrnes::LosersError { _ => Incomplete, }
    record::Fault { _ => Incomplete, }
    ReadError { ReadError { problem: Problem::Fault(_), .. } => Refuted, _ => InputOrOutput, }
}

/// An export that cannot be written is an error of the system, as any other output.
impl From<ExportError> for Error {
    fn from(error: ExportError) -> Self {
        let (kind, hint) = match error {
            ExportError::Io(error) => return error.into(),
            ExportError::NoOffsets => (ErrorKind::Usage, Hint::OnlyOffsets),
            ExportError::NotThreeRowed { .. } => (ErrorKind::Usage, Hint::None),
            _ => (ErrorKind::InputOrOutput, Hint::None),
        };
        Self::of(kind, error).with(hint)
    }
}

impl From<TermError> for Error {
    fn from(error: TermError) -> Self {
        let needs_offsets = matches!(error, TermError::NeedsOffsets { .. });
        let hint = if needs_offsets { Hint::Offsets } else { Hint::None };
        Self::of(ErrorKind::Incomplete, error).with(hint)
    }
}

fn checked(error: &CheckError) -> String {
    let verdict = match kind_of_check(error) {
        ErrorKind::Incomplete if !matches!(error, CheckError::Interrupted) => "incomplete: ",
        ErrorKind::Refuted => "refuted: ",
        _ => "",
    };
    format!("{verdict}{error}")
}

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
