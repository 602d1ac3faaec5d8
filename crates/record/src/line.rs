//! A record as one line of RON: printed in one form only, and read back only in that form.

use std::fmt;

use ron::error::SpannedError;
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::{Certificate, Fault, Finite, Head, Periodic, RowRecord, Statement, quoted};

/// A line that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct ReadError {
    /// Line of the file, from 1.
    pub line: usize,
    /// Column of the line in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// It is not RON, or not of the shape of a record.
    #[error("not understood: {0}")]
    Syntax(String),
    /// Something stands where a number should.
    #[error("`{0}` is not a whole number in decimal digits")]
    NotANumber(String),
    /// It is a statement that no row can satisfy.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// It says something in another form than the one records have.
    #[error("not in canonical form; from here on this line would read: {0}")]
    NotCanonical(String),
}

impl ReadError {
    /// The error of reading `text`, whose first line has the number `line` in its file.
    pub(crate) fn of(error: &SpannedError, text: &str, line: usize) -> Self {
        let place = error.span.start;
        let words = text.lines().nth(place.line.saturating_sub(1)).unwrap_or_default();
        let word = word_at(words, place.col.saturating_sub(1));
        let numeric = word.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c));
        let problem = match &error.code {
            ron::Error::Message(message) => Problem::Syntax(quoted(message)),
            _ if numeric && word.parse::<u128>().is_err() => Problem::NotANumber(quoted(&word)),
            code => Problem::Syntax(quoted(&code.to_string())),
        };
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
/// ```
pub fn parse_line(text: &str, line: usize) -> Result<RowRecord, ReadError> {
    let statement: Statement = read(text, line)?;
    require_canonical(&statement.to_string(), text, line)?;
    RowRecord::new(statement).map_err(|fault| ReadError {
        line,
        column: column_of_field(text, fault.field()),
        problem: fault.into(),
    })
}

impl fmt::Display for RowRecord {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.statement().fmt(f)
    }
}

/// What `ron` would print, in a fraction of the time: a data set has millions of these lines.
impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Finite(Finite { row, first, last, head }) => {
                write!(f, "Finite(row: {row}, first: {first}, last: {last}, head: {head})")
            }
            Self::Periodic(Periodic { row, first, start, values, certificate, head }) => {
                let Certificate { from, recurs, modulus, filled, above } = certificate;
                let (values, above) = (List(values), List(above));
                write!(
                    f,
                    "Periodic(row: {row}, first: {first}, start: {start}, values: {values}, \
                     certificate: (from: {from}, recurs: {recurs}, modulus: \"{modulus}\", \
                     filled: {filled}, above: {above}), head: {head})"
                )
            }
        }
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Fingerprint(sum) => write!(f, "\"{sum:016x}\""),
            Self::Offsets(offsets) => List(offsets).fmt(f),
        }
    }
}

/// A list of numbers.
struct List<'a>(&'a [u64]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("[")?;
        for (place, number) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{number}")?;
        }
        f.write_str("]")
    }
}

/// Reads a line of RON that is exactly as [`print()`] prints it.
pub(crate) fn read_canonical<T: DeserializeOwned + Serialize>(
    text: &str,
    line: usize,
) -> Result<T, ReadError> {
    let value: T = read(text, line)?;
    require_canonical(&print(&value), text, line)?;
    Ok(value)
}

/// Reads a line of RON, in whatever form.
fn read<T: DeserializeOwned>(text: &str, line: usize) -> Result<T, ReadError> {
    options().from_str(text).map_err(|error| ReadError::of(&error, text, line))
}

/// An error unless the text is the one form of what it says.
pub(crate) fn require_canonical(canonical: &str, text: &str, line: usize) -> Result<(), ReadError> {
    if canonical == text {
        return Ok(());
    }
    let same = canonical.chars().zip(text.chars()).take_while(|(a, b)| a == b).count();
    let rest: String = canonical.chars().skip(same).collect();
    let rest = if rest.is_empty() { "nothing more".to_owned() } else { quoted(&rest) };
    Err(ReadError { line, column: same + 1, problem: Problem::NotCanonical(rest) })
}

/// The one form of a line: RON with a space after each colon and comma.
pub(crate) fn print<T: Serialize>(value: &T) -> String {
    let one_line = PrettyConfig::new().compact_structs(true).compact_arrays(true);
    options()
        .to_string_pretty(value, one_line)
        .expect("numbers, strings, lists and structs always print")
}

/// `Finite(row:1,…)` instead of `Finite((row:1,…))`.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// The letters, digits and signs around a place, which is counted in characters from 0.
fn word_at(text: &str, place: usize) -> String {
    let in_word = |c: &char| c.is_alphanumeric() || "+-._".contains(*c);
    let (before, after): (Vec<char>, Vec<char>) =
        (text.chars().take(place).collect(), text.chars().skip(place).collect());
    let start = before.iter().rev().take_while(|c| in_word(c)).count();
    let end = after.iter().take_while(|c| in_word(c)).count();
    before[before.len() - start..].iter().chain(&after[..end]).collect()
}

pub(crate) fn column_of_field(text: &str, field: &str) -> usize {
    let place = text.find(&format!("{field}:")).unwrap_or(0);
    text[..place].chars().count() + 1
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
                let modulus = modulus.into();
                Certificate { from, recurs, modulus, filled, above }
            },
        )
    }

    fn statement() -> impl Strategy<Value = Statement> {
        let numbers = any::<[u64; 3]>();
        prop_oneof![
            (numbers, head()).prop_map(|([row, first, last], head)| {
                Statement::Finite(Finite { row, first, last, head })
            }),
            (numbers, vec(any::<u64>(), 0..4), certificate(), head()).prop_map(
                |([row, first, start], values, certificate, head)| {
                    Statement::Periodic(Periodic { row, first, start, values, certificate, head })
                }
            )
        ]
    }

    proptest! {
        /// RON is what `ron` prints.
        #[test]
        fn statements_are_printed_as_ron(statement in statement()) {
            prop_assert_eq!(statement.to_string(), print(&statement));
        }
    }
}
