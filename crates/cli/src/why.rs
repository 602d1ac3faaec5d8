//! `chomp why`: where the period of a row comes from.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::Path;

use cascade::why::{Explainer, Explanation, Tally, WordCount};
use comfy_table::{CellAlignment, Table, presets};
use driver::{DataSet, Engine, HeadForm, RowRecord, data_set};
use record::{Periodic, Statement};
use serde::Serialize;
use serde_json::Value;
use terminal::Watcher;

use crate::arguments::WhyArguments;
use crate::failure::{self, Failure};
use crate::json;

/// Explains one row, or counts the words of all.
pub fn run(arguments: &WhyArguments) -> anyhow::Result<()> {
    let source = Source { data: arguments.data.as_deref(), engine: arguments.engine.chosen() };
    let text = if let Some(row) = arguments.row {
        let explanation = source.explanation(row)?;
        if arguments.json {
            json::line(&json::value(&explanation))?
        } else {
            explanation.to_string()
        }
    } else {
        let found = source.tally(arguments.to)?;
        if arguments.json { json::line(&json::value(&found))? } else { found.report() }
    };
    failure::print(text.as_bytes())
}

/// Where the records come from.
pub struct Source<'a> {
    /// A data set, or else rows are computed.
    pub data: Option<&'a Path>,
    /// What computes them.
    pub engine: Engine,
}

impl Source<'_> {
    /// Why a row has its period, period 1 among them.
    pub fn explanation(&self, row: u64) -> anyhow::Result<Explanation> {
        let mut explainer = Explainer::default();
        let mut found = Err(None);
        self.rows(Some(row), |record| {
            let explanation = explainer.add(record, |periodic| periodic.row == row);
            if let Statement::Finite(finite) = record.statement() {
                found = Err(Some(finite.last));
            } else if let Some(explanation) = explanation {
                found = Ok(explanation);
            }
        })?;
        found.map_err(|last| match last {
            Some(last) => {
                let words = format!("row {row} is finite, and has no period: it ends in column");
                Failure::Usage(format!("{words} {last}")).into()
            }
            None => unreachable!("rows come to the last one"),
        })
    }

    fn tally(&self, last: Option<u64>) -> anyhow::Result<Found> {
        let (mut explainer, mut tally) = (Explainer::default(), Tally::default());
        let moves = |periodic: &Periodic| periodic.period() > 1;
        let last_row = self.rows(last, |record| {
            if let Some(explanation) = explainer.add(record, moves) {
                tally.add(&explanation);
            }
        })?;
        let source_in_words = match self.data {
            None => "computed, each with its certificate".to_owned(),
            Some(folder) => {
                let folder = failure::shown(folder);
                format!("read from {folder}, not proved again; chomp check {folder} --heads does")
            }
        };
        Ok(Found {
            source: json::source(self.data),
            source_in_words,
            last_row,
            rows: tally.rows,
            words: tally.words(),
            not_explained: tally.doubtful,
        })
    }

    /// Rows 0 to the last one, or to the last one of the data set. Returns which it is.
    pub fn rows(
        &self,
        last: Option<u64>,
        mut visit: impl FnMut(&RowRecord),
    ) -> anyhow::Result<u64> {
        let watcher = Watcher::new()?;
        if let Some(folder) = self.data {
            let data_set = DataSet::open(folder)?;
            let (last, held) = (last.unwrap_or(data_set.last_row()), data_set.last_row());
            if last > held {
                let folder = folder.display();
                let message = format!("{folder} holds rows 0 to {held}, not row {last}");
                return Err(Failure::Usage(message).into());
            }
            data_set::rows(&data_set, &watcher, |record| {
                visit(&record);
                if record.row() < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            return Ok(last);
        }
        let last = last.expect("the command line requires a row or a data set");
        self.engine.rows(last, HeadForm::Fingerprint, &watcher, |row| {
            visit(&row.record);
            ControlFlow::Continue(())
        })?;
        Ok(last)
    }
}

/// What `--json` prints of many rows.
#[derive(Serialize)]
struct Found {
    source: Value,
    /// Where the rows come from, and what that proves.
    #[serde(skip)]
    source_in_words: String,
    last_row: u64,
    /// How many rows have a period above 1.
    rows: u64,
    not_explained: Vec<Explanation>,
    words: Vec<WordCount>,
}

impl Found {
    fn report(&self) -> String {
        let Self { source_in_words, last_row, rows, not_explained, words, .. } = self;
        let mut report = format!("Rows 0 to {last_row}: {source_in_words}.\n");
        let explained = rows - not_explained.len() as u64;
        let mut line = |text: &dyn std::fmt::Display| {
            writeln!(report, "{text}").expect("a string can always be written to");
        };
        for explanation in not_explained {
            line(&format_args!("\nNot explained:\n{explanation}"));
        }
        line(&format_args!("{explained} of {rows} rows with a period of 2 or more are explained."));
        line(&table(words));
        report
    }
}

fn table(words: &[WordCount]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["period", "word", "rows", "first row", "patterns", "of"]);
    for word in words {
        let periods: Vec<String> = word.periods.iter().map(u64::to_string).collect();
        table.add_row([
            periods.join(", "),
            word.word.clone(),
            word.rows.to_string(),
            word.first.to_string(),
            word.patterns.to_string(),
            word.choices.to_string(),
        ]);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        if index != 1 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
