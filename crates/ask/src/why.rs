//! Where the period of a row comes from.

use std::fmt::Display;

use cascade::why::{Explainer, Explanation, Tally, WordCount};
use driver::{Error, Source, Watch, explain};
use record::{Periodic, joined};
use serde::{Deserialize, Serialize};

use crate::input::{RowsFrom, visit_rows};
use crate::objects::{SourceObject, Sourced, Told, table};

/// Explain where the period of a row comes from, or of all rows.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Why {
    /// The row; without it, all rows with a period of 2 or more.
    #[cfg_attr(feature = "schema", schemars(example = 120))]
    pub row: Option<u64>,
    /// The last of all rows; by default that of the data set.
    pub to: Option<u64>,
    /// Where rows come from.
    #[serde(flatten)]
    pub rows: RowsFrom,
}

impl Why {
    pub(crate) fn ask(&self, watch: &dyn Watch) -> Result<Told, Error> {
        let source = self.rows.open()?;
        if let Some(row) = self.row {
            let result = explain(&*source, row, watch)?;
            let words = result.to_string();
            return Ok(Told::of(Sourced { result, source: self.source() }, words));
        }
        let found = self.all(&*source, watch)?;
        Ok(Told::of(&found, found.report()))
    }

    fn source(&self) -> SourceObject {
        SourceObject::of(self.rows.data.as_deref())
    }

    fn all(&self, source: &dyn Source, watch: &dyn Watch) -> Result<Explanations, Error> {
        let (mut explainer, mut tally) = (Explainer::default(), Tally::default());
        let moves = |periodic: &Periodic| periodic.period() > 1;
        let last_row = visit_rows(source, self.to, watch, |record| {
            if let Some(explanation) = explainer.add(record, moves) {
                tally.add(&explanation);
            }
        })?;
        let words = tally.words();
        let sourced = |result| Sourced { result, source: self.source() };
        Ok(Explanations {
            not_explained: tally.doubtful.into_iter().map(sourced).collect(),
            source: self.source(),
            last_row,
            rows: tally.rows,
            words,
        })
    }
}

/// The explanations of many rows, counted by word.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanations {
    source: SourceObject,
    /// Rows 0 to this one were considered.
    last_row: u64,
    /// How many rows have a period above 1.
    rows: u64,
    /// The rows whose explanation failed somewhere.
    not_explained: Vec<Sourced<Explanation>>,
    words: Vec<WordCount>,
}

impl Explanations {
    fn report(&self) -> String {
        let Self { source, last_row, rows, not_explained, words } = self;
        let explained = rows - not_explained.len() as u64;
        let others = not_explained.iter().map(|of| format!("\nNot explained:\n{}\n", of.result));
        format!(
            "Rows 0 to {last_row}: {source}.\n{}{explained} of {rows} rows with a period of 2 or \
             more are explained.\n{}\n",
            joined(others, ""),
            of_words(words)
        )
    }
}

fn of_words(words: &[WordCount]) -> impl Display {
    let header = ["period", "word", "rows", "first row", "patterns", "of"];
    let mut table = table(header, |index| index == 1);
    for word in words {
        table.add_row([
            joined(&word.periods, ", "),
            word.word.clone(),
            word.rows.to_string(),
            word.first.to_string(),
            word.patterns.to_string(),
            word.choices.to_string(),
        ]);
    }
    table
}
