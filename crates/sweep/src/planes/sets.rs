//! Rows and columns as sets of numbers, where windows cannot hold them.
//!
//! Columns are always kept as sets; while a group is in the lanes, its sets lack what its windows
//! hold. The rows of a band are sets before its first tile, after its last one, and from a tile
//! that fails a check until windows hold them again.

use super::lanes::{has, set};
use super::tile::{COLUMN_LOW, COLUMNS, SIDE, Tiles};
use super::windows::{TileAt, Windows};
use crate::band::geometry::low_bits;
use crate::band::units::GroupIndex;
use crate::scalar::oracle::{Current, Search};
use crate::scalar::pointer::Pointers;
use crate::scalar::{NumberSet, Oracle};
use crate::units::{ColumnIndex, Number, RowIndex, index};
use record::column_weight;
use std::ops::Range;

/// The table of f(q,r) as sets, from row to row.
///
/// Rows start in order, and finish in order, but a whole block starts before its first row
/// finishes. So the rows below the next one that finishes, and those below the next one that
/// starts, are kept apart. Both have the same columns, those of `finished`.
pub(super) struct Table {
    pub(super) finished: Oracle<Pointers>,
    /// (D) of the next row that starts.
    pub(super) started: Current,
    /// The diagonal values of the rows that have started.
    pub(super) diagonals: Vec<u64>,
}

/// The rows of a band: (D) and (R) of each.
pub(super) type Sets = Box<[NumberSet; SIDE]>;

/// The columns of a group.
pub(super) fn columns(g: GroupIndex) -> impl Iterator<Item = ColumnIndex> {
    g.first_column().up_to((g + 1).first_column())
}

/// The fingerprint of a row with one more column.
pub(super) fn with_column(sum: u64, q: ColumnIndex, p: Number) -> u64 {
    sum.wrapping_add(q.offset(p).wrapping_mul(column_weight(q.0)))
}

impl Table {
    /// Before row 0.
    pub(super) fn new() -> Self {
        let finished = Oracle::new(Pointers::default());
        Self { started: finished.current.clone(), finished, diagonals: Vec::new() }
    }

    /// (D) of a row that has started.
    fn diagonals_of(&self, r: RowIndex) -> NumberSet {
        let mut diagonals = self.started.diagonals.clone();
        self.diagonals[index(r.0)..].iter().for_each(|&p| diagonals.remove(p));
        diagonals
    }

    /// The rows in the windows of a tile.
    pub(super) fn row_sets<const W: usize>(&self, tiles: &Tiles<W>, at: &TileAt) -> Sets {
        Box::new(std::array::from_fn(|i| {
            let mut blocked = self.diagonals_of(at.band.first_row() + i as u64);
            blocked.insert_all(at.windows.gap(i));
            for (place, plane) in tiles.rows[i].iter().enumerate() {
                if !has(plane, at.lane) {
                    blocked.insert(at.windows.of_row(i, place));
                }
            }
            blocked
        }))
    }

    /// Puts the rows into the windows of a tile, if these hold them: nothing is free in the gap
    /// (V6), above it everything is, and below it everything but diagonal values.
    pub(super) fn rows_fit<const W: usize>(
        &self,
        sets: &Sets,
        tiles: &mut Tiles<W>,
        at: &TileAt,
    ) -> bool {
        let fits = |(i, row): (usize, &NumberSet)| {
            let below = at.group.first_column().0..at.windows.low[i];
            let above = at.windows.end(i)..64 * row.end();
            none(at.windows.gap(i), |p| !row.word_from(p))
                && none(below, |p| row.word_from(p) ^ self.started.diagonals.word_from(p))
                && none(above, |p| row.word_from(p))
        };
        let fit = sets.iter().enumerate().all(fits);
        if fit {
            for (i, row) in sets.iter().enumerate() {
                for (place, plane) in tiles.rows[i].iter_mut().enumerate() {
                    set(plane, at.lane, !row.contains(at.windows.of_row(i, place)));
                }
            }
        }
        fit
    }

    /// Puts the columns into the windows of a tile, if these hold them: nothing is free below them
    /// (V5), and everything above those of the band below.
    pub(super) fn columns_fit<const W: usize>(
        &mut self,
        tiles: &mut Tiles<W>,
        at: &TileAt,
    ) -> bool {
        let Windows { low: [anchor, ..], .. } = at.windows;
        let fit = columns(at.group).all(|q| {
            let column = self.finished.columns.activate(q);
            self.started.raise_least(column, anchor);
            let above = at.windows.entered()..64 * column.blocked.end();
            column.least >= anchor && none(above, |p| column.blocked.word_from(p))
        });
        if fit {
            for (q, column) in columns(at.group).zip(&mut tiles.columns) {
                let kept = &self.finished.columns.activate(q).blocked;
                for (place, plane) in column.iter_mut().enumerate() {
                    set(plane, at.lane, !kept.contains(at.windows.of_column(place)));
                }
            }
        }
        fit
    }

    /// The numbers that enter the low windows of the columns: bit `8 j + n` is number `n` of column
    /// `j`.
    pub(super) fn entering(&mut self, at: &TileAt) -> u64 {
        let entering = &at.windows.low[COLUMN_LOW - SIDE..];
        columns(at.group).zip((0..).step_by(SIDE)).fold(0, |word, (q, shift)| {
            let kept = &self.finished.columns.activate(q).blocked;
            let free = entering.iter().zip(0..).map(|(&p, n)| u64::from(!kept.contains(p)) << n);
            word | free.sum::<u64>() << shift
        })
    }

    /// Enters in the sets what the windows of the columns hold.
    pub(super) fn store<const W: usize>(&mut self, tiles: &Tiles<W>, at: &TileAt) {
        for (q, column) in columns(at.group).zip(&tiles.columns) {
            let kept = self.finished.columns.activate(q);
            for place in (0..COLUMNS).filter(|&place| !has(&column[place], at.lane)) {
                kept.blocked.insert(at.windows.of_column(place));
            }
            kept.least = kept.least.max(at.windows.low[0]);
        }
    }

    /// Computes a tile cell by cell. Its columns are in the sets.
    pub(super) fn exact_tile(&mut self, at: &TileAt, sets: &mut Sets, sums: &mut [u64; SIDE]) {
        let rows = at.band.first_row().up_to((at.band + 1).first_row());
        for ((r, blocked), sum) in rows.zip(&mut **sets).zip(sums) {
            let (diagonals, diagonal_end) = (self.diagonals_of(r), self.started.diagonal_end);
            let mut row = Current { diagonals, blocked: std::mem::take(blocked), diagonal_end };
            let mut search = Pointers::default();
            search.begin(r, &row);
            for q in columns(at.group) {
                let p = search.take(q, &mut row, self.finished.columns.activate(q));
                *sum = with_column(*sum, q, p);
            }
            *blocked = row.blocked;
        }
    }
}

/// Whether no number of a range is in a set, given by its words.
fn none(numbers: Range<u64>, word_from: impl Fn(u64) -> u64) -> bool {
    let places = |p: u64| u32::try_from((numbers.end - p).min(64)).expect("at most 64");
    numbers.clone().step_by(64).all(|p| word_from(p) & low_bits(places(p)) == 0)
}
