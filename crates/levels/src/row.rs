//! The regular columns of one row: the least offset that nothing blocks (facts 12 and 13), until it
//! is 0 or a state recurs (fact 3).
//!
//! A [`FoundRow`] is kept for look-ups by column. If row i of a tail grows by one square, the bites
//! in row i lead to the same rows as before and to one more: (C) for this i only grows. The same
//! holds for a chain of the elements of any finite part (module `shape`). So these rows are kept as
//! a [`Series`], with a set of bits for each column. Entering a row costs one bit per column.

use std::ops::RangeInclusive;
use std::sync::Arc;

use byrnes::LosersError;
use byrnes::recurrence::{ProvedSequence, Walk, walk};
use num_bigint::BigUint;
use num_integer::Integer;
use ultimate::{FiniteOrPeriodic, MexSet, NatSet, Settled, least_free};

use crate::shape::index;

/// The positions of a row that has some.
#[derive(Clone, Debug)]
pub(crate) struct FoundRow {
    /// The first column.
    first: u64,
    /// The p of the irregular columns.
    early: Vec<Option<u64>>,
    /// The offsets of all columns from the first regular one on.
    offsets: FiniteOrPeriodic<u64>,
    largest: u64,
    shift: i64,
}

impl FoundRow {
    /// A row with these irregular columns, from column `first` on, and these offsets after them;
    /// offsets count `p + shift`.
    pub(crate) fn new(
        first: u64,
        early: Vec<Option<u64>>,
        offsets: FiniteOrPeriodic<u64>,
        shift: i64,
    ) -> Self {
        let mut row = Self { first, early, offsets, largest: 0, shift };
        let head = row.offsets_from(first).take(row.early.len() + row.offsets.head().len());
        let largest = head.flatten().chain(row.values().iter().copied()).max();
        row.largest = largest.unwrap_or(0);
        row
    }

    /// The p of column q, if there is one.
    pub(crate) fn p(&self, q: u64) -> Option<u64> {
        let since = index(q.checked_sub(self.first)?);
        if let Some(p) = self.early.get(since) {
            return *p;
        }
        (q + self.offsets.at(since - self.early.len())?).checked_add_signed(-self.shift)
    }

    /// The column from which the row repeats, or the first one past its end.
    fn settled(&self) -> u64 {
        self.first + (self.early.len() + self.offsets.head().len()) as u64
    }

    /// The offsets of one period; none if the row ends.
    fn values(&self) -> &[u64] {
        self.offsets.periodic().map_or(&[], |sequence| sequence.cycle())
    }

    /// The offset of column q, if there is one.
    fn offset(&self, q: u64) -> Option<u64> {
        self.offset_of(self.p(q)?, q)
    }

    /// The offset of a p in column q; one that is negative blocks nothing.
    fn offset_of(&self, p: u64, q: u64) -> Option<u64> {
        p.checked_add_signed(self.shift)?.checked_sub(q)
    }

    /// The offsets of column q, q + 1, ..., until the row ends; `None` for a column without a
    /// position. `q` is not before the first column.
    fn offsets_from(&self, q: u64) -> impl Iterator<Item = Option<u64>> + '_ {
        let (head, values) = (self.offsets.head(), self.values());
        let since = index(q - self.first);
        let early = (q..).zip(&self.early[since.min(self.early.len())..]);
        let early = early.map(|(q, p)| p.and_then(|p| self.offset_of(p, q)));
        let since = since.saturating_sub(self.early.len());
        let past = since.saturating_sub(head.len()).checked_rem(values.len()).unwrap_or(0);
        let rest = &head[since.min(head.len())..];
        let regular = rest.iter().chain(&values[past..]).chain(values.iter().cycle());
        early.chain(regular.copied().map(Some))
    }
}

/// The number of columns that are made at once.
const COLUMNS: u64 = 64;

/// The rows of (C) for one level, one chain and fixed other parts: those that bites at its elements
/// 0, 1, ..., up to the last one entered, leave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series {
    /// Columns before this one are not needed.
    first: u64,
    /// The number of elements whose rows are entered.
    entered: u64,
    rows: Vec<Arc<FoundRow>>,
    /// Words per column.
    stride: usize,
    /// The offsets blocked in columns `first`, `first + 1`, ...
    words: Vec<u64>,
    /// For each column a lower bound of the least offset that is free in it.
    least: Vec<u64>,
    /// The settling and the periods of the rows.
    settled: Settled,
}

impl Series {
    /// A series for columns from `first` on.
    pub(crate) fn from_column(first: u64) -> Self {
        Self { first, stride: 1, ..Self::default() }
    }

    pub(crate) fn entered(&self) -> u64 {
        self.entered
    }

    /// Enters the row that a bite at the next element leaves, `None` if it has no position or
    /// blocks a fixed p. Columns before `from` are not needed any more; the row begins there or
    /// before.
    pub(crate) fn enter(&mut self, row: Option<&Arc<FoundRow>>, from: u64) {
        self.entered += 1;
        let Some(row) = row else { return };
        self.settled.add(row.settled(), row.values());
        self.widen(row.largest);
        self.block(row, from.max(self.first));
        self.rows.push(Arc::clone(row));
    }

    /// One past the last column that has been made.
    fn end(&self) -> u64 {
        self.first + self.least.len() as u64
    }

    /// Blocks the row's offsets in the columns from `begin` on, and from its own first column on.
    fn block(&mut self, row: &FoundRow, begin: u64) {
        let begin = begin.max(row.first);
        if begin >= self.end() {
            return;
        }
        let columns = self.words[self.stride * index(begin - self.first)..].chunks_mut(self.stride);
        for (column, offset) in columns.zip(row.offsets_from(begin)) {
            let Some(offset) = offset else { continue };
            column[index(offset / 64)] |= 1 << (offset % 64);
        }
    }

    /// Makes room for an offset.
    fn widen(&mut self, offset: u64) {
        let stride = index(offset / 64) + 1;
        if stride <= self.stride {
            return;
        }
        let stride = stride.max(self.stride + self.stride / 2);
        let mut words = vec![0; stride * self.least.len()];
        for (new, old) in words.chunks_mut(stride).zip(self.words.chunks(self.stride)) {
            new[..old.len()].copy_from_slice(old);
        }
        (self.stride, self.words) = (stride, words);
    }

    /// Makes the missing columns up to q.
    fn reach(&mut self, q: u64) {
        while q >= self.end() {
            let begin = self.end();
            self.least.resize(self.least.len() + index(COLUMNS), 0);
            self.words.resize(self.stride * self.least.len(), 0);
            for row in std::mem::take(&mut self.rows) {
                self.block(&row, begin);
                self.rows.push(row);
            }
        }
    }

    /// Word k of the offsets that column q, which has been made, blocks.
    #[inline]
    fn word(&self, q: u64, k: u64) -> u64 {
        let column = &self.words[self.stride * index(q - self.first)..][..self.stride];
        column.get(index(k)).copied().unwrap_or(0)
    }

    /// The least offset that is free in column q. It only rises while rows are entered.
    fn least_free(&mut self, q: u64) -> u64 {
        let place = index(q - self.first);
        self.least[place] = least_free(self.least[place], |k| self.word(q, k));
        self.least[place]
    }
}

/// A row that is being computed.
struct Row<'a> {
    q: u64,
    /// The numbers p + shift that are blocked from here on, by (D), (R) and (0): U(q), each offset
    /// u as q + u. Those before q no longer count.
    blocked: NatSet,
    /// All p from q to before this one are blocked.
    filled_to: u64,
    /// (C), a series for each chain.
    series: &'a mut [Series],
    /// (L): the rows of the lower levels that are not empty.
    lower: &'a [Arc<FoundRow>],
    /// The settling and the periods of the rows of (L).
    settled: Settled,
    stop: &'a dyn Fn() -> bool,
}

/// The regular columns of a row, from `first` on, and the certificate if it never ends. The numbers
/// in `fixed` are blocked in all columns, (C) reads the series, and (L) reads `lower`.
pub(crate) fn find(
    first: u64,
    fixed: NatSet,
    series: &mut [Series],
    lower: &[Arc<FoundRow>],
    stop: &dyn Fn() -> bool,
) -> Result<ProvedSequence, LosersError> {
    let mut settled = Settled::default();
    for row in lower {
        settled.add(row.settled(), row.values());
    }
    let all = series.iter().map(|rows| &rows.settled).chain([&settled]);
    let settled_from = all.map(Settled::from).max().unwrap_or(0).saturating_sub(first);
    let mut row = Row { q: first, blocked: fixed, filled_to: first, series, lower, settled, stop };
    row.begin_column();
    walk(&mut row, index(settled_from))
}

impl Row<'_> {
    fn begin_column(&mut self) {
        self.filled_to = least_free(self.filled_to.max(self.q), |k| self.blocked.word(k));
        for rows in &mut *self.series {
            rows.reach(self.q);
        }
    }

    /// The least offset from `first` on that neither U nor (C) blocks.
    fn free(&self, first: u64) -> u64 {
        let q = self.q;
        least_free(first, |k| {
            let by_columns = self.series.iter().fold(0, |word, rows| word | rows.word(q, k));
            self.blocked.word_from(q + 64 * k) | by_columns
        })
    }

    fn offset(&mut self) -> u64 {
        let (q, filled) = (self.q, self.filled_to - self.q);
        let least =
            self.series.iter_mut().fold(filled, |least, rows| least.max(rows.least_free(q)));
        let mut offset = self.free(least);
        while self.lower.iter().any(|row| row.offset(q) == Some(offset)) {
            offset = self.free(offset + 1);
        }
        offset
    }
}

impl Walk for Row<'_> {
    fn state(&self) -> MexSet {
        MexSet::of_part(&self.blocked, self.q, self.filled_to - self.q)
    }

    fn step(&mut self) -> u64 {
        let offset = self.offset();
        self.blocked.insert(self.q + offset);
        self.q += 1;
        self.begin_column();
        offset
    }

    fn modulus(&self, window: RangeInclusive<u64>) -> BigUint {
        let all = self.series.iter().map(|rows| &rows.settled).chain([&self.settled]);
        all.flat_map(|rows| rows.periods(window.clone()))
            .fold(BigUint::from(1_u8), |modulus, own| modulus.lcm(&BigUint::from(own)))
    }

    fn stop(&self) -> bool {
        (self.stop)()
    }
}
