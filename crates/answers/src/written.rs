//! Tails and boards in the notations of `docs/GUIDE.md`.

use std::str::FromStr;

use game::{Board, BoardError, Lengths, NotationError, Written};
use record::{Tail, TailError};
use thiserror::Error;

use crate::Position;

/// The reason why a text is not a tail.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadTailError {
    /// No numbers.
    #[error(transparent)]
    Text(#[from] NotationError),
    /// A board, or no number at all.
    #[error("{text:?}: a row is its number, such as 120, or its tail, such as 3,2")]
    Form {
        /// The text.
        text: String,
    },
    /// Row lengths, but no tail.
    #[error("{text:?}: {source}")]
    Tail {
        /// The text.
        text: String,
        /// Why not.
        source: TailError,
    },
}

/// Reads a row: its number, or its tail, the longest row first.
///
/// # Errors
/// [`ReadTailError`].
///
/// ```
/// use answers::read_tail;
/// assert_eq!([read_tail("120")?, read_tail("3 2")?].map(|tail| tail.to_string()), ["(120)", "(3,2)"]);
/// assert!(read_tail("2 3").is_err());
/// # Ok::<(), answers::ReadTailError>(())
/// ```
pub fn read_tail(text: &str) -> Result<Tail, ReadTailError> {
    let is_rectangle = text.contains(['x', 'X', '×', '⊗']);
    let lengths = match Written::<u64>::read(text) {
        Ok(Written::Lengths(lengths))
            if !lengths.poison_last && !is_rectangle && !text.trim().is_empty() =>
        {
            lengths
        }
        Ok(_) => return Err(ReadTailError::Form { text: text.to_owned() }),
        Err(NotationError::Number { text, .. }) => return Err(ReadTailError::Form { text }),
        Err(error) => return Err(error.into()),
    };
    let parts = lengths.rows.into_iter().take_while(|&part| part > 0);
    Tail::new(parts.collect())
        .map_err(|source| ReadTailError::Tail { text: text.to_owned(), source })
}

/// A board as it was written.
///
/// ```
/// use answers::WrittenBoard;
/// let written: WrittenBoard = "[4557]".parse()?;
/// assert_eq!((written.board.to_string(), written.poison_last), ("(7,5,5,4)".into(), true));
/// # Ok::<(), answers::ReadBoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenBoard {
    /// The board.
    pub board: Board,
    /// Whether the row with the poison came last.
    pub poison_last: bool,
}

/// The reason why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadBoardError {
    /// Not row lengths.
    #[error(transparent)]
    Text(#[from] NotationError),
    /// Row lengths, but no board.
    #[error("{text:?} is no board: {source}")]
    Board {
        /// The text.
        text: String,
        /// Why not.
        source: BoardError,
    },
    /// Two boards.
    #[error(
        "{text} can be read in two ways: as row lengths it is {rows}, and as numbers of columns, as \
         a position is read, it is {columns}; type one of these without square brackets"
    )]
    TwoReadings {
        /// The text.
        text: String,
        /// The numbers as lengths of rows, Cho's reading.
        rows: Box<Position>,
        /// The numbers as numbers of columns, Zeilberger's reading.
        columns: Box<Position>,
    },
}

/// Separated numbers in square brackets are row lengths to Cho, and numbers of columns to
/// Zeilberger; they are refused if these are two boards.
impl FromStr for WrittenBoard {
    type Err = ReadBoardError;

    fn from_str(text: &str) -> Result<Self, ReadBoardError> {
        let Lengths { rows, poison_last } = match Written::read(text)? {
            Written::Lengths(lengths) => lengths,
            Written::Squared(numbers) => one_reading(text, numbers)?,
        };
        let board = Board::new(rows)
            .map_err(|source| ReadBoardError::Board { text: text.to_owned(), source })?;
        Ok(Self { board, poison_last })
    }
}

fn one_reading(text: &str, numbers: Vec<u16>) -> Result<Lengths<u16>, ReadBoardError> {
    let columns = text.parse::<Position>();
    let lengths = Lengths::of(numbers);
    match (Position::finite(lengths.rows.iter().copied()), columns) {
        (Ok(rows), Ok(columns)) if rows != columns => {
            let (rows, columns) = (Box::new(rows), Box::new(columns));
            Err(ReadBoardError::TwoReadings { text: text.to_owned(), rows, columns })
        }
        _ => Ok(lengths),
    }
}
