//! `chomp periods`.

use std::io::{self, IsTerminal};

use ask::options::RowsFrom;
use census::{KeyColumns, PeriodLine, PeriodLists};
use clap::{ArgGroup, Args};
use driver::{DataSet, Error, HeadForm, Record, RowKey, Source, records};
use terminal::Watcher;

use super::export;
use crate::failure::{self, keep};
use crate::options::positive;
use ask::json;
use ask::notation::row;

/// List the periodic rows: start, period and pattern.
///
/// One line per row, as on Brouwer's page: row, start, period and pattern. The pattern is the
/// offsets of one period minus their mean. Rows of period 1 are left out unless --period 1 is
/// given.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp periods --to 1000 --period 4")]
#[command(group = ArgGroup::new("source").required(true).multiple(true).args(["to", "data"]))]
pub struct Arguments {
    /// List only rows from this one on. The rows below it are computed as well.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    from: Option<u64>,
    /// Compute rows 0 to R; with --data, read no rows beyond R.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    to: Option<u64>,
    #[command(flatten)]
    rows: RowsFrom,
    /// List only rows of this period; by default all rows of period 2 or more.
    #[arg(long, value_name = "K", value_parser = period, allow_hyphen_values = true)]
    period: Option<u64>,
    /// Print a header line, and tab-separated columns; the numbers of a pattern are separated by
    /// commas.
    #[arg(long, conflicts_with = "json")]
    tsv: bool,
    /// Print each row as JSON, one per line: `chomp help json`.
    #[arg(long)]
    json: bool,
    /// Print a list of rows for each period, as Gabriel Nivasch did.
    #[arg(long, conflicts_with_all = ["tsv", "json"])]
    lists: bool,
}

fn period(text: &str) -> Result<u64, String> {
    positive(text, "a period is at least 1")
}

/// Lists periodic rows, each when it is known.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let engine = arguments.rows.threads.engine();
    if let (Some(from), Some(to)) = (arguments.from, arguments.to)
        && from > to
    {
        return Err(Error::usage(format!("--from {from} is past --to {to}")));
    }
    let data_set = arguments.rows.data().map(DataSet::open).transpose()?;
    let keys = data_set.as_ref().map_or(KeyColumns::Row, export::keys);
    if arguments.lists && keys == KeyColumns::LevelAndTail {
        let words = "lists are of rows of three-rowed Chomp, and this is a data set of a family";
        return Err(Error::usage(words));
    }
    if let Some(data_set) = &data_set {
        for row in [arguments.to, arguments.from].into_iter().flatten() {
            Source::row(data_set, &RowKey::of_row(0, row), HeadForm::Fingerprint, &())?;
        }
    }
    let lists = PeriodLists::default();
    let mut table = Listing { arguments, keys, listed: 0, last: None, lists };
    table.header()?;
    // On a terminal the lines of the table show the progress.
    let watcher = if io::stdout().is_terminal() && !arguments.lists {
        Watcher::without_progress()?
    } else {
        Watcher::new()?
    };
    match (data_set, arguments.to) {
        (Some(data_set), to) => {
            for record in records::of_data_set(&data_set, &watcher) {
                let record = record?;
                if to.is_some_and(|to| record.row() > to) {
                    break;
                }
                table.line(&record)?;
            }
        }
        (None, Some(last)) => {
            let mut listed = Ok(());
            engine.rows(last, HeadForm::Fingerprint, &watcher, |row| {
                keep(&mut listed, table.line(&row.record))
            })?;
            listed?;
        }
        (None, None) => unreachable!("the command line requires one of the two"),
    }
    table.finish()
}

struct Listing<'a> {
    arguments: &'a Arguments,
    keys: KeyColumns,
    /// Rows that are listed.
    listed: u64,
    /// The last row that was visited.
    last: Option<u64>,
    /// Printed at the end, with --lists.
    lists: PeriodLists,
}

impl Listing<'_> {
    fn from(&self) -> u64 {
        self.arguments.from.unwrap_or(0)
    }

    fn header(&self) -> Result<(), Error> {
        if self.arguments.json || self.arguments.lists {
            return Ok(());
        }
        let header =
            if self.arguments.tsv { PeriodLine::tsv_header(self.keys) } else { PeriodLine::HEADER };
        print(header)
    }

    fn line(&mut self, record: &Record) -> Result<(), Error> {
        if record.row() < self.from() {
            return Ok(());
        }
        self.last = Some(record.row());
        let Some(line) = PeriodLine::of(record) else { return Ok(()) };
        let listed = match self.arguments.period {
            Some(period) => line.period == period,
            None => line.period > 1,
        };
        if !listed {
            return Ok(());
        }
        self.listed += 1;
        if self.arguments.lists {
            self.lists.add(record.row(), line.period);
            Ok(())
        } else if self.arguments.json {
            print(json::line(record).trim_end())
        } else if self.arguments.tsv {
            print(&line.tsv(self.keys))
        } else {
            print(&line.to_string())
        }
    }

    fn finish(self) -> Result<(), Error> {
        failure::print(self.lists.to_string().as_bytes())?;
        if let Some(last) = self.last.filter(|_| self.listed == 0) {
            let (which, advice) = match self.arguments.period {
                Some(period) => (format!("period {period}"), ""),
                None => {
                    ("a period of 2 or more".to_owned(), "; --period 1 lists the rows of period 1")
                }
            };
            let first = self.from();
            tracing::info!("no row from {first} to {last} has {which}{advice}");
        }
        Ok(())
    }
}

fn print(line: &str) -> Result<(), Error> {
    failure::print(format!("{line}\n").as_bytes())
}
