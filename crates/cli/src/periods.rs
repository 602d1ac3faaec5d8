//! `chomp periods`.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use census::PeriodLine;
use record::data_set::DataSet;
use record::{HeadForm, RowRecord, Statement};

use crate::arguments::Periods;
use crate::compute::visit_all_rows;
use crate::failure::Failure;

/// Lists periodic rows, each as soon as it is known.
pub fn run(arguments: &Periods) -> anyhow::Result<()> {
    let mut table = Table { arguments, out: BufWriter::new(io::stdout().lock()) };
    table.header()?;
    match (&arguments.data, arguments.to) {
        (Some(folder), _) => table.read(folder)?,
        (None, Some(last)) => {
            visit_all_rows(last, |row| table.line(&row.record(HeadForm::Fingerprint)?))?;
        }
        (None, None) => {
            return Err(Failure::Usage("give --to R or --data DIR".to_owned()).into());
        }
    }
    Ok(())
}

struct Table<'a, W: Write> {
    arguments: &'a Periods,
    out: W,
}

impl<W: Write> Table<'_, W> {
    fn header(&mut self) -> anyhow::Result<()> {
        if self.arguments.json {
            return Ok(());
        }
        self.print(if self.arguments.tsv { PeriodLine::TSV_HEADER } else { PeriodLine::HEADER })
    }

    fn read(&mut self, folder: &Path) -> anyhow::Result<()> {
        for record in DataSet::open(folder)?.rows() {
            self.line(&record?)?;
        }
        Ok(())
    }

    fn line(&mut self, record: &RowRecord) -> anyhow::Result<()> {
        let Statement::Periodic(periodic) = record.statement() else { return Ok(()) };
        let listed = match self.arguments.period {
            Some(period) => periodic.period() == period,
            None => periodic.period() > 1,
        };
        if !listed {
            return Ok(());
        }
        let line = PeriodLine::of(periodic);
        if self.arguments.json {
            self.print(&serde_json::to_string(&line)?)
        } else if self.arguments.tsv {
            self.print(&line.tsv())
        } else {
            self.print(&line.to_string())
        }
    }

    fn print(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.out, "{line}").and_then(|()| self.out.flush()).map_err(Failure::from)?;
        Ok(())
    }
}
