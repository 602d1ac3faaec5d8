//! Answers in JSON and in words: the form of all of them, and objects that add to a result what it
//! lacks, its source or the name of its poset.

use std::fmt;
use std::path::Path;

use comfy_table::{CellAlignment, Table, presets};
use driver::{Error, PosetAnswer};
use posets::{DownSet, Poset};
use record::escaped;
use serde::Serialize;
use serde_json::Value;

use crate::json;

/// An answer, told.
#[derive(Debug)]
pub struct Told {
    /// As JSON, printed by [`json::line`].
    pub object: Value,
    /// In words, for a terminal.
    pub words: String,
    /// What the answer lacks, or that there is nothing to answer with.
    pub ending: Result<(), Error>,
}

impl Told {
    /// A whole answer.
    pub fn of(answer: impl Serialize, words: impl Into<String>) -> Self {
        Self { object: json::value(answer), words: words.into(), ending: Ok(()) }
    }

    /// The same, if it lacks this.
    pub fn but(self, lacks: Error) -> Self {
        Self { ending: Err(lacks), ..self }
    }
}

/// A table in the form of Markdown, to which rows can be added. Columns are aligned to the right,
/// except those whose index `is_text`.
pub fn table<T: ToString>(
    header: impl IntoIterator<Item = T>,
    is_text: impl Fn(usize) -> bool,
) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(header.into_iter().map(|name| name.to_string()));
    let columns = table.column_iter_mut().enumerate();
    for (_, column) in columns.filter(|(index, _)| !is_text(*index)) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The source of rows: computed now, or read from a folder and not proved again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceObject {
    /// Whether they were computed now, each with its proof, or read from a data set.
    from: &'static str,
    /// The folder of the data set.
    folder: Option<String>,
}

impl SourceObject {
    /// Of rows that were read from this folder, or computed without one.
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sourced<T> {
    /// The result.
    #[serde(flatten)]
    pub result: T,
    /// The source of the rows.
    pub source: SourceObject,
}

/// A position of a poset, whose elements have names.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PosetObject<'a> {
    /// The number of elements of the poset.
    pub elements: usize,
    /// The Grundy value of the position; null if the search did not find it.
    pub grundy: Option<u64>,
    /// The number of elements that are left.
    pub left: usize,
    /// P or N; null if it is not known.
    pub outcome: Option<String>,
    /// The least element; null if there is none.
    pub poison: Option<&'a str>,
    /// The name of the poset.
    pub poset: &'a str,
    /// The number of positions that were decided.
    pub positions: u64,
    /// Those that were decided before the search for the Grundy value.
    pub positions_of_bites: u64,
    /// The bites for which it is not known whether they win.
    pub undecided_bites: Vec<&'a str>,
    /// The bites that leave a P-position.
    pub winning_bites: Vec<&'a str>,
}

/// A position of a poset with this name, with its winning bites, as a JSON object.
pub fn poset_object<'a>(
    name: &'a str,
    poset: &'a Poset,
    position: &DownSet,
    answer: &PosetAnswer,
) -> PosetObject<'a> {
    let names = |elements: &[usize]| elements.iter().map(|&element| poset.name(element)).collect();
    PosetObject {
        elements: poset.len(),
        grundy: answer.grundy,
        left: position.elements().len(),
        outcome: answer.outcome.map(|outcome| outcome.to_string()),
        poison: poset.poison().map(|poison| poset.name(poison)),
        poset: name,
        positions: answer.decided,
        positions_of_bites: answer.for_bites,
        undecided_bites: names(&answer.undecided),
        winning_bites: names(&answer.winning),
    }
}

/// The Hasse diagram of a poset in the language of Graphviz, whose `dot -Tsvg` draws it: the poison
/// black, bites that win orange, and what is gone grey.
pub fn poset_dot(name: &str, poset: &Poset, position: &DownSet, winning: &[usize]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let element = |element: usize| {
        let name = quoted(poset.name(element));
        if !position.has(element) {
            format!("  {name} [color=grey, fontcolor=grey];\n")
        } else if poset.poison() == Some(element) {
            format!("  {name} [fillcolor=black, fontcolor=white];\n")
        } else if winning.contains(&element) {
            format!("  {name} [fillcolor=\"#d55e00\", fontcolor=white];\n")
        } else {
            format!("  {name};\n")
        }
    };
    let cover = |(lower, upper)| {
        format!("  {} -- {};\n", quoted(poset.name(lower)), quoted(poset.name(upper)))
    };
    let elements: String = (0..poset.len()).map(element).collect();
    let covers: String = poset.covers().map(cover).collect();
    format!(
        "graph {} {{\n  rankdir=BT;\n  node [shape=box, style=filled, fillcolor=white];\n\
         {elements}{covers}}}\n",
        quoted(name)
    )
}
