//! Why there is no answer.

use record::RowKey;
use thiserror::Error;

use crate::Position;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The answer depends on offsets that a record does not hold.
    #[error(
        "the answer depends on {key} before column {end}, and its record has only a fingerprint \
         of the offsets there; use records with all offsets"
    )]
    NeedsHead {
        /// The row.
        key: RowKey,
        /// The start of the row, or the column in which it ends.
        end: u64,
    },
    /// The records make the position both P and N, or neither.
    #[error(
        "the records contradict each other: {key} says that {position} is {}, and there is {} \
         bite that leaves a P-position; check the data set",
        if *is_p { "P" } else { "N" }, if *is_p { "a" } else { "no" }
    )]
    Contradiction {
        /// The position.
        position: Box<Position>,
        /// The row that has the position if it is P.
        key: RowKey,
        /// Whether that row has it.
        is_p: bool,
    },
}
