//! Why there is no such poset, graph, semigroup or family.

use record::relations::RelationsError;
use thiserror::Error;

/// Why there is no such poset, graph, semigroup or family.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PosetError {
    /// No poset, or no construction, has this name. A caller may know another meaning of the text.
    #[error("there is no {kind} {name:?}")]
    Name {
        /// Whether a poset or a construction was asked for.
        kind: &'static str,
        /// The name, or its beginning.
        name: String,
    },
    /// Another problem, in words.
    #[error("{0}")]
    Refused(String),
}

impl PosetError {
    pub(crate) fn no_such(kind: &'static str, name: &str) -> Self {
        Self::Name { kind, name: name.chars().take(40).collect() }
    }

    pub(crate) fn refused(problem: impl Into<String>) -> Self {
        Self::Refused(problem.into())
    }
}

impl From<RelationsError> for PosetError {
    fn from(error: RelationsError) -> Self {
        Self::Refused(error.0)
    }
}
