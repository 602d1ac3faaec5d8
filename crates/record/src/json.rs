//! JSON: integers of any size, and a row as an object with one shape for every kind of row, of any
//! level and tail.
//!
//! `docs/JSON.md` describes it, and `docs/chomp.schema.json` is its schema. Every field is always
//! there; a field that a kind of row does not have is null, or an empty list.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use crate::{Certificate, Ideal, Kind, Periodic, Record, Statement};

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
