//! Tails and boards in the notations of `docs/GUIDE.md`.

use std::str::FromStr;

use game::{Board, Lengths, Written, Wrong};
use record::{Tail, joined, quoted};
use thiserror::Error;

use crate::{Length, Position, ReadError};

/// Two readings of separated numbers in square brackets.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{text} can be read in two ways: as row lengths it is {rows}, and as numbers of columns, as a \
     position is read, it is {columns}; type one of these without square brackets"
)]
pub struct TwoReadings {
    /// The text, shortened if it is long.
    pub text: String,
    /// The numbers as lengths of rows: the reading of Cho, and a list of another program.
    pub rows: String,
    /// The numbers as numbers of columns, Zeilberger's reading.
    pub columns: String,
}

impl TwoReadings {
    /// The two readings of this text; `None` if it has one at most.
    ///
    /// ```
    /// let both = answers::TwoReadings::of("[7,5,3]").unwrap();
    /// assert_eq!((both.rows.as_str(), both.columns.as_str()), ("(7,5,3)", "(15,12,7)"));
    /// assert_eq!([answers::TwoReadings::of("[5]"), answers::TwoReadings::of("7,5,3")], [None, None]);
    /// ```
    pub fn of(text: &str) -> Option<Self> {
        let Ok(Written::Squared(numbers)) = Written::<Length>::read(text) else { return None };
        let rows = Position::new(Lengths::of(numbers).rows).ok()?;
        let columns = text.parse::<Position>().ok().filter(|columns| *columns != rows)?;
        let [rows, columns] = [rows, columns].map(|position| quoted(&position.as_board()));
        Some(Self { text: quoted(text), rows, columns })
    }
}

/// Reads a row: its number, or its tail, the longest row first. Separated numbers in square
/// brackets are refused if they are another tail as numbers of columns.
///
/// # Errors
/// [`ReadError`].
///
/// ```
/// use answers::read_tail;
/// assert_eq!([read_tail("120")?, read_tail("3 2")?].map(|tail| tail.to_string()), ["(120)", "(3,2)"]);
/// assert!(read_tail("2 3").is_err());
/// # Ok::<(), answers::ReadError>(())
/// ```
pub fn read_tail(text: &str) -> Result<Tail, ReadError> {
    let refused = |text: &str, why: &str| ReadError::Refused(format!("{text:?}: {why}"));
    let form = "a row is its number, such as 120, or its tail, such as 3,2";
    let is_rectangle = text.contains(['x', 'X', '×', '⊗']);
    let Lengths { rows, poison_last } = match Written::<u64>::read(text) {
        Ok(_) if is_rectangle || text.trim().is_empty() => return Err(refused(text, form)),
        Ok(written) => one_reading(text, written)?,
        Err(error) if error.wrong == Wrong::Number => return Err(refused(&error.text, form)),
        Err(error) => return Err(error.into()),
    };
    if poison_last {
        let tail = quoted(&joined(rows, ","));
        let why = format!("a tail begins with its longest row; type {tail}");
        return Err(refused(&quoted(text), &why));
    }
    let parts = rows.into_iter().take_while(|&part| part > 0);
    Tail::new(parts.collect()).map_err(|error| refused(text, &error.to_string()))
}

/// A board as it was written.
///
/// ```
/// use answers::WrittenBoard;
/// let written: WrittenBoard = "[4557]".parse()?;
/// assert_eq!((written.board.to_string(), written.poison_last), ("(7,5,5,4)".into(), true));
/// # Ok::<(), answers::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenBoard {
    /// The board.
    pub board: Board,
    /// Whether the row with the poison came last.
    pub poison_last: bool,
}

/// Separated numbers in square brackets are row lengths to Cho, and numbers of columns to
/// Zeilberger; they are refused if these are two boards.
impl FromStr for WrittenBoard {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let lengths = one_reading(text, Written::read(text)?)?;
        Ok(Self { poison_last: lengths.poison_last, board: lengths.board(text)? })
    }
}

/// The row lengths, if the text has no other reading.
fn one_reading<N: Ord>(text: &str, written: Written<N>) -> Result<Lengths<N>, ReadError> {
    match (written, TwoReadings::of(text)) {
        (Written::Lengths(lengths), _) => Ok(lengths),
        (Written::Squared(_), Some(both)) => Err(ReadError::Refused(both.to_string())),
        (Written::Squared(numbers), None) => Ok(Lengths::of(numbers)),
    }
}
