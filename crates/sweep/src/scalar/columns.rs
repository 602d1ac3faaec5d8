//! Sets of numbers as bits, and columns with one bit for every `p`: the memory of the scalar
//! engines.

use crate::repeating::Repeating;
use crate::units::{ColumnIndex, Number, index};
use record::Record;
use std::collections::VecDeque;

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
