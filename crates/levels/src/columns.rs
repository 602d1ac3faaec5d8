//! The offsets that rows below block, column by column: (C) of facts 12 and 13.
//!
//! If row i of a tail grows by one square, the bites in row i lead to the same rows as before and
//! to one more: (C) for this i only grows. The same holds for a chain of the elements of any finite
//! part (module `shape`). So these rows are kept as a *series*, with a set of bits for each column.
//! Entering a row costs one bit per column.

use std::sync::Arc;

use ultimate::{Settled, least_free};

use crate::found_row::FoundRow;

/// The number of columns that are made at once.
const COLUMNS: u64 = 64;

/// The rows of (C) for one level, one chain and fixed other parts: those that bites at its elements
/// 0, 1, ..., up to the last one entered, leave.
#[derive(Clone, Debug)]
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
        Self {
            first,
            entered: 0,
            rows: Vec::new(),
            stride: 1,
            words: Vec::new(),
            least: Vec::new(),
            settled: Settled::default(),
        }
    }

    pub(crate) fn entered(&self) -> u64 {
        self.entered
    }

    pub(crate) fn settled(&self) -> &Settled {
        &self.settled
    }

    /// Enters the row that a bite at the next element leaves, `None` if it has no position or
    /// blocks a fixed p. Columns before `from` are not needed any more; the row begins there or
    /// before.
    pub(crate) fn enter(&mut self, row: Option<&Arc<FoundRow>>, from: u64) {
        self.entered += 1;
        let Some(row) = row else { return };
        self.settled.add(row.settled(), row.values());
        self.widen(row.largest_offset());
        let begin = from.max(self.first);
        if begin < self.end() {
            self.block(row, begin);
        }
        self.rows.push(Arc::clone(row));
    }

    /// One past the last column that has been made.
    fn end(&self) -> u64 {
        self.first + self.least.len() as u64
    }

    fn place(&self, q: u64) -> usize {
        index(q - self.first)
    }

    /// Blocks the row's offsets in the columns from `begin` on, and from its own first column on.
    fn block(&mut self, row: &FoundRow, begin: u64) {
        let begin = begin.max(row.first_column());
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
    pub(crate) fn reach(&mut self, q: u64) {
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
    pub(crate) fn word(&self, q: u64, k: u64) -> u64 {
        let column = &self.words[self.stride * self.place(q)..][..self.stride];
        column.get(index(k)).copied().unwrap_or(0)
    }

    /// The least offset that is free in column q. It only rises while rows are entered.
    pub(crate) fn least_free(&mut self, q: u64) -> u64 {
        let place = self.place(q);
        self.least[place] = least_free(self.least[place], |k| self.word(q, k));
        self.least[place]
    }
}

/// An index into memory.
pub(crate) fn index(n: u64) -> usize {
    usize::try_from(n).expect("what is indexed is in memory")
}
