//! The recurrence scheme: the rows of three-rowed Chomp, each from W' and W''; and the procedure
//! `ChompGrundy`: positions with a given Grundy value.

use std::fmt;
use std::mem;

use num_bigint::BigUint;
use record::{Fault, HeadForm, Record, RowKey, Statement};
use ultimate::{NatSet, SetSequence, Settled};

use crate::losers::{FundamentalRecurrence, Losers, prove_twice};
use crate::recurrence::{RowError, statement};

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
#[derive(Clone, Debug)]
pub struct Rows(ChompGrundy);

/// The recurrence scheme of a level before a row: W', W'', and the settling and the periods of the
/// rows below, for certificates (fact 3).
#[derive(Clone, Debug, Default)]
struct Scheme {
    row: u64,
    w1: SetSequence,
    w2: SetSequence,
    below: Settled,
    /// The x of the empty rows: all rows after it are empty.
    empty_by: Option<u64>,
}

impl Scheme {
    /// The next row of a level, proved: `Losers(W' ∪ W'' ∪ I)`, I the same row of the lower levels,
    /// with the certificate of fact 3. W' is a past, since W'(a) = OneLess^a(W'(0)) (fact 2); W''
    /// and I are its rows below.
    fn next_row(&mut self, level: u64, lower: &[&Row]) -> Result<LevelRow, RowError> {
        if let Some(by) = self.empty_by {
            self.row += 1;
            return Ok(LevelRow::Empty { row: self.row - 1, by });
        }
        let (mut below, mut instant_winners) = (self.below.clone(), self.w2.clone());
        for row in lower {
            row.enter(&mut below);
            instant_winners.union_with(&SetSequence::singletons(row.offsets.members()));
        }
        let settled = usize::try_from(below.from().saturating_sub(self.row));
        let offsets = prove_twice(
            &self.w1.union(&instant_winners),
            FundamentalRecurrence::with_past(self.w1.at(0), &instant_winners),
            |window| below.modulus(window),
            settled.expect("the offsets are in memory"),
        )
        .map_err(|source| RowError { key: RowKey::of_row(level, self.row), source })?;

        let countdown = (0..offsets.first()).rev().map(|n| NatSet::from([n]));
        self.w1 = one_less(&self.w1).union(&SetSequence::finite(countdown));
        self.w2 = chop(mem::take(&mut self.w2));
        self.w2.union_with(&chop(SetSequence::singletons(offsets.members())));

        self.empty_by = (offsets.first() == 0).then_some(self.row);
        let row = Row { row: self.row, offsets };
        row.enter(&mut self.below);
        self.row += 1;
        Ok(LevelRow::Row(row))
    }
}

impl Rows {
    /// The rows from row 0 on.
    pub fn new() -> Self {
        Self(ChompGrundy::to_level(0))
    }
}

impl Default for Rows {
    fn default() -> Self {
        Self::new()
    }
}

impl Iterator for Rows {
    type Item = Result<Row, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let of_level_0 = self.0.next()?.map(|mut rows| rows.swap_remove(0));
        Some(of_level_0.map(|row| match row {
            LevelRow::Row(row) => row,
            LevelRow::Empty { .. } => unreachable!("no (x,x,x) is a P-position"),
        }))
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

    fn statement(&self, form: HeadForm) -> Statement {
        let certificate = self.offsets.proof().map(|proof| &proof.certificate);
        statement(self.row, self.offsets.members(), certificate, form)
    }
}

/// Levels 0 to g of three-rowed Chomp, row by row, for ever. Level g of row c is the set of the
/// positions `[c,a,b]` with Grundy value g.
///
/// "For any given g, one has to add to the set of implied *Instant Winners* the positions that have
/// been already shown to have smaller nim-values" (Zeilberger 2003, *The Sprague-Grundy values*).
/// So each level has a recurrence scheme of its own, as [`Rows`] has, and the losers
/// of a row are `Losers(W' ∪ W'' ∪ I)`, where I has the offsets of the lower levels in the same
/// row. The paper does not say that rows can be empty: if a row x above row 0 is the single
/// position `[x,0,0]`, then one bite in the top row leads there from each position of a later row,
/// so later rows have no position of that level (fact 12 of `proofs/README.md`).
///
/// Each row is proved twice, by the classical bound (unless that is out of reach, because the
/// periods below have a large least common multiple) and by a certificate. Each level costs about
/// as much as `Rows`, but its pre-periods are longer.
///
/// ```
/// use byrnes::ChompGrundy;
/// let row_2: Vec<String> = ChompGrundy::to_level(3).nth(2).unwrap().unwrap().iter().map(ToString::to_string).collect();
/// assert_eq!(row_2, ["[2]^∞", "[3, 0]", "empty by 1", "[1, 4, 1]^∞"]);
/// ```
#[derive(Clone, Debug)]
pub struct ChompGrundy {
    /// None after a row that was not proved.
    levels: Vec<Scheme>,
}

/// One row of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelRow {
    /// No position has this bottom row and this Grundy value, because `(x,x,x)` has it.
    Empty {
        /// The bottom row r.
        row: u64,
        /// The x.
        by: u64,
    },
    /// The positions.
    Row(Row),
}

impl ChompGrundy {
    /// Levels 0 to `level`.
    pub fn to_level(level: u64) -> Self {
        let w1 = SetSequence::finite([NatSet::from([0])]);
        let scheme = Scheme { w1, ..Scheme::default() };
        Self { levels: (0..=level).map(|_| scheme.clone()).collect() }
    }

    fn next_rows(&mut self) -> Result<Vec<LevelRow>, RowError> {
        let mut rows: Vec<LevelRow> = Vec::new();
        for (level, scheme) in (0..).zip(&mut self.levels) {
            let lower: Vec<&Row> = rows.iter().filter_map(LevelRow::row).collect();
            let row = scheme.next_row(level, &lower)?;
            rows.push(row);
        }
        Ok(rows)
    }
}

/// The rows with the same bottom row, one of each level.
impl Iterator for ChompGrundy {
    type Item = Result<Vec<LevelRow>, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.levels.is_empty() {
            return None;
        }
        Some(self.next_rows().inspect_err(|_| self.levels.clear()))
    }
}

impl LevelRow {
    /// The row, unless it is empty.
    pub fn row(&self) -> Option<&Row> {
        match self {
            Self::Empty { .. } => None,
            Self::Row(row) => Some(row),
        }
    }

    /// The row as a record of its level.
    ///
    /// # Errors
    /// A [`Fault`] would mean a row that no statement can describe: a defect of this program.
    pub fn record(&self, level: u64, form: HeadForm) -> Result<Record, Fault> {
        let (row, statement) = match self {
            Self::Empty { row, by } => (*row, Statement::Empty { by: *by }),
            Self::Row(row) => (row.row(), row.statement(form)),
        };
        Record::new(RowKey::of_row(level, row), statement)
    }
}

/// In closed form: `[3, 1, 0]`, `[4, 4][3]^∞`, `empty by 1`.
impl fmt::Display for LevelRow {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Empty { by, .. } => write!(f, "empty by {by}"),
            Self::Row(row) => row.offsets().fmt(f),
        }
    }
}
