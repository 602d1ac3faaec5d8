//! Reports cells to listeners.
//!
//! The engine does not know their types, so it is compiled once for all of them, and once more for
//! none. Most cells are reported a tile at a time, so that a call costs little.

use super::{simd::Eight, units::LANES};
use crate::units::{ColumnIndex, Number, RowIndex};
use record::listeners::Cells;

/// The values of the cells of eight tiles: of row `i` and column `j` of each.
pub(crate) type Values = [[Eight; 8]; 8];

/// A listener to cells.
pub(crate) trait Listen: Send {
    /// `f(q,r) = p`.
    fn cell(&mut self, q: ColumnIndex, r: RowIndex, p: Number);

    /// The tile in this lane, which begins with column `q` and row `r`.
    fn tile(&mut self, q: ColumnIndex, r: RowIndex, lane: usize, values: &Values) {
        for (r, values) in r.up_to(r + LANES).zip(values) {
            for (q, values) in q.up_to(q + LANES).zip(values) {
                self.cell(q, r, Number(values.0[lane]));
            }
        }
    }
}

/// Nobody.
impl Listen for () {
    fn cell(&mut self, _: ColumnIndex, _: RowIndex, _: Number) {}
}

/// Passes on only the rows before the end: others can share its band.
#[derive(Debug)]
pub(crate) struct BeforeEnd<C> {
    pub(crate) end: RowIndex,
    pub(crate) cells: C,
}

impl<C: Cells> Listen for BeforeEnd<C> {
    fn cell(&mut self, q: ColumnIndex, r: RowIndex, p: Number) {
        if r < self.end {
            self.cells.cell(q.0, r.0, p.0);
        }
    }
}
