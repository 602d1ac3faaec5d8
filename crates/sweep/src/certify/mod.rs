//! Certificates of periodic rows (proofs/sweep.md, section 2). All engines use this module. The
//! *trace* of a row has its offsets and states from some column on, until the row ends or a state
//! recurs. A column of a trace *counts* if all rows below have settled there, so that its state can
//! recur. It is *skipped* if it is in no pair of columns with the same state that are close to each
//! other.

mod below;
mod trace;

pub(crate) use below::RowsBelow;
pub(crate) use trace::{ColumnState, StateWords, Trace, TraceBuffers};
