//! Objects that add to a result what it lacks: its source, or the name of its poset.

use std::fmt;
use std::path::Path;

use driver::PosetAnswer;
use posets::{DownSet, Poset};
use record::escaped;
use serde::Serialize;
use serde_json::{Value, json};

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

/// A position of a poset with this name, with its winning bites, as a JSON object.
#[must_use]
pub fn poset_object(name: &str, poset: &Poset, position: &DownSet, answer: &PosetAnswer) -> Value {
    let names = |elements: &[usize]| -> Vec<&str> {
        elements.iter().map(|&element| poset.name(element)).collect()
    };
    json!({
        "poset": name,
        "elements": poset.len(),
        "poison": poset.poison().map(|poison| poset.name(poison)),
        "left": position.elements().len(),
        "outcome": answer.outcome.map(|outcome| outcome.to_string()),
        "winning_bites": names(&answer.winning),
        "undecided_bites": names(&answer.undecided),
        "grundy": answer.grundy,
        "positions": answer.decided,
    })
}
