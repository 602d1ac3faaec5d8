//! Reading a board from text. What makes row lengths a board is for [`Board::new`].

use std::str::FromStr;

use thiserror::Error;

use super::{Board, BoardError};
use crate::parse::{brief, enclosed, is_number, parts};

/// Why a text is not a [`Board`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseBoardError {
    /// Brackets that do not match.
    #[error(
        "the brackets of {text:?} do not match; \
         write 8x10 for a rectangle, 7,5,5,4 or [4557] for row lengths"
    )]
    Brackets {
        /// The text, of a long one the beginning.
        text: String,
    },
    /// A part is not a number.
    #[error(
        "{part:?} in {text:?} is not a number; \
         write 8x10 for a rectangle, 7,5,5,4 or [4557] for row lengths"
    )]
    Number {
        /// The text, of a long one the beginning.
        text: String,
        /// The part that is not a number, of a long one the beginning.
        part: String,
    },
    /// A number beyond what is supported.
    #[error(
        "{part} in {text:?} is too large; a board has at most {max} rows and columns",
        max = Board::LONGEST
    )]
    TooLarge {
        /// The text, of a long one the beginning.
        text: String,
        /// The number that is too large, of a long one the beginning.
        part: String,
    },
    /// Numbers, but not a board.
    #[error("{text:?} is no board: {source}")]
    Board {
        /// The text, of a long one the beginning.
        text: String,
        /// Why not.
        source: BoardError,
    },
}

/// A board and the direction in which its rows were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenBoard {
    /// The board.
    pub board: Board,
    /// Whether the rows were written with the poisoned one last, as in Cho's paper.
    pub poison_last: bool,
}

/// Reads a rectangle, `8x10` (8 rows, 10 columns), or row lengths in either direction: `7,5,5,4`,
/// `(7,5,5,4)`, `4 5 5 7`, or `[4,5,5,7]` and `[4557]` as in Cho's paper, where digits that are not
/// separated are a row each. A prime after the square bracket, `[224]'`, means that the numbers are
/// the columns, as it does there. (Square brackets around a three-rowed [`Position`] mean something
/// else.)
///
/// ```
/// use game::Board;
///
/// for text in ["7,5,5,4", "4,5,5,7", "(7 5 5 4)", "[4557]", "[4,5,5,7]", "[1,1,3,4,4,4,4]'"] {
///     assert_eq!(text.parse::<Board>()?.to_string(), "(7,5,5,4)");
/// }
/// assert_eq!("3x4".parse::<Board>()?.to_string(), "(4,4,4)");
/// # Ok::<(), game::ParseBoardError>(())
/// ```
///
/// [`Position`]: crate::Position
impl FromStr for WrittenBoard {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let trimmed = text.trim();
        let not_a_board = |source| ParseBoardError::Board { text: brief(text), source };
        if let Some((rows, columns)) = trimmed.split_once(['x', 'X', '×', '⊗']) {
            let (rows, columns) = (number(text, rows.trim())?, number(text, columns.trim())?);
            let board = Board::rectangle(rows, columns).map_err(not_a_board)?;
            return Ok(Self { board, poison_last: false });
        }
        let (lengths, primed) = match trimmed.strip_suffix('\'') {
            Some(lengths) => (lengths, true),
            None => (trimmed, false),
        };
        let mut rows = lengths_of(text, lengths, primed)?;
        let poison_last = rows.first() < rows.last();
        if poison_last {
            rows.reverse();
        }
        let board = Board::new(rows).map_err(not_a_board)?;
        Ok(Self { board: if primed { board.transposed() } else { board }, poison_last })
    }
}

impl FromStr for Board {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(|written: WrittenBoard| written.board)
    }
}

/// Lengths in the order in which they are written.
fn lengths_of(text: &str, written: &str, primed: bool) -> Result<Vec<u16>, ParseBoardError> {
    let squared = enclosed(written, '[', ']');
    let rounded = if primed { None } else { enclosed(written, '(', ')') };
    let inside = squared.or(rounded).unwrap_or(written).trim();
    if inside.contains(['(', ')', '[', ']']) || (primed && squared.is_none()) {
        return Err(ParseBoardError::Brackets { text: brief(text) });
    }
    if squared.is_some() && !inside.is_empty() && inside.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(inside.bytes().map(|digit| u16::from(digit - b'0')).collect());
    }
    parts(inside).into_iter().map(|part| number(text, part)).collect()
}

fn number(text: &str, part: &str) -> Result<u16, ParseBoardError> {
    if !is_number(part) {
        return Err(ParseBoardError::Number { text: brief(text), part: brief(part) });
    }
    part.replace('_', "")
        .parse()
        .map_err(|_| ParseBoardError::TooLarge { text: brief(text), part: brief(part) })
}
