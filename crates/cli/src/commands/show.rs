//! `chomp show`: rows in words, and as text for other programs.

use std::fmt::Write;
use std::io::{IsTerminal, stdout};
use std::ops::ControlFlow;
use std::path::PathBuf;

use ask::options::source;
use ask::{Detail, Language, RowInWords};
use clap::Args;
use driver::{DataSet, Engine, Error, HeadForm, ProvedRow, RowKey, Source, records};
use record::data_set::Contents;
use terminal::Watcher;

use crate::failure::{self, keep};
use crate::options::LanguageChoice;
use ask::json;
use ask::notation;

/// Show one row in closed form, with its certificate in words; or several.
///
/// Offsets are p - q for columns q = R, R+1, ...; `chomp help words` explains the words. Long lists
/// of them are shortened. Computing row R takes as long as computing all rows to R; --data reads it
/// from a data set instead. Where --full or a language needs offsets of which the data set has only
/// a fingerprint, they are computed and compared. With more than three rows, the row is its tail:
/// the lengths of the rows below the two longest. All rows with tails within it are computed.
///
/// Rows A..B are printed one after the other, each as soon as it is known. If B is past 10 000,
/// they have fingerprints of their heads; with --full, --json or a language all offsets of rows 0
/// to B are computed.
///
/// --latex, --sage, --pari, --mathematica and --maple print a row as text to paste: f(q,R) for all
/// q. For Maple it is the sequence `B[R]` of Zeilberger's paper on his package BYRNES: the head,
/// and one period, of the offsets for q - R = 0, 1, 2, ....
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp show 120\n  \
    chomp show 3,2        # the positions (p,q,3,2)\n  chomp show 118..120\n  \
    chomp show 120 --sage")]
pub struct Arguments {
    /// The bottom row, the first and the last of several, or the tail.
    #[arg(value_name = "R | A..B | TAIL", required = true, num_args = 1..,
        allow_negative_numbers = true)]
    row: Vec<String>,
    /// Read the rows from this data set instead of computing them.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print long lists in full; with --json, compute offsets that the data set lacks.
    #[arg(long, conflicts_with = "language")]
    full: bool,
    #[command(flatten)]
    language: LanguageChoice,
    /// Print each row as JSON, one per line: `chomp help json`.
    #[arg(long, conflicts_with = "language")]
    json: bool,
}

/// From this longest row on a tail of two rows takes some seconds.
const LONG_TAIL: u64 = 60;

/// Several rows beyond this one are printed with fingerprints of their heads.
const LAST_WITH_OFFSETS: u64 = 10_000;

/// Prints one row, or several.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    if arguments.full && arguments.json && arguments.data.is_none() {
        return Err(Error::usage("--json prints all offsets of computed rows; leave out --full"));
    }
    let typed = arguments.row.join(" ");
    if typed.contains("..") {
        return show_rows(range(&typed)?, arguments);
    }
    let tail = notation::computable_tail(&typed).map_err(|error| or_rows(error, &typed))?;
    if let ([first, second], None) = (tail.parts(), &arguments.data)
        && *first >= LONG_TAIL
    {
        tracing::info!(
            "{typed} is the row of the positions (p,q,{first},{second}), which needs all tails \
             within it; for two rows of three-rowed Chomp type {second}..{first}"
        );
    }
    let engine =
        Engine::for_row(if tail.parts().len() <= 1 { tail.first_column() } else { u64::MAX });
    let source = source(arguments.data.as_deref(), engine)?;
    let form = head_form(tail.first_column(), arguments);
    let row = source.row(&RowKey::new(0, tail), form, &Watcher::new()?)?;
    failure::print(text(&row, arguments)?.as_bytes())
}

/// The error about a tail; of two ascending numbers, with the range that may be meant.
fn or_rows(error: Error, typed: &str) -> Error {
    let mut numbers = typed.split([' ', ',', '(', ')']).filter(|word| !word.is_empty());
    let two = (numbers.next(), numbers.next(), numbers.next());
    let (Some(first), Some(last), None) = two else { return error };
    let range = format!("{first}..{last}");
    match notation::range(&range) {
        Ok(_) => Error::usage(format!("{error}; for rows {first} to {last} type {range}")),
        Err(_) => error,
    }
}

fn range(typed: &str) -> Result<(u64, u64), Error> {
    let (first, last) =
        notation::range(typed).map_err(|error| Error::usage(format!("{typed:?}: {error}")))?;
    notation::computable_tail(&last.to_string())?;
    Ok((first, last))
}

/// Each row is printed when it is known, and not kept. Of the rows of a family, those that begin in
/// columns A to B are printed.
fn show_rows((first, last): (u64, u64), arguments: &Arguments) -> Result<(), Error> {
    let (mut failed, mut shown) = (Ok(()), 0_u64);
    let mut show = |row: &ProvedRow| {
        if row.record.row() < first {
            return ControlFlow::Continue(());
        }
        if row.record.row() > last {
            return ControlFlow::Break(());
        }
        shown += 1;
        let printed = text(row, arguments).and_then(|text| {
            let is_paragraph = shown > 1 && is_in_paragraphs(arguments);
            failure::print(if is_paragraph { format!("\n{text}") } else { text }.as_bytes())
        });
        keep(&mut failed, printed)
    };
    // Progress would be printed between the rows of the same terminal.
    let watcher =
        if stdout().is_terminal() { Watcher::without_progress() } else { Watcher::new() }?;
    let data_set = arguments.data.as_deref().map(DataSet::open).transpose()?;
    let family = data_set.filter(|data_set| data_set.manifest().contents != Contents::Rows);
    if let Some(family) = family {
        // Fails before anything is printed if the last row is missing.
        Source::row(&family, &RowKey::of_row(0, last), HeadForm::Fingerprint, &watcher)?;
        for record in records::of_data_set(&family, &watcher) {
            if show(&record?.into()).is_break() {
                break;
            }
        }
    } else {
        let source = source(arguments.data.as_deref(), Engine::for_row(last))?;
        source.rows(last, head_form(last, arguments), &watcher, &mut |row| show(&row))?;
    }
    failed
}

/// All offsets of many rows take long, and a data set has its own form of heads.
fn head_form(last: u64, arguments: &Arguments) -> HeadForm {
    let asked = arguments.full || arguments.language.chosen().is_some();
    let few = arguments.data.is_none() && (arguments.json || last <= LAST_WITH_OFFSETS);
    if asked || few { HeadForm::Offsets } else { HeadForm::Fingerprint }
}

/// Whether a row takes more than a line.
fn is_in_paragraphs(arguments: &Arguments) -> bool {
    match arguments.language.chosen() {
        None => !arguments.json,
        Some(language) => language == Language::Latex,
    }
}

fn text(row: &ProvedRow, arguments: &Arguments) -> Result<String, Error> {
    if arguments.json {
        return Ok(json::line(&json::value(&row.record)));
    }
    if let Some(language) = arguments.language.chosen() {
        return language.expression(&row.record);
    }
    Ok(columns(&RowInWords::of(row, detail(arguments))))
}

fn detail(arguments: &Arguments) -> Detail {
    if arguments.full { Detail::Full } else { Detail::Brief }
}

/// The description of a row, in two columns.
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
