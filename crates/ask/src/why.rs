//! Where the period of a row comes from.

use std::fmt::{Display, Write};

use cascade::why::{Explainer, Explanation, Tally, WordCount};
use clap::{ArgGroup, Args};
use driver::{Error, Source, Watch, explain};
use record::{Periodic, joined};
use serde::{Deserialize, Serialize};

use crate::notation::row;
use crate::options::{RowsFrom, visit_rows};
use crate::{Ask, SourceObject, Sourced, Told, table};

/// Explain where the period of a row comes from.
///
/// From the start of a row on, the rows below block a pattern that repeats, and the row has one
/// hole among its offsets, which sinks until no row below blocks it. Prints the start, with the
/// bounds for it that are theorems; the cluster of rows just below, with the word that says which
/// of them move; the window of the certificate, and the rows with values in it: obstacles, which
/// are constant, and companions, which move; the hole, column by column over one period; the depths
/// that the rows below leave free, and the balls that they are. Heights are offsets less the mean
/// of the row.
/// With --data, all rows from 0 on are read.
///
/// With --to, all rows with a period of 2 or more are explained. First come those whose explanation
/// fails somewhere, with the reason, then the words, with the number of rows that have them, the
/// first of these, and how many of the patterns that the word allows occur.
#[derive(Clone, Debug, Args, Deserialize)]
#[command(after_help = "Examples:\n  chomp why 120\n  chomp why --to 10000")]
#[command(group = ArgGroup::new("which").required(true).multiple(true).args(["row", "to", "data"]))]
pub struct Why {
    /// The row.
    #[arg(value_name = "R", value_parser = row, allow_hyphen_values = true)]
    row: Option<u64>,
    /// Explain all rows to R; without it, and without a row, all of the data set.
    #[arg(
        long, value_name = "R", value_parser = row, allow_hyphen_values = true,
        conflicts_with = "row"
    )]
    to: Option<u64>,
    #[command(flatten)]
    #[serde(flatten)]
    rows: RowsFrom,
}

impl Ask for Why {
    fn ask(&self, watch: &dyn Watch) -> Result<Told, Error> {
        let source = self.rows.open()?;
        if let Some(row) = self.row {
            let result = explain(&*source, row, watch)?;
            let words = result.to_string();
            return Ok(Told::of(Sourced { result, source: self.source() }, words));
        }
        let found = self.all(&*source, watch)?;
        Ok(Told::of(&found, found.report()))
    }
}

impl Why {
    fn source(&self) -> SourceObject {
        SourceObject::of(self.rows.data())
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
pub struct Explanations {
    source: SourceObject,
    last_row: u64,
    /// How many rows have a period above 1.
    rows: u64,
    not_explained: Vec<Sourced<Explanation>>,
    words: Vec<WordCount>,
}

impl Explanations {
    fn report(&self) -> String {
        let Self { source, last_row, rows, not_explained, words } = self;
        let mut report = format!("Rows 0 to {last_row}: {source}.\n");
        let explained = rows - not_explained.len() as u64;
        let mut line = |text: &dyn Display| {
            writeln!(report, "{text}").expect("a string can always be written to");
        };
        for Sourced { result: explanation, .. } in not_explained {
            line(&format_args!("\nNot explained:\n{explanation}"));
        }
        line(&format_args!("{explained} of {rows} rows with a period of 2 or more are explained."));
        line(&of_words(words));
        report
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
