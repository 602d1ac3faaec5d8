//! A record as text.
//!
//! As one line of RON it is printed in one form only, and read back only in that form. In JSON a
//! row is an object with one shape for every kind of row, of any level and tail: `docs/JSON.md`
//! describes it, and `docs/chomp.schema.json` is its schema. Every field is always there; a field
//! that a kind of row does not have is null, or an empty list.

use std::fmt;
use std::io::{self, Write};
use std::mem;

use ron::error::SpannedError;
use ron::extensions::Extensions;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::ser::Formatter;
use thiserror::Error;

use crate::record::require_small;
use crate::{
    Certificate, Fault, Finite, Head, Ideal, Kind, Periodic, Record, RowKey, Statement, Tail,
    quoted,
};

/// A line that cannot be read, or is not the expected one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct ReadError {
    /// Line of the file, from 1.
    pub line: usize,
    /// Column of the line in characters, from 1.
    pub column: usize,
    /// The problem there.
    pub problem: Problem,
}

/// The problem of a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// It is not RON, or not of the shape of a record.
    #[error("not understood: {0}")]
    Syntax(String),
    /// It is a statement that no row can satisfy.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// It is not in the one form that records have.
    #[error("not in canonical form; from here on this line would read: {0}")]
    NotCanonical(String),
}

impl ReadError {
    /// The error of reading a text whose first line has the number `line` in its file.
    pub(crate) fn of(error: &SpannedError, line: usize) -> Self {
        let (place, code) = (error.span.start, &error.code);
        let problem = Problem::Syntax(quoted(&code.to_string()));
        Self { line: line + place.line.saturating_sub(1), column: place.col, problem }
    }
}

/// Reads one record. `line` is its number in the file, for error messages.
///
/// # Errors
/// [`ReadError`] for anything but the exact line that `Display` prints: wrong syntax, unknown,
/// missing or duplicate fields, a [`Fault`], or another spelling (spaces, leading zeros, field
/// order) of a record. Cost: linear in the length of the line, which is read, checked and printed
/// once.
///
/// ```
/// use record::parse_line;
/// let row_1 = r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#;
/// assert_eq!(parse_line(row_1, 1).unwrap().to_string(), row_1);
/// assert_eq!(
///     parse_line(&row_1.replace("first: 3", "first: 4"), 7).unwrap_err().to_string(),
///     "line 7, column 16: offset 3 is out of range: the offsets of row 1 are 0 to 2"
/// );
/// let of_tail = r#"Finite(tail: [2, 1], first: 2, last: 2, head: "0000000000000000")"#;
/// assert_eq!(parse_line(of_tail, 1).unwrap().key().to_string(), "tail (2,1)");
/// ```
pub fn parse_line(text: &str, line: usize) -> Result<Record, ReadError> {
    let written: Line = options().from_str(text).map_err(|error| ReadError::of(&error, line))?;
    let at = |problem: Problem| {
        let field = if let Problem::Fault(fault) = &problem { fault.field } else { "" };
        ReadError { line, column: column_of_field(text, field), problem }
    };
    let record = written.record().map_err(|fault| at(fault.into()))?;
    require_canonical(&record.to_string(), text, line)?;
    record.check().map_err(|fault| at(fault.into()))?;
    Ok(record)
}

/// A record as it is written.
#[derive(Deserialize)]
enum Line {
    Empty(Fields),
    Finite(Fields),
    Periodic(Fields),
}

/// The fields of all kinds of records: those that say which row it is, and those of the kind. A
/// tail of one part, or of none, is written as a row.
///
/// A field that is missing has a default, and one of another kind is not used. In both cases the
/// record is printed otherwise than the line, which is refused for that.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Fields {
    row: u64,
    tail: Vec<u64>,
    ideal: Option<Vec<String>>,
    begins: u64,
    column: u64,
    shift: i64,
    early: Vec<(u64, u64)>,
    level: u64,
    by: u64,
    first: u64,
    last: u64,
    start: u64,
    values: Vec<u64>,
    certificate: Certificate,
    head: Head,
}

impl Line {
    /// The record, still unchecked.
    fn record(mut self) -> Result<Record, Fault> {
        let (Self::Empty(fields) | Self::Finite(fields) | Self::Periodic(fields)) = &mut self;
        let (key, early) = (fields.key()?, mem::take(&mut fields.early));
        let row = key.first_column();
        let statement = match self {
            Self::Empty(Fields { by, .. }) => Statement::Empty { by },
            Self::Finite(Fields { first, last, head, .. }) => {
                Statement::Finite(Finite { row, first, last, head })
            }
            Self::Periodic(Fields { first, start, values, certificate, head, .. }) => {
                Statement::Periodic(Periodic { row, first, start, values, certificate, head })
            }
        };
        Ok(Record::unchecked(key, early, statement))
    }
}

impl Fields {
    fn key(&mut self) -> Result<RowKey, Fault> {
        let &mut Self { row, begins, column, shift, level, .. } = self;
        if let Some(generators) = self.ideal.take() {
            return Ok(RowKey::of_ideal(level, Ideal { generators, begins, column, shift }));
        }
        require_small("row", row)?;
        let tail = match mem::take(&mut self.tail) {
            none if none.is_empty() => Tail::of_row(row),
            parts => {
                Tail::new(parts).map_err(|error| Fault::in_field("tail", error.to_string()))?
            }
        };
        Ok(RowKey::new(level, tail))
    }
}

/// Prints the same as `ron`, in a fraction of the time: a data set has millions of these lines.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (key, early) = (self.key(), self.early());
        write!(f, "{:?}(", self.statement().kind())?;
        match (key.ideal(), key.row()) {
            (Some(Ideal { generators, begins, column, shift }), _) => {
                write!(
                    f,
                    "ideal: {generators:?}, begins: {begins}, column: {column}, shift: {shift}"
                )?;
            }
            (None, Some(row)) => write!(f, "row: {row}")?,
            (None, None) => write!(f, "tail: {:?}", key.tail().parts())?,
        }
        if !early.is_empty() {
            write!(f, ", early: {early:?}")?;
        }
        if key.level != 0 {
            write!(f, ", level: {}", key.level)?;
        }
        match self.statement() {
            Statement::Empty { by } => write!(f, ", by: {by})"),
            Statement::Finite(Finite { first, last, head, .. }) => {
                write!(f, ", first: {first}, last: {last}, head: {head})")
            }
            Statement::Periodic(Periodic { first, start, values, certificate, head, .. }) => {
                let Certificate { from, recurs, modulus, filled, above } = certificate;
                write!(
                    f,
                    ", first: {first}, start: {start}, values: {values:?}, \
                     certificate: (from: {from}, recurs: {recurs}, modulus: \"{modulus}\", \
                     filled: {filled}, above: {above:?}), head: {head})"
                )
            }
        }
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Fingerprint(sum) => write!(f, "\"{sum:016x}\""),
            Self::Offsets(offsets) => write!(f, "{offsets:?}"),
        }
    }
}

/// An error unless the text is the canonical form of its content.
fn require_canonical(canonical: &str, text: &str, line: usize) -> Result<(), ReadError> {
    if canonical == text {
        return Ok(());
    }
    let same = canonical.chars().zip(text.chars()).take_while(|(a, b)| a == b).count();
    let rest: String = canonical.chars().skip(same).collect();
    let rest = if rest.is_empty() { "nothing more".to_owned() } else { quoted(&rest) };
    Err(ReadError { line, column: same + 1, problem: Problem::NotCanonical(rest) })
}

/// `Finite(row:1,…)` instead of `Finite((row:1,…))`, and the value of an optional field itself.
pub(crate) fn options() -> ron::Options {
    let extensions = Extensions::UNWRAP_VARIANT_NEWTYPES | Extensions::IMPLICIT_SOME;
    ron::Options::default().with_default_extension(extensions)
}

fn column_of_field(text: &str, field: &str) -> usize {
    let place = text.find(&format!("{field}:")).unwrap_or(0);
    text[..place].chars().count() + 1
}

/// The largest integer that every reader of JSON holds exactly: `2^53 - 1`.
const LARGEST: u64 = (1 << 53) - 1;

/// Data as JSON on one line. An integer is a number from `-(2^53 - 1)` to `2^53 - 1`, and beyond
/// that a string of its decimal digits, since many readers keep numbers in 53 bits. All JSON of
/// these crates is written here.
///
/// # Panics
/// Not with the types of these crates, whose maps have strings or small numbers as keys.
///
/// ```
/// assert_eq!(record::to_json(&[(1_u64 << 53) - 1, 1 << 53]), "[9007199254740991,\"9007199254740992\"]");
/// ```
pub fn to_json(data: &impl Serialize) -> String {
    let mut text = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, Exact);
    data.serialize(&mut serializer).expect("strings, numbers, lists and structs always print");
    String::from_utf8(text).expect("JSON is text")
}

/// Writes large integers as strings.
struct Exact;

impl Formatter for Exact {
    fn write_u64<W: ?Sized + Write>(&mut self, out: &mut W, number: u64) -> io::Result<()> {
        let quote = if number > LARGEST { "\"" } else { "" };
        write!(out, "{quote}{number}{quote}")
    }

    fn write_i64<W: ?Sized + Write>(&mut self, out: &mut W, number: i64) -> io::Result<()> {
        let quote = if number.unsigned_abs() > LARGEST { "\"" } else { "" };
        write!(out, "{quote}{number}{quote}")
    }
}

/// A row as a JSON object.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Row"))]
pub(crate) struct RowObject<'a> {
    /// The bottom row r; null if the tail has two parts or more.
    row: Option<u64>,
    /// All rows of the board but the two longest: `[r]` for row r, `[]` for row 0.
    tail: &'a [u64],
    /// Only rows of order ideals have this field. They have no tail.
    #[serde(skip_serializing_if = "Option::is_none")]
    ideal: Option<IdealObject<'a>>,
    /// The Grundy value of the positions: 0 for P-positions.
    level: u64,
    kind: Kind,
    /// The x by which an empty row is empty (fact 12).
    empty_by: Option<u64>,
    /// The p of the first column.
    first: Option<u64>,
    /// The last column of a finite row.
    last: Option<u64>,
    /// The least column from which a periodic row repeats.
    start: Option<u64>,
    /// The column in which the head ends, not included: `start`, or `last` + 1; 0 if empty.
    head_end: u64,
    /// The least period; 0 if the row is not periodic.
    period: u64,
    /// The offsets p - q of one period, from column `start` on.
    values: &'a [u64],
    /// The values minus their mean.
    pattern: Vec<i64>,
    /// The proof that the values repeat: null if they do not.
    certificate: Option<&'a Certificate>,
    /// Of the head; null if the row is empty.
    fingerprint: Option<String>,
    /// The offsets of the columns before `head_end`; null if only their fingerprint is known.
    head: Option<&'a [u64]>,
}

/// An order ideal, with the positions before the columns of the statement: column and p of each.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Ideal"))]
pub(crate) struct IdealObject<'a> {
    #[serde(flatten)]
    ideal: &'a Ideal,
    /// The positions before the first column of the statement: column and p of each.
    early: &'a [(u64, u64)],
}

/// As a JSON object.
///
/// ```
/// # use record::parse_line;
/// let row_1 = "Finite(row: 1, first: 3, last: 2, head: \"22145bd91204b982\")";
/// let json = serde_json::to_value(parse_line(row_1, 1).unwrap()).unwrap();
/// assert_eq!((&json["kind"], &json["last"]), (&"finite".into(), &2.into()));
/// assert!(json["start"].is_null() && json["fingerprint"] == "22145bd91204b982");
/// ```
impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (key, periodic) = (self.key(), self.periodic());
        let fingerprint = self.head().map(|head| head.fingerprint(self.row()));
        let object = RowObject {
            row: key.row(),
            tail: key.tail().parts(),
            ideal: key.ideal().map(|ideal| IdealObject { ideal, early: self.early() }),
            level: key.level,
            kind: self.statement().kind(),
            empty_by: match self.statement() {
                Statement::Empty { by } => Some(*by),
                Statement::Finite(_) | Statement::Periodic(_) => None,
            },
            first: self.first(),
            last: self.finite().map(|finite| finite.last),
            start: periodic.map(|periodic| periodic.start),
            head_end: self.settled(),
            period: periodic.map_or(0, Periodic::period),
            values: periodic.map_or(&[], |periodic| &periodic.values),
            pattern: periodic.map_or_else(Vec::new, Periodic::pattern),
            certificate: periodic.map(|periodic| &periodic.certificate),
            fingerprint: fingerprint.map(|sum| format!("{sum:016x}")),
            head: self.head_offsets(),
        };
        object.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection::vec, prelude::*};

    fn head() -> impl Strategy<Value = Head> {
        prop_oneof![
            any::<u64>().prop_map(Head::Fingerprint),
            vec(any::<u64>(), 0..4).prop_map(Head::Offsets)
        ]
    }

    fn certificate() -> impl Strategy<Value = Certificate> {
        (any::<[u64; 4]>(), vec(any::<u64>(), 0..4)).prop_map(
            |([from, recurs, modulus, filled], above)| {
                let modulus = modulus >> 1;
                Certificate { from, recurs, modulus, filled, above }
            },
        )
    }

    fn key() -> impl Strategy<Value = RowKey> {
        let parts = vec(1..1_u64 << 20, 0..4).prop_map(|mut parts| {
            parts.sort_unstable_by(|a, b| b.cmp(a));
            Tail::new(parts).expect("they descend")
        });
        (any::<u64>(), parts).prop_map(|(level, tail)| RowKey::new(level, tail))
    }

    fn record() -> impl Strategy<Value = Record> {
        (key(), any::<[u64; 2]>(), vec(any::<u64>(), 0..4), certificate(), head(), 0..3).prop_map(
            |(key, [first, start], values, certificate, head, kind)| {
                let row = key.first_column();
                let statement = match kind {
                    0 => Statement::Empty { by: first },
                    1 => Statement::Finite(Finite { row, first, last: start, head }),
                    _ => Statement::Periodic(Periodic {
                        row,
                        first,
                        start,
                        values,
                        certificate,
                        head,
                    }),
                };
                Record::unchecked(key, Vec::new(), statement)
            },
        )
    }

    proptest! {
        /// A printed record is RON with the same fields.
        #[test]
        fn records_are_printed_as_ron(record in record()) {
            let read: Line = options().from_str(&record.to_string()).unwrap();
            prop_assert_eq!(read.record(), Ok(record));
        }
    }
}
