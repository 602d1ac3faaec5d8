//! What is known of the rows below, besides what each group remembers of them.
//!
//! | module | what |
//! |---|---|
//! | `old` | periodic rows, for all columns far to the right at once: (C) |
//! | `diagonals` | diagonal values: (D) |
//! | `knowledge` | both, with what certificates depend on |

mod diagonals;
mod knowledge;
mod old;

pub(crate) use {
    diagonals::{Diagonals, Seen},
    knowledge::{Context, Knowledge},
    old::{BELOW_COLUMN, OldRows},
};
