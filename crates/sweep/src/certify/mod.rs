//! What proves a row periodic (proofs/sweep.md, section 2). All engines certify through this
//! module.

mod below;
mod tail;

pub(crate) use {
    below::RowsBelow,
    tail::{State, StateWords, Tail, TailBuffers},
};
