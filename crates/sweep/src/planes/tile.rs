//! Tiles in bit planes: a lane is one bit.
//!
//! A tile has eight rows and eight columns. Row `i` has a *low window*, whose places are numbers
//! that are no diagonal values (*ends*), and a *high window* of consecutive numbers; those of row
//! `i + 1` begin one place higher. A column has the places that the windows of all eight rows
//! cover. A *plane* is one place of one row, or of one column, in many tiles that do not depend on
//! each other: bit `k` says whether the number at this place is free in tile `k`.
//!
//! A cell takes the least number that is free in its row and in its column. Here the loop over
//! numbers is the outer one (proofs/sweep.md, 9.1): all cells of all tiles are asked about the
//! least number, then about the next. A question is four instructions for as many tiles as a
//! register has bits:
//!
//! ```text
//! taken = row & column & open;   row ^= taken;   column ^= taken;   open ^= taken
//! ```
//!
//! where `open` is the plane of the cell, *it has no number yet*. There is no search, no shift and
//! no product, so the same code serves registers of any width.

// The loops must be unrolled, and what they call compiled with their instructions. The planes of a
// cell are found by its indices.
#![allow(clippy::inline_always, clippy::needless_range_loop)]

use super::lanes::{Plane, SIDE, Square};

/// Places of a row's low window.
pub(crate) const LOW: usize = 10;

/// Places of a row's high window.
pub(crate) const HIGH: usize = 17;

/// Places of a column's low window: those of the windows of eight rows.
pub(super) const COLUMN_LOW: usize = LOW + SIDE - 1;

/// Places of a column's high window.
pub(super) const COLUMN_HIGH: usize = HIGH + SIDE - 1;

/// Places of a row, and of a column.
pub(super) const ROWS: usize = LOW + HIGH;
pub(super) const COLUMNS: usize = COLUMN_LOW + COLUMN_HIGH;

/// The places of a row: first those of its low window, then those of its high window.
pub(super) type Row<const W: usize> = [Plane<W>; ROWS];

/// The places of a column: first those of its low window, then those of its high window.
pub(super) type Column<const W: usize> = [Plane<W>; COLUMNS];

/// The rows and columns of `64 W` tiles.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Tiles<const W: usize> {
    pub(super) rows: [Row<W>; SIDE],
    pub(super) columns: [Column<W>; SIDE],
}

/// A listener to the numbers that cells take: the number at a `place` of row `i` is taken by the
/// cells of column `j` in the lanes of plane `j`.
pub(super) trait Taken<const W: usize> {
    fn take(&mut self, i: usize, place: usize, columns: &[Plane<W>; SIDE]);
}

impl<const W: usize> Tiles<W> {
    pub(super) const NONE: Self =
        Self { rows: [[Plane::NONE; ROWS]; SIDE], columns: [[Plane::NONE; COLUMNS]; SIDE] };

    /// Decides all cells. Returns the tiles in which a cell takes no number (V8), or a number that
    /// leaves the low windows is free in a column (V5).
    #[inline(always)]
    pub(super) fn decide(&self, after: &mut Self, taken: &mut impl Taken<W>) -> Plane<W> {
        let mut open = [[Plane::ALL; SIDE]; SIDE];
        let mut failing = Plane::NONE;
        self.ask::<LOW, 0, 0>(after, &mut open, taken, &mut failing);
        self.ask::<HIGH, LOW, COLUMN_LOW>(after, &mut open, taken, &mut failing);
        failing
    }

    /// Asks all cells about the numbers of windows with this number of `PLACES`, ascending. The
    /// places of a row begin at `ROW`, those of a column at `COLUMN`.
    #[inline(always)]
    fn ask<const PLACES: usize, const ROW: usize, const COLUMN: usize>(
        &self,
        after: &mut Self,
        open: &mut Square<W>,
        taken: &mut impl Taken<W>,
        failing: &mut Plane<W>,
    ) {
        for place in 0..PLACES + SIDE - 1 {
            let mut columns: [Plane<W>; SIDE] =
                std::array::from_fn(|j| self.columns[j][COLUMN + place]);
            // The rows whose windows have this place.
            for i in (place + 1).saturating_sub(PLACES)..=place.min(SIDE - 1) {
                let n = ROW + place - i;
                let mut row = self.rows[i][n];
                let mut takes = [Plane::NONE; SIDE];
                for j in 0..SIDE {
                    takes[j] = row & columns[j] & open[i][j];
                    row ^= takes[j];
                    columns[j] ^= takes[j];
                    open[i][j] ^= takes[j];
                    if n == ROWS - 1 {
                        *failing |= open[i][j];
                    }
                }
                taken.take(i, n, &takes);
                after.rows[i][n] = row;
            }
            for j in 0..SIDE {
                after.columns[j][COLUMN + place] = columns[j];
                if COLUMN + place < SIDE {
                    *failing |= columns[j];
                }
            }
        }
    }

    /// The tiles in which a number that leaves a window of a row towards the other one is free,
    /// when the windows move to the next group (V6). They fall by 3 places and rise by 5, or by 2
    /// and 6 in the tiles of `six` (9.2).
    #[inline(always)]
    pub(super) fn leaving_rows(&self, six: Plane<W>) -> Plane<W> {
        let mut leaving = Plane::NONE;
        for row in &self.rows {
            for &plane in &row[LOW - 2..LOW + 5] {
                leaving |= plane;
            }
            leaving |= six.choose(row[LOW + 5], row[LOW - 3]);
        }
        leaving
    }

    /// Moves the windows of the rows to the next group. What enters is free.
    #[inline(always)]
    pub(super) fn next_groups(&mut self, six: Plane<W>) {
        for row in &mut self.rows {
            for at in (3..LOW).rev() {
                row[at] = six.choose(row[at - 2], row[at - 3]);
            }
            row[2] = six.choose(row[0], Plane::ALL);
            row[..2].fill(Plane::ALL);
            for at in LOW..ROWS - 6 {
                row[at] = six.choose(row[at + 6], row[at + 5]);
            }
            row[ROWS - 6] = six.choose(Plane::ALL, row[ROWS - 1]);
            row[ROWS - 5..].fill(Plane::ALL);
        }
    }

    /// Moves each column to the next lane, for the next band: its windows rise by eight places. The
    /// places that [`Self::enter`] sets are arbitrary.
    #[inline(always)]
    pub(super) fn next_bands(&mut self) {
        for column in &mut self.columns {
            for at in (0..COLUMN_LOW - SIDE).chain(COLUMN_LOW..COLUMNS - SIDE) {
                column[at] = column[at + SIDE].above();
            }
        }
    }

    /// Sets place `n` of those that enter the low windows of the columns.
    #[inline(always)]
    pub(super) fn enter(&mut self, n: usize, low: [Plane<W>; SIDE]) {
        for (column, plane) in self.columns.iter_mut().zip(low) {
            column[COLUMN_LOW - SIDE + n] = plane;
            column[COLUMNS - SIDE + n] = Plane::ALL;
        }
    }

    /// Place `n` of those that leave the high windows of the columns next.
    #[inline(always)]
    pub(super) fn leaving(&self, n: usize) -> [Plane<W>; SIDE] {
        std::array::from_fn(|j| self.columns[j][COLUMN_LOW + n])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::column_weight;
    use std::collections::BTreeSet;

    /// Rows and columns with a free number at `free` places of eight, and mostly free tops.
    fn random(seed: u64, free: u64) -> Tiles<2> {
        let mut tiles = Tiles::NONE;
        let mut draws = 0..;
        let mut draw = || column_weight(seed << 20 | draws.next().unwrap()) >> 61;
        for lane in 0..128 {
            for row in &mut tiles.rows {
                for plane in row {
                    plane.set(lane, draw() < free + 2);
                }
            }
            for column in &mut tiles.columns {
                for (at, plane) in column.iter_mut().enumerate() {
                    plane.set(lane, draw() < if at < SIDE { 8 - free } else { free + 3 });
                }
            }
        }
        tiles
    }

    /// The free places of row `i` and of the columns of one tile.
    fn row(tiles: &Tiles<2>, i: usize, lane: usize) -> BTreeSet<usize> {
        let free = (0..ROWS).filter(|&at| tiles.rows[i][at].has(lane));
        free.map(|at| of_column(i, at)).collect()
    }

    /// The place of the columns that has the number at a place of row `i`.
    fn of_column(i: usize, at: usize) -> usize {
        i + if at < LOW { at } else { at - LOW + COLUMN_LOW }
    }

    fn column(tiles: &Tiles<2>, j: usize, lane: usize) -> BTreeSet<usize> {
        (0..COLUMNS).filter(|&at| tiles.columns[j][at].has(lane)).collect()
    }

    struct Numbers(Vec<[[Option<usize>; SIDE]; SIDE]>);

    impl Taken<2> for Numbers {
        fn take(&mut self, i: usize, place: usize, columns: &[Plane<2>; SIDE]) {
            for (lane, cells) in self.0.iter_mut().enumerate() {
                for (j, _) in columns.iter().enumerate().filter(|(_, plane)| plane.has(lane)) {
                    assert_eq!(cells[i][j].replace(of_column(i, place)), None, "lane {lane}");
                }
            }
        }
    }

    /// Cell by cell, as in the recurrence, with the sets of places: the same numbers, the same rows
    /// and columns after, and the same tiles fail.
    #[test]
    fn planes_decide_what_the_sets_decide() {
        let (mut failed, mut held) = (0, 0);
        for seed in 0..40 {
            let before = random(seed, 4 + seed % 3);
            let (mut after, mut numbers) = (Tiles::NONE, Numbers(vec![Default::default(); 128]));
            let failing = before.decide(&mut after, &mut numbers);
            for lane in 0..128 {
                let mut columns: [_; SIDE] = std::array::from_fn(|j| column(&before, j, lane));
                let mut fails = false;
                for i in 0..SIDE {
                    let mut row_before = row(&before, i, lane);
                    for (j, column) in columns.iter_mut().enumerate() {
                        let least = row_before.intersection(column).next().copied();
                        assert_eq!(numbers.0[lane][i][j], least);
                        fails |= least.is_none();
                        if let Some(p) = least {
                            row_before.remove(&p);
                            column.remove(&p);
                        }
                    }
                    assert_eq!(row(&after, i, lane), row_before);
                }
                for (j, expected) in columns.iter().enumerate() {
                    assert_eq!(column(&after, j, lane), *expected);
                    fails |= expected.iter().any(|&at| at < SIDE);
                }
                assert_eq!(failing.has(lane), fails);
                if fails { failed += 1 } else { held += 1 }
            }
        }
        assert!(failed > 300 && held > 300, "{failed} {held}");
    }

    /// Rows and columns keep the numbers that stay in their windows, and those that enter are free.
    #[test]
    fn windows_follow_the_lines() {
        let (mut before, six) = (random(1, 2), Plane([column_weight(1), column_weight(2)]));
        let mut stays = 0;
        // In every other tile nothing free leaves, or one number at the ends of the places that do.
        for (lane, row) in (0..128).step_by(2).zip(0..) {
            for plane in before.rows.iter_mut().flat_map(|row| &mut row[LOW - 3..LOW + 6]) {
                plane.set(lane, false);
            }
            let end = [LOW - 3, LOW - 2, LOW + 4, LOW + 5].get(row / 8 % 8);
            if let Some(&at) = end {
                before.rows[row % 8][at].set(lane, true);
            }
        }
        let (mut rows, mut columns) = (before.clone(), before.clone());
        let leaving = rows.leaving_rows(six);
        rows.next_groups(six);
        let low: Square<2> = std::array::from_fn(|n| {
            std::array::from_fn(|j| Plane([column_weight((SIDE * j + n) as u64); 2]))
        });
        columns.next_bands();
        low.iter().enumerate().for_each(|(n, &low)| columns.enter(n, low));
        for lane in 0..128 {
            let rise = if six.has(lane) { 6 } else { 5 };
            let mut leaves = false;
            for (old, new) in before.rows.iter().zip(&rows.rows) {
                for at in 0..LOW {
                    let expected = at.checked_sub(8 - rise).is_none_or(|at| old[at].has(lane));
                    assert_eq!(new[at].has(lane), expected);
                    leaves |= at + 8 - rise >= LOW && old[at].has(lane);
                }
                for at in 0..HIGH {
                    let expected = at + rise >= HIGH || old[LOW + at + rise].has(lane);
                    assert_eq!(new[LOW + at].has(lane), expected);
                    leaves |= at < rise && old[LOW + at].has(lane);
                }
            }
            assert_eq!(leaving.has(lane), leaves);
            stays += u32::from(!leaves);
            for (j, (old, new)) in before.columns.iter().zip(&columns.columns).enumerate() {
                let below = |at: usize| lane > 0 && old[at + SIDE].has(lane - 1);
                for at in 0..COLUMNS {
                    let expected = if at < COLUMN_LOW - SIDE {
                        below(at)
                    } else if at < COLUMN_LOW {
                        low[at - (COLUMN_LOW - SIDE)][j].has(lane)
                    } else {
                        at >= COLUMNS - SIDE || below(at)
                    };
                    assert_eq!(new[at].has(lane), expected);
                }
            }
        }
        assert!((32..64).contains(&stays), "{stays}");
    }
}
