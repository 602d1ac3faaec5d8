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
Columns of CSV and Parquet; none has gaps:
  row, kind        r; finite or periodic
  first            the diagonal value f(r,r)
  head_end         the column in which the head ends, not included: the start of
                   a periodic row, last + 1 of a finite row
  period, values   the least period, and the offsets of one from head_end on;
                   0 and nothing for a finite row
  certificate_from, certificate_recurs, certificate_modulus, certificate_filled,
  certificate_above
                   the certificate; 0 and nothing for a finite row
  fingerprint      of the head, 16 hexadecimal digits
  head             the offsets of columns r to head_end - 1; only of a data set
                   that was written with --full
Lists are numbers with spaces between them in CSV, and of type LIST in Parquet.
JSON Lines have an object for each row, as `chomp help json` says. The form coq has
the fields of the records instead.

Examples:
  chomp export chomp-rows --format jsonl --out rows.jsonl

The guide of the project has more examples, for pandas, Sage and Mathematica.";

/// Write the records of a data set as CSV, JSON Lines, Parquet or Coq.
///
/// One line per row, in row order. No column has gaps. The files are read strictly, but nothing is
/// proved again.
#[derive(Debug, Args)]
#[command(after_help = COLUMNS)]
pub struct Arguments {
    /// The folder of the data set.
    #[arg(value_name = "DIR")]
    data: PathBuf,
    /// The form. By default the ending of FILE says it; to standard output it is CSV. Parquet needs
    /// a program built with `--features parquet`.
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
    /// Apache Parquet.
    Parquet,
    /// A list of Coq, for the checker that is proved in Coq; of a data set with --full heads.
    #[value(alias = "v")]
    Coq,
}

/// Writes a data set in another form.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let data_set = DataSet::open(&arguments.data)?;
    let Arguments { format, out, .. } = arguments;
    let endings = ".csv, .jsonl, .parquet or .v";
    let format = output::form(*format, out, FormatName::Csv, endings)?;
    let is_standard = output::is_standard(out);
    if is_standard && matches!(format, FormatName::Parquet) {
        return Err(Error::usage(NO_TEXT));
    }
    write(&data_set, format, Output::open(out)?)?;
    if !is_standard {
        tracing::info!("wrote {} rows to {}", data_set.manifest().rows, out.display());
    }
    Ok(())
}

/// The advice of all commands that write Parquet.
pub const NO_TEXT: &str = "Parquet is not text; name a file with --out FILE";

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
        let table = |format, out| Exporter::new(format, keys(data_set), heads, out);
        let mut exporter = match format {
            FormatName::Csv => table(Format::Csv, out),
            FormatName::Jsonl => table(Format::JsonLines, out),
            FormatName::Parquet => table(Format::Parquet, out),
            FormatName::Coq => Exporter::for_coq(heads, out),
        }?;
        for record in records::of_data_set(data_set, &Watcher::new()?) {
            exporter.add(&record?)?;
        }
        Ok(exporter.finish().map(drop)?)
    })
}
