//! Data sets in the forms that other programs read: CSV, JSON Lines, Parquet, Coq.
//!
//! One line per row, in row order. CSV and Parquet have the columns of [`line()`], without gaps:
//! where a row has no such number, it is 0. A line of JSON is the object of the record.

mod coq;
mod line;
mod numbers;
#[cfg(feature = "parquet")]
mod parquet;

use std::io::Write;

use record::{HeadForm, Record, joined, to_json};

pub use line::{ExportError, Field, KeyColumns, Line, columns, line};
pub use numbers::NumberTable;

/// A form of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Comma-separated values, a header line first. Lists are numbers with spaces between them. No
    /// field ever needs quotes.
    Csv,
    /// One JSON object a line: that of the record ([`to_json`]).
    JsonLines,
    /// Apache Parquet, lists as its LIST type, compressed by Snappy. Needs the feature `parquet`.
    Parquet,
}

/// An export on its way.
///
/// ```
/// use census::export::{Exporter, Format, KeyColumns};
/// let row_1 = "Finite(row: 1, first: 3, last: 2, head: \"22145bd91204b982\")";
/// let row_1 = record::parse_line(row_1, 1).unwrap();
/// let (format, heads) = (Format::JsonLines, record::HeadForm::Fingerprint);
/// let mut exporter = Exporter::new(format, KeyColumns::Row, heads, Vec::new())?;
/// exporter.add(&row_1)?;
/// let text = String::from_utf8(exporter.finish()?).unwrap();
/// assert!(text.starts_with(r#"{"row":1,"tail":[1],"level":0,"kind":"finite","#));
/// # Ok::<(), census::export::ExportError>(())
/// ```
pub struct Exporter<W: Write + Send> {
    form: Form<W>,
    keys: KeyColumns,
    heads: HeadForm,
}

/// A file on its way.
enum Form<W: Write + Send> {
    Csv(W),
    JsonLines(W),
    Coq(coq::Writer<W>),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::ParquetWriter<W>>),
}

impl<W: Write + Send> Form<W> {
    /// Begins a table with these columns.
    fn table(format: Format, columns: &Line, mut out: W) -> Result<Self, ExportError> {
        Ok(match format {
            Format::Csv => {
                writeln!(out, "{}", joined(columns.iter().map(|(name, _)| name), ","))?;
                Self::Csv(out)
            }
            Format::JsonLines => Self::JsonLines(out),
            #[cfg(feature = "parquet")]
            Format::Parquet => Self::Parquet(Box::new(parquet::ParquetWriter::new(columns, out)?)),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => return Err(ExportError::NoParquet),
        })
    }

    /// Writes the rest, flushes the output and gives it back.
    fn finish(self) -> Result<W, ExportError> {
        let mut out = match self {
            Self::Csv(out) | Self::JsonLines(out) => out,
            Self::Coq(writer) => writer.finish()?,
            #[cfg(feature = "parquet")]
            Self::Parquet(writer) => writer.finish()?,
        };
        out.flush()?;
        Ok(out)
    }
}

impl<W: Write + Send> Exporter<W> {
    /// Begins an export of records with that form of heads to `out`, which should be buffered.
    ///
    /// # Errors
    /// [`ExportError::NoParquet`]; [`ExportError::Io`] if `out` fails.
    pub fn new(
        format: Format,
        keys: KeyColumns,
        heads: HeadForm,
        out: W,
    ) -> Result<Self, ExportError> {
        Ok(Self { form: Form::table(format, &columns(keys, heads), out)?, keys, heads })
    }

    /// Begins a file of Coq that defines the list of the records, for the checker of `proofs/coq`.
    ///
    /// # Errors
    /// [`ExportError::NoOffsets`] for heads that are not offsets; [`ExportError::Io`].
    pub fn for_coq(heads: HeadForm, out: W) -> Result<Self, ExportError> {
        if heads != HeadForm::Offsets {
            return Err(ExportError::NoOffsets);
        }
        Ok(Self { form: Form::Coq(coq::Writer::new(out)?), keys: KeyColumns::Row, heads })
    }

    /// Adds a row. A line is in memory; for Parquet, some ten thousand lines.
    ///
    /// # Errors
    /// [`ExportError`].
    pub fn add(&mut self, record: &Record) -> Result<(), ExportError> {
        let (keys, heads) = (self.keys, self.heads);
        match &mut self.form {
            Form::Csv(out) => {
                let fields = line(record, keys, heads)?;
                writeln!(out, "{}", joined(fields.iter().map(|(_, field)| field), ","))?;
            }
            Form::JsonLines(out) => writeln!(out, "{}", to_json(record))?,
            Form::Coq(writer) if record.key().is_three_rowed() => writer.add(record)?,
            Form::Coq(_) => {
                return Err(ExportError::NotThreeRowed { key: Box::new(record.key().clone()) });
            }
            #[cfg(feature = "parquet")]
            Form::Parquet(writer) => writer.add(line(record, keys, heads)?)?,
        }
        Ok(())
    }

    /// Writes the rest, flushes `out` and gives it back.
    ///
    /// # Errors
    /// [`ExportError::Io`].
    pub fn finish(self) -> Result<W, ExportError> {
        self.form.finish()
    }
}
