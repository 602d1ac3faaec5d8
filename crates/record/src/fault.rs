//! The faults of a statement about one row, as far as the statement alone shows them.

use thiserror::Error;

/// Why a statement about a row is not well-formed: the field of the record to look at, and the
/// problem there in words. No fault says anything about Chomp beyond what facts 1 and 4 of
/// `proofs/README.md` say of every row.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct Fault {
    pub(crate) field: &'static str,
    problem: String,
}

impl Fault {
    pub(crate) fn in_field(field: &'static str, problem: impl Into<String>) -> Self {
        Self { field, problem: problem.into() }
    }
}
