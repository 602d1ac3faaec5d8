//! Words in place of pointers: the window theorem in its simplest form.
//!
//! The values lie near two lines, `L = (1 + √2) r - q / √2` and `H = r + q / √2`. So two words of a
//! row suffice, the numbers free in it from just below L on and from just below H on, and the same
//! two words of a column. The value of a cell is the lowest common bit near L, or otherwise near H:
//!
//! ```text
//!        A              A + 64         B              B + 64
//! --------|--------------|--------------|--------------|---------> p
//! blocked    low windows    the gap: not   high windows
//! (V5)                      row-free (V6)
//! ```
//!
//! The position of the lines is not assumed. The hypotheses of proofs/sweep.md, 5.1, are checked
//! for every cell; if one fails, the cell is searched as in [`pointer`](super::pointer). This
//! engine computes one row at a time and keeps whole columns, so it needs only a part of the
//! theorem, and V7 always holds. The band engine computes eight bands of eight rows side by side.

use super::oracle::{self, Column, Current, Search};
use super::pointer::Pointers;
use crate::error::SweepError;
use crate::units::{ColumnIndex, Number, RowIndex, index};
use record::listeners::{Done, Visitor};

/// Visits every row below `end`, in order.
///
/// # Errors
/// [`SweepError::Row`] if a certificate's modulus does not fit 64 bits.
pub fn rows(end: u64, visitor: &mut dyn Visitor) -> Result<Done, SweepError> {
    oracle::sweep(end, RowWindows::new(12, 20), visitor)
}

struct RowWindows {
    /// The distance of the windows below the lines.
    below_low: u64,
    below_high: u64,
    /// `q / √2`, rounded down, by q.
    falls: Vec<u64>,
    row: u64,
    /// The value of `L` in column 0.
    rise: u64,
    words: Option<RowWords>,
    pointers: Pointers,
    /// Cells with room for windows that were searched.
    failed: u64,
}

/// A row in one column: the numbers that are free in it.
struct RowWords {
    low_anchor: u64,
    high_anchor: u64,
    low: u64,
    high: u64,
    /// Those between the windows.
    between: Vec<u64>,
}

impl RowWindows {
    fn new(below_low: u64, below_high: u64) -> Self {
        let (falls, pointers) = (Vec::new(), Pointers::default());
        Self { below_low, below_high, falls, row: 0, rise: 0, words: None, pointers, failed: 0 }
    }

    /// The first numbers of the two windows in column `q`.
    fn anchors(&mut self, q: u64) -> [u64; 2] {
        while self.falls.len() <= index(q) {
            let q = self.falls.len() as u64;
            self.falls.push((q * q / 2).isqrt());
        }
        let fall = self.falls[index(q)];
        let low = self.rise.saturating_sub(fall + self.below_low);
        [low, (self.row + fall).saturating_sub(self.below_high)]
    }

    /// The value, if the hypotheses hold.
    fn value_in_windows(&mut self, q: u64, current: &Current, column: &mut Column) -> Option<u64> {
        let [low, high] = self.anchors(q);
        // V10. Near the diagonal and past √2 r there is no room for windows.
        if low < q || low + 64 > high {
            self.words = None;
            return None;
        }
        match &mut self.words {
            Some(words) => words.move_to(low, high, current),
            none => *none = Some(RowWords::new(low, high, current)),
        }
        let words = self.words.as_ref()?;
        // V5: nothing below the low window is free in the column.
        current.raise_least(column, low);
        if column.least < low || !words.between.is_empty() {
            return None;
        }
        let lowest = |anchor: u64, row: u64| {
            let common = row & !column.blocked.word_from(anchor);
            (common != 0).then(|| anchor + u64::from(common.trailing_zeros()))
        };
        // V8: the cell takes a number.
        lowest(low, words.low).or_else(|| lowest(high, words.high))
    }
}

impl Search for RowWindows {
    fn begin(&mut self, row: RowIndex, current: &Current) {
        self.row = row.0;
        self.rise = row.0 + (2 * row.0 * row.0).isqrt();
        self.words = None;
        self.pointers.begin(row, current);
    }

    fn value(&mut self, q: ColumnIndex, current: &Current, column: &mut Column) -> Number {
        let value = self.value_in_windows(q.0, current, column);
        let p = value.map_or_else(|| self.pointers.value(q, current, column), Number);
        if let Some(words) = &mut self.words {
            self.failed += u64::from(value.is_none());
            words.take(p.0);
        }
        p
    }
}

impl RowWords {
    fn new(low_anchor: u64, high_anchor: u64, current: &Current) -> Self {
        let [low, high] = [low_anchor, high_anchor].map(|p| !current.blocked.word_from(p));
        let is_free = |p: &u64| !current.blocked.contains(*p);
        let between = (low_anchor + 64..high_anchor).filter(is_free).collect();
        Self { low_anchor, high_anchor, low, high, between }
    }

    /// Moves to the next column, where each window has moved by at most one place. Free numbers
    /// that leave the windows break V6 until they are taken.
    fn move_to(&mut self, low: u64, high: u64, current: &Current) {
        let is_free = |p: u64| !current.blocked.contains(p);
        let (down, up) = (self.low_anchor - low, high - self.high_anchor);
        let leaving = (low + 64..self.low_anchor + 64).chain(self.high_anchor..high);
        self.between.extend(leaving.filter(|&p| is_free(p)));
        self.low = self.low << down | u64::from(is_free(low)) & down;
        self.high = self.high >> up | (u64::from(is_free(high + 63)) & up) << 63;
        (self.low_anchor, self.high_anchor) = (low, high);
    }

    fn take(&mut self, p: u64) {
        let windows = [(self.low_anchor, &mut self.low), (self.high_anchor, &mut self.high)];
        for (anchor, word) in windows {
            if (anchor..anchor + 64).contains(&p) {
                *word &= !(1 << (p - anchor));
            }
        }
        self.between.retain(|&between| between != p);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Oracle;

    /// Compares with the pointer engine; returns the number of cells that fail.
    fn sweep(below_low: u64, below_high: u64) -> u64 {
        let mut windows = Oracle::new(RowWindows::new(below_low, below_high));
        let mut pointers = Oracle::new(Pointers::default());
        for _ in 0..1500 {
            assert_eq!(windows.next_row().unwrap(), pointers.next_row().unwrap());
        }
        windows.search.failed
    }

    /// The rows are the same wherever the windows are: a hypothesis that fails is detected.
    #[test]
    fn windows_anywhere_find_the_same_rows() {
        assert_eq!(sweep(12, 20), 0);
        for (below_low, below_high) in [(0, 20), (12, 0), (60, 20), (12, 64), (3, 8)] {
            assert!(sweep(below_low, below_high) > 0, "{below_low} {below_high}");
        }
    }
}
