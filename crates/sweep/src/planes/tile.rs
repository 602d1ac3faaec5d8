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
//! least number, then about the next. A question is three instructions for as many tiles as a
//! register has bits:
//!
//! ```text
//! taken = row & column & open;   row ^= taken;   column ^= taken;   open ^= taken
//! ```
//!
//! where `open` is the plane of the cell, *it has no number yet*. There is no search, no shift and
//! no product, so the same code serves registers of any width.

// The loops must be unrolled, and what they call compiled with their instructions.
#![allow(clippy::inline_always)]

use super::lanes::{Plane, above, union};

/// Places of a row's low window.
pub(crate) const LOW: usize = 10;

/// Places of a row's high window.
pub(crate) const HIGH: usize = 17;

/// Rows and columns of a tile.
pub(super) const SIDE: usize = 8;

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
        Self { rows: [[[0; W]; ROWS]; SIDE], columns: [[[0; W]; COLUMNS]; SIDE] };

    /// Decides all cells. Returns the tiles in which a cell takes no number (V8), or a number that
    /// leaves the low windows is free in a column (V5).
    #[inline(always)]
    pub(super) fn decide(&mut self, taken: &mut impl Taken<W>) -> Plane<W> {
        let mut open = [[[!0; W]; SIDE]; SIDE];
        self.ask::<LOW, 0, 0>(&mut open, taken);
        self.ask::<HIGH, LOW, COLUMN_LOW>(&mut open, taken);
        let leaving = self.columns.iter().flat_map(|column| &column[..SIDE]);
        union(open.iter().flatten().chain(leaving))
    }

    /// Asks all cells about the numbers of windows with this number of `PLACES`, ascending. The
    /// places of a row begin at `ROW`, those of a column at `COLUMN`.
    #[inline(always)]
    fn ask<const PLACES: usize, const ROW: usize, const COLUMN: usize>(
        &mut self,
        open: &mut [[Plane<W>; SIDE]; SIDE],
        taken: &mut impl Taken<W>,
    ) {
        for place in 0..PLACES + SIDE - 1 {
            let mut columns: [Plane<W>; SIDE] =
                std::array::from_fn(|j| self.columns[j][COLUMN + place]);
            // The rows whose windows have this place.
            for i in (place + 1).saturating_sub(PLACES)..=place.min(SIDE - 1) {
                let row = &mut self.rows[i][ROW + place - i];
                let mut takes = [[0; W]; SIDE];
                for ((takes, column), open) in takes.iter_mut().zip(&mut columns).zip(&mut open[i])
                {
                    for k in 0..W {
                        takes[k] = row[k] & column[k] & open[k];
                        row[k] ^= takes[k];
                        column[k] ^= takes[k];
                        open[k] ^= takes[k];
                    }
                }
                taken.take(i, ROW + place - i, &takes);
            }
            for (column, after) in self.columns.iter_mut().zip(columns) {
                column[COLUMN + place] = after;
            }
        }
    }

    /// Moves the windows of the rows to the next group (9.2): the low ones fall by 3 places and
    /// the high ones rise by 5, or by 2 and 6 in the tiles of `six`. Returns the tiles in which a
    /// number that leaves a window towards the other one is free (V6).
    #[inline(always)]
    pub(super) fn next_groups(&mut self, six: &Plane<W>) -> Plane<W> {
        let mut leaving = [0; W];
        for row in &mut self.rows {
            let always = union(row[LOW - 2..LOW + 5].iter());
            for k in 0..W {
                leaving[k] |= always[k] | choose(six[k], row[LOW + 5][k], row[LOW - 3][k]);
            }
            for at in (3..LOW).rev() {
                row[at] = chosen(six, &row[at - 2], &row[at - 3]);
            }
            row[2] = chosen(six, &row[0], &[!0; W]);
            row[..2].fill([!0; W]);
            for at in LOW..ROWS - 6 {
                row[at] = chosen(six, &row[at + 6], &row[at + 5]);
            }
            row[ROWS - 6] = chosen(six, &[!0; W], &row[ROWS - 1]);
            row[ROWS - 5..].fill([!0; W]);
        }
        leaving
    }

    /// Moves each column to the next lane, for the next band: its windows rise by eight places. The
    /// places that [`Self::enter`] sets are arbitrary.
    #[inline(always)]
    pub(super) fn next_bands(&mut self) {
        for column in &mut self.columns {
            for (first, places) in [(0, COLUMN_LOW), (COLUMN_LOW, COLUMN_HIGH)] {
                for at in first..first + places - SIDE {
                    column[at] = above(&column[at + SIDE]);
                }
            }
        }
    }

    /// Sets the places that enter the windows of the columns: plane `8 j + n` is place `n` of those
    /// that enter the low window of column `j`. All that enter the high windows are free.
    #[inline(always)]
    pub(super) fn enter(&mut self, low: &[Plane<W>; 64]) {
        for (column, low) in self.columns.iter_mut().zip(low.as_chunks().0) {
            column[COLUMN_LOW - SIDE..COLUMN_LOW].copy_from_slice(low as &[_; SIDE]);
            column[COLUMNS - SIDE..].fill([!0; W]);
        }
    }

    /// The planes of the numbers that leave the high windows of the columns next: `8 j + n` is
    /// place `n` of column `j`.
    pub(super) fn leaving(&self) -> [Plane<W>; 64] {
        std::array::from_fn(|n| self.columns[n / SIDE][COLUMN_LOW + n % SIDE])
    }
}

/// The lanes of `yes` that are in `which`, and those of `no` that are not.
#[inline(always)]
fn chosen<const W: usize>(which: &Plane<W>, yes: &Plane<W>, no: &Plane<W>) -> Plane<W> {
    std::array::from_fn(|k| choose(which[k], yes[k], no[k]))
}

/// The same for the lanes of a word.
#[inline(always)]
fn choose(which: u64, yes: u64, no: u64) -> u64 {
    no ^ (which & (yes ^ no))
}

#[cfg(test)]
mod tests {
    use super::super::lanes::{has, set};
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
                    set(plane, lane, draw() < free + 2);
                }
            }
            for column in &mut tiles.columns {
                for (at, plane) in column.iter_mut().enumerate() {
                    set(plane, lane, draw() < if at < SIDE { 8 - free } else { free + 3 });
                }
            }
        }
        tiles
    }

    /// The free places of row `i` and of the columns of one tile.
    fn row(tiles: &Tiles<2>, i: usize, lane: usize) -> BTreeSet<usize> {
        let free = (0..ROWS).filter(|&at| has(&tiles.rows[i][at], lane));
        free.map(|at| of_column(i, at)).collect()
    }

    /// The place of the columns that has the number at a place of row `i`.
    fn of_column(i: usize, at: usize) -> usize {
        i + if at < LOW { at } else { at - LOW + COLUMN_LOW }
    }

    fn column(tiles: &Tiles<2>, j: usize, lane: usize) -> BTreeSet<usize> {
        (0..COLUMNS).filter(|&at| has(&tiles.columns[j][at], lane)).collect()
    }

    struct Numbers(Vec<[[Option<usize>; SIDE]; SIDE]>);

    impl Taken<2> for Numbers {
        fn take(&mut self, i: usize, place: usize, columns: &[Plane<2>; SIDE]) {
            for (lane, cells) in self.0.iter_mut().enumerate() {
                for (j, _) in columns.iter().enumerate().filter(|(_, plane)| has(plane, lane)) {
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
            let (mut after, mut numbers) = (before.clone(), Numbers(vec![Default::default(); 128]));
            let failing = after.decide(&mut numbers);
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
                assert_eq!(has(&failing, lane), fails);
                if fails { failed += 1 } else { held += 1 }
            }
        }
        assert!(failed > 300 && held > 300, "{failed} {held}");
    }

    /// Rows and columns keep the numbers that stay in their windows, and those that enter are free.
    #[test]
    fn windows_follow_the_lines() {
        let (mut before, six) = (random(1, 2), [column_weight(1), column_weight(2)]);
        let mut stays = 0;
        // In every other tile nothing free leaves, or one number at the ends of the places that do.
        for (lane, row) in (0..128).step_by(2).zip(0..) {
            for plane in before.rows.iter_mut().flat_map(|row| &mut row[LOW - 3..LOW + 6]) {
                set(plane, lane, false);
            }
            let end = [LOW - 3, LOW - 2, LOW + 4, LOW + 5].get(row / 8 % 8);
            if let Some(&at) = end {
                set(&mut before.rows[row % 8][at], lane, true);
            }
        }
        let (mut rows, mut columns) = (before.clone(), before.clone());
        let leaving = rows.next_groups(&six);
        let low: [Plane<2>; 64] = std::array::from_fn(|n| [column_weight(n as u64); 2]);
        columns.next_bands();
        columns.enter(&low);
        for lane in 0..128 {
            let rise = if has(&six, lane) { 6 } else { 5 };
            let mut leaves = false;
            for (old, new) in before.rows.iter().zip(&rows.rows) {
                for at in 0..LOW {
                    let expected = at.checked_sub(8 - rise).is_none_or(|at| has(&old[at], lane));
                    assert_eq!(has(&new[at], lane), expected);
                    leaves |= at + 8 - rise >= LOW && has(&old[at], lane);
                }
                for at in 0..HIGH {
                    let expected = at + rise >= HIGH || has(&old[LOW + at + rise], lane);
                    assert_eq!(has(&new[LOW + at], lane), expected);
                    leaves |= at < rise && has(&old[LOW + at], lane);
                }
            }
            assert_eq!(has(&leaving, lane), leaves);
            stays += u32::from(!leaves);
            for (j, (old, new)) in before.columns.iter().zip(&columns.columns).enumerate() {
                let below = |at: usize| lane > 0 && has(&old[at + SIDE], lane - 1);
                for at in 0..COLUMNS {
                    let expected = if at < COLUMN_LOW - SIDE {
                        below(at)
                    } else if at < COLUMN_LOW {
                        has(&low[SIDE * j + at - (COLUMN_LOW - SIDE)], lane)
                    } else {
                        at >= COLUMNS - SIDE || below(at)
                    };
                    assert_eq!(has(&new[at], lane), expected);
                }
            }
        }
        assert!((32..64).contains(&stays), "{stays}");
    }
}
