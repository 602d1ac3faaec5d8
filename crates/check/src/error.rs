//! The findings of a check, worded for the person who must act on them.

use std::fmt;

use record::RowKey;
use record::data_set::DataSetError;
use serde_json::Value;
use thiserror::Error;

use crate::verified::Resumed;

/// A record that was refuted, or that is neither verified nor refuted, because its check reached a
/// limit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}, line {line} of {file}: {why}")]
pub struct NotVerified {
    /// The name of the segment file.
    pub file: String,
    /// The number of the record in the data set, from 0.
    pub number: u64,
    /// The line of the record in the segment file, from 1.
    pub line: u64,
    /// The row.
    pub key: Box<RowKey>,
    /// The problem, or the limit.
    pub why: Why,
}

/// The problem of a record, or the limit that its check reached. True records of the rows to
/// 2 000 000 are far from all limits, with the certificates that `chomp rows` writes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{words}")]
pub struct Why {
    /// A name; `docs/JSON.md` lists them, with the depths that find them.
    pub reason: &'static str,
    /// The numbers of the reason, under names that depend on it.
    pub details: Value,
    words: Box<str>,
}

/// How a check ends early.
pub(crate) enum EarlyEnd {
    /// The record of this number is refuted.
    Refuted { row: u64, why: Why },
    /// The caller asked to stop.
    Interrupted,
    /// The check of the record of this number reached this limit.
    Limit { row: u64, why: Why },
}

/// The record of this number is refuted.
pub(crate) fn refuted<T>(
    row: u64,
    reason: &'static str,
    details: Value,
    words: String,
) -> Result<T, EarlyEnd> {
    Err(EarlyEnd::Refuted { row, why: Why { reason, details, words: words.into() } })
}

/// The check of the record of this number reached a limit.
pub(crate) fn limit<T>(
    row: u64,
    reason: &'static str,
    details: Value,
    words: String,
) -> Result<T, EarlyEnd> {
    Err(EarlyEnd::Limit { row, why: Why { reason, details, words: words.into() } })
}

/// Why a check did not end with a verdict of *verified*.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// A record was refuted.
    #[error("{0}")]
    Refuted(NotVerified),
    /// The data set cannot be read, or is not whole, canonical and in order.
    #[error("{0}")]
    Structure(#[source] DataSetError),
    /// Rows asked for that are not there.
    #[error("rows {first} to {last} were asked for, but the data set holds rows 0 to {held}")]
    NoSuchRows {
        /// The first row asked for.
        first: u64,
        /// The last row asked for.
        last: u64,
        /// The last row there is.
        held: u64,
    },
    /// Some rows of a data set of levels or tails.
    #[error(
        "a data set of levels or tails is verified as a whole, and some of its rows were asked for; \
         it holds {family}"
    )]
    WholeFamily {
        /// Its rows.
        family: String,
    },
    /// A checkpoint of *heads* that cannot be used.
    #[error("{file}: {problem}")]
    Checkpoint {
        /// Its file.
        file: String,
        /// The problem, and a remedy.
        problem: String,
    },
    /// A check that resumed from a checkpoint found an error in the records or in the checkpoint.
    #[error(
        "{source}; or the checkpoint with hash {hash}, from which this check resumed, is wrong"
    )]
    Resumed {
        /// The error, if the checkpoint is right.
        source: Box<CheckError>,
        /// The hash of the checkpoint.
        hash: String,
    },
    /// A part of a check of *heads*, as asked for.
    #[error("{0}")]
    Part(Box<Part>),
    /// The caller asked to stop.
    #[error("interrupted; nothing is proved")]
    Interrupted,
    /// A check that reached a limit.
    #[error("{0}")]
    Incomplete(NotVerified),
}

impl From<DataSetError> for CheckError {
    fn from(error: DataSetError) -> Self {
        match error {
            DataSetError::Stopped => Self::Interrupted,
            error => Self::Structure(error),
        }
    }
}

/// A part of a check of *heads*: the columns from one checkpoint, or from column 0, to another.
/// Structure and tails were verified. `Display` explains this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The hash of the last segment of the data set, which covers all segments.
    pub data: String,
    /// The last row.
    pub last: u64,
    /// The checkpoint at which the part begins.
    pub from: Option<Resumed>,
    /// The checkpoint at which it ends.
    pub to: Resumed,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { last, from, to, .. } = self;
        let first = from.as_ref().map_or(0, |from| from.column);
        let columns = match to.column.checked_sub(1).filter(|column| *column >= first) {
            Some(column) => format!("columns {first} to {column}"),
            None => "no columns".to_owned(),
        };
        write!(f, "heads of rows 0 to {last}, {columns}: as stated, ")?;
        if let Some(from) = from {
            write!(f, "if the checkpoint with hash {} is right, ", from.hash)?;
        }
        write!(f, "and they lead to the checkpoint with hash {}", to.hash)
    }
}

impl CheckError {
    /// Whether a statement was shown to be wrong, as against a data set that cannot be read or a
    /// check that did not end.
    pub fn is_refutation(&self) -> bool {
        match self {
            Self::Refuted(_) => true,
            Self::Resumed { source, .. } => source.is_refutation(),
            Self::Structure(DataSetError::Line { source, .. }) => {
                matches!(source.problem, record::Problem::Fault(_))
            }
            _ => false,
        }
    }
}
