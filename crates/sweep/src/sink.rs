//! Who is told of cells. Who is told of rows is a [`Visitor`](crate::row::Visitor).

// What is not inlined into the kernel is compiled without its instructions.
#![allow(clippy::inline_always)]

/// Hears of cells, in no particular order, on whatever thread has decided them.
pub trait Cells: Send {
    /// Whether nobody listens; the engine then saves the trouble.
    const SILENT: bool = false;

    /// `f(q,r) = p`.
    fn cell(&mut self, q: u64, r: u64, p: u64);
}

/// Nobody.
impl Cells for () {
    const SILENT: bool = true;

    #[inline(always)]
    fn cell(&mut self, _q: u64, _r: u64, _p: u64) {}
}

/// Keeps back the rows past the end that share its band.
#[derive(Debug)]
pub(crate) struct Below<C> {
    pub(crate) end: u64,
    pub(crate) cells: C,
}

impl<C: Cells> Cells for Below<C> {
    const SILENT: bool = C::SILENT;

    #[inline(always)]
    fn cell(&mut self, q: u64, r: u64, p: u64) {
        if r < self.end {
            self.cells.cell(q, r, p);
        }
    }
}
