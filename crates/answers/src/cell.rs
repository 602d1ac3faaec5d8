//! The offset that a record states for a column, and the column that it states for a p, for numbers
//! of any size.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use record::{Finite, Head, Periodic, Record, Statement};

use crate::QueryError;

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
