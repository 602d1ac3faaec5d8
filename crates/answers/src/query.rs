//! What records answer: f(q,t) from one of them, and from one after the other who wins a position,
//! by which bites.
//!
//! By fact 12 of `proofs/README.md`, bites leave positions of rows whose tails are within the tail
//! of the position. Each record costs a time logarithmic in p and q, and only the records on which
//! the answer rests are kept. For an infinite position its own row is enough (fact 10).

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use record::{Finite, Head, Periodic, Record, RowKey, Statement, Tail};
use thiserror::Error;

use crate::{Answer, Basis, Bite, Length, Position, Square, Theorem};

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

/// Whether rows 0 to r probably have settled before column q.
pub fn likely_settled(q: &BigUint, r: u64) -> bool {
    *q >= BigUint::from(r) * 3_u32 + 100_u32
}

/// A question about a position, which takes the rows below one after the other.
///
/// ```
/// use answers::{Position, Query};
/// let row_0 = "Periodic(row: 0, first: 1, start: 0, values: [1], certificate: (from: 0, \
///     recurs: 1, modulus: \"1\", filled: 1, above: []), head: \"0000000000000000\")";
/// let row_0 = record::parse_line(row_0, 1).unwrap();
/// // Two rows of 10^100 squares.
/// let length = num_bigint::BigUint::from(10_u32).pow(100);
/// let mut query = Query::new(Position::finite([length.clone(), length.clone()])?);
/// let answer = query.add(&row_0)?.unwrap();
/// assert_eq!(answer.bites[0].leaves, Position::finite([length.clone(), length - 1_u32])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    position: Position,
    own: RowKey,
    bites: Vec<Bite>,
    /// The row below that ends in its first column, and makes the position's own row empty.
    ended: Option<Record>,
}

impl Query {
    /// The question, before it has taken a row.
    pub fn new(position: Position) -> Self {
        let own = position.key();
        Self { position, own, bites: Vec::new(), ended: None }
    }

    /// Whether rows below the position's own row matter. They do not if it is infinite.
    pub fn needs_rows_below(&self) -> bool {
        self.position.longest_two().is_some()
    }

    /// Whether the position probably is beyond the columns where its rows settle, so that
    /// fingerprints are enough, or is 3×n, for which they are. Where they are not, [`Self::add`]
    /// fails with [`QueryError::NeedsHead`].
    pub fn likely_settled(&self) -> bool {
        let q = self.position.q().finite();
        self.has_one_bite() || q.is_none_or(|q| likely_settled(q, self.own.first_column()))
    }

    /// Whether it is about 3×n, n finite: there exactly one bite wins (`proofs/uniqueness.md`,
    /// 2.4), and a row below has what it leaves.
    pub fn has_one_bite(&self) -> bool {
        self.needs_rows_below() && self.position.height() == 3 && self.position.is_rectangle()
    }

    /// Takes one row after the other: first those below, in any order, and then the position's own
    /// row, which gives the answer. For 3×n the row with the one bite gives it. Other rows are
    /// ignored.
    ///
    /// Costs O(log q) for a row below, and O(period · log p) for the position's own row, or
    /// O(length of the head) if p is within the reach of the head.
    ///
    /// # Errors
    /// [`QueryError`]. After [`QueryError::NeedsHead`] about a row below, that one can be taken by
    /// [`Query::add_with_offset`].
    pub fn add(&mut self, record: &Record) -> Result<Option<Answer>, QueryError> {
        if *record.key() == self.own {
            return self.finish(record).map(Some);
        }
        let two = self.position.longest_two();
        if let (Some((p, q)), Some(part)) = (two, self.shortened(record.key())) {
            // The offset 0 is at the end of a row, and nowhere else.
            let ends = || record.finite().filter(|end| *q == end.last.into()).map(|_| 0);
            let offset = if p == q { ends() } else { offset(record, q)? };
            self.add_below(record, part, offset);
        }
        Ok((self.has_one_bite() && !self.bites.is_empty()).then(|| Answer {
            position: self.position.clone(),
            bites: self.bites.clone(),
            basis: Basis::Theorem(Theorem::UniqueOpening),
            length: None,
        }))
    }

    /// Takes a row below with its offset in column q, which may belong to a head that the record
    /// does not hold.
    pub fn add_with_offset(&mut self, record: &Record, offset: u64) {
        if let Some(part) = self.shortened(record.key()) {
            self.add_below(record, part, Some(offset));
        }
    }

    /// The part of the tail in which a bite leaves the tail of this row; `None` if no bite does.
    fn shortened(&self, key: &RowKey) -> Option<usize> {
        let (own, left) = (self.own.tail().parts(), key.tail().parts());
        let of = |part: usize| left.get(part).copied().unwrap_or(0);
        let part = (0..own.len()).find(|&part| own[part] != of(part))?;
        let is_bite = key.level == 0 && cut(self.own.tail(), part, of(part)) == *key.tail();
        is_bite.then_some(part)
    }

    /// Cases 5 and 6 of fact 12. From a row below with the tail s, bites can leave `(p,q,s)`, and
    /// also `(p,x,s)` if x is the first column of s and a bite in the second row leaves s.
    fn add_below(&mut self, record: &Record, part: usize, offset: Option<u64>) {
        let Some((p, q)) = self.position.longest_two() else { return };
        let (p, q, tail) = (p.clone(), q.clone(), record.key().tail());
        if part == 0 {
            if record.first().is_some_and(|first| p == first.into()) {
                self.bite(2, p.clone(), record.row().into(), tail, record);
            }
            if record.first() == Some(record.row()) {
                self.ended = Some(record.clone());
            }
        }
        if offset.is_some_and(|offset| &q + offset == p) {
            self.bite(part + 3, p, q, tail, record);
        }
    }

    fn finish(&mut self, record: &Record) -> Result<Answer, QueryError> {
        let is_p = match self.position.longest_two() {
            Some((p, q)) => self.add_own(record, &p.clone(), &q.clone())?,
            None => self.add_infinite(record)?,
        };
        let (position, mut bites) = (self.position.clone(), std::mem::take(&mut self.bites));
        if is_p != bites.is_empty() {
            let (position, key) = (Box::new(position), self.own.clone());
            return Err(QueryError::Contradiction { position, key, is_p });
        }
        bites.sort_by_key(|bite| bite.square.row);
        let basis = Basis::Rows(Box::new(record.clone()));
        Ok(Answer { position, bites, basis, length: None })
    }

    /// Cases 1 to 4 of fact 12: in the position's own row, with the tail t, bites can leave
    /// `(p,x,t)`, `(x,q,t)`, and, where the row has ended, `(x,x,t)`. Returns whether the position
    /// itself is P.
    fn add_own(&mut self, record: &Record, p: &BigUint, q: &BigUint) -> Result<bool, QueryError> {
        let tail = record.key().tail().clone();
        if let Some(x) = column(record, p)?.filter(|x| x < q) {
            self.bite(2, p.clone(), x, &tail, record);
        }
        match (offset(record, q)?.map(|offset| q + offset), record.statement()) {
            (Some(x), _) if x < *p => {
                self.bite(1, x, q.clone(), &tail, record);
                Ok(false)
            }
            (Some(x), _) => Ok(x == *p),
            (None, Statement::Empty { by }) => {
                if let Some(ended) = self.ended.take().filter(|ended| ended.row() == *by) {
                    self.bite(1, (*by).into(), (*by).into(), ended.key().tail(), &ended);
                }
                Ok(false)
            }
            (None, _) => {
                let last = record.settled() - 1;
                self.bite(1, last.into(), last.into(), &tail, record);
                Ok(false)
            }
        }
    }

    /// Fact 10. Returns whether the position is P.
    fn add_infinite(&mut self, record: &Record) -> Result<bool, QueryError> {
        let tail = self.own.tail().clone();
        let offset = match self.position.q() {
            Length::Finite(q) => offset(record, q)?.map(|offset| [q + offset, q.clone()]),
            Length::Omega => None,
        };
        let top = match (offset, record.statement()) {
            (Some([p, q]), _) => board(p, q, &tail),
            _ if self.position.is_three_by_omega() => None,
            (None, Statement::Finite(end)) => board(end.last.into(), end.last.into(), &tail),
            (None, Statement::Empty { by }) => {
                board((*by).into(), (*by).into(), &cut(&tail, 0, *by))
            }
            (None, Statement::Periodic(_)) => None,
        };
        let is_wide = self.position.height() > 2 && *self.position.q() == Length::Omega;
        let two_by_omega = is_wide.then(|| Position::new(vec![Length::Omega; 2]).ok()).flatten();
        let bites = [(1, top), (3, two_by_omega)].into_iter();
        self.bites = bites.filter_map(|(row, leaves)| Some(bite(row, leaves?, None))).collect();
        Ok(self.bites.is_empty())
    }

    fn bite(&mut self, row: usize, p: BigUint, q: BigUint, tail: &Tail, record: &Record) {
        // A false record may lead to the empty board, which is no position: then a contradiction
        // follows.
        self.bites.extend(board(p, q, tail).map(|leaves| bite(row, leaves, Some(record))));
    }
}

/// The bite in a row that leaves this position.
fn bite(row: usize, leaves: Position, record: Option<&Record>) -> Bite {
    Bite { square: Square::bitten(row, &leaves), leaves, record: record.cloned() }
}

/// The position with these rows, if it is one.
fn board(p: BigUint, q: BigUint, tail: &Tail) -> Option<Position> {
    let lower = tail.parts().iter().map(|&part| part.into());
    Position::finite([p, q].into_iter().chain(lower)).ok()
}

/// The tail that is left when its parts from this one on are at most x.
fn cut(tail: &Tail, part: usize, x: u64) -> Tail {
    let (before, after) = tail.parts().split_at(part);
    let after = after.iter().map(|&part| part.min(x));
    let parts = before.iter().copied().chain(after).take_while(|&part| part > 0);
    Tail::new(parts.collect()).expect("a part of a tail is a tail")
}

/// The offset of a row in column q, from its first column on; `None` if the row ended before, or is
/// empty.
///
/// Costs O(log q).
fn offset(record: &Record, q: &BigUint) -> Result<Option<u64>, QueryError> {
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
fn column(record: &Record, p: &BigUint) -> Result<Option<BigUint>, QueryError> {
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
