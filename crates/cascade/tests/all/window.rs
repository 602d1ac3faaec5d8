//! The theorems of `proofs/cascade.md` against the bare recurrence: obstacles and companions of any
//! kind, random states, row after row, with no rule of Chomp but "take the least offset that
//! neither the row's past nor the column blocks".

// A window has 128 offsets, and a few thousand columns.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::maybe_infinite_iter
)]

pub mod cases;
mod clusters;
mod laws;
mod row;
