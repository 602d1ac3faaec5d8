//! The bites that leave P-positions, from one row after the other.
//!
//! By fact 12 of `proofs/README.md`, bites leave positions of rows whose tails are within the tail
//! of the position. Each record costs a time logarithmic in p and q, and only the records on which
//! the answer rests are kept. For an infinite position its own row is enough (fact 10).

use num_bigint::BigUint;
use record::{Record, RowKey, Statement, Tail};

use crate::value::{column, offset};
use crate::{Answer, Basis, Bite, Length, Position, QueryError, Square, Theorem};

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
