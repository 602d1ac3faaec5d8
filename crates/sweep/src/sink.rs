//! Who is told of rows, and who of cells.

// What is not inlined into the kernel is compiled without its instructions.
#![allow(clippy::inline_always)]

use crate::units::{ColumnIndex, Number, RowIndex};
use record::RowRecord;
use std::ops::{AddAssign, ControlFlow};

/// What becomes of the rows that an engine finds, in row order.
///
/// A closure `FnMut(RowRecord) -> ControlFlow<()>` is a visitor, which hears no offsets.
pub trait Visitor {
    /// Takes the next row, with the fingerprint of its head and with the first certificate there
    /// is: of all pairs of columns that prove the row periodic the one with the least `recurs`, and
    /// for that the greatest `from`. `Break` ends the sweep; the engine then returns successfully.
    ///
    /// `offsets` are those of the row, from `q = row` on as far as the engine went (at least to the
    /// end of a finite row, and over one period of any other), for [`RowRecord::in_full`]. The band
    /// engine does not have them.
    fn row(&mut self, record: RowRecord, offsets: Option<&[u64]>) -> ControlFlow<()>;

    /// Hears what has been done so far, after every 512 rows or so. Only the
    /// band engine calls it.
    fn progress(&mut self, done: Done) {
        let _ = done;
    }
}

impl<F: FnMut(RowRecord) -> ControlFlow<()>> Visitor for F {
    fn row(&mut self, record: RowRecord, _offsets: Option<&[u64]>) -> ControlFlow<()> {
        self(record)
    }
}

/// What a sweep has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Rows completed.
    pub rows: u64,
    /// Cells `(q,r)` decided.
    pub cells: u64,
    /// Tiles of 8 x 8 cells that the windows could not decide and the exact path did.
    pub fallbacks: u64,
}

impl AddAssign for Done {
    fn add_assign(&mut self, other: Self) {
        self.rows += other.rows;
        self.cells += other.cells;
        self.fallbacks += other.fallbacks;
    }
}

/// Hears of cells, in no particular order, on whatever thread has decided them.
pub trait Cells: Send {
    /// Whether nobody listens; the engine then saves the trouble.
    const SILENT: bool = false;

    /// `f(q,r) = p`.
    fn cell(&mut self, q: u64, r: u64, p: u64);
}

/// Tells of a cell.
#[inline(always)]
pub(crate) fn tell(cells: &mut impl Cells, q: ColumnIndex, r: RowIndex, p: Number) {
    cells.cell(q.0, r.0, p.0);
}

/// Nobody.
impl Cells for () {
    const SILENT: bool = true;

    #[inline(always)]
    fn cell(&mut self, _q: u64, _r: u64, _p: u64) {}
}

/// Keeps back the rows past the end that share its band.
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
