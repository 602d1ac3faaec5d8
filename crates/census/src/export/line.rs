//! One row of an export, and the reasons for its failure.

use std::{fmt, io};

use record::{Certificate, HeadForm, Kind, Record, RowKey, Statement, joined};
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

/// Lists are numbers with spaces between them.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            Self::Signed(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
            Self::List(numbers) => f.write_str(&joined(numbers, " ")),
        }
    }
}

/// One row of a data set, as its export has it. The integers are less than 2⁶³.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The key of the row.
    pub key: RowKey,
    /// Of an order ideal, column and p of each position before the columns of the statement.
    pub early: Vec<(u64, u64)>,
    /// `finite`, `periodic` or `empty`.
    pub kind: Kind,
    /// The p of the first column, in three-rowed Chomp the diagonal value f(r,r); of an empty row
    /// the x that it is empty by.
    pub first: u64,
    /// The column in which the head ends, not included: the start of a periodic row, `last + 1` of
    /// a finite row. 0 for an empty row, or the `column` of its ideal.
    pub head_end: u64,
    /// The least period; 0 for a finite or empty row.
    pub period: u64,
    /// The offsets of one period from `head_end` on; none for a finite or empty row.
    pub values: Vec<u64>,
    /// The column `from` of the certificate; 0, like the others, for a row that has none.
    pub certificate_from: u64,
    /// Its column `recurs`.
    pub certificate_recurs: u64,
    /// Its modulus.
    pub certificate_modulus: u64,
    /// Its `filled`.
    pub certificate_filled: u64,
    /// Its `above`.
    pub certificate_above: Vec<u64>,
    /// The fingerprint of the head, 16 hexadecimal digits.
    pub fingerprint: String,
    /// The offsets of the columns from the first to before `head_end`, of a data set that has them;
    /// otherwise there is no such column.
    pub head: Option<Vec<u64>>,
}

impl Line {
    /// The line of a row.
    ///
    /// # Errors
    /// [`ExportError::TooLarge`].
    pub fn of(record: &Record) -> Result<Self, ExportError> {
        let fingerprint = record.head().map_or(0, |head| head.fingerprint(record.row()));
        let line = Self {
            key: record.key().clone(),
            early: record.early().to_vec(),
            kind: record.statement().kind(),
            first: record.first().unwrap_or(0),
            head_end: record.settled(),
            fingerprint: format!("{fingerprint:016x}"),
            head: record.head_offsets().map(<[u64]>::to_vec),
            ..Self::default()
        };
        let line = match record.statement() {
            Statement::Empty { by } => Self { first: *by, ..line },
            Statement::Finite(_) => line,
            Statement::Periodic(periodic) => {
                let Certificate { from, recurs, modulus, filled, above } = &periodic.certificate;
                Self {
                    period: periodic.period(),
                    values: periodic.values.clone(),
                    certificate_from: *from,
                    certificate_recurs: *recurs,
                    certificate_modulus: u64::try_from(modulus).unwrap_or(u64::MAX),
                    certificate_filled: *filled,
                    certificate_above: above.clone(),
                    ..line
                }
            }
        };
        line.fits().map(|()| line)
    }

    /// Columns are less than 2⁶³, but `head_end` and offsets can reach that.
    fn fits(&self) -> Result<(), ExportError> {
        let largest = |list: &[u64]| list.iter().copied().max().unwrap_or(0);
        for (column, number) in [
            ("head_end", self.head_end),
            ("values", largest(&self.values)),
            ("certificate_modulus", self.certificate_modulus),
            ("certificate_filled", self.certificate_filled),
            ("certificate_above", largest(&self.certificate_above)),
            ("head", largest(self.head.as_deref().unwrap_or_default())),
        ] {
            if i64::try_from(number).is_err() {
                let key = Box::new(self.key.clone());
                return Err(ExportError::TooLarge { key, column, number });
            }
        }
        Ok(())
    }

    /// The fields with the names of their columns. The last one is the head, if `heads` are
    /// offsets.
    #[must_use]
    pub fn fields(self, keys: KeyColumns, heads: HeadForm) -> Vec<(&'static str, Field)> {
        use Field::{Integer, List, Text};
        let mut fields = match keys {
            KeyColumns::Row => vec![("row", Integer(self.key.first_column()))],
            KeyColumns::LevelAndTail => {
                let tail = self.key.tail().parts().to_vec();
                vec![("level", Integer(self.key.level)), ("tail", List(tail))]
            }
            KeyColumns::LevelAndIdeal => self.of_ideal(),
        };
        fields.extend([
            ("kind", Text(self.kind.to_string())),
            ("first", Integer(self.first)),
            ("head_end", Integer(self.head_end)),
            ("period", Integer(self.period)),
            ("values", List(self.values)),
            ("certificate_from", Integer(self.certificate_from)),
            ("certificate_recurs", Integer(self.certificate_recurs)),
            ("certificate_modulus", Integer(self.certificate_modulus)),
            ("certificate_filled", Integer(self.certificate_filled)),
            ("certificate_above", List(self.certificate_above)),
            ("fingerprint", Text(self.fingerprint)),
        ]);
        if heads == HeadForm::Offsets {
            fields.push(("head", List(self.head.unwrap_or_default())));
        }
        fields
    }

    fn of_ideal(&self) -> Vec<(&'static str, Field)> {
        use Field::{Integer, List, Signed, Text};
        let ideal = self.key.ideal();
        let name = ideal.map_or(String::new(), ToString::to_string);
        let (columns, lengths) = self.early.iter().copied().unzip();
        vec![
            ("level", Integer(self.key.level)),
            ("ideal", Text(name)),
            ("begins", Integer(ideal.map_or(0, |ideal| ideal.begins))),
            ("column", Integer(ideal.map_or(0, |ideal| ideal.column))),
            ("shift", Signed(ideal.map_or(0, |ideal| ideal.shift))),
            ("early_columns", List(columns)),
            ("early_p", List(lengths)),
        ]
    }
}
