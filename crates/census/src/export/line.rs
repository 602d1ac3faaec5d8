//! One row of an export, and why there may be none.

use std::{fmt, io};

use record::{Certificate, Head, RowRecord, Statement};
use thiserror::Error;

/// Why an export fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// It cannot be written.
    #[error("cannot write the export: {0}")]
    Io(#[from] io::Error),
    /// A number that does not fit a column of integers.
    #[error(
        "row {row}: {column} has {number}, which does not fit the 63 bits of an export's integers"
    )]
    TooLarge {
        /// The row.
        row: u64,
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
    /// The heads are fingerprints, and Coq is to check the offsets themselves.
    #[error(
        "these records have fingerprints of their heads, and Coq needs the offsets; use records \
         with all offsets"
    )]
    NoOffsets,
}

/// One row of a data set, as its export has it. The integers are less than 2⁶³.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The row r.
    pub row: u64,
    /// `finite` or `periodic`.
    pub kind: Kind,
    /// The diagonal value f(r,r).
    pub first: u64,
    /// The column in which the head ends, not included: the start of a periodic row, `last + 1` of
    /// a finite row.
    pub head_end: u64,
    /// The least period; 0 for a finite row.
    pub period: u64,
    /// The offsets of one period from `head_end` on; none for a finite row.
    pub values: Vec<u64>,
    /// The column `from` of the certificate; 0, like the others, for a finite row, which has none.
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
    /// The offsets of the columns from `row` to before `head_end`, of a data set that has them;
    /// otherwise there is no such column.
    pub head: Option<Vec<u64>>,
}

/// Whether a row ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It ends.
    Finite,
    /// It never does.
    Periodic,
}

/// `finite`, `periodic`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Finite => "finite",
            Self::Periodic => "periodic",
        })
    }
}

impl Line {
    /// The names of the columns, without `head`.
    pub(super) const COLUMNS: [&str; 12] = [
        "row",
        "kind",
        "first",
        "head_end",
        "period",
        "values",
        "certificate_from",
        "certificate_recurs",
        "certificate_modulus",
        "certificate_filled",
        "certificate_above",
        "fingerprint",
    ];

    /// The line of a row.
    ///
    /// # Errors
    /// [`ExportError::TooLarge`].
    pub fn of(record: &RowRecord) -> Result<Self, ExportError> {
        let row = record.row();
        let line = Self {
            row,
            kind: Kind::Finite,
            first: record.first(),
            head_end: 0,
            period: 0,
            values: Vec::new(),
            certificate_from: 0,
            certificate_recurs: 0,
            certificate_modulus: 0,
            certificate_filled: 0,
            certificate_above: Vec::new(),
            fingerprint: format!("{:016x}", record.head().fingerprint(row)),
            head: match record.head() {
                Head::Offsets(offsets) => Some(offsets.clone()),
                Head::Fingerprint(_) => None,
            },
        };
        let line = match record.statement() {
            Statement::Finite(finite) => Self { head_end: finite.last + 1, ..line },
            Statement::Periodic(periodic) => {
                let Certificate { from, recurs, modulus, filled, above } = &periodic.certificate;
                Self {
                    kind: Kind::Periodic,
                    head_end: periodic.start,
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

    /// Columns are less than 2⁶³, which `head_end` may reach; offsets may, which are at most
    /// `row + 1`.
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
                return Err(ExportError::TooLarge { row: self.row, column, number });
            }
        }
        Ok(())
    }

    /// The line in CSV, without the line break.
    pub(super) fn csv(&self) -> String {
        let mut fields = vec![
            self.row.to_string(),
            self.kind.to_string(),
            self.first.to_string(),
            self.head_end.to_string(),
            self.period.to_string(),
            spaced(&self.values),
            self.certificate_from.to_string(),
            self.certificate_recurs.to_string(),
            self.certificate_modulus.to_string(),
            self.certificate_filled.to_string(),
            spaced(&self.certificate_above),
            self.fingerprint.clone(),
        ];
        fields.extend(self.head.as_deref().map(spaced));
        fields.join(",")
    }
}

fn spaced(numbers: &[u64]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
