//! The findings of a check, worded for the person who must act on them.

use std::fmt;

use num_bigint::BigUint;
use record::RowKey;
use record::data_set::DataSetError;
use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::verified::Resumed;

/// A record that was refuted.
pub type Refutation = NotVerified<Why>;

/// A record that is neither verified nor refuted.
pub type Undecided = NotVerified<Limit>;

/// A record that was not verified.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}, line {line} of {file}: {why}")]
pub struct NotVerified<W> {
    /// The name of the segment file.
    pub file: String,
    /// The number of the record in the data set, from 0.
    pub number: u64,
    /// The line of the record in the segment file, from 1.
    pub line: u64,
    /// The row.
    pub key: Box<RowKey>,
    /// The problem, or the limit that its check reached.
    pub why: W,
}

/// Why a record is refuted. Depth *heads* finds the reasons from [`Why::WrongBy`] on, depth *tails*
/// those before it.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "reason", content = "details", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Why {
    /// The record of another row.
    #[error("another row's record stands here")]
    OutOfOrder {},
    /// Fact 3 needs `s <= from`.
    #[error(
        "the certificate's from is {from}, but the rows below settle only at column {settled}, \
         because of {by}"
    )]
    NotSettled {
        /// The certificate's `from`.
        from: u64,
        /// The s of fact 3.
        settled: u64,
        /// A row that has it.
        #[serde(serialize_with = "in_words")]
        by: RowKey,
    },
    /// The values are not those that U(from) and the rows below give.
    #[error(
        "values gives offset {stated} in column {column}, but from U(from) and the rows below \
         follows {computed}"
    )]
    WrongValue {
        /// The column.
        column: u64,
        /// The stated offset.
        stated: u64,
        /// The computed one.
        computed: u64,
    },
    /// The distance is more than one least common multiple of period and modulus (fact 7).
    #[error(
        "the certificate's recurs is {recurs}, but U(from) recurs at column {earlier} already, at a \
         distance that the modulus divides"
    )]
    RecursEarlier {
        /// The certificate's `recurs`.
        recurs: u64,
        /// The column at which it should be.
        earlier: u64,
    },
    /// With the stated values, U(recurs) is another set than U(from).
    #[error("U(from) does not recur at column {recurs}")]
    DoesNotRecur {
        /// The certificate's `recurs`.
        recurs: u64,
    },
    /// A period that the window rule counts does not divide the modulus.
    #[error(
        "the certificate's modulus is {stated}, but row {by} has a value in the window {least} to \
         {largest} and period {period}"
    )]
    PeriodLeftOut {
        /// The certificate's `modulus`.
        #[serde(serialize_with = "in_words")]
        stated: BigUint,
        /// A row below.
        by: u64,
        /// Its period.
        period: u64,
        /// The h of fact 3.
        least: u64,
        /// The z of fact 3.
        largest: u64,
    },
    /// Another modulus than the window rule gives.
    #[error(
        "the certificate's modulus is {stated}, but the rows below with a value in the window \
         {least} to {largest} have periods with least common multiple {computed}"
    )]
    WrongModulus {
        /// The certificate's `modulus`.
        #[serde(serialize_with = "in_words")]
        stated: BigUint,
        /// The right one.
        #[serde(serialize_with = "in_words")]
        computed: BigUint,
        /// The h of fact 3.
        least: u64,
        /// The z of fact 3.
        largest: u64,
    },
    /// Another position, or none, in an irregular column (fact 13).
    #[error(
        "early says {} for column {column}, but it is {}",
        shown(*stated), shown(*computed)
    )]
    WrongEarly {
        /// The column.
        column: u64,
        /// The stated p, if there is one.
        stated: Option<u64>,
        /// The computed one.
        computed: Option<u64>,
    },
    /// A regular column without a position: a defect of the description (fact 13 (c)).
    #[error(
        "column {column} has no position past p = {p}, though it is regular; this is a defect of \
         the program, please report it"
    )]
    Irregular {
        /// The column.
        column: u64,
        /// The p.
        p: u64,
    },
    /// An empty row with a wrong x.
    #[error(
        "by is {stated}, but {}",
        computed.map_or("the row is not empty".to_owned(), |x| format!("the row is empty by {x}"))
    )]
    WrongBy {
        /// The stated x of fact 12(b).
        stated: u64,
        /// The right one, if there is one.
        computed: Option<u64>,
    },
    /// A row that is empty.
    #[error("the row is empty by {by}, but its record states positions")]
    Empty {
        /// The x of fact 12(b).
        by: u64,
    },
    /// Another diagonal value.
    #[error("first is {stated}, but the diagonal value is {computed}")]
    WrongFirst {
        /// The stated diagonal value.
        stated: u64,
        /// The computed one.
        computed: u64,
    },
    /// The row ends before the column that its record states.
    #[error("the row ends at column {column}, but its record continues it")]
    Ends {
        /// The column.
        column: u64,
    },
    /// The row continues past the last column that its record states.
    #[error("last is {last}, but the offset of that column is {computed}, not 0")]
    GoesOn {
        /// The stated last column.
        last: u64,
        /// The computed offset.
        computed: u64,
    },
    /// A row that repeats before the start that its record states, or whose record states an end.
    #[error(
        "the row repeats from column {column} on: its state comes back at column {again}, and all \
         rows below have settled; its record says otherwise"
    )]
    RepeatsBefore {
        /// A column.
        column: u64,
        /// A later column with the same state.
        again: u64,
    },
    /// An offset of the head, or of `values` before `from`, is another one.
    #[error("the offset of column {column} is {computed}, not {stated}")]
    WrongOffset {
        /// The column.
        column: u64,
        /// The stated offset.
        stated: u64,
        /// The computed one.
        computed: u64,
    },
    /// The offsets repeat from an earlier column on.
    #[error("start is {start}, but the offset of column {} repeats already", start.saturating_sub(1))]
    StartNotLeast {
        /// The stated start.
        start: u64,
    },
    /// The fingerprint of other offsets.
    #[error("head is the fingerprint {stated:016x}, but the offsets have {computed:016x}")]
    WrongFingerprint {
        /// The stated fingerprint.
        #[serde(serialize_with = "hexadecimal")]
        stated: u64,
        /// The computed one.
        #[serde(serialize_with = "hexadecimal")]
        computed: u64,
    },
    /// U(from) is another set.
    #[error(
        "the certificate's U({from}) is 0 to {stated_filled} (exclusive) and {stated_above:?}, but \
         the rules give 0 to {filled} (exclusive) and {above:?}"
    )]
    WrongState {
        /// The certificate's `from`.
        from: u64,
        /// Its `filled`.
        stated_filled: u64,
        /// Its `above`.
        stated_above: Vec<u64>,
        /// The computed `filled`.
        filled: u64,
        /// The computed `above`.
        above: Vec<u64>,
    },
}

/// A row, as messages name it.
fn in_words<S: Serializer>(shown: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(shown)
}

/// A number of any size, as a string of its digits.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn hexadecimal<S: Serializer>(fingerprint: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{fingerprint:016x}"))
}

/// How a check ends early.
pub(crate) enum EarlyEnd {
    /// The record of this number is refuted.
    Refuted { row: u64, why: Why },
    /// The caller asked to stop.
    Interrupted,
    /// The check of the record of this number reached this limit.
    Limit { row: u64, limit: Limit },
}

/// Why a check did not end with a verdict of *verified*.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// A record was refuted.
    #[error(transparent)]
    Refuted(#[from] Refutation),
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
    #[error(transparent)]
    Incomplete(#[from] Undecided),
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
        let column = to.column.saturating_sub(1);
        write!(f, "heads of rows 0 to {last}, columns {first} to {column}: as stated, ")?;
        if let Some(from) = from {
            write!(f, "if the checkpoint with hash {} is right, ", from.hash)?;
        }
        write!(f, "and they lead to the checkpoint with hash {}", to.hash)
    }
}

/// The limits of a check. True records of the rows to 2 000 000 are far from all of
/// these, with the certificates that `chomp rows` writes.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "reason", content = "details", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Limit {
    /// The last column of *heads*.
    #[error(
        "a head that reaches column {column} is beyond this program; nothing is proved at depth heads"
    )]
    Column {
        /// The column.
        column: u64,
    },
    /// The work of *heads*, where certificates begin late.
    #[error(
        "the heads take more than {cells} cells, and at column {column} the head of this row is not at \
         its end; nothing is proved at depth heads"
    )]
    Cells {
        /// The most cells.
        cells: u64,
        /// The column that was reached.
        column: u64,
    },
    /// The work for one certificate.
    #[error(
        "the certificate takes more than {lookups} look-ups in the rows below, at column {column}; \
         nothing is proved"
    )]
    Lookups {
        /// The most look-ups.
        lookups: u32,
        /// The column that was reached.
        column: u64,
    },
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

/// `p = 3`, `no position`.
fn shown(p: Option<u64>) -> String {
    p.map_or("no position".to_owned(), |p| format!("p = {p}"))
}
