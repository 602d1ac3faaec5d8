//! One row of an export, and the reasons for its failure.

use std::{fmt, io};

use record::{Certificate, HeadForm, Kind, Periodic, Record, RowKey, Statement, joined};
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
    /// The program was built without it.
    #[error(
        "this program was built without Parquet; export CSV or JSON Lines, or build it with the \
         feature `parquet`"
    )]
    NoParquet,
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
        (
            "certificate_modulus",
            of_certificate(|of| u64::try_from(&of.modulus).unwrap_or(u64::MAX)),
        ),
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
