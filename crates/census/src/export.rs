//! Data sets in the forms that other programs read: CSV, JSON Lines, Coq.
//!
//! One line per row, in row order. CSV has the columns of [`line()`], without gaps: where a row has
//! no such number, it is 0. A line of JSON is the object of the record.

mod coq;

use std::fmt;
use std::io::{self, Write};

use record::{Certificate, HeadForm, Kind, Periodic, Record, RowKey, Statement, joined, to_json};
use thiserror::Error;

/// Why an export fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// It cannot be written.
    #[error("cannot write the export: {0}")]
    Io(#[from] io::Error),
    /// A number that does not fit a column of integers.
    #[error("{key}: {column} has {number}, which does not fit the 63 bits of an export's integers")]
    TooLarge {
        /// The row.
        key: Box<RowKey>,
        /// The column of the export.
        column: &'static str,
        /// The number.
        number: u64,
    },
    /// The heads are fingerprints, and Coq checks the offsets themselves.
    #[error(
        "these records have fingerprints of their heads, and Coq needs the offsets; use records \
         with all offsets"
    )]
    NoOffsets,
    /// The checker in Coq knows three-rowed Chomp only.
    #[error("the checker in Coq knows rows of three-rowed Chomp at level 0, and {key} is none")]
    NotThreeRowed {
        /// The row.
        key: Box<RowKey>,
    },
}

/// The columns that name the row of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyColumns {
    /// `row`, in three-rowed Chomp.
    Row,
    /// `level` and `tail`, in a family.
    LevelAndTail,
    /// `level`, `ideal`, what its statement counts with, and its early positions, in a family of
    /// order ideals.
    LevelAndIdeal,
}

/// The content of a line in one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A number less than 2⁶³.
    Integer(u64),
    /// A number between -2⁶³ and 2⁶³.
    Signed(i64),
    /// A word.
    Text(String),
    /// Numbers less than 2⁶³.
    List(Vec<u64>),
}

use Field::{Integer, List, Signed, Text};

impl Field {
    /// A number that does not fit.
    fn too_large(&self) -> Option<u64> {
        let numbers = match self {
            Integer(number) => std::slice::from_ref(number),
            List(numbers) => numbers,
            Signed(_) | Text(_) => &[],
        };
        numbers.iter().copied().max().filter(|&number| i64::try_from(number).is_err())
    }
}

/// Lists are numbers with spaces between them.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Integer(number) => number.fmt(f),
            Signed(number) => number.fmt(f),
            Text(text) => text.fmt(f),
            List(numbers) => f.write_str(&joined(numbers, " ")),
        }
    }
}

/// The fields of a line, each with the name of its column.
pub type Line = Vec<(&'static str, Field)>;

/// One row of a data set, as its export has it. Its integers are less than 2⁶³.
///
/// # Errors
/// [`ExportError::TooLarge`]: columns are less than 2⁶³, but `head_end` and offsets can reach that.
pub fn line(record: &Record, keys: KeyColumns, heads: HeadForm) -> Result<Line, ExportError> {
    let line = fields(Some(record), keys, heads);
    match line.iter().find_map(|(column, field)| Some((column, field.too_large()?))) {
        None => Ok(line),
        Some((column, number)) => {
            Err(ExportError::TooLarge { key: Box::new(record.key().clone()), column, number })
        }
    }
}

/// The columns of such lines, with empty fields.
pub fn columns(keys: KeyColumns, heads: HeadForm) -> Line {
    fields(None, keys, heads)
}

/// The fields of a row, or empty ones. A number is 0 and a list empty where the row has none.
fn fields(record: Option<&Record>, keys: KeyColumns, heads: HeadForm) -> Line {
    let statement = record.map(Record::statement);
    let periodic = record.and_then(Record::periodic);
    let of_certificate = |number: fn(&Certificate) -> u64| {
        Integer(periodic.map_or(0, |periodic| number(&periodic.certificate)))
    };
    let of_periodic = |list: fn(&Periodic) -> &[u64]| {
        List(periodic.map_or_else(Vec::new, |periodic| list(periodic).to_vec()))
    };
    // The p of the first column, in three-rowed Chomp the diagonal value f(r,r); of an empty row
    // the x that it is empty by.
    let first = match statement {
        Some(Statement::Empty { by }) => *by,
        _ => record.and_then(Record::first).unwrap_or(0),
    };
    let kind = statement.map_or_else(Kind::default, Statement::kind);
    let fingerprint = record.and_then(|record| Some(record.head()?.fingerprint(record.row())));
    let mut fields = key(record, keys);
    fields.extend([
        ("kind", Text(kind.to_string())),
        ("first", Integer(first)),
        // The column in which the head ends, not included. 0 for an empty row, or the `column` of
        // its ideal.
        ("head_end", Integer(record.map_or(0, Record::settled))),
        ("period", Integer(periodic.map_or(0, Periodic::period))),
        ("values", of_periodic(|periodic| &periodic.values)),
        ("certificate_from", of_certificate(|of| of.from)),
        ("certificate_recurs", of_certificate(|of| of.recurs)),
        ("certificate_modulus", of_certificate(|of| of.modulus)),
        ("certificate_filled", of_certificate(|of| of.filled)),
        ("certificate_above", of_periodic(|periodic| &periodic.certificate.above)),
        ("fingerprint", Text(format!("{:016x}", fingerprint.unwrap_or(0)))),
    ]);
    if heads == HeadForm::Offsets {
        let head = record.and_then(Record::head_offsets).unwrap_or_default();
        fields.push(("head", List(head.to_vec())));
    }
    fields
}

/// The fields that name the row.
fn key(record: Option<&Record>, keys: KeyColumns) -> Line {
    let none = RowKey::default();
    let key = record.map_or(&none, Record::key);
    let level = ("level", Integer(key.level));
    match keys {
        KeyColumns::Row => vec![("row", Integer(key.first_column()))],
        KeyColumns::LevelAndTail => vec![level, ("tail", List(key.tail().parts().to_vec()))],
        KeyColumns::LevelAndIdeal => {
            let ideal = key.ideal();
            let early = record.map_or(&[][..], Record::early);
            let (columns, lengths) = early.iter().copied().unzip();
            vec![
                level,
                ("ideal", Text(ideal.map_or_else(String::new, ToString::to_string))),
                ("begins", Integer(ideal.map_or(0, |ideal| ideal.begins))),
                ("column", Integer(ideal.map_or(0, |ideal| ideal.column))),
                ("shift", Signed(ideal.map_or(0, |ideal| ideal.shift))),
                ("early_columns", List(columns)),
                ("early_p", List(lengths)),
            ]
        }
    }
}

/// A form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Comma-separated values, a header line first. Lists are numbers with spaces between them. No
    /// field ever needs quotes.
    Csv,
    /// One JSON object a line: that of the record ([`to_json`]).
    JsonLines,
    /// A file of Coq that defines the list of the records, for the checker of `proofs/coq`. It
    /// needs offsets, of rows of three-rowed Chomp.
    Coq,
}

/// An export of records on its way. It keeps no row in memory.
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
pub struct Exporter<W: Write> {
    format: Format,
    keys: KeyColumns,
    heads: HeadForm,
    out: W,
    /// Whether no record is written yet.
    is_empty: bool,
}

impl<W: Write> Exporter<W> {
    /// Begins an export of records with that form of heads to `out`, which should be buffered.
    ///
    /// # Errors
    /// [`ExportError::Io`] if `out` fails; [`ExportError::NoOffsets`] of Coq.
    pub fn new(
        format: Format,
        keys: KeyColumns,
        heads: HeadForm,
        mut out: W,
    ) -> Result<Self, ExportError> {
        match format {
            Format::Csv => {
                let names = columns(keys, heads).into_iter().map(|(name, _)| name);
                writeln!(out, "{}", joined(names, ","))?;
            }
            Format::Coq if heads != HeadForm::Offsets => return Err(ExportError::NoOffsets),
            Format::Coq => write!(out, "{}", coq::BEGINNING)?,
            Format::JsonLines => {}
        }
        Ok(Self { format, keys, heads, out, is_empty: true })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// [`ExportError`].
    pub fn add(&mut self, record: &Record) -> Result<(), ExportError> {
        let out = &mut self.out;
        match self.format {
            Format::Csv => {
                let fields = line(record, self.keys, self.heads)?.into_iter();
                writeln!(out, "{}", joined(fields.map(|(_, field)| field), ","))?;
            }
            Format::JsonLines => writeln!(out, "{}", to_json(record))?,
            Format::Coq if record.key().is_three_rowed() => {
                if !self.is_empty {
                    write!(out, ";")?;
                }
                for line in coq::lines(record) {
                    write!(out, "\n{line}")?;
                }
            }
            Format::Coq => {
                return Err(ExportError::NotThreeRowed { key: Box::new(record.key().clone()) });
            }
        }
        self.is_empty = false;
        Ok(())
    }

    /// Writes the rest, flushes `out` and gives it back.
    ///
    /// # Errors
    /// [`ExportError::Io`].
    pub fn finish(mut self) -> Result<W, ExportError> {
        if self.format == Format::Coq {
            writeln!(self.out, "\n].")?;
        }
        self.out.flush()?;
        Ok(self.out)
    }
}
