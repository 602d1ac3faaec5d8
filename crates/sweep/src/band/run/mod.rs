//! The pipeline of workers: blocks of bands, one after the other, each a few groups behind the one
//! below it.
//!
//! Worker `t` of `T` computes the blocks `t, t + T, ..`, and passes every group of columns to the
//! worker of the next block as soon as its own last band has met it. Workers share only constants:
//! one worker at a time owns a group, and each keeps its own tables of old rows and diagonal
//! values, from the messages of all others. A block sends three kinds of messages to the next one,
//! in this order: the corner, the groups, and that it has finished. It sends its diagonal values to
//! all workers before the first of these, and its rows before the last. A worker enters rows when
//! it would otherwise wait, and some with each message. The inputs of a cell are the same for any
//! number of workers (proofs/sweep.md, 6).
//!
//! ```text
//! row
//!  |                 .-----------------------------.
//!  |              .'   block 2, worker 0        .'      ^  groups go up,
//!  |           .-----------------------------.'         |  from block to block
//!  |        .'   block 1, worker 1        .'            |
//!  |     .-----------------------------.'
//!  |  .'   block 0, worker 0        .'
//!  +-.---------------------------.------------------- column
//!    diagonal                    √2 r
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `boundary` | the boundary where the pipeline begins |
//! | `start` | options of a run, its memory and its beginning, and its workers as threads |
//! | `worker` | blocks, one after the other |
//! | `link` | messages between workers, and to the caller's visitor |

mod boundary;
mod link;
mod start;
mod worker;

use super::schedule::{FIRST_BAND, block_of};
use super::walk::Listen;
use super::words::Store;
use crate::error::SweepError;
use crate::units::{ColumnIndex, Number, RowIndex, index};
pub use boundary::Boundary;
pub use link::Visits;
#[cfg(feature = "ranks")]
pub use link::{BlockResult, Broadcast, Links, Message, Receive, ToWorkers, Transmit};
use record::listeners::{Cells, Done, Visitor};
#[cfg(feature = "ranks")]
pub use start::Team;
pub(crate) use start::as_listeners;
pub use start::{Options, Plan, Start, memory, memory_besides_words, memory_of_words, workers};

/// Visits every row below `end`, in order.
///
/// Rows to `R` cost O(R^2): a cell is a few instructions on the windows of its row and its column.
/// Memory is [`memory`]: about 0.03 R^2 bits.
///
/// # Errors
/// [`SweepError::Kernel`] if the machine cannot run the kernel, [`SweepError::Threads`] if it
/// refuses a thread, [`SweepError::End`] if `end` is past 2^29, and any other if a hypothesis fails
/// that the engine needs. With the default windows, none fails in the rows below two million.
///
/// # Panics
/// If the engine itself is wrong.
pub fn rows(end: u64, options: Options, visitor: &mut dyn Visitor) -> Result<Done, SweepError> {
    run(end, options, visitor, as_listeners(&mut vec![(); listeners(end, options)]))
}

/// As [`rows`], and reports every cell `(q,r)` that it decides: `r <= q <= last` in a finite row,
/// and `r <= q < recurs` of its certificate in a periodic one, whose later values follow from its
/// record.
///
/// `cells` makes a listener for each thread, and one for the rows with which the run begins, which
/// also receives the cells of a worker on the thread of the caller. Every cell is reported to
/// exactly one listener, in no specified way. All listeners are returned. If
/// the visitor ends the run, they have received cells of rows that the visitor has not seen.
///
/// # Errors
/// As [`rows`].
///
/// # Panics
/// If the engine itself is wrong.
pub fn rows_and_cells<C: Cells>(
    end: u64,
    options: Options,
    visitor: &mut dyn Visitor,
    cells: impl Fn() -> C,
) -> Result<(Done, Vec<C>), SweepError> {
    let listener = |_| BeforeEnd { end: RowIndex(end), cells: cells() };
    let mut heard: Vec<_> = (0..listeners(end, options)).map(listener).collect();
    let done = run(end, options, visitor, as_listeners(&mut heard))?;
    Ok((done, heard.into_iter().map(|below| below.cells).collect()))
}

/// Passes on only the rows before the end: others can share its band.
#[derive(Debug)]
struct BeforeEnd<C> {
    end: RowIndex,
    cells: C,
}

impl<C: Cells> Listen for BeforeEnd<C> {
    fn cell(&mut self, q: ColumnIndex, r: RowIndex, p: Number) {
        if r < self.end {
            self.cells.cell(q.0, r.0, p.0);
        }
    }
}

/// The number of listeners of a run: one for the thread of the caller, and one for each worker on a
/// thread of its own.
fn listeners(end: u64, options: Options) -> usize {
    options.threads.map_or(1, |threads| 1 + index(workers(end, threads)))
}

/// Reports to the first listener the cells of the thread of the caller.
fn run(
    end: u64,
    options: Options,
    visitor: &mut dyn Visitor,
    mut cells: Vec<&mut dyn Listen>,
) -> Result<Done, SweepError> {
    let (plan, store) = (Plan::new(end, &options)?, Store::in_memory(block_of(FIRST_BAND)));
    let (mut visits, own) = (Visits::new(end, visitor, &store), cells.remove(0));
    if let Some(start) = Start::seed(plan, &mut visits, own)? {
        if options.threads.is_some() {
            start.in_threads(&mut visits, cells)?;
        } else {
            start.in_this_thread(&mut visits, own)?;
        }
    }
    Ok(visits.done)
}
