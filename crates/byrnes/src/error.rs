//! Failures to prove a sequence.

use record::RowKey;
use thiserror::Error;

/// Why a sequence of losers was not proved. No unproved sequence is ever returned.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LosersError {
    /// The two proofs found different sequences: a defect of this program.
    #[error(
        "the classical check and the state recurrence found different sequences; this is a defect \
         of the program, please report it"
    )]
    Disagreement,
    /// No state recurred within the limit.
    #[error("no state recurred among {states}; the sequence was not proved")]
    NoRecurrence {
        /// Number of states.
        states: usize,
    },
    /// [`Walk::stop`](crate::recurrence::Walk::stop) said so.
    #[error("stopped")]
    Stopped,
}

/// A row that was not proved. It ends an iteration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}: {source}")]
pub struct RowError {
    /// The row, and its level.
    pub key: RowKey,
    /// Why.
    pub source: LosersError,
}
