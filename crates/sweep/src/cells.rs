//! Reports cells to listeners.

// Functions that are not inlined into the kernel are compiled without its instructions.
#![allow(clippy::inline_always)]

use crate::units::{ColumnIndex, Number, RowIndex};
use record::listeners::Cells;

/// Reports a cell.
#[inline(always)]
pub(crate) fn tell(cells: &mut impl Cells, q: ColumnIndex, r: RowIndex, p: Number) {
    cells.cell(q.0, r.0, p.0);
}

/// Passes on only the rows before the end: others can share its band.
#[derive(Debug)]
pub(crate) struct BeforeEnd<C> {
    pub(crate) end: RowIndex,
    pub(crate) cells: C,
}

impl<C: Cells> Cells for BeforeEnd<C> {
    const SILENT: bool = C::SILENT;

    #[inline(always)]
    fn cell(&mut self, q: u64, r: u64, p: u64) {
        if RowIndex(r) < self.end {
            self.cells.cell(q, r, p);
        }
    }
}
