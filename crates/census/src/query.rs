//! P or N of one position, and every bite that leaves a P-position: Zeilberger's "Little Problem"
//! for three rows.
//!
//! Stands on fact 1 of proofs/README.md, in whose proof the bites are sorted by what they leave.
//! Rows 0 to r are looked at once, each in time logarithmic in p and q, and none is kept but those
//! that the answer rests on.

pub mod board;
mod cell;
mod error;
pub mod omega;
mod position;

use std::fmt;

use num_bigint::BigUint;
use record::RowRecord;

pub use error::QueryError;
pub use position::{Position, PositionError, ReadPositionError};

/// A row of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardRow {
    /// The longest.
    Top,
    /// The one below it.
    Middle,
    /// The third.
    Bottom,
}

/// `top`, `middle`, `bottom`.
impl fmt::Display for BoardRow {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Top => "top",
            Self::Middle => "middle",
            Self::Bottom => "bottom",
        })
    }
}

/// A bite that leaves a P-position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bite {
    /// The row of the board in which a square is bitten.
    pub bitten: BoardRow,
    /// The P-position that is left.
    pub leaves: Position,
    /// The record of the row that has it.
    pub record: RowRecord,
}

/// What is known of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The position.
    pub position: Position,
    /// Every bite that leaves a P-position, in the order of [`BoardRow`]: none if the position is
    /// P. There are at most three, as two that are bitten in the same row would be one bite apart.
    pub bites: Vec<Bite>,
    /// The record of row r.
    pub record: RowRecord,
}

impl Answer {
    /// Whether the position is a P-position.
    #[must_use]
    pub fn is_p(&self) -> bool {
        self.bites.is_empty()
    }
}

/// Whether rows 0 to r probably have settled before column q.
#[must_use]
pub fn likely_settled(q: &BigUint, r: u64) -> bool {
    *q >= BigUint::from(r) * 3_u32 + 100_u32
}

/// f(q,r) for the r of a record: the only p that makes (p,q,r) a P-position. `None` if there is
/// none, that is for q < r and past the end of a finite row. O(log q).
///
/// # Errors
/// [`QueryError::NeedsHead`] if the record has only a fingerprint of that offset.
///
/// ```
/// use num_bigint::BigUint;
/// let row_1 = r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#;
/// let row_1 = record::parse_line(row_1, 1).unwrap();
/// let f = |q: u32| census::query::f(&row_1, &q.into()).unwrap();
/// let expected = [None, Some(3_u32), Some(2), None].map(|p| p.map(BigUint::from));
/// assert_eq!([0, 1, 2, 3].map(f), expected);
/// ```
pub fn f(record: &RowRecord, q: &BigUint) -> Result<Option<BigUint>, QueryError> {
    if *q < BigUint::from(record.row()) {
        return Ok(None);
    }
    Ok(cell::offset(record.statement(), q)?.map(|offset| q + offset))
}

/// A question on its way through the rows below.
///
/// ```
/// use census::query::{Position, Query};
/// let row_0 = "Periodic(row: 0, first: 1, start: 0, values: [1], certificate: (from: 0, \
///     recurs: 1, modulus: \"1\", filled: 1, above: []), head: \"0000000000000000\")";
/// let row_0 = record::parse_line(row_0, 1).unwrap();
/// // Two rows of 10^100 squares.
/// let length = num_bigint::BigUint::from(10_u32).pow(100);
/// let mut query = Query::new(Position::new(length.clone(), length.clone(), 0)?);
/// let answer = query.add(&row_0)?.unwrap();
/// assert_eq!(answer.bites[0].leaves, Position::new(length.clone(), length - 1_u32, 0)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    position: Position,
    /// The offset that would make the position P.
    difference: BigUint,
    bites: Vec<Bite>,
}

impl Query {
    /// The question before row 0.
    #[must_use]
    pub fn new(position: Position) -> Self {
        let difference = position.p() - position.q();
        Self { position, difference, bites: Vec::new() }
    }

    /// Whether the position probably is beyond where rows have settled, so that fingerprints are
    /// enough. Where they are not, the rows say so by [`QueryError::NeedsHead`].
    #[must_use]
    pub fn likely_settled(&self) -> bool {
        likely_settled(self.position.q(), self.position.r())
    }

    /// Takes one row after the other, those below r in any order; the answer comes with row r, the
    /// last one.
    ///
    /// Costs O(log q) for a row below r, and O(period · log p) for row r, or O(length of its head)
    /// if p is within its reach.
    ///
    /// # Errors
    /// [`QueryError`]. After [`QueryError::NeedsHead`] about a row below r, that one can be taken
    /// by [`Query::add_with_offset`].
    pub fn add(&mut self, record: &RowRecord) -> Result<Option<Answer>, QueryError> {
        if record.row() < self.position.r() {
            let offset = cell::offset(record.statement(), self.position.q())?;
            self.add_below(record, offset);
            return Ok(None);
        }
        let is_p = self.add_own(record)?;
        let Self { position, bites, .. } = self;
        if is_p != bites.is_empty() {
            let (position, row) = (position.clone(), record.row());
            return Err(QueryError::Contradiction { position, row, is_p });
        }
        bites.sort_by_key(|bite| bite.bitten);
        let (position, bites) = (position.clone(), std::mem::take(bites));
        Ok(Some(Answer { position, bites, record: record.clone() }))
    }

    /// Takes a row below r with its offset in column q, which may belong to a head that the record
    /// does not hold.
    pub fn add_with_offset(&mut self, record: &RowRecord, offset: u64) {
        self.add_below(record, Some(offset));
    }

    /// Of a row x below r, bites can leave `(p,x,x)` and `(p,q,x)`, if it has this offset in column
    /// q.
    fn add_below(&mut self, record: &RowRecord, offset: Option<u64>) {
        let (position, x) = (&self.position, record.row());
        let middle = (*position.p() == record.first().into())
            .then(|| [position.p().clone(), x.into(), x.into()]);
        let bottom = offset
            .is_some_and(|offset| self.difference == offset.into())
            .then(|| [position.p().clone(), position.q().clone(), x.into()]);
        for (bitten, leaves) in [(BoardRow::Middle, middle), (BoardRow::Bottom, bottom)] {
            if let Some(leaves) = leaves {
                self.bite(bitten, leaves, record);
            }
        }
    }

    /// Of row r, bites can leave `(p,x,r)`, `(x,q,r)`, and `(x,x,r)`, where the row has ended.
    /// Those of x columns of three squares are never P (fact 1, lemma). Whether the position itself
    /// is P.
    fn add_own(&mut self, record: &RowRecord) -> Result<bool, QueryError> {
        let (p, q, r) = (self.position.p().clone(), self.position.q().clone(), record.row());
        // Corollary 1a.
        let most = r + 1;
        if let Some(x) = cell::column(record.statement(), most, &p)?.filter(|x| *x < q) {
            self.bite(BoardRow::Middle, [p.clone(), x, r.into()], record);
        }
        let Some(offset) = cell::offset(record.statement(), &q)? else {
            let last = cell::last(record.statement()).expect("only a finite row ends");
            self.bite(BoardRow::Top, [last.into(), last.into(), r.into()], record);
            return Ok(false);
        };
        let x = &q + offset;
        if x < p {
            self.bite(BoardRow::Top, [x, q, r.into()], record);
            return Ok(false);
        }
        Ok(x == p)
    }

    fn bite(&mut self, bitten: BoardRow, leaves: [BigUint; 3], record: &RowRecord) {
        // A false record may lead to the empty board, which is no position: then a contradiction
        // follows.
        if let Ok(leaves) = Position::from_lengths(leaves) {
            self.bites.push(Bite { bitten, leaves, record: record.clone() });
        }
    }
}
