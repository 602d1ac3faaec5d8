//! Why P-positions are not found.

use std::io;

use thiserror::Error;

/// The largest length of row 1. A length fits 16 bits, and 65 535 is none: it ends a list.
pub const LONGEST_FIRST_ROW: u16 = 65_534;

/// The largest number of rows: a letter each.
pub const MOST_ROWS: u16 = 26;

/// Why P-positions are not found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SieveError {
    /// Fewer than three rows, or more than [`MOST_ROWS`].
    #[error("boards of 3 to {MOST_ROWS} rows are sieved, and {rows} are asked for")]
    Rows {
        /// The rows.
        rows: u16,
    },
    /// No squares, or a row longer than [`LONGEST_FIRST_ROW`].
    #[error("row 1 is sieved from 1 to {LONGEST_FIRST_ROW} squares, and {to} are asked for")]
    Longest {
        /// The length of row 1.
        to: u16,
    },
    /// More memory than this machine can address.
    #[error(
        "the positions of {rows} rows up to {to} squares are too many for this machine; choose \
         fewer rows or a smaller length"
    )]
    TooLarge {
        /// The rows.
        rows: u16,
        /// The length of row 1.
        to: u16,
    },
    /// A state of a run beyond the largest length that is asked for.
    #[error("all lengths of row 1 less than {next} are done there, and only {to} are asked for")]
    State {
        /// The least length that is not done.
        next: u16,
        /// The largest length that is asked for.
        to: u16,
    },
    /// A state cannot be read.
    #[error(transparent)]
    Restore(io::Error),
    /// The callback stopped the sieve.
    #[error("interrupted")]
    Stopped,
    /// The operating system does not create a thread.
    #[error(
        "no more threads can be started: {0}; use fewer, or raise the limits on threads and memory (ulimit \
         -u, -v)"
    )]
    Thread(#[source] io::Error),
}
