//! A row as a JSON object: one shape for every kind of row, of any level and tail.
//!
//! `docs/JSON.md` describes it, and `docs/chomp.schema.json` is its schema. Every field is always
//! there; a field that a kind of row does not have is null, or an empty list.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::{Serialize, Serializer};

use crate::{Certificate, Finite, Ideal, Kind, Record, Statement};

/// The largest integer that every reader of JSON holds exactly: `2^53 - 1`.
const LARGEST: i128 = (1 << 53) - 1;

/// An integer as JSON has it: a number from `-(2^53 - 1)` to `2^53 - 1`, and beyond that a string
/// of its decimal digits, since many readers keep numbers in 53 bits.
///
/// ```
/// # use record::Exact;
/// let written = |number: u64| serde_json::to_string(&Exact::from(number)).unwrap();
/// assert_eq!(written((1 << 53) - 1), "9007199254740991");
/// assert_eq!(written(1 << 53), "\"9007199254740992\"");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact(i128);

impl From<u64> for Exact {
    fn from(number: u64) -> Self {
        Self(number.into())
    }
}

impl From<i64> for Exact {
    fn from(number: i64) -> Self {
        Self(number.into())
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0) {
            Ok(number) if self.0.abs() <= LARGEST => serializer.serialize_i64(number),
            _ => serializer.collect_str(&self.0),
        }
    }
}

/// A row as a JSON object, made from its record.
///
/// ```
/// # use record::{RowObject, parse_line};
/// let row_1 = "Finite(row: 1, first: 3, last: 2, head: \"22145bd91204b982\")";
/// let json = serde_json::to_value(RowObject::from(&parse_line(row_1, 1).unwrap())).unwrap();
/// assert_eq!((&json["kind"], &json["last"]), (&"finite".into(), &2.into()));
/// assert!(json["start"].is_null() && json["fingerprint"] == "22145bd91204b982");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowObject {
    /// The bottom row r; null if the tail has two parts or more.
    row: Option<Exact>,
    tail: Vec<Exact>,
    /// Rows of order ideals have this field, and no tail; other rows lack it.
    #[serde(skip_serializing_if = "Option::is_none")]
    ideal: Option<IdealObject>,
    level: Exact,
    kind: Kind,
    /// The x by which an empty row is empty (fact 12).
    empty_by: Option<Exact>,
    /// The p of the first column.
    first: Option<Exact>,
    /// The last column of a finite row.
    last: Option<Exact>,
    /// The least column from which a periodic row repeats.
    start: Option<Exact>,
    /// The column in which the head ends, not included: `start`, or `last` + 1; 0 if empty.
    head_end: Exact,
    /// 0 if the row is not periodic.
    period: Exact,
    values: Vec<Exact>,
    /// The values minus their mean.
    pattern: Vec<Exact>,
    certificate: Option<CertificateObject>,
    /// Of the head; null if the row is empty.
    fingerprint: Option<String>,
    /// Null if only the fingerprint is known.
    head: Option<Vec<Exact>>,
}

/// An order ideal as a JSON object, with the positions before the columns of the statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IdealObject {
    /// Its maximal elements.
    generators: Vec<String>,
    /// The first column of the row.
    begins: Exact,
    /// The first column of the statement, which counts p + shift instead of p.
    column: Exact,
    shift: Exact,
    /// The column and the p of each position before that column.
    early: Vec<[Exact; 2]>,
}

impl IdealObject {
    fn of(record: &Record) -> Option<Self> {
        let Ideal { generators, begins, column, shift } = record.key().ideal()?;
        let early = record.early().iter().map(|&(column, p)| [column.into(), p.into()]);
        Some(Self {
            generators: generators.clone(),
            begins: (*begins).into(),
            column: (*column).into(),
            shift: (*shift).into(),
            early: early.collect(),
        })
    }
}

/// A certificate as a JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CertificateObject {
    from: Exact,
    recurs: Exact,
    modulus: Exact,
    filled: Exact,
    above: Vec<Exact>,
}

impl From<&Record> for RowObject {
    fn from(record: &Record) -> Self {
        let (key, head) = (record.key(), record.head());
        let of_row = Self {
            row: key.row().map(Exact::from),
            tail: exact(key.tail().parts()),
            ideal: IdealObject::of(record),
            level: key.level.into(),
            kind: record.statement().kind(),
            empty_by: None,
            first: record.first().map(Exact::from),
            last: None,
            start: None,
            head_end: record.settled().into(),
            period: 0_u64.into(),
            values: Vec::new(),
            pattern: Vec::new(),
            certificate: None,
            fingerprint: head.map(|head| format!("{:016x}", head.fingerprint(record.row()))),
            head: record.head_offsets().map(exact),
        };
        match record.statement() {
            Statement::Empty { by } => Self { empty_by: Some((*by).into()), ..of_row },
            Statement::Finite(Finite { last, .. }) => Self { last: Some((*last).into()), ..of_row },
            Statement::Periodic(periodic) => Self {
                start: Some(periodic.start.into()),
                period: periodic.period().into(),
                values: exact(&periodic.values),
                pattern: exact(&periodic.pattern()),
                certificate: Some((&periodic.certificate).into()),
                ..of_row
            },
        }
    }
}

impl From<&Certificate> for CertificateObject {
    fn from(certificate: &Certificate) -> Self {
        let Certificate { from, recurs, modulus, filled, above } = certificate;
        Self {
            from: (*from).into(),
            recurs: (*recurs).into(),
            modulus: small(modulus),
            filled: (*filled).into(),
            above: exact(above),
        }
    }
}

fn exact<N: Copy + Into<Exact>>(numbers: &[N]) -> Vec<Exact> {
    numbers.iter().copied().map(Into::into).collect()
}

/// A modulus divides a distance of columns, so it is less than 2^63.
fn small(modulus: &BigUint) -> Exact {
    modulus.to_u64().unwrap_or(u64::MAX).into()
}
