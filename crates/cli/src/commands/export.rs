//! `chomp export`.

use std::io::BufWriter;
use std::path::PathBuf;

use census::export::{Exporter, Format, KeyColumns};
use clap::{Args, ValueEnum};
use driver::{DataSet, Error, records};
use record::data_set::Contents;
use terminal::Watcher;

use crate::output::{self, Output};

/// The columns of an export, for its help.
const COLUMNS: &str = "\
Columns of CSV; none has gaps: row, kind (finite or periodic), first (f(r,r)),
head_end (the start, or last + 1), period (0 of a finite row), values (the
offsets of one period), the five fields of the certificate, fingerprint (of the
head), and head with --full data sets. Lists are numbers with spaces between.
JSON Lines have an object for each row, as `chomp help json` says. The form coq has
the fields of the records instead.

Examples:
  chomp export chomp-rows --format jsonl --out rows.jsonl";

/// Write the records of a data set as CSV, JSON Lines or Coq.
///
/// One line per row, in row order. No column has gaps. The files are read strictly, but nothing is
/// proved again.
#[derive(Debug, Args)]
#[command(after_help = COLUMNS)]
pub struct Arguments {
    /// The folder of the data set.
    #[arg(value_name = "DIR")]
    data: PathBuf,
    /// The form. By default the ending of FILE says it; to standard output it is CSV.
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// The file to write, whole or not at all; - is standard output. A link is followed. To a
    /// device or a FIFO the rows are written as they come.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

/// The typed name of a form of export.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FormatName {
    /// Comma-separated values.
    Csv,
    /// JSON Lines.
    Jsonl,
    /// A list of Coq, for the checker that is proved in Coq; of a data set with --full heads.
    #[value(alias = "v")]
    Coq,
}

/// Writes a data set in another form.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let data_set = DataSet::open(&arguments.data)?;
    let Arguments { format, out, .. } = arguments;
    let format = output::form(*format, out, FormatName::Csv, ".csv, .jsonl or .v")?;
    write(&data_set, format, Output::open(out)?)?;
    if !output::is_standard(out) {
        tracing::info!("wrote {} rows to {}", data_set.manifest().rows, out.display());
    }
    Ok(())
}

/// Rows of three-rowed Chomp have their number as key, others level and tail.
pub fn keys(data_set: &DataSet) -> KeyColumns {
    match data_set.manifest().contents {
        Contents::Rows => KeyColumns::Row,
        Contents::Family(_) => KeyColumns::LevelAndTail,
    }
}

fn write(data_set: &DataSet, format: FormatName, output: Output) -> Result<(), Error> {
    output.write(|out| {
        let (heads, out) = (data_set.manifest().head, BufWriter::new(out));
        let format = match format {
            FormatName::Csv => Format::Csv,
            FormatName::Jsonl => Format::JsonLines,
            FormatName::Coq => Format::Coq,
        };
        let mut exporter = Exporter::new(format, keys(data_set), heads, out)?;
        for record in records::of_data_set(data_set, &Watcher::new()?) {
            exporter.add(&record?)?;
        }
        Ok(exporter.finish().map(drop)?)
    })
}
