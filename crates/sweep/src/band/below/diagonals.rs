//! The diagonal values found so far, one bit a number: (D) of the recurrence.

use crate::{
    band::geometry::least_diagonal,
    units::{Number, RowIndex, index},
};

/// The values `d_c` of the rows `c < rows`.
#[derive(Clone, Debug)]
pub(crate) struct Diagonals {
    words: Vec<u64>,
    rows: RowIndex,
    end: Number,
}

impl Diagonals {
    pub(crate) fn new() -> Self {
        Self { words: vec![1, 0], rows: RowIndex(0), end: Number(1) }
    }

    /// The rows entered so far are those below this one.
    pub(crate) fn rows(&self) -> RowIndex {
        self.rows
    }

    /// Every value entered so far is below this.
    pub(crate) fn end(&self) -> Number {
        self.end
    }

    /// No value that is still missing is below this (V9).
    pub(crate) fn complete_below(&self) -> Number {
        least_diagonal(self.rows)
    }

    /// Enters the diagonal value of the next row.
    pub(crate) fn add(&mut self, p: Number) {
        self.rows += 1;
        self.end = self.end.max(p + 1);
        let Number(p) = p;
        let word = index(p / 64);
        if word + 1 >= self.words.len() {
            self.words.resize(word + 1024, 0);
        }
        self.words[word] |= 1 << (p % 64);
    }

    /// The numbers from `p` on that are no diagonal values, 64 of them.
    #[inline(always)]
    pub(crate) fn free(&self, Number(p): Number) -> u64 {
        let (word, shift) = (index(p / 64), p % 64);
        // There is a word too many.
        let &[low, high] = self.words.get(word..).and_then(<[u64]>::first_chunk).unwrap_or(&[0; 2]);
        !(low >> shift | high << 1 << (63 - shift))
    }

    pub(crate) fn is_free(&self, p: Number) -> bool {
        self.free(p) & 1 == 1
    }
}
