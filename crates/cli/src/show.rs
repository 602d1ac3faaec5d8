//! `chomp show`: one row for the reader.

use std::fmt::Write;

use driver::{DataSet, Engine, ProvedRow, RowInWords, SweepOptions, Tail, data_set};

use crate::arguments::ShowArguments;
use crate::failure::{self, Failure};
use crate::json;
use crate::notation;
use crate::watcher::Watcher;

/// Prints one row in closed form.
pub fn run(arguments: &ShowArguments) -> anyhow::Result<()> {
    let typed = arguments.row.join(" ");
    let tail = notation::tail(&typed)?;
    let row = notation::row(&tail.first_column().to_string());
    let row = row.map_err(|error| Failure::Usage(format!("{typed:?}: {error}")))?;
    let text = if tail.parts().len() <= 1 {
        show_row(row, arguments)?
    } else {
        show_tail(&tail, arguments)?
    };
    failure::print(text.as_bytes())
}

fn show_row(row: u64, arguments: &ShowArguments) -> anyhow::Result<String> {
    let row = match &arguments.data {
        Some(folder) => {
            let record = data_set::row(&DataSet::open(folder)?, row)?;
            ProvedRow { record, classical: None }
        }
        None => Engine::for_row(row).row(row, &Watcher::new()?)?,
    };
    if arguments.json {
        return json::line(&json::row(&row.record));
    }
    Ok(text(&row.in_words()))
}

fn show_tail(tail: &Tail, arguments: &ShowArguments) -> anyhow::Result<String> {
    if arguments.data.is_some() {
        let words = format!("{tail} is a row of more than three rows; leave out --data");
        return Err(Failure::Usage(words).into());
    }
    let record = driver::row_of_tail(tail, SweepOptions::default(), &Watcher::new()?)?;
    if arguments.json {
        return json::line(&json::row(&record));
    }
    Ok(text(&RowInWords::of_tail(&record)))
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
