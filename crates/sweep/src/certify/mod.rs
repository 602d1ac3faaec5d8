//! Certificates of periodic rows (proofs/sweep.md, section 2). All engines use this module. The
//! *tail* of a row is the part that is computed offset by offset, until the row ends or a state
//! recurs. A column of a tail *counts* if all rows below have settled there, so that its state can
//! recur. It is *skipped* if it is in no pair of columns with the same state that are close to each
//! other.

mod below;
mod tail;

pub(crate) use {
    below::RowsBelow,
    tail::{StateWords, Tail, TailBuffers, TailState},
};
