//! Positions with any number of rows: P or N, and every bite that leaves a P-position, from the
//! rows of level 0 whose tails are in theirs.
//!
//! Stands on fact 12 of proofs/README.md, in whose proof the bites are sorted by what they leave.

use std::fmt;

use num_bigint::BigUint;
use record::{KeyedRecord, KeyedStatement, Tail};
use thiserror::Error;

use super::position::brief;
use super::{Position, QueryError, cell};

/// Row lengths `p >= q >= r1 >= ... >= rk`, `p >= 1`, of which p and q may be of any size; the
/// others are the tail. `Display` prints `(7,5,5,4)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoardPosition {
    p: BigUint,
    q: BigUint,
    tail: Tail,
}

/// Why row lengths are no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BoardPositionError {
    /// No squares.
    #[error(
        "the empty board is not a position, since taking the poison is not a move; the longest row \
         needs at least one square"
    )]
    Empty,
    /// A row that is longer than the one before it.
    #[error(
        "row {row} ({}) is longer than the row before it ({}); give the row lengths in one \
         direction, the longest first or last",
        brief(length),
        brief(before)
    )]
    Unordered {
        /// The row, from 1.
        row: usize,
        /// Its length.
        length: BigUint,
        /// The length of the row before.
        before: BigUint,
    },
    /// Lower rows that no row has as its tail.
    #[error(
        "the rows below the two longest are too long: they have less than 2^63 squares together"
    )]
    TailTooLong,
}

impl BoardPosition {
    /// The position with these row lengths. Rows of length 0 at the end are dropped.
    ///
    /// # Errors
    /// [`BoardPositionError`].
    ///
    /// ```
    /// use census::query::board::BoardPosition;
    /// let position = BoardPosition::new([7_u32, 5, 5, 4, 0].map(Into::into).to_vec())?;
    /// assert_eq!((position.to_string(), position.tail()), ("(7,5,5,4)".into(), &"5,4".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(lengths: Vec<BigUint>) -> Result<Self, BoardPositionError> {
        if let Some(after) = lengths.windows(2).position(|pair| pair[0] < pair[1]) {
            let (before, length) = (lengths[after].clone(), lengths[after + 1].clone());
            return Err(BoardPositionError::Unordered { row: after + 2, length, before });
        }
        let mut lengths = lengths.into_iter().filter(|length| *length > BigUint::ZERO);
        let p = lengths.next().ok_or(BoardPositionError::Empty)?;
        let q = lengths.next().unwrap_or_default();
        let parts: Result<Vec<u64>, _> = lengths.map(u64::try_from).collect();
        let tail = parts.ok().and_then(|parts| Tail::new(parts).ok());
        Ok(Self { p, q, tail: tail.ok_or(BoardPositionError::TailTooLong)? })
    }

    /// The rows below the two longest.
    #[must_use]
    pub fn tail(&self) -> &Tail {
        &self.tail
    }

    /// The length of the longest row.
    #[must_use]
    pub fn p(&self) -> &BigUint {
        &self.p
    }

    /// The length of the second row; perhaps 0.
    #[must_use]
    pub fn q(&self) -> &BigUint {
        &self.q
    }

    /// All lengths that are not 0, the longest first.
    #[must_use]
    pub fn lengths(&self) -> Vec<BigUint> {
        let lower = self.tail.parts().iter().map(|&part| part.into());
        let all = [self.p.clone(), self.q.clone()].into_iter().chain(lower);
        all.filter(|length| *length > BigUint::ZERO).collect()
    }

    /// The same position of three-rowed Chomp; `None` if it has more rows.
    #[must_use]
    pub fn of_three_rows(&self) -> Option<Position> {
        let mut lengths = self.lengths();
        lengths.resize(lengths.len().max(3), BigUint::ZERO);
        Position::from_lengths(<[BigUint; 3]>::try_from(lengths).ok()?).ok()
    }

    /// What a bite leaves; `None` if the bitten square is the poison or not there.
    ///
    /// ```
    /// use census::query::board::{BoardPosition, BoardSquare};
    /// let position = BoardPosition::new([7_u32, 5, 5, 4].map(Into::into).to_vec())?;
    /// let after = |row, column: u32| position.after(&BoardSquare { row, column: column.into() });
    /// assert_eq!(after(2, 3).unwrap().to_string(), "(7,2,2,2)");
    /// assert_eq!((after(1, 1), after(4, 5), after(5, 1)), (None, None, None));
    /// # Ok::<(), census::query::board::BoardPositionError>(())
    /// ```
    #[must_use]
    pub fn after(&self, bitten: &BoardSquare) -> Option<Self> {
        let mut lengths = self.lengths();
        let length = lengths.get(bitten.row.checked_sub(1)?)?;
        if bitten.column == BigUint::ZERO || bitten.column > *length {
            return None;
        }
        let left = &bitten.column - 1_u32;
        for length in &mut lengths[bitten.row - 1..] {
            if *length > left {
                length.clone_from(&left);
            }
        }
        // A bite at the poison leaves nothing, which is no position.
        Self::new(lengths).ok()
    }

    /// The square of the bite that leaves this position; `None` if no bite does.
    ///
    /// ```
    /// use census::query::board::BoardPosition;
    /// let [position, left, other] = [[7_u32, 5, 5], [7, 2, 2], [7, 3, 2]]
    ///     .map(|lengths| BoardPosition::new(lengths.map(Into::into).to_vec()).unwrap());
    /// assert_eq!(position.bite_to(&left).unwrap().to_string(), "row 2, column 3");
    /// assert_eq!(position.bite_to(&other), None);
    /// ```
    #[must_use]
    pub fn bite_to(&self, left: &Self) -> Option<BoardSquare> {
        let (before, after) = (self.lengths(), left.lengths());
        let of = |row: usize| after.get(row).cloned().unwrap_or_default();
        let row = (0..before.len()).find(|&row| before[row] != of(row))?;
        let bitten = BoardSquare { row: row + 1, column: of(row) + 1_u32 };
        (self.after(&bitten).as_ref() == Some(left)).then_some(bitten)
    }
}

/// A square, by its row and its column; both are counted from 1 at the poison, and row 1 is the
/// longest. `Display` prints `row 3, column 2`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoardSquare {
    /// The row.
    pub row: usize,
    /// The column.
    pub column: BigUint,
}

impl fmt::Display for BoardSquare {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "row {}, column {}", self.row, self.column)
    }
}

impl fmt::Display for BoardPosition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let lengths: Vec<String> = self.lengths().iter().map(ToString::to_string).collect();
        write!(f, "({})", lengths.join(","))
    }
}

/// A bite that leaves a P-position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardBite {
    /// The row of the board in which a square is bitten, from 1.
    pub row: usize,
    /// The P-position that is left.
    pub leaves: BoardPosition,
    /// The record of the row that has it.
    pub record: KeyedRecord,
}

/// What is known of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardAnswer {
    /// The position.
    pub position: BoardPosition,
    /// Every bite that leaves a P-position, row by row, those that leave less of it first: none if
    /// the position is P.
    pub bites: Vec<BoardBite>,
    /// The record of the row of its tail.
    pub record: KeyedRecord,
    /// Whether that row has the position. If the records are right, it does if and only if there
    /// are no bites.
    pub is_p: bool,
}

/// Whether a position is P or N, and every bite that leaves a P-position; `row_of` gives the record
/// of level 0 of each tail within that of the position.
///
/// Costs O(log q) for each part of the tail and each length that is less.
///
/// # Errors
/// [`QueryError::NeedsHead`] if a record has only a fingerprint of an offset that matters.
pub fn answer(
    position: &BoardPosition,
    row_of: impl Fn(&Tail) -> KeyedRecord,
) -> Result<BoardAnswer, QueryError> {
    let record = row_of(&position.tail);
    let mut found = Found { position, bites: Vec::new() };
    let is_p = found.first_row(&record, &row_of)?;
    found.second_row(&record, &row_of)?;
    found.lower_rows(&row_of)?;
    let bites = found.bites;
    Ok(BoardAnswer { position: position.clone(), bites, record, is_p })
}

/// Whether a row of any level with the tail of this position has it, where the record holds its
/// offsets.
///
/// # Errors
/// As [`answer`].
pub fn has(record: &KeyedRecord, position: &BoardPosition) -> Result<bool, QueryError> {
    let Some(stated) = record.row() else { return Ok(false) };
    let offset = cell::offset(stated, &position.q)?;
    Ok(offset.is_some_and(|offset| &position.q + offset == position.p))
}

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

/// f(q,t) for the tail t of a record of level 0. O(log q).
///
/// # Errors
/// As [`answer`].
///
/// ```
/// use census::query::board::{Value, value};
/// let row_1 = r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#;
/// let row_1 = record::parse_line(row_1, 1).unwrap().into();
/// let value = |q: u32| value(&row_1, &q.into()).unwrap();
/// assert_eq!([1, 2].map(value), [3_u32, 2].map(|p| Value::Is(p.into())));
/// let none = [Value::BeforeFirst { first_column: 1 }, Value::Ended { last: 2 }];
/// assert_eq!([0, 3].map(value), none);
/// ```
pub fn value(record: &KeyedRecord, q: &BigUint) -> Result<Value, QueryError> {
    let first_column = record.key().first_column();
    if *q < first_column.into() {
        return Ok(Value::BeforeFirst { first_column });
    }
    match record.statement() {
        &KeyedStatement::Empty { by } => Ok(Value::Empty { by }),
        KeyedStatement::Row(stated) => Ok(match (cell::offset(stated, q)?, stated.settled()) {
            (Some(offset), _) => Value::Is(q + offset),
            (None, end) => Value::Ended { last: end - 1 },
        }),
    }
}

/// The bites that have been found.
struct Found<'a> {
    position: &'a BoardPosition,
    bites: Vec<BoardBite>,
}

impl Found<'_> {
    /// Cases 1 to 3 of fact 12, and whether the row of the tail has the position.
    fn first_row(
        &mut self,
        record: &KeyedRecord,
        row_of: &impl Fn(&Tail) -> KeyedRecord,
    ) -> Result<bool, QueryError> {
        let BoardPosition { p, q, tail } = self.position;
        let stated = match record.statement() {
            KeyedStatement::Row(stated) => stated,
            &KeyedStatement::Empty { by } => {
                let tail = cut(tail, 0, by);
                let record = row_of(&tail);
                self.bite(1, by.into(), by.into(), tail, record);
                return Ok(false);
            }
        };
        let Some(offset) = cell::offset(stated, q)? else {
            let last = cell::last(stated).expect("only a finite row ends");
            self.bite(1, last.into(), last.into(), tail.clone(), record.clone());
            return Ok(false);
        };
        let x = q + offset;
        if x < *p {
            self.bite(1, x, q.clone(), tail.clone(), record.clone());
            return Ok(false);
        }
        Ok(x == *p)
    }

    /// Cases 5 and 4.
    fn second_row(
        &mut self,
        record: &KeyedRecord,
        row_of: &impl Fn(&Tail) -> KeyedRecord,
    ) -> Result<(), QueryError> {
        let BoardPosition { p, q, tail } = self.position;
        for y in 0..tail.first_column() {
            let tail = cut(tail, 0, y);
            let record = row_of(&tail);
            if record.row().is_some_and(|stated| *p == stated.first().into()) {
                self.bite(2, p.clone(), y.into(), tail, record);
            }
        }
        let Some(stated) = record.row() else { return Ok(()) };
        let x = cell::column(stated, record.key().most_offset(), p)?;
        if let Some(x) = x.filter(|x| x < q) {
            self.bite(2, p.clone(), x, tail.clone(), record.clone());
        }
        Ok(())
    }

    /// Case 6.
    fn lower_rows(&mut self, row_of: &impl Fn(&Tail) -> KeyedRecord) -> Result<(), QueryError> {
        let BoardPosition { p, q, tail } = self.position;
        for (part, &length) in tail.parts().iter().enumerate() {
            for z in 0..length {
                let tail = cut(tail, part, z);
                let record = row_of(&tail);
                let Some(stated) = record.row() else { continue };
                if cell::offset(stated, q)?.is_some_and(|offset| q + offset == *p) {
                    self.bite(part + 3, p.clone(), q.clone(), tail, record);
                }
            }
        }
        Ok(())
    }

    fn bite(&mut self, row: usize, p: BigUint, q: BigUint, tail: Tail, record: KeyedRecord) {
        self.bites.push(BoardBite { row, leaves: BoardPosition { p, q, tail }, record });
    }
}

/// What is left of a tail when its parts from this one on are at most x.
fn cut(tail: &Tail, part: usize, x: u64) -> Tail {
    let (before, after) = tail.parts().split_at(part);
    let after = after.iter().map(|&part| part.min(x));
    let parts = before.iter().copied().chain(after).take_while(|&part| part > 0);
    Tail::new(parts.collect()).expect("a part of a tail is a tail")
}
