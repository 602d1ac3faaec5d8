//! Data sets in the forms that other programs read: CSV, JSON Lines, Parquet, Coq.
//!
//! One line per row, in row order. [`Line`] defines the columns of CSV and Parquet. None has gaps:
//! where a kind of row has no such number, the column has another one, which its definition names.
//! A line of JSON is the [`RowObject`].

mod coq;
mod line;
mod numbers;
#[cfg(feature = "parquet")]
mod parquet;

use std::io::{self, Write};

use record::{HeadForm, Record, RowObject, joined};

pub use line::{ExportError, Field, KeyColumns, Line};
pub use numbers::{NumberFormat, NumberTable};

/// A form of export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Comma-separated values, a header line first. Lists are numbers with spaces between them. No
    /// field ever needs quotes.
    Csv,
    /// One JSON object a line: the [`RowObject`].
    JsonLines,
    /// Apache Parquet, lists as its LIST type, compressed by Snappy. Needs the feature `parquet`.
    Parquet,
    /// A file of Coq that defines the list of the records, for the checker of `proofs/coq`. Needs
    /// heads that are offsets.
    Coq,
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

enum Form<W: Write + Send> {
    Csv(W),
    JsonLines(W),
    Coq(coq::Writer<W>),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::ParquetWriter<W>>),
}

impl<W: Write + Send> Exporter<W> {
    /// Begins an export of records with that form of heads to `out`, which should be buffered.
    ///
    /// # Errors
    /// [`ExportError::NoParquet`]; [`ExportError::NoOffsets`]; [`ExportError::Io`] if `out` fails.
    pub fn new(
        format: Format,
        keys: KeyColumns,
        heads: HeadForm,
        mut out: W,
    ) -> Result<Self, ExportError> {
        let form = match format {
            Format::Csv => {
                let columns = Line::default().fields(keys, heads);
                writeln!(out, "{}", joined(columns.into_iter().map(|(name, _)| name), ","))?;
                Form::Csv(out)
            }
            Format::JsonLines => Form::JsonLines(out),
            Format::Coq if heads == HeadForm::Offsets => Form::Coq(coq::Writer::new(out)?),
            Format::Coq => return Err(ExportError::NoOffsets),
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let columns = Line::default().fields(keys, heads);
                Form::Parquet(Box::new(parquet::ParquetWriter::new(&columns, out)?))
            }
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => return Err(ExportError::NoParquet),
        };
        Ok(Self { form, keys, heads })
    }

    /// Adds a row. A line is in memory; for Parquet, some ten thousand lines.
    ///
    /// # Errors
    /// [`ExportError`].
    pub fn add(&mut self, record: &Record) -> Result<(), ExportError> {
        match &mut self.form {
            Form::Csv(out) => {
                writeln!(out, "{}", csv_line(record, self.keys, self.heads)?)?;
            }
            Form::JsonLines(out) => writeln!(out, "{}", json_line(record)?)?,
            Form::Coq(writer) if record.key().is_three_rowed() => writer.add(record)?,
            Form::Coq(_) => {
                return Err(ExportError::NotThreeRowed { key: Box::new(record.key().clone()) });
            }
            #[cfg(feature = "parquet")]
            Form::Parquet(writer) => {
                writer.add(Line::of(record)?.fields(self.keys, self.heads))?;
            }
        }
        Ok(())
    }

    /// Writes the rest, flushes `out` and gives it back.
    ///
    /// # Errors
    /// [`ExportError::Io`].
    pub fn finish(self) -> Result<W, ExportError> {
        let mut out = match self.form {
            Form::Csv(out) | Form::JsonLines(out) => out,
            Form::Coq(writer) => writer.finish()?,
            #[cfg(feature = "parquet")]
            Form::Parquet(writer) => writer.finish()?,
        };
        out.flush()?;
        Ok(out)
    }
}

/// A line of CSV.
fn csv_line(record: &Record, keys: KeyColumns, heads: HeadForm) -> Result<String, ExportError> {
    let fields = Line::of(record)?.fields(keys, heads);
    Ok(joined(fields.into_iter().map(|(_, field)| field), ","))
}

/// A line of JSON.
fn json_line(record: &Record) -> io::Result<String> {
    Ok(serde_json::to_string(&RowObject::from(record))?)
}
