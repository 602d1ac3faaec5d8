//! Counts with the place of the first occurrence.

use serde::Serialize;

/// How often something was met, and where first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Occurrences<T> {
    /// The number of times.
    pub number: u64,
    /// The first place; `None` if there is none.
    pub first: Option<T>,
}

impl<T> Default for Occurrences<T> {
    fn default() -> Self {
        Self { number: 0, first: None }
    }
}

impl<T> Occurrences<T> {
    /// Met once more.
    pub fn add(&mut self, place: T) {
        self.number += 1;
        self.first.get_or_insert(place);
    }
}
