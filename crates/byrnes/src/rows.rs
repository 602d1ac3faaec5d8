//! The recurrence scheme: the rows of three-rowed Chomp, each from W' and W''.

use std::ops::RangeInclusive;

use num_bigint::BigUint;
use record::{Fault, HeadForm, Record, RowKey, Statement};
use ultimate::{NatSet, SetSequence, Settled};

use crate::losers::{Losing, prove_twice};
use crate::recurrence::statement;
use crate::{FundamentalRecurrence, Losers, LosersError, RowError};

/// OneLess of a sequence of sets: every member of every set less one, -1 discarded.
///
/// ```
/// # use byrnes::one_less;
/// let sequence = "[{0, 4}, {1}][∅]^∞".parse().unwrap();
/// assert_eq!(one_less(&sequence).to_string(), "[{3}, {0}][∅]^∞");
/// ```
pub fn one_less(sequence: &SetSequence) -> SetSequence {
    sequence.map_sets(NatSet::one_less)
}

/// Chop of a sequence: all but its first member.
///
/// ```
/// # use byrnes::chop;
/// let sequence = "[{0, 4}, {1}][∅]^∞".parse().unwrap();
/// assert_eq!(chop(sequence).to_string(), "[{1}][∅]^∞");
/// ```
pub fn chop(sequence: SetSequence) -> SetSequence {
    sequence.chop()
}

/// One row of three-rowed Chomp: `B_r`, proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    row: u64,
    offsets: Losers,
}

/// The rows of three-rowed Chomp in order, from row 0 on, for ever.
///
/// `B_c = Losers(W'_c ∪ W''_c)`, `W'_(c+1) = OneLess(W'_c) ∪ [{B_c(0) - 1}, …, {0}][∅]^∞`,
/// `W''_(c+1) = Chop(W''_c) ∪ Chop(B_c)`, from `W'_0 = [{0}][∅]^∞` and `W''_0 = [∅]^∞` (Zeilberger
/// 2003, *The recurrence scheme*; fact 2 of `proofs/README.md`). W' has the offsets that the
/// diagonal blocks, W'' those that the column blocks.
///
/// Row r costs O(r) members of r/64 words each, so rows 0 to R cost O(R³/64) word operations. W'
/// and W'' take O(R²) bits of memory.
///
/// ```
/// use byrnes::Rows;
/// let rows: Vec<String> = Rows::new().take(6).map(|row| row.unwrap().offsets().to_string()).collect();
/// assert_eq!(rows, ["[1]^∞", "[2, 0]", "[2]^∞", "[3, 3, 0]", "[4, 4, 4, 0]", "[5, 3][4]^∞"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rows {
    scheme: Scheme,
    failed: bool,
}

/// The recurrence scheme before a row: W', W'', and the settling and the periods of the rows below,
/// for certificates (fact 3).
#[derive(Clone, Debug)]
pub(crate) struct Scheme {
    row: u64,
    w1: SetSequence,
    w2: SetSequence,
    below: Settled,
}

impl Default for Scheme {
    fn default() -> Self {
        Self {
            row: 0,
            w1: SetSequence::finite([NatSet::from([0])]),
            w2: SetSequence::empty(),
            below: Settled::default(),
        }
    }
}

impl Scheme {
    /// The next row.
    pub(crate) fn row(&self) -> u64 {
        self.row
    }

    /// `Losers(W' ∪ W'' ∪ I)`, I the same row of the lower levels, with the certificate of fact 3:
    /// W' is a past, since W'(a) = OneLess^a(W'(0)) (fact 2); W'' and I are its rows below.
    pub(crate) fn losers(&self, lower: &[&Row]) -> Result<Losers, LosersError> {
        let (mut below, mut instant_winners) = (self.below.clone(), self.w2.clone());
        for row in lower {
            row.enter(&mut below);
            instant_winners.union_with(&SetSequence::singletons(row.offsets.members()));
        }
        let settled = usize::try_from(below.from().saturating_sub(self.row));
        let modulus = |window: RangeInclusive<u64>| below.modulus(window);
        let recurrence = FundamentalRecurrence::with_past(self.w1.at(0), &instant_winners);
        prove_twice(
            &self.w1.union(&instant_winners),
            Losing { recurrence, modulus },
            settled.expect("the offsets are in memory"),
        )
    }

    /// Goes to the next row. This row and all later ones have no position.
    pub(crate) fn skip(&mut self) {
        self.row += 1;
    }

    /// Adds the proved row, and goes to the next one.
    pub(crate) fn advance(&mut self, offsets: Losers) -> Row {
        let diagonal = offsets.first();
        let countdown = SetSequence::finite((0..diagonal).rev().map(|n| NatSet::from([n])));
        self.w1 = one_less(&self.w1).union(&countdown);

        self.w2 = chop(std::mem::take(&mut self.w2));
        self.w2.union_with(&chop(SetSequence::singletons(offsets.members())));

        let row = Row { row: self.row, offsets };
        row.enter(&mut self.below);
        self.row += 1;
        row
    }
}

impl Rows {
    /// The rows from row 0 on.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Iterator for Rows {
    type Item = Result<Row, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        match self.scheme.losers(&[]) {
            Ok(offsets) => Some(Ok(self.scheme.advance(offsets))),
            Err(source) => {
                self.failed = true;
                Some(Err(RowError { key: RowKey::of_row(0, self.scheme.row()), source }))
            }
        }
    }
}

impl Row {
    /// The bottom row r.
    pub fn row(&self) -> u64 {
        self.row
    }

    /// Its offsets `B_r`: member a is the offset of column `q = r + a`.
    pub fn offsets(&self) -> &Losers {
        &self.offsets
    }

    /// The column from which the row repeats, or the first one past its end.
    pub fn settled(&self) -> u64 {
        self.row + self.offsets.members().head().len() as u64
    }

    fn enter(&self, below: &mut Settled) {
        let cycle = self.offsets.members().periodic().map_or(&[][..], |row| row.cycle());
        below.add(self.settled(), cycle);
    }

    /// `f(q, r)`, the p that makes `(p, q, r)` a P-position; `None` for q < r and past the end of a
    /// finite row. Logarithmic in q: one reduction modulo the period.
    ///
    /// ```
    /// use byrnes::Rows;
    /// use num_bigint::BigUint;
    /// let row_5 = Rows::new().nth(5).unwrap().unwrap();
    /// let q = BigUint::from(10_u32).pow(100);
    /// assert_eq!(row_5.f(&q), Some(q + 4_u32));
    /// ```
    pub fn f(&self, q: &BigUint) -> Option<BigUint> {
        let row = BigUint::from(self.row);
        if *q < row {
            return None;
        }
        self.offsets.get(&(q - row)).map(|offset| q + offset)
    }

    /// The row as a record.
    ///
    /// # Errors
    /// A [`Fault`] would mean a row that no statement can describe: a defect of this program.
    pub fn record(&self, form: HeadForm) -> Result<Record, Fault> {
        Record::of_row(self.statement(form))
    }

    pub(crate) fn statement(&self, form: HeadForm) -> Statement {
        let certificate = self.offsets.proof().map(|proof| &proof.certificate);
        statement(self.row, self.offsets.members(), certificate, form)
    }
}
