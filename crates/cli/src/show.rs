//! `chomp show`: one row for the reader.

use std::fmt::Write;

use driver::{DataSet, Engine, ProvedRow, RowInWords, data_set};

use crate::arguments::ShowArguments;
use crate::failure;
use crate::watcher::Watcher;

/// Prints one row in closed form.
pub fn run(arguments: &ShowArguments) -> anyhow::Result<()> {
    let row = match &arguments.data {
        Some(folder) => {
            let record = data_set::row(&DataSet::open(folder)?, arguments.row)?;
            ProvedRow { record, classical: None }
        }
        None => Engine::for_row(arguments.row).row(arguments.row, &Watcher::new()?)?,
    };
    let text = if arguments.json {
        serde_json::to_string(row.record.statement())? + "\n"
    } else {
        text(&row.in_words())
    };
    failure::print(text.as_bytes())
}

/// What is said of a row, in two columns.
fn text(words: &RowInWords) -> String {
    let mut text = format!("{}\n", words.title);
    for entry in &words.entries {
        let names = std::iter::once(entry.name).chain(std::iter::repeat(""));
        for (name, line) in names.zip(&entry.lines) {
            writeln!(text, "  {name:<12} {line}").expect("a string can always be written to");
        }
    }
    text
}
