//! f(q,t) for one row.

use num_bigint::BigUint;
use record::{Record, Statement, Tail};

use crate::{Position, QueryError, cell};

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
    Ok(match cell::offset(record, q)? {
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
