//! `chomp periods`.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use census::{PeriodLine, PeriodLists};
use clap::{ArgGroup, Args};
use driver::{DataSet, HeadForm, RowRecord};
use record::{RowObject, Statement};
use terminal::typed::number;
use terminal::{OutputError, Watcher};

use crate::failure::Failure;
use crate::notation::row;
use crate::options::EngineChoice;
use crate::source::last_row;

/// List the periodic rows: start, period and pattern.
///
/// One line per row, as on Brouwer's page: row, start, period and pattern. The pattern is the
/// offsets of one period minus their mean. Rows of period 1 are left out unless --period 1 is
/// given.
#[derive(Debug, Args)]
#[command(after_help = "Example: chomp periods --to 1000 --period 4")]
#[command(group = ArgGroup::new("source").required(true).multiple(true).args(["to", "data"]))]
pub struct Arguments {
    /// List only rows from this one on. The rows below it are computed as well.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    from: Option<u64>,
    /// Compute rows 0 to R; with --data, read no rows beyond R.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    to: Option<u64>,
    /// Read the rows of this data set instead of computing them.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// List only rows of this period; by default all rows of period 2 or more.
    #[arg(long, value_name = "K", value_parser = period, allow_hyphen_values = true)]
    period: Option<u64>,
    /// Print a header line, and tab-separated columns; the numbers of a pattern are separated by
    /// commas.
    #[arg(long, conflicts_with = "json")]
    tsv: bool,
    /// Print each row as JSON, one per line: docs/JSON.md.
    #[arg(long)]
    json: bool,
    /// Print a list of rows for each period, as Gabriel Nivasch did.
    #[arg(long, conflicts_with_all = ["tsv", "json"])]
    lists: bool,
    #[command(flatten)]
    engine: EngineChoice,
}

fn period(text: &str) -> Result<u64, String> {
    match number(text)? {
        0 => Err("a period is at least 1".to_owned()),
        period => Ok(period),
    }
}

/// Lists periodic rows, each as soon as it is known.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    arguments.engine.refuse_useless(arguments.data.is_some())?;
    if let (Some(from), Some(to)) = (arguments.from, arguments.to)
        && from > to
    {
        return Err(Failure::Usage(format!("--from {from} is past --to {to}")).into());
    }
    let data_set = match &arguments.data {
        Some(folder) => {
            let data_set = DataSet::open(folder)?;
            let last = last_row(&data_set, folder, arguments.to)?;
            last_row(&data_set, folder, arguments.from)?;
            Some((data_set, last))
        }
        None => None,
    };
    let out = BufWriter::new(io::stdout().lock());
    let mut table =
        Listing { arguments, out, listed: 0, last: None, lists: PeriodLists::default() };
    table.header()?;
    match (data_set, arguments.to) {
        (Some((data_set, last)), _) => table.read(&data_set, last)?,
        (None, Some(last)) => {
            // On a terminal the lines of a table are progress enough.
            let watcher = if io::stdout().is_terminal() && !arguments.lists {
                Watcher::without_progress()?
            } else {
                Watcher::new()?
            };
            let (engine, mut listed) = (arguments.engine.chosen(), Ok(()));
            engine.rows(last, HeadForm::Fingerprint, &watcher, |row| {
                listed = table.line(&row.record);
                if listed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            listed?;
        }
        (None, None) => unreachable!("the command line requires one of the two"),
    }
    table.finish()
}

struct Listing<'a, W: Write> {
    arguments: &'a Arguments,
    out: W,
    /// Rows that are listed.
    listed: u64,
    /// The last row that was looked at.
    last: Option<u64>,
    /// Printed at the end, with --lists.
    lists: PeriodLists,
}

impl<W: Write> Listing<'_, W> {
    fn from(&self) -> u64 {
        self.arguments.from.unwrap_or(0)
    }

    fn header(&mut self) -> anyhow::Result<()> {
        if self.arguments.json || self.arguments.lists {
            return Ok(());
        }
        self.print(if self.arguments.tsv { PeriodLine::TSV_HEADER } else { PeriodLine::HEADER })
    }

    fn read(&mut self, data_set: &DataSet, last: u64) -> anyhow::Result<()> {
        for record in data_set.rows() {
            let record = record?;
            self.line(&record)?;
            if record.row() == last {
                break;
            }
        }
        Ok(())
    }

    fn line(&mut self, record: &RowRecord) -> anyhow::Result<()> {
        if record.row() < self.from() {
            return Ok(());
        }
        self.last = Some(record.row());
        let Statement::Periodic(periodic) = record.statement() else { return Ok(()) };
        let listed = match self.arguments.period {
            Some(period) => periodic.period() == period,
            None => periodic.period() > 1,
        };
        if !listed {
            return Ok(());
        }
        self.listed += 1;
        let line = PeriodLine::of(periodic);
        if self.arguments.lists {
            self.lists.add(line.row, line.period);
            Ok(())
        } else if self.arguments.json {
            self.print(&serde_json::to_string(&RowObject::from(record))?)
        } else if self.arguments.tsv {
            self.print(&line.tsv())
        } else {
            self.print(&line.to_string())
        }
    }

    fn finish(mut self) -> anyhow::Result<()> {
        let written = write!(self.out, "{}", self.lists).and_then(|()| self.out.flush());
        written.map_err(OutputError::from)?;
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

    fn print(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.out, "{line}").and_then(|()| self.out.flush()).map_err(OutputError::from)?;
        Ok(())
    }
}
