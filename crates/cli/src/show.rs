//! `chomp show`: rows for the reader, and as text for other programs.

use std::fmt::Write;
use std::io::{IsTerminal, stdout};
use std::ops::ControlFlow;

use driver::{
    DataSet, Detail, Engine, HeadForm, KeyedRecord, Language, ProvedRow, RowInWords, SweepOptions,
    Tail, data_set,
};
use terminal::Watcher;

use crate::arguments::ShowArguments;
use crate::failure::{self, Failure};
use crate::json;
use crate::notation;

/// If several rows are printed to one past this, in short, then with fingerprints of their heads.
const LAST_WITH_OFFSETS: u64 = 10_000;

/// Prints one row, or several.
pub fn run(arguments: &ShowArguments) -> anyhow::Result<()> {
    let typed = arguments.row.join(" ");
    if typed.contains("..") {
        return show_rows(range(&typed)?, arguments);
    }
    let tail = notation::computable_tail(&typed)?;
    let text = if tail.parts().len() <= 1 {
        show_row(tail.first_column(), arguments)?
    } else {
        show_tail(&tail, arguments)?
    };
    failure::print(text.as_bytes())
}

fn range(typed: &str) -> Result<(u64, u64), Failure> {
    let (first, last) =
        notation::range(typed).map_err(|error| Failure::Usage(format!("{typed:?}: {error}")))?;
    notation::computable_tail(&last.to_string())?;
    Ok((first, last))
}

fn show_row(row: u64, arguments: &ShowArguments) -> anyhow::Result<String> {
    let row = match &arguments.data {
        Some(folder) => of_record(data_set::row_in(folder, row)?),
        None => Engine::for_row(row).row(row, &Watcher::new()?)?,
    };
    text(&row, arguments)
}

/// Each row is printed as soon as it is known, and not kept.
fn show_rows((first, last): (u64, u64), arguments: &ShowArguments) -> anyhow::Result<()> {
    let mut failed = None;
    let mut show = |row: &ProvedRow| {
        if row.record.row() < first {
            return ControlFlow::Continue(());
        }
        let printed = text(row, arguments).and_then(|text| {
            let is_paragraph = row.record.row() > first && is_in_paragraphs(arguments);
            failure::print(if is_paragraph { format!("\n{text}") } else { text }.as_bytes())
        });
        failed = printed.err();
        if failed.is_some() || row.record.row() == last {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    // On one terminal, progress would stand among the rows.
    let watcher =
        if stdout().is_terminal() { Watcher::without_progress() } else { Watcher::new() }?;
    match &arguments.data {
        Some(folder) => {
            let data_set = DataSet::open(folder)?;
            // Whether it is there, before anything is printed.
            data_set::row(&data_set, last)?;
            data_set::rows(&data_set, &watcher, |record| show(&of_record(record)))?;
        }
        None => {
            Engine::for_row(last)
                .rows(last, head_form(last, arguments), &watcher, |row| show(&row))?;
        }
    }
    failed.map_or(Ok(()), Err)
}

/// All offsets of many rows take long.
fn head_form(last: u64, arguments: &ShowArguments) -> HeadForm {
    let in_short = !arguments.full && !arguments.json && arguments.language.chosen().is_none();
    if in_short && last > LAST_WITH_OFFSETS { HeadForm::Fingerprint } else { HeadForm::Offsets }
}

fn of_record(record: driver::RowRecord) -> ProvedRow {
    ProvedRow { record, classical: None }
}

/// Whether a row takes more than a line.
fn is_in_paragraphs(arguments: &ShowArguments) -> bool {
    match arguments.language.chosen() {
        None => !arguments.json,
        Some(language) => language == Language::Latex,
    }
}

fn text(row: &ProvedRow, arguments: &ShowArguments) -> anyhow::Result<String> {
    if arguments.json {
        return json::line(&json::row(&row.record));
    }
    if let Some(language) = arguments.language.chosen() {
        return Ok(language.expression(&row.record.clone().into())?);
    }
    Ok(columns(&row.in_words(detail(arguments))))
}

fn show_tail(tail: &Tail, arguments: &ShowArguments) -> anyhow::Result<String> {
    let record = match &arguments.data {
        Some(folder) => data_set::row_of_tail(folder, tail)?,
        None => driver::row_of_tail(tail, SweepOptions::default(), &Watcher::new()?)?,
    };
    if arguments.json {
        return json::line(&json::row(&record));
    }
    text_of_tail(&record, arguments)
}

fn text_of_tail(record: &KeyedRecord, arguments: &ShowArguments) -> anyhow::Result<String> {
    Ok(match arguments.language.chosen() {
        Some(language) => language.expression(record)?,
        None => columns(&RowInWords::of_tail(record, detail(arguments))),
    })
}

fn detail(arguments: &ShowArguments) -> Detail {
    if arguments.full { Detail::Full } else { Detail::Brief }
}

/// What is said of a row, in two columns.
fn columns(words: &RowInWords) -> String {
    let mut text = format!("{}\n", words.title);
    for entry in &words.entries {
        let names = std::iter::once(entry.name).chain(std::iter::repeat(""));
        for (name, line) in names.zip(&entry.lines) {
            writeln!(text, "  {name:<12} {line}").expect("a string can always be written to");
        }
    }
    if words.is_shortened {
        text += "--full prints all numbers.\n";
    }
    text
}
