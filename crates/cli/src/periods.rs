//! `chomp periods`.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::ControlFlow;

use census::{PeriodLine, PeriodLists};
use driver::{DataSet, HeadForm, RowRecord};
use record::{RowObject, Statement};
use terminal::{OutputError, Watcher};

use crate::arguments::PeriodsArguments;
use crate::failure::Failure;
use crate::held;

/// Lists periodic rows, each as soon as it is known.
pub fn run(arguments: &PeriodsArguments) -> anyhow::Result<()> {
    if let (Some(from), Some(to)) = (arguments.from, arguments.to)
        && from > to
    {
        return Err(Failure::Usage(format!("--from {from} is past --to {to}")).into());
    }
    let data_set = match &arguments.data {
        Some(folder) => {
            let data_set = DataSet::open(folder)?;
            let last = held::last_row(&data_set, folder, arguments.to)?;
            held::last_row(&data_set, folder, arguments.from)?;
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
    arguments: &'a PeriodsArguments,
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
