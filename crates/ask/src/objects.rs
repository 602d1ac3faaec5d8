//! Objects that add to a result what it lacks: its source, or the name of its poset.

use std::fmt;
use std::path::Path;

use driver::{GrundyBasis, GrundyValue, PosetAnswer, Position};
use posets::{DownSet, Poset};
use record::{Record, escaped};
use serde::Serialize;

/// The source of rows: computed now, or read from a folder and not proved again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceObject {
    from: &'static str,
    folder: Option<String>,
}

impl SourceObject {
    /// Of rows that were read from this folder, or computed without one.
    #[must_use]
    pub fn of(folder: Option<&Path>) -> Self {
        let from = if folder.is_some() { "data_set" } else { "computed" };
        Self { from, folder: folder.map(|folder| folder.display().to_string()) }
    }
}

/// In words, and whether the rows are proved.
impl fmt::Display for SourceObject {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(folder) = self.folder.as_deref().map(escaped) else {
            return f.write_str("computed, each with its certificate");
        };
        write!(f, "read from {folder}, not proved again; chomp check {folder} --heads proves them")
    }
}

/// A result with the source of its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sourced<T> {
    /// The result.
    #[serde(flatten)]
    pub result: T,
    /// The source of the rows.
    pub source: SourceObject,
}

/// A Grundy value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GrundyObject<'a> {
    position: &'a Position,
    #[serde(flatten)]
    value: &'a GrundyValue,
    record: Option<Record>,
}

impl<'a> GrundyObject<'a> {
    /// Of this position.
    #[must_use]
    pub fn of(position: &'a Position, value: &'a GrundyValue) -> Self {
        let record = match value {
            GrundyValue::Is(_, GrundyBasis::Rows(record)) => Some(record.abridged()),
            _ => None,
        };
        Self { position, value, record }
    }
}

/// A position of a poset with its winning bites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PosetObject {
    poset: String,
    elements: usize,
    poison: Option<String>,
    left: usize,
    outcome: Option<String>,
    winning_bites: Vec<String>,
    undecided_bites: Vec<String>,
    grundy: Option<u64>,
    positions: u64,
}

impl PosetObject {
    /// Of a poset with this name.
    #[must_use]
    pub fn of(name: &str, poset: &Poset, position: &DownSet, answer: &PosetAnswer) -> Self {
        let name_of = |&element: &usize| poset.name(element).to_owned();
        Self {
            poset: name.to_owned(),
            elements: poset.len(),
            poison: poset.poison().as_ref().map(name_of),
            left: position.elements().len(),
            outcome: answer.outcome.map(|outcome| outcome.to_string()),
            winning_bites: answer.winning.iter().map(name_of).collect(),
            undecided_bites: answer.undecided.iter().map(name_of).collect(),
            grundy: answer.grundy,
            positions: answer.decided,
        }
    }
}
