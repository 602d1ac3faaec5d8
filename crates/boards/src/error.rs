//! The progress of a solver, and why it ends without a result.

use std::io;
use std::ops::ControlFlow;

use thiserror::Error;

/// Called now and then with the number of steps done since the last call: choices of lower rows, or
/// the unit that a solver names. `Break` stops the solver.
pub type OnProgress<'a> = dyn Fn(u64) -> ControlFlow<()> + Sync + 'a;

/// Reports steps, and ends the work if they were the last.
pub(crate) fn report(on_progress: &OnProgress, steps: u64) -> Result<(), SolveError> {
    if on_progress(steps).is_break() { Err(SolveError::Stopped) } else { Ok(()) }
}

/// Why there is no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A size for which a solver is not made; the text has its limits.
    #[error("{0}")]
    Size(String),
    /// More positions than this machine can count, or more memory than it can address.
    #[error(
        "the positions of {rows}x{columns} are too many for this machine; choose a smaller board"
    )]
    TooLarge {
        /// The rows.
        rows: u16,
        /// The columns.
        columns: u16,
    },
    /// The state of an earlier run cannot be read.
    #[error(transparent)]
    Restore(io::Error),
    /// The callback stopped the solver.
    #[error("interrupted")]
    Stopped,
    /// The operating system does not create a thread.
    #[error(
        "no more threads can be started: {0}; use fewer, or raise the limits on threads and memory (ulimit \
         -u, -v)"
    )]
    Thread(#[source] io::Error),
}
