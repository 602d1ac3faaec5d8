//! Listeners to the rows and cells that an engine finds.

use std::ops::{AddAssign, ControlFlow};

use crate::Record;

/// A listener to rows, in row order.
///
/// A closure `FnMut(Record) -> ControlFlow<()>` is one; it gets no offsets.
pub trait Visitor {
    /// Takes the next row, with the fingerprint of its head and with the first certificate there
    /// is: of all pairs of columns that prove the row periodic the one with the least `recurs`, and
    /// for that the greatest `from`. `Break` ends the sweep; the engine then returns successfully.
    ///
    /// `offsets` are the offsets of the row, from `q = row` on as far as the engine went (at least
    /// to the end of a finite row, and over one period of any other), for [`Record::in_full`]. The
    /// band engine does not have them.
    fn row(&mut self, record: Record, offsets: Option<&[u64]>) -> ControlFlow<()>;

    /// Takes the work done so far, after every 512 rows or so. Only the band engine calls it.
    fn progress(&mut self, done: Done) {
        let _ = done;
    }
}

impl<F: FnMut(Record) -> ControlFlow<()>> Visitor for F {
    fn row(&mut self, record: Record, _offsets: Option<&[u64]>) -> ControlFlow<()> {
        self(record)
    }
}

/// The work that a sweep has done.
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

/// A listener to cells, in no particular order, on the thread that has decided them.
pub trait Cells: Send {
    /// `f(q,r) = p`.
    fn cell(&mut self, q: u64, r: u64, p: u64);
}
