//! `chomp show`: rows in words, in tables, and as text for other programs.

use std::fmt::Write;
use std::io::{IsTerminal, stdout};
use std::ops::ControlFlow;

use ask::input::{self, RowsFrom, row};
use ask::{Detail, F, Question, RowInWords, Why};
use census::{KeyColumns, periods};
use clap::{ArgGroup, Args};
use driver::{DataSet, Engine, Error, HeadForm, ProvedRow, RowKey, Source, Tail, records};
use record::Periodic;
use record::data_set::Contents;
use terminal::Watcher;

use super::export;
use crate::options::{LanguageChoice, positive};
use crate::output::{self, keep};
use crate::tell;
use ask::json;

/// Show rows in closed form, with their certificates in words; or in a table.
///
/// Offsets are p - q for columns q = R, R+1, ...; `chomp help words` explains the words. Long lists
/// of them are shortened. Computing row R takes as long as computing all rows to R; --data reads it
/// from a data set instead. Where --full or a language needs offsets of which the data set has only
/// a fingerprint, they are computed and compared. With more than three rows, the row is its tail:
/// the lengths of the rows below the two longest. All rows with tails within it are computed.
///
/// Rows A..B, or --from A --to B, are printed one after the other, each as soon as it is known. If
/// B is past 10 000, they have fingerprints of their heads; with --full, --json or a language all
/// offsets of rows 0 to B are computed. With --data alone, all rows of the data set are shown.
///
/// --latex, --sage, --pari, --mathematica and --maple print a row as text to paste: f(q,R) for all
/// q. For Maple it is the sequence `B[R]` of Zeilberger's paper on his package BYRNES: the head,
/// and one period, of the offsets for q - R = 0, 1, 2, ....
///
/// --periods prints a line for each periodic row, as on Brouwer's page: row, start, period and
/// pattern. The pattern is the offsets of one period minus their mean. Rows of period 1 are left
/// out unless --period 1 is given.
///
/// --why explains where the period of a row comes from. From the start of a row on, the rows below
/// block a pattern that repeats, and the row has one hole among its offsets, which sinks until no
/// row below blocks it. Prints the start, with the bounds for it that are theorems; the cluster of
/// rows just below, with the word that says which of them move; the window of the certificate, and
/// the rows with values in it: obstacles, which are constant, and companions, which move; the hole,
/// column by column over one period; the depths that the rows below leave free, and the balls that
/// they are. Heights are offsets less the mean of the row. All rows from 0 on are computed or read.
///
/// Without a row, --why explains all rows with a period of 2 or more. First come those whose
/// explanation fails somewhere, with the reason, then the words, with the number of rows that have
/// them, the first of these, and how many of the patterns that the word allows occur.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
#[command(group = ArgGroup::new("which").required(true).multiple(true).args(["row", "to", "data"]))]
#[command(group = ArgGroup::new("view").args(["f", "why", "periods"]))]
#[command(after_help = "Examples:\n  chomp show 120\n  \
    chomp show 3,2        # the positions (p,q,3,2)\n  chomp show 118..120\n  \
    chomp show 120 --sage\n  \
    chomp show --f 10 5   # 14, since (14,10,5) is a P-position\n  \
    chomp show --f 5 5,4  # 7, for (7,5,5,4)\n  \
    chomp show --why 120\n  chomp show --why --to 10000\n  \
    chomp show --periods --to 1000 --period 4\n\nExit codes: with --f, 0 if p is printed; 1 if \
    there is no p, and then stdout is empty and stderr says why: q < r, or the row has ended, or \
    it is empty.")]
pub struct Arguments {
    /// The bottom row, the first and the last of several, or the tail. With --f, the length q of
    /// the second row comes first.
    #[arg(value_name = "R | A..B | TAIL", num_args = 1.., allow_negative_numbers = true,
        conflicts_with_all = ["from", "to"])]
    row: Vec<String>,
    /// Show rows from this one on. The rows below it are computed as well.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    from: Option<u64>,
    /// Compute rows 0 to R; with --data, read no rows beyond R.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    to: Option<u64>,
    #[command(flatten)]
    rows: RowsFrom,
    /// Print f(q,R), the only p that makes (p,q,R) a P-position, or with a tail, (p,q,TAIL). It
    /// takes q, of any number of digits, and R or TAIL.
    #[arg(long, requires = "row",
        conflicts_with_all = ["from", "to", "period", "full", "language"])]
    f: bool,
    /// Explain where the period of a row comes from, or of all rows.
    #[arg(long, conflicts_with_all = ["from", "period", "full", "language"])]
    why: bool,
    /// Print a line for each periodic row: start, period and pattern.
    #[arg(long, conflicts_with_all = ["full", "language"])]
    periods: bool,
    /// Show only rows of this period; with --periods, by default all rows of period 2 or more.
    #[arg(long, value_name = "K", value_parser = period, allow_hyphen_values = true)]
    period: Option<u64>,
    /// Print the periods with a header line, and tab-separated columns; the numbers of a pattern
    /// are separated by commas.
    #[arg(long, requires = "periods",
        conflicts_with_all = ["f", "why", "full", "language", "json"])]
    tsv: bool,
    /// Print long lists in full; with --json, compute offsets that the data set lacks.
    #[arg(long, conflicts_with = "language")]
    full: bool,
    #[command(flatten)]
    language: LanguageChoice,
    /// Print each row, or the answer, as JSON, one per line: `chomp help json`.
    #[arg(long, conflicts_with = "language")]
    json: bool,
}

fn period(text: &str) -> Result<u64, String> {
    positive(text, "a period is at least 1")
}

/// Several rows beyond this one are printed with fingerprints of their heads.
const LAST_WITH_OFFSETS: u64 = 10_000;

/// Shows one row, or several.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let &Arguments { from, to, f, why, full, json, ref rows, .. } = arguments;
    let typed = arguments.row.join(" ");
    if f {
        return tell(&Question::F(F { position: typed, rows: rows.clone() }), json);
    }
    if why {
        let number =
            |typed| row(typed).map_err(|error| Error::usage(format!("{typed:?}: {error}")));
        let row = (!arguments.row.is_empty()).then(|| number(&typed)).transpose()?;
        return tell(&Question::Why(Why { row, to, rows: rows.clone() }), json);
    }
    if full && json && rows.data.is_none() {
        return Err(Error::usage("--json prints all offsets of computed rows; leave out --full"));
    }
    if arguments.row.is_empty() {
        return show_rows(from.unwrap_or(0), to, arguments);
    }
    if typed.contains("..") {
        let (first, last) = range(&typed)?;
        return show_rows(first, Some(last), arguments);
    }
    show_row(input::computable_tail(&typed)?, arguments)
}

fn range(typed: &str) -> Result<(u64, u64), Error> {
    let (first, last) =
        input::range(typed).map_err(|error| Error::usage(format!("{typed:?}: {error}")))?;
    input::computable_tail(&last.to_string())?;
    Ok((first, last))
}

fn show_row(tail: Tail, arguments: &Arguments) -> Result<(), Error> {
    let (first, is_of_three) = (tail.first_column(), tail.parts().len() <= 1);
    let source = arguments.source(if is_of_three { first } else { u64::MAX })?;
    let form = arguments.head_form(Some(first));
    let row = source.row(&RowKey::new(0, tail), form, &Watcher::new()?)?;
    let keys = if is_of_three { KeyColumns::Row } else { KeyColumns::LevelAndTail };
    let mut list = List::begin(arguments, keys, first)?;
    list.add(&row)?;
    list.end(Some(row.record.key()));
    Ok(())
}

/// Each row is printed when it is known, and not kept. Of the rows of a family, those that begin in
/// these columns are printed.
fn show_rows(first: u64, last: Option<u64>, arguments: &Arguments) -> Result<(), Error> {
    if let Some(last) = last.filter(|&last| first > last) {
        return Err(Error::usage(format!("--from {first} is past --to {last}")));
    }
    let data_set = arguments.rows.data.as_deref().map(DataSet::open).transpose()?;
    let keys = data_set.as_ref().map_or(KeyColumns::Row, export::keys);
    if let Some(data_set) = &data_set {
        let keys = last.into_iter().chain([first]).map(|row| RowKey::of_row(0, row));
        for missing in keys.filter(|key| data_set.family().number(key).is_none()) {
            // Fails before anything is printed.
            Source::row(data_set, &missing, HeadForm::Fingerprint, &())?;
        }
    }
    let (mut failed, mut list) = (Ok(()), List::begin(arguments, keys, first)?);
    let mut show = |row: &ProvedRow| match row.record.row() {
        row if last.is_some_and(|last| row > last) => ControlFlow::Break(()),
        number if number < first => ControlFlow::Continue(()),
        _ => keep(&mut failed, list.add(row)),
    };
    // Progress would be printed between the rows of the same terminal.
    let watcher =
        if stdout().is_terminal() { Watcher::without_progress() } else { Watcher::new() }?;
    let form = arguments.head_form(last);
    let is_whole = |data_set: &DataSet| {
        form == HeadForm::Fingerprint || data_set.manifest().contents != Contents::Rows
    };
    if let Some(data_set) = data_set.as_ref().filter(|data_set| is_whole(data_set)) {
        for record in records::of_data_set(data_set, &watcher) {
            if show(&record?.into()).is_break() {
                break;
            }
        }
    } else {
        let source = arguments.source(last.unwrap_or(u64::MAX))?;
        let last = last.or(source.last()).expect("the command line requires --to or --data");
        source.rows(last, form, &watcher, &mut |row| show(&row))?;
    }
    failed?;
    list.end(None);
    Ok(())
}

impl Arguments {
    /// The data set, or the engine that proves the last row best.
    fn source(&self, last: u64) -> Result<Box<dyn Source>, Error> {
        let is_chosen = self.periods || self.rows.threads.given().is_some();
        let engine = if is_chosen { self.rows.threads.engine() } else { Engine::for_row(last) };
        ask::input::source(self.rows.data.as_deref(), engine)
    }

    /// All offsets of many rows take long, and a data set has its own form of heads.
    fn head_form(&self, last: Option<u64>) -> HeadForm {
        let asked = self.full || self.language.chosen().is_some();
        let is_small = last.is_some_and(|last| last <= LAST_WITH_OFFSETS);
        let few = self.rows.data.is_none() && !self.periods && (self.json || is_small);
        if asked || few { HeadForm::Offsets } else { HeadForm::Fingerprint }
    }
}

/// Rows that are printed as they are found.
struct List<'a> {
    arguments: &'a Arguments,
    keys: KeyColumns,
    /// The first row that was asked for, and the last that was visited.
    rows: (u64, Option<u64>),
    printed: u64,
}

impl<'a> List<'a> {
    fn begin(arguments: &'a Arguments, keys: KeyColumns, first: u64) -> Result<Self, Error> {
        let Arguments { periods: table, tsv, json, .. } = arguments;
        if *table && !json {
            let header = if *tsv { periods::tsv_header(keys) } else { periods::HEADER };
            output::print(format!("{header}\n").as_bytes())?;
        }
        Ok(Self { arguments, keys, rows: (first, None), printed: 0 })
    }

    fn add(&mut self, row: &ProvedRow) -> Result<(), Error> {
        self.rows.1 = Some(row.record.row());
        let period = row.record.periodic().map(Periodic::period);
        let is_asked = match self.arguments.period {
            Some(asked) => period == Some(asked),
            None => !self.arguments.periods || period.is_some_and(|period| period > 1),
        };
        if !is_asked {
            return Ok(());
        }
        self.printed += 1;
        output::print(self.text(row)?.as_bytes())
    }

    fn text(&self, row: &ProvedRow) -> Result<String, Error> {
        let (record, is_first) = (&row.record, self.printed == 1);
        let Arguments { json, periods: table, tsv, full, language, .. } = self.arguments;
        if let Some(language) = language.chosen() {
            return language.listed(record, is_first);
        }
        let line = if *tsv { periods::tsv(record, self.keys) } else { periods::line(record) };
        Ok(match line.filter(|_| *table) {
            // Lists have their fields in the order of an export.
            Some(_) if *json => json::line(record),
            Some(line) => line + "\n",
            None if *json => json::line(&json::value(record)),
            None => {
                let detail = if *full { Detail::Full } else { Detail::Brief };
                let between = if is_first { "" } else { "\n" };
                between.to_owned() + &columns(&RowInWords::of(row, detail))
            }
        })
    }

    /// Says so if no row was printed; `only` is the one that was asked for.
    fn end(self, only: Option<&RowKey>) {
        let Arguments { periods, period, .. } = self.arguments;
        if let ((first, Some(last)), 0, true) =
            (self.rows, self.printed, *periods || period.is_some())
        {
            let which = period.map_or_else(
                || "a period of 2 or more; --period 1 lists the rows of period 1".to_owned(),
                |period| format!("period {period}"),
            );
            let rows = only.map_or_else(
                || format!("no row from {first} to {last} has"),
                |key| format!("{key} does not have"),
            );
            tracing::info!("{rows} {which}");
        }
    }
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
