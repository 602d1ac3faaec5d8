//! Boards with any number of rows.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use boards::rectangles::{self, Solution, SolveError};

use crate::memory::{self, Need, Purpose};
use crate::watch::{Begun, Unit, Watch, Work};
use crate::{Error, SweepOptions};

/// With fewer choices of lower rows than this, a thread costs more than it saves.
const CHOICES_FOR_THREADS: u64 = 1_000_000;

/// Solves a rectangle, with so many threads, or by default with as many as the sweep has.
///
/// # Errors
/// [`Error::Board`], [`Error::Memory`] before any work, and [`Error::Interrupted`].
///
/// ```
/// let solution = driver::board(8, 10, None, &())?;
/// assert_eq!(solution.winning_bites(&"8x10".parse()?).unwrap().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn board(
    rows: u16,
    columns: u16,
    threads: Option<NonZero<usize>>,
    watch: &dyn Watch,
) -> Result<Solution, Error> {
    let all = rectangles::choices(rows, columns)?;
    let threads = match threads {
        None if all < CHOICES_FOR_THREADS => NonZero::<usize>::MIN,
        None => SweepOptions::default().threads,
        Some(threads) => threads,
    };
    let threads = threads.min(rectangles::walkers(rows, columns));
    let bytes = rectangles::memory(rows, columns, threads);
    let need = Need { bytes, threads: threads.get() as u64 - 1 };
    memory::announce(Purpose::Board { rows, columns }, need, watch)?;
    let _ended = Begun::new(watch, Work { unit: Unit::LowerRows, all, before: 0, exponent: 1.0 });
    let done = AtomicU64::new(0);
    let tell = |choices| {
        watch.done(done.fetch_add(choices, Ordering::Relaxed) + choices);
        if watch.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    Solution::of(rows, columns, threads, &tell).map_err(|error| match error {
        SolveError::Stopped => Error::Interrupted,
        error => Error::Board(error),
    })
}
