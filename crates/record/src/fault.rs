//! The faults of a statement about one row, as far as the statement alone shows them.

use num_bigint::BigUint;
use thiserror::Error;

use crate::TailError;

/// Why a statement about a row is not well-formed. No fault says anything about Chomp beyond what
/// facts 1 and 4 of `proofs/README.md` say of every row.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// A number that other programs could not hold exactly.
    #[error("{field} is {value}, but numbers of a record are less than 2^63")]
    TooLarge {
        /// The field.
        field: &'static str,
        /// Its value.
        value: u64,
    },
    /// A column before the row's first.
    #[error("{field} is {value}, but the first column of row {row} is {row}")]
    ColumnBeforeRow {
        /// The field.
        field: &'static str,
        /// Its value.
        value: u64,
        /// The row.
        row: u64,
    },
    /// An offset no row of that number can have.
    #[error("offset {offset} is out of range: the offsets of row {row} are 0 to {most}")]
    OffsetOutOfRange {
        /// The field that holds or implies it.
        field: &'static str,
        /// The offset.
        offset: u64,
        /// The row.
        row: u64,
        /// The largest offset that it can have.
        most: u64,
    },
    /// A tail that is no partition.
    #[error("{0}")]
    Tail(#[from] TailError),
    /// A row that is named twice.
    #[error("a record has a row or a tail, not both")]
    RowAndTail,
    /// An order ideal beside another name of the row, or without its columns.
    #[error(
        "a record has a row, a tail or an ideal; an ideal has begins, column and shift, \
             and early only with it"
    )]
    Ideal,
    /// Early positions that are not in their columns, or that share a p.
    #[error(
        "early has column {column}; its columns ascend from {begins} on, are less than {end}, and \
         no two have the same p"
    )]
    Early {
        /// The column.
        column: u64,
        /// The first column of the row.
        begins: u64,
        /// The first column of the statement.
        end: u64,
    },
    /// A row that cannot be empty because of that x.
    #[error("by is {by}, but a row is empty by a number from 1 to {} at most", first.saturating_sub(1))]
    EmptyBy {
        /// The stated x.
        by: u64,
        /// The first column of the row.
        first: u64,
    },
    /// A row of level 0 of three-rowed Chomp without positions.
    #[error("no row of three-rowed Chomp is empty at level 0: f(r,r) exists for every r")]
    NeverEmpty,
    /// A periodic row without values.
    #[error("values is empty; a periodic row has at least one")]
    NoValues,
    /// A row with offset 0 is finite.
    #[error("values holds offset 0, which would end the row")]
    ZeroValue,
    /// The values repeat within themselves.
    #[error("the period {period} of values is not minimal: they repeat after {minimal}")]
    PeriodNotMinimal {
        /// The period as stated.
        period: usize,
        /// The least period.
        minimal: usize,
    },
    /// Two columns would have the same p.
    #[error(
        "values are no juggling sequence: places {first} and {second} (from 0) give the same p \
         modulo the period"
    )]
    NotJuggling {
        /// One place in `values`, counted from 0.
        first: usize,
        /// The other.
        second: usize,
    },
    /// The certificate begins where the row does not repeat yet.
    #[error("the certificate's from is {from}, before the row's start {start}")]
    FromBeforeStart {
        /// The certificate's `from`.
        from: u64,
        /// The row's `start`.
        start: u64,
    },
    /// The recurrence runs backwards.
    #[error("the certificate's recurs is {recurs}, not past its from {from}")]
    RecursTooEarly {
        /// The certificate's `from`.
        from: u64,
        /// The certificate's `recurs`.
        recurs: u64,
    },
    /// The distance is no multiple of a number that must divide it.
    #[error("recurs - from is {distance}, which is not a multiple of {what} {divisor}")]
    DoesNotDivide {
        /// The period or the modulus.
        what: &'static str,
        /// Its value.
        divisor: BigUint,
        /// `recurs - from`.
        distance: u64,
    },
    /// The state is not in its one form.
    #[error("above must ascend from past filled = {filled}, but holds {member} at place {place}")]
    AboveNotAscending {
        /// The least offset outside the state.
        filled: u64,
        /// The member that does not ascend.
        member: u64,
        /// Its place, counted from 0.
        place: usize,
    },
    /// `head` has another length than its columns.
    #[error("head has {length} offsets, but columns {row} to {end} (exclusive) are {columns}")]
    HeadLength {
        /// Number of offsets.
        length: usize,
        /// The first column.
        row: u64,
        /// One past the last column.
        end: u64,
        /// Number of columns.
        columns: u64,
    },
    /// The row could be stated with an earlier start.
    #[error("start is not the least: the offset of column {column} repeats already")]
    StartNotLeast {
        /// The last column of the head.
        column: u64,
    },
    /// An offset 0 before the end of a row, or another one at its end.
    #[error("the offset of column {column} is {offset}: a row has offset 0 just where it ends")]
    WrongEnd {
        /// The column.
        column: u64,
        /// Its offset.
        offset: u64,
    },
    /// Two columns of the head have the same p.
    #[error("columns {first} and {second} have the same p = {p}")]
    RepeatedP {
        /// One column.
        first: u64,
        /// The other.
        second: u64,
        /// Their p.
        p: u64,
    },
    /// `first` and the offset of the first column disagree.
    #[error("first is {first}, but the offset of column {row} is {offset}")]
    FirstDisagrees {
        /// The stated diagonal value.
        first: u64,
        /// The row.
        row: u64,
        /// The offset of its first column.
        offset: u64,
    },
    /// A fingerprint other than 0 of no offsets.
    #[error("head must be \"0000000000000000\": there is no column before start")]
    FingerprintOfNothing,
}

impl Fault {
    /// The field of the record to look at.
    #[must_use]
    pub fn field(&self) -> &'static str {
        match self {
            Self::TooLarge { field, .. }
            | Self::ColumnBeforeRow { field, .. }
            | Self::OffsetOutOfRange { field, .. } => field,
            Self::NoValues
            | Self::ZeroValue
            | Self::PeriodNotMinimal { .. }
            | Self::NotJuggling { .. } => "values",
            Self::FromBeforeStart { .. } => "from",
            Self::RecursTooEarly { .. } | Self::DoesNotDivide { .. } => "recurs",
            Self::AboveNotAscending { .. } => "above",
            Self::StartNotLeast { .. } => "start",
            Self::HeadLength { .. }
            | Self::WrongEnd { .. }
            | Self::RepeatedP { .. }
            | Self::FingerprintOfNothing => "head",
            Self::FirstDisagrees { .. } => "first",
            Self::Tail(_) | Self::RowAndTail => "tail",
            Self::Ideal => "ideal",
            Self::Early { .. } => "early",
            Self::EmptyBy { .. } | Self::NeverEmpty => "by",
        }
    }
}
