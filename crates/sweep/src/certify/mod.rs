//! Certificates of periodic rows (proofs/sweep.md, section 2). All engines use this module.

mod below;
mod tail;

pub(crate) use {
    below::RowsBelow,
    tail::{StateWords, Tail, TailBuffers, TailState},
};
