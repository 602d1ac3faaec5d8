//! The kernel: a tile of 8 rows by 8 columns, on windows in registers (proofs/sweep.md, section 5).
//!
//! Row `i` of the band keeps to lane `i`. Columns move one lane up a step, so that lane `i` meets
//! column `8 g + j - i` in step `j`: every cell comes after the cell to its left and the one below.
//! These are the steps:
//!
//! ```text
//!          columns of group g - 1   |  columns of group g
//! lane 7    0  1  2  3  4  5  6  |  7
//! lane 6       0  1  2  3  4  5  |  6  7
//! ...
//! lane 1                      0  |  1  2  3  4  5  6  7
//! lane 0                         |  0  1  2  3  4  5  6  7
//! ```
//!
//! A cell is decided by `low = lowest(row & column)`, or, if that is empty, by the same on the high
//! windows.
//!
//! The kernel does not trust the windows: it says whether the hypotheses of the window theorem held
//! in a tile, and if not nothing of the tile is kept.

use crate::band::{
    shared::Weights,
    simd::{Eight, Lanes},
};

/// Row and column windows of a tile, and what has been found out about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile<L> {
    /// Row-free numbers, in the low and the high windows.
    pub(crate) row_low: L,
    pub(crate) row_high: L,
    /// The columns under way: lane `i` is the one that row `i` has met last.
    pub(crate) column_low: L,
    pub(crate) column_high: L,
    /// The columns to come, lane 7 first; and after `n` steps, in the lowest `n` lanes, those that
    /// have met all rows.
    pub(crate) outer_low: L,
    pub(crate) outer_high: L,
    /// Sum of value times weight of the column.
    pub(crate) sum: L,
    /// The anchors of the windows, plus [`Lanes::TOP`].
    pub(crate) low_top: L,
    pub(crate) high_top: L,
}

impl<L: Lanes> Tile<L> {
    /// Step `j`; returns the values found.
    #[inline(always)]
    pub(crate) fn step(&mut self, j: usize, weights: &Weights) -> L {
        (self.column_low, self.outer_low) =
            (self.column_low.push(self.outer_low), self.outer_low.push(self.column_low));
        (self.column_high, self.outer_high) =
            (self.column_high.push(self.outer_high), self.outer_high.push(self.column_high));
        let low = self.row_low.and(self.column_low);
        let minus = low.negative();
        self.row_low = self.row_low.without(low, minus);
        self.column_low = self.column_low.without(low, minus);
        let high = self.row_high.and(self.column_high);
        let high = high.and(high.negative()).where_zero(low);
        self.row_high = self.row_high.xor(high);
        self.column_high = self.column_high.xor(high);
        let top = low.choose(self.high_top, self.low_top);
        let value = top.sub(high.with(low, minus).distance_from_top());
        let weights = weights[7 - j..].first_chunk().expect("eight weights");
        self.sum = self.sum.add(value.mul(L::load_words(weights)));
        value
    }

    /// All eight steps, row by row: what a machine without vectors does best. Column `8 g - 8 + t`
    /// is number `t` of the columns, and row `i` meets the numbers from `8 - i` on. Returns the
    /// values found in each step.
    #[inline(always)]
    pub(crate) fn by_rows(&mut self, weights: &Weights) -> [Eight; 8] {
        let mut values = [Eight::ZERO; 8];
        let mut columns =
            [line_up(self.outer_low, self.column_low), line_up(self.outer_high, self.column_high)];
        let [mut low, mut high, mut sum] = [self.row_low, self.row_high, self.sum].map(words);
        let [low_top, high_top] = [self.low_top, self.high_top].map(|top| words(top).0[0]);
        for i in 0..8 {
            for j in 0..8 {
                let [column_low, column_high] = columns.each_mut().map(|c| &mut c[8 + j - i]);
                let common = low.0[i] & *column_low;
                let bit = common & common.wrapping_neg();
                low.0[i] ^= bit;
                *column_low ^= bit;
                // All ones or nothing: a branch on it would be mispredicted half the time.
                let empty = u64::from(common == 0).wrapping_neg();
                let common_high = high.0[i] & *column_high & empty;
                let high_bit = common_high & common_high.wrapping_neg();
                high.0[i] ^= high_bit;
                *column_high ^= high_bit;
                let top = low_top ^ (low_top ^ high_top) & empty;
                let value =
                    top.wrapping_sub(words(L::splat(bit | high_bit).distance_from_top()).0[0]);
                sum.0[i] = sum.0[i].wrapping_add(value.wrapping_mul(weights[7 - j + i]));
                values[j].0[i] = value;
            }
        }
        [self.row_low, self.row_high, self.sum] = [&low, &high, &sum].map(L::load);
        [self.outer_low, self.column_low] = take_apart(&columns[0]);
        [self.outer_high, self.column_high] = take_apart(&columns[1]);
        values
    }

    /// How many row-free numbers the steps since `before` have taken.
    #[inline(always)]
    pub(crate) fn taken_since(&self, before: [L; 2]) -> L {
        let [low, high] = before;
        low.xor(self.row_low).count_ones_with(high.xor(self.row_high))
    }
}

#[inline(always)]
fn words<L: Lanes>(lanes: L) -> Eight {
    let mut words = Eight::ZERO;
    lanes.store(&mut words);
    words
}

/// The columns under way and those to come, ascending.
#[inline(always)]
fn line_up<L: Lanes>(outer: L, column: L) -> [u64; 16] {
    let (outer, column) = (words(outer).0, words(column).0);
    std::array::from_fn(|t| if t < 8 { column[7 - t] } else { outer[15 - t] })
}

/// The columns that have met all rows, and those under way.
#[inline(always)]
fn take_apart<L: Lanes>(columns: &[u64; 16]) -> [L; 2] {
    [7, 15].map(|last: usize| L::load(&Eight(std::array::from_fn(|lane| columns[last - lane]))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::band::simd::Portable;
    use record::column_weight;

    /// Some words, of which `ones` in 8 bits are set.
    fn random(seed: u64, ones: u64) -> Portable {
        std::array::from_fn(|i| {
            (0..64).fold(0, |word, bit| {
                let draw = column_weight(seed << 16 | (i as u64) << 8 | bit) >> 32;
                word | u64::from(draw % 8 < ones) << bit
            })
        })
    }

    #[test]
    fn rows_and_steps_agree() {
        for seed in 0..200 {
            let mut by_steps = Tile {
                row_low: random(10 * seed, 1 + seed % 4),
                row_high: random(10 * seed + 1, 5),
                column_low: random(10 * seed + 2, 1 + seed % 3),
                column_high: random(10 * seed + 3, 5),
                outer_low: random(10 * seed + 4, seed % 3),
                outer_high: random(10 * seed + 5, 5),
                sum: random(10 * seed + 6, 4),
                low_top: [1000 + seed; 8],
                high_top: [2000 + 3 * seed; 8],
            };
            let weights = std::array::from_fn(|i| column_weight(i as u64));
            let mut by_rows = by_steps;
            let values = std::array::from_fn(|j| Eight(by_steps.step(j, &weights)));
            assert_eq!(by_rows.by_rows(&weights), values);
            assert_eq!(format!("{by_rows:?}"), format!("{by_steps:?}"));
        }
    }
}
