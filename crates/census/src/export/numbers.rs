//! Rows of numbers as CSV, JSON Lines or Parquet.

use std::io::Write;

use super::{ExportError, Field, Form, Format};

/// A table of natural numbers on its way, row by row.
///
/// ```
/// use census::export::{Format, NumberTable};
/// let mut table = NumberTable::new(Format::Csv, vec!["a", "b"], Vec::new())?;
/// table.add(&[2, 1])?;
/// assert_eq!(table.finish()?, b"a,b\n2,1\n");
/// # Ok::<(), census::export::ExportError>(())
/// ```
pub struct NumberTable<W: Write + Send> {
    columns: Vec<&'static str>,
    form: Form<W>,
}

impl<W: Write + Send> NumberTable<W> {
    /// Begins a table with columns of these names to `out`, which should be buffered.
    ///
    /// # Errors
    /// [`ExportError::NoParquet`]; [`ExportError::Io`] if `out` fails.
    pub fn new(format: Format, columns: Vec<&'static str>, out: W) -> Result<Self, ExportError> {
        let fields = columns.iter().map(|&name| (name, Field::Integer(0))).collect();
        Ok(Self { columns, form: Form::table(format, &fields, out)? })
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
            Form::Coq(_) => unreachable!("a list of Coq has records"),
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
        self.form.finish()
    }
}
