//! Rows of numbers as CSV, JSON Lines or Parquet.

use std::io::Write;

use super::line::ExportError;
#[cfg(feature = "parquet")]
use super::line::Field;
#[cfg(feature = "parquet")]
use super::parquet::ParquetWriter;

/// A form of a table of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberFormat {
    /// Comma-separated values, a header line first.
    Csv,
    /// One JSON object a line.
    JsonLines,
    /// Apache Parquet, 64-bit integers compressed by Snappy. Needs the feature `parquet`.
    Parquet,
}

/// A table of natural numbers on its way, row by row.
///
/// ```
/// use census::export::{NumberFormat, NumberTable};
/// let mut table = NumberTable::new(NumberFormat::Csv, vec!["a", "b"], Vec::new())?;
/// table.add(&[2, 1])?;
/// assert_eq!(table.finish()?, b"a,b\n2,1\n");
/// # Ok::<(), census::export::ExportError>(())
/// ```
pub struct NumberTable<W: Write + Send> {
    columns: Vec<&'static str>,
    form: Form<W>,
}

enum Form<W: Write + Send> {
    Csv(W),
    JsonLines(W),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetWriter<W>>),
}

impl<W: Write + Send> NumberTable<W> {
    /// Begins a table with columns of these names to `out`, which should be buffered.
    ///
    /// # Errors
    /// [`ExportError::NoParquet`]; [`ExportError::Io`] if `out` fails.
    pub fn new(
        format: NumberFormat,
        columns: Vec<&'static str>,
        mut out: W,
    ) -> Result<Self, ExportError> {
        let form = match format {
            NumberFormat::Csv => {
                writeln!(out, "{}", columns.join(","))?;
                Form::Csv(out)
            }
            NumberFormat::JsonLines => Form::JsonLines(out),
            #[cfg(feature = "parquet")]
            NumberFormat::Parquet => {
                let fields: Vec<_> =
                    columns.iter().map(|&name| (name, Field::Integer(0))).collect();
                Form::Parquet(Box::new(ParquetWriter::new(&fields, out)?))
            }
            #[cfg(not(feature = "parquet"))]
            NumberFormat::Parquet => return Err(ExportError::NoParquet),
        };
        Ok(Self { columns, form })
    }

    /// Adds a row, a number for each column. Keeps no row in memory; for Parquet, some ten
    /// thousand.
    ///
    /// # Errors
    /// [`ExportError::Io`].
    pub fn add(&mut self, numbers: &[u16]) -> Result<(), ExportError> {
        match &mut self.form {
            Form::Csv(out) => {
                for (place, number) in numbers.iter().enumerate() {
                    let before = if place == 0 { "" } else { "," };
                    write!(out, "{before}{number}")?;
                }
                writeln!(out)?;
            }
            Form::JsonLines(out) => {
                for (place, (name, number)) in self.columns.iter().zip(numbers).enumerate() {
                    let before = if place == 0 { "{" } else { "," };
                    write!(out, "{before}\"{name}\":{number}")?;
                }
                writeln!(out, "}}")?;
            }
            #[cfg(feature = "parquet")]
            Form::Parquet(writer) => {
                let numbers = numbers.iter().map(|&number| Field::Integer(number.into()));
                writer.add(self.columns.iter().copied().zip(numbers).collect())?;
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
            #[cfg(feature = "parquet")]
            Form::Parquet(writer) => writer.finish()?,
        };
        out.flush()?;
        Ok(out)
    }
}
