//! What one statement about a row says of one column, or one p, of any size.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use record::{Finite, Head, Periodic, Statement};

use super::error::QueryError;

/// The offset of a row in column q, from its first column on; `None` if the row ended before.
///
/// Costs O(log q).
pub(super) fn offset(stated: &Statement, q: &BigUint) -> Result<Option<u64>, QueryError> {
    let end = match stated {
        Statement::Finite(Finite { last, .. }) if *q > (*last).into() => return Ok(None),
        Statement::Finite(Finite { last, .. }) if *q == (*last).into() => return Ok(Some(0)),
        Statement::Periodic(Periodic { start, values, .. }) if *q >= (*start).into() => {
            if let [value] = values[..] {
                return Ok(Some(value));
            }
            let place = (q - start) % values.len();
            return Ok(Some(values[place.to_usize().expect("less than the period")]));
        }
        Statement::Finite(Finite { last, .. }) => *last,
        Statement::Periodic(Periodic { start, .. }) => *start,
    };
    let (row, column) = (stated.row(), q.to_u64().expect("less than a column of the record"));
    match stated.head() {
        _ if column == row => Ok(Some(stated.first() - row)),
        Head::Offsets(offsets) => {
            Ok(Some(offsets[usize::try_from(column - row).expect("a column of the head")]))
        }
        Head::Fingerprint(_) => Err(QueryError::NeedsHead { row, end }),
    }
}

/// The column in which a finite row ends.
pub(super) fn last(stated: &Statement) -> Option<u64> {
    match stated {
        Statement::Finite(finite) => Some(finite.last),
        Statement::Periodic(_) => None,
    }
}

/// The column q with `f(q) = p`, of which there is at most one by (R) of fact 1, for a row whose
/// offsets are at most `most`.
///
/// Costs O(period · log p) and, if p is within reach of the head, O(length of the head).
pub(super) fn column(
    stated: &Statement,
    most: u64,
    p: &BigUint,
) -> Result<Option<BigUint>, QueryError> {
    match stated {
        Statement::Finite(Finite { last, .. }) => {
            if *p == (*last).into() {
                return Ok(Some(p.clone()));
            }
            column_of_head(stated, most, *last, p)
        }
        Statement::Periodic(periodic) => match column_of_period(periodic, p) {
            Some(q) => Ok(Some(q)),
            None => column_of_head(stated, most, periodic.start, p),
        },
    }
}

/// p occurs from `start` on iff it is a period or more, or nothing, past an entry of the first one.
fn column_of_period(periodic: &Periodic, p: &BigUint) -> Option<BigUint> {
    let mut first_period = (periodic.start..).zip(&periodic.values);
    first_period.find_map(|(q, &offset)| {
        let first = BigUint::from(q) + offset;
        let occurs = *p >= first && ((p - first) % periodic.period()) == BigUint::ZERO;
        occurs.then(|| p - offset)
    })
}

/// The same for columns before `end`.
fn column_of_head(
    stated: &Statement,
    most: u64,
    end: u64,
    p: &BigUint,
) -> Result<Option<BigUint>, QueryError> {
    let row = stated.row();
    // Columns before `end`, and offsets.
    let largest = BigUint::from(end) + most;
    let Some(p) = p.to_u64().filter(|_| *p <= largest && *p >= row.into() && end > row) else {
        return Ok(None);
    };
    match stated.head() {
        _ if p == stated.first() => Ok(Some(row.into())),
        Head::Offsets(offsets) => {
            let mut columns = (row..).zip(offsets);
            Ok(columns.find_map(|(q, &offset)| (q + offset == p).then(|| q.into())))
        }
        Head::Fingerprint(_) => Err(QueryError::NeedsHead { row, end }),
    }
}
