//! The tables of the rows below, which are not part of a group.
//!
//! | module | contents |
//! |---|---|
//! | `old` | periodic rows, for all columns far to the right at once: (C) |
//! | `diagonals` | diagonal values: (D) |
//! | `knowledge` | both, and the data that certificates depend on |

mod diagonals;
mod knowledge;
mod old;

pub(crate) use diagonals::{Diagonals, Seen};
pub(crate) use knowledge::{Context, Knowledge};
pub(crate) use old::{BELOW_COLUMN, OldRows};
