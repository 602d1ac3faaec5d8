//! f(q,t) for one row, and back: the offset that a record states for a column, and the column that
//! it states for a p, for numbers of any size.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use record::{Finite, Head, Periodic, Record, RowKey, Statement, Tail};
use thiserror::Error;

use crate::Position;

/// f(q,t), or why there is no such number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// The only p that makes (p,q,t) a P-position.
    Is(BigUint),
    /// q is less than the first column of the row, so that (p,q,t) is no position.
    BeforeFirst {
        /// The first column.
        first_column: u64,
    },
    /// The row has ended before column q.
    Ended {
        /// The column of its last P-position.
        last: u64,
    },
    /// The row is empty.
    Empty {
        /// It is empty by this x.
        by: u64,
    },
}

impl Value {
    /// The p, if there is one.
    pub fn p(self) -> Option<BigUint> {
        if let Self::Is(p) = self { Some(p) } else { None }
    }

    /// Why there is no p for this q and tail, as a sentence without its point; `None` if there is
    /// one.
    ///
    /// ```
    /// let why = answers::Value::Ended { last: 7 }.why_none(&8_u32.into(), &"4".parse()?);
    /// assert_eq!(why.unwrap(), "no p makes (p,8,4) a P-position: row 4 ends with (7,7,4)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn why_none(&self, q: &BigUint, tail: &Tail) -> Option<String> {
        let lower = tail.parts().iter().map(|part| format!(",{part}")).collect::<Vec<_>>().concat();
        let row = match tail.parts() {
            [row] => row.to_string(),
            _ => tail.to_string(),
        };
        let no_p = format!("no p makes (p,{q}{lower}) a P-position");
        match self {
            Self::Is(_) => None,
            Self::BeforeFirst { first_column } => {
                Some(format!("(p,{q}{lower}) is no position, as {q} < {first_column}"))
            }
            Self::Ended { last } => {
                Some(format!("{no_p}: row {row} ends with ({last},{last}{lower})"))
            }
            Self::Empty { .. } => Some(format!("{no_p}: row {row} is empty")),
        }
    }
}

/// f(q,t) for the tail t of a record of level 0; for one of level g, the p of a position with that
/// Grundy value. O(log q).
///
/// # Errors
/// [`QueryError::NeedsHead`] if the record has only a fingerprint of that offset.
///
/// ```
/// use answers::{Value, value};
/// let row_1 = r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#;
/// let row_1 = record::parse_line(row_1, 1).unwrap();
/// let value = |q: u32| value(&row_1, &q.into()).unwrap();
/// assert_eq!([1, 2].map(value), [3_u32, 2].map(|p| Value::Is(p.into())));
/// let none = [Value::BeforeFirst { first_column: 1 }, Value::Ended { last: 2 }];
/// assert_eq!([0, 3].map(value), none);
/// ```
pub fn value(record: &Record, q: &BigUint) -> Result<Value, QueryError> {
    let first_column = record.row();
    if *q < first_column.into() {
        return Ok(Value::BeforeFirst { first_column });
    }
    if let &Statement::Empty { by } = record.statement() {
        return Ok(Value::Empty { by });
    }
    Ok(match offset(record, q)? {
        Some(offset) => Value::Is(q + offset),
        None => Value::Ended { last: record.settled() - 1 },
    })
}

/// Whether a row of any level with the tail of this position has it, where the record holds its
/// offsets. No row has an infinite position.
///
/// # Errors
/// As [`value`].
pub fn has(record: &Record, position: &Position) -> Result<bool, QueryError> {
    let Some((p, q)) = position.longest_two() else { return Ok(false) };
    Ok(value(record, q)?.p().is_some_and(|own| own == *p))
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The answer depends on offsets that a record does not hold.
    #[error(
        "the answer depends on {key} before column {end}, and its record has only a fingerprint \
         of the offsets there; use records with all offsets"
    )]
    NeedsHead {
        /// The row.
        key: RowKey,
        /// The start of the row, or the column in which it ends.
        end: u64,
    },
    /// The records make the position both P and N, or neither.
    #[error(
        "the records contradict each other: {key} says that {position} is {}, and there is {} \
         bite that leaves a P-position; check the data set",
        if *is_p { "P" } else { "N" }, if *is_p { "a" } else { "no" }
    )]
    Contradiction {
        /// The position.
        position: Box<Position>,
        /// The row that has the position if it is P.
        key: RowKey,
        /// Whether that row has it.
        is_p: bool,
    },
}

/// The offset of a row in column q, from its first column on; `None` if the row ended before, or is
/// empty.
///
/// Costs O(log q).
pub(crate) fn offset(record: &Record, q: &BigUint) -> Result<Option<u64>, QueryError> {
    if record.first().is_some_and(|_| *q == record.row().into()) {
        return Ok(record.first().map(|first| first - record.row()));
    }
    if record.finite().is_some_and(|finite| *q == finite.last.into()) {
        return Ok(Some(0));
    }
    // A column of the first period stands for all that have its offset.
    let column = match record.periodic() {
        Some(row) if *q >= row.start.into() => ((q - row.start) % row.period()) + row.start,
        _ => q.clone(),
    };
    let column = column.to_u64().unwrap_or(u64::MAX);
    record.offset(column).map_err(|_column| needs_head(record))
}

fn needs_head(record: &Record) -> QueryError {
    let end = record.finite().map_or(record.settled(), |finite| finite.last);
    QueryError::NeedsHead { key: record.key().clone(), end }
}

/// The only column q with `f(q) = p` (fact 1, (R)), if there is one.
///
/// Costs O(period · log p) and, if p is within reach of the head, O(length of the head).
pub(crate) fn column(record: &Record, p: &BigUint) -> Result<Option<BigUint>, QueryError> {
    match record.statement() {
        Statement::Empty { .. } => Ok(None),
        Statement::Finite(Finite { last, .. }) if *p == (*last).into() => Ok(Some(p.clone())),
        Statement::Finite(Finite { row, first, last, head }) => {
            column_of_head(record, [*row, *first, *last], head, p)
        }
        Statement::Periodic(periodic) => {
            let Periodic { row, first, start, head, .. } = periodic;
            match column_of_period(periodic, p) {
                Some(q) => Ok(Some(q)),
                None => column_of_head(record, [*row, *first, *start], head, p),
            }
        }
    }
}

/// The column from `start` on with this p. There is one if and only if, for some column q of the
/// first period, p minus the p of q is a multiple of the period and not negative.
fn column_of_period(periodic: &Periodic, p: &BigUint) -> Option<BigUint> {
    let mut first_period = (periodic.start..).zip(&periodic.values);
    first_period.find_map(|(q, &offset)| {
        let first = BigUint::from(q) + offset;
        let occurs = *p >= first && ((p - first) % periodic.period()) == BigUint::ZERO;
        occurs.then(|| p - offset)
    })
}

/// The same for the columns from `row` to `end - 1`.
fn column_of_head(
    record: &Record,
    [row, first, end]: [u64; 3],
    head: &Head,
    p: &BigUint,
) -> Result<Option<BigUint>, QueryError> {
    // Columns before `end`, and offsets.
    let largest = BigUint::from(end) + record.key().most_offset();
    let Some(p) = p.to_u64().filter(|_| *p <= largest && *p >= row.into() && end > row) else {
        return Ok(None);
    };
    match head {
        _ if p == first => Ok(Some(row.into())),
        Head::Offsets(offsets) => {
            let mut columns = (row..).zip(offsets);
            Ok(columns.find_map(|(q, &offset)| (q + offset == p).then(|| q.into())))
        }
        Head::Fingerprint(_) => Err(needs_head(record)),
    }
}
