//! Why a rectangle is not solved.

use std::io;
use std::ops::ControlFlow;

use thiserror::Error;

/// The largest side of a rectangle that is solved.
pub const LONGEST_SIDE: u16 = 1023;

/// Called now and then with the number of steps done since the last call: choices of lower rows, or
/// the unit that a solver names. `Break` stops the solver.
pub type OnProgress<'a> = dyn Fn(u64) -> ControlFlow<()> + Sync + 'a;

/// Why a rectangle is not solved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// No rows, or no columns.
    #[error("a board of {rows} rows and {columns} columns has no squares; both are at least 1")]
    Empty {
        /// The rows.
        rows: u16,
        /// The columns.
        columns: u16,
    },
    /// A side is longer than [`LONGEST_SIDE`].
    #[error("boards are solved up to {LONGEST_SIDE} rows or columns, and {side} are asked for")]
    TooLong {
        /// The longer side.
        side: u16,
    },
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
