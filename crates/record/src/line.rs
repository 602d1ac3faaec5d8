//! A record as one line of RON: printed in one form only, and read back only in that form.

use std::fmt;

use ron::error::SpannedError;
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::{Fault, RowRecord, Statement, quoted};

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
    let statement: Statement = read_canonical(text, line)?;
    RowRecord::new(statement).map_err(|fault| ReadError {
        line,
        column: column_of_field(text, fault.field()),
        problem: fault.into(),
    })
}

impl fmt::Display for RowRecord {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&print(self.statement()))
    }
}

/// Reads a line of RON that is exactly as [`print()`] prints it.
pub(crate) fn read_canonical<T: DeserializeOwned + Serialize>(
    text: &str,
    line: usize,
) -> Result<T, ReadError> {
    let value: T = options().from_str(text).map_err(|error| ReadError::of(&error, text, line))?;
    require_canonical(&print(&value), text, line)?;
    Ok(value)
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
