//! Why a rectangle is not solved.

use std::io;
use std::ops::ControlFlow;

use thiserror::Error;

/// Of the two sides of a rectangle the larger is at most this.
pub const LONGEST_SIDE: u16 = 1023;

/// Who watches a solver: told how many more choices of lower rows are done, and asked whether
/// to go on.
pub type Watch<'a> = dyn Fn(u64) -> ControlFlow<()> + Sync + 'a;

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
    /// More positions than this machine can count, or sets for more memory than it can address.
    #[error(
        "the positions of {rows}x{columns} are too many for this machine; choose a smaller board"
    )]
    TooLarge {
        /// The rows.
        rows: u16,
        /// The columns.
        columns: u16,
    },
    /// The watcher wanted no more.
    #[error("interrupted")]
    Stopped,
    /// The operating system does not create a thread.
    #[error(
        "a thread cannot be had: {0}; use fewer, or raise the limits on threads and memory (ulimit \
         -u, -v)"
    )]
    Thread(#[source] io::Error),
}
