//! The walk along a row, which the scalar engines share, and their memory: sets of numbers as bits,
//! and columns with one bit for every `p`. The engines differ only in how a cell finds its value
//! ([`Search`]).

use crate::certify::{ColumnState, Repeating, RowsBelow, Trace};
use crate::error::SweepError;
use crate::units::{ColumnIndex, Number, RowIndex, index};
use record::Record;
use record::listeners::{Done, Visitor};
use std::collections::VecDeque;
use ultimate::least_free;

/// The sets that the current row uses.
#[derive(Clone, Debug)]
pub(crate) struct Current {
    /// (D): 0 and the diagonal values of all rows below.
    pub(crate) diagonals: NumberSet,
    /// (D) and (R).
    pub(crate) blocked: NumberSet,
    /// Every diagonal value is below this.
    pub(crate) diagonal_end: u64,
}

impl Current {
    /// Ends a row: its values give way to its diagonal value.
    pub(crate) fn end_row(&mut self, values: &[u64]) {
        for &p in values {
            self.blocked.remove(p);
        }
        let diagonal = values[0];
        self.blocked.insert(diagonal);
        self.diagonals.insert(diagonal);
        self.diagonal_end = self.diagonal_end.max(diagonal + 1);
    }

    /// Raises `column.least` to the first number that neither (D) nor (C) blocks, at most to `end`.
    pub(crate) fn raise_least(&self, column: &mut Column, end: u64) {
        if column.least < end {
            let word = |k| self.diagonals.word(k) | column.blocked.word(k);
            column.least = end.min(least_free(column.least, word));
        }
    }
}

/// The way in which an engine finds `f(q,r)`.
pub(crate) trait Search {
    /// A new row begins.
    fn begin(&mut self, row: RowIndex, current: &Current);
    /// The least `p >= q` that neither the row nor the column blocks.
    fn value(&mut self, q: ColumnIndex, current: &Current, column: &mut Column) -> Number;

    /// Decides the cell, and enters its value in the row and in the column.
    fn take(&mut self, q: ColumnIndex, current: &mut Current, column: &mut Column) -> Number {
        let p = self.value(q, current, column);
        column.blocked.insert(p.0);
        current.blocked.insert(p.0);
        p
    }
}

/// An engine between two rows.
pub(crate) struct Oracle<S> {
    row: RowIndex,
    pub(crate) search: S,
    pub(crate) current: Current,
    pub(crate) columns: ActiveColumns,
    below: RowsBelow,
    cells: u64,
}

impl<S: Search> Oracle<S> {
    /// Before row 0.
    pub(crate) fn new(search: S) -> Self {
        let mut current =
            Current { diagonals: NumberSet::from(0), blocked: NumberSet::from(0), diagonal_end: 1 };
        current.diagonals.insert(0);
        current.blocked.insert(0);
        let (columns, below) = (ActiveColumns::new(), RowsBelow::default());
        Self { row: RowIndex(0), search, current, columns, below, cells: 0 }
    }

    /// The next row, with the offsets that were computed.
    pub(crate) fn next_row(&mut self) -> Result<(Record, Vec<u64>), SweepError> {
        let Self { row: r, search, current, columns, below, cells } = self;
        let mut trace = Trace::new(*r, r.diagonal(), 0, None, below)?;
        search.begin(*r, current);
        let row = loop {
            let q = trace.column();
            if trace.counts()
                && let Some(row) = trace.recurs(state(&current.blocked, q), below)?
            {
                break row;
            }
            let p = search.take(q, current, columns.activate(q));
            trace.push(q.offset(p));
            if q.offset(p) == 0 {
                break trace.finite()?;
            }
        };
        let values: Vec<u64> = (r.0..).zip(&trace.offsets).map(|(q, offset)| q + offset).collect();
        current.end_row(&values);
        columns.finish(trace.column(), &row);
        below.add(&row);
        *cells += trace.column() - r.diagonal();
        *r += 1;
        Ok((row, trace.offsets))
    }

    pub(crate) fn done(&self) -> Done {
        Done { rows: self.row.0, cells: self.cells, fallbacks: 0 }
    }
}

/// Sweeps the rows below `end`.
pub(crate) fn sweep<S: Search>(
    end: u64,
    search: S,
    visitor: &mut dyn Visitor,
) -> Result<Done, SweepError> {
    let mut oracle = Oracle::new(search);
    for _ in 0..end {
        let (row, offsets) = oracle.next_row()?;
        if visitor.row(row, Some(&offsets)).is_break() {
            break;
        }
    }
    Ok(oracle.done())
}

/// `U(q)` from the row's blocked values.
fn state(blocked: &NumberSet, ColumnIndex(q): ColumnIndex) -> ColumnState {
    let filled = least_free(q, |k| blocked.word(k)) - q;
    let next = q + filled + 1;
    let words = blocked.end().saturating_sub(next / 64);
    ColumnState::new(filled, (0..words).map(|i| blocked.word_from(next + 64 * i)).collect())
}

/// A set of numbers that are at least `64 * first_word`: a column has no words below it.
///
/// With an `ultimate::NatSet` of the differences in place of `words`, the pointer engine takes 1.15
/// times the instructions, in as many lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberSet {
    first_word: u64,
    words: Vec<u64>,
}

impl NumberSet {
    /// The empty set, of numbers not below `least`, rounded down to a word.
    pub(crate) fn from(least: u64) -> Self {
        Self { first_word: least / 64, words: Vec::new() }
    }

    /// The bits from `64 * word` on.
    pub(crate) fn word(&self, word: u64) -> u64 {
        self.words.get(index(word - self.first_word)).copied().unwrap_or(0)
    }

    /// The bits from `p` on.
    pub(crate) fn word_from(&self, p: u64) -> u64 {
        let (word, shift) = (p / 64, p % 64);
        let low = self.word(word) >> shift;
        if shift == 0 { low } else { low | self.word(word + 1) << (64 - shift) }
    }

    /// The word past the last one that is stored.
    pub(crate) fn end(&self) -> u64 {
        self.first_word + self.words.len() as u64
    }

    pub(crate) fn contains(&self, p: u64) -> bool {
        self.word(p / 64) >> (p % 64) & 1 == 1
    }

    pub(crate) fn insert(&mut self, p: u64) {
        let word = index(p / 64 - self.first_word);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (p % 64);
    }

    pub(crate) fn remove(&mut self, p: u64) {
        self.words[index(p / 64 - self.first_word)] &= !(1 << (p % 64));
    }
}

/// The numbers that the rows below block in a column: (C) of the recurrence.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) blocked: NumberSet,
    /// Every number in `q..least` is blocked by (D) or (C). At most the `least_q` of the skip
    /// lemma.
    pub(crate) least: u64,
}

/// The columns that rows have reached and later rows will read.
#[derive(Clone, Debug)]
pub(crate) struct ActiveColumns {
    first: ColumnIndex,
    kept: VecDeque<Column>,
    periodic: Vec<Repeating>,
}

impl ActiveColumns {
    /// Before row 0.
    pub(crate) fn new() -> Self {
        Self { first: ColumnIndex(0), kept: VecDeque::new(), periodic: Vec::new() }
    }

    /// Column `q`, made from the periodic rows if no row has reached it yet.
    ///
    /// A row that has not reached `q` was certified before it, so its values hold there.
    /// Rows reach columns from left to right: `q` is at most one past the last column.
    pub(crate) fn activate(&mut self, q: ColumnIndex) -> &mut Column {
        let i = index(q - self.first);
        if i == self.kept.len() {
            let ColumnIndex(q) = q;
            let mut blocked = NumberSet::from(q);
            self.periodic.iter().for_each(|row| blocked.insert(q + row.offset(q)));
            self.kept.push_back(Column { blocked, least: q });
        }
        &mut self.kept[i]
    }

    /// Whether no row below has value `p` in column `q`, which rows have reached.
    pub(crate) fn is_free(&self, q: ColumnIndex, p: Number) -> bool {
        !self.kept[index(q - self.first)].blocked.contains(p.0)
    }

    /// Every number from this one on is free in column `q`, which rows have reached.
    pub(crate) fn end(&self, q: ColumnIndex) -> Number {
        Number(64 * self.kept[index(q - self.first)].blocked.end())
    }

    /// Ends a row, which has entered its values in the columns before `next`.
    pub(crate) fn finish(&mut self, next: ColumnIndex, row: &Record) {
        if let Some(row) = row.periodic().map(Repeating::from) {
            for (q, column) in (self.first.0..).zip(&mut self.kept).skip(index(next - self.first)) {
                column.blocked.insert(q + row.offset(q));
            }
            self.periodic.push(row);
        }
        self.kept.pop_front();
        self.first = ColumnIndex(row.row() + 1);
    }
}
