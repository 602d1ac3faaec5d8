//! What the benchmarks of the engines for rows have in common.

use std::hint::black_box;
use std::ops::ControlFlow;

use record::Record;
use sweep::band::Kernel;

/// Takes all rows.
pub fn visit(row: Record) -> ControlFlow<()> {
    black_box(row);
    ControlFlow::Continue(())
}

/// Computes the rows below this one by the literal recurrence.
pub fn literal(end: u64) {
    (0..end).zip(byrnes::Rows::new()).for_each(|row| drop(black_box(row)));
}

/// The kernels of this machine, the portable one first.
pub fn kernels() -> impl DoubleEndedIterator<Item = Kernel> {
    Kernel::NAMED.into_iter().filter(|kernel| kernel.is_here())
}
