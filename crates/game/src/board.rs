//! Boards with any number of rows: the rules, without outcomes.

use std::fmt;

use thiserror::Error;

use crate::{ImpartialGame, ThreeRows};

/// A square, by its row and its column; both are counted from 1 at the poisoned corner.
///
/// The order is by row, then by column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// The row; row 1 is the longest.
    pub row: u16,
    /// The column; column 1 is the longest.
    pub column: u16,
}

impl Square {
    /// The poisoned square.
    pub const POISON: Self = Self { row: 1, column: 1 };
}

/// `row 3, column 2`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row, self.column)
    }
}

/// A position of Chomp with any number of rows: the squares that are left, aligned at the poisoned
/// corner.
///
/// The row lengths never grow from row 1 on, and none is 0. The empty board is not a position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    rows: Vec<u16>,
}

/// Why row lengths are not a [`Board`], in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct BoardError(String);

impl Board {
    /// The largest number of rows and of columns of a board.
    pub const LONGEST: u16 = 10_000;

    /// The board with these row lengths, the longest first. Rows of length 0 at the end are
    /// dropped.
    ///
    /// # Errors
    /// [`BoardError`].
    ///
    /// ```
    /// use game::Board;
    ///
    /// assert_eq!(Board::new(vec![7, 4, 3, 0])?.to_string(), "(7,4,3)");
    /// assert!(Board::new(vec![0]).is_err());
    /// # Ok::<(), game::BoardError>(())
    /// ```
    pub fn new(mut rows: Vec<u16>) -> Result<Self, BoardError> {
        if let Some(after) = rows.windows(2).position(|pair| pair[0] < pair[1]) {
            let (row, before, length) = (after + 2, rows[after], rows[after + 1]);
            return Err(BoardError(format!(
                "row {row} ({length}) is longer than the row before it ({before}); give the row \
                 lengths in one direction, the longest row first or last"
            )));
        }
        rows.truncate(rows.partition_point(|&length| length > 0));
        let Some(&columns) = rows.first() else {
            let empty = "a board without squares is not a position, since taking the poison is not \
                         a move; give at least one row of at least one square";
            return Err(BoardError(empty.to_owned()));
        };
        let (rows_given, most) = (rows.len(), Self::LONGEST);
        if rows_given.max(columns.into()) > most.into() {
            return Err(BoardError(format!(
                "{rows_given} rows and {columns} columns are too many; at most {most} of either \
                 are supported"
            )));
        }
        Ok(Self { rows })
    }

    /// A full rectangle.
    ///
    /// # Errors
    /// [`BoardError`]: no rows or no columns, or too many.
    pub fn rectangle(rows: u16, columns: u16) -> Result<Self, BoardError> {
        Self::new(vec![columns; usize::from(rows)])
    }

    /// The row lengths, the longest first.
    pub fn rows(&self) -> &[u16] {
        &self.rows
    }

    /// The number of rows: the length of column 1.
    pub fn height(&self) -> u16 {
        short(self.rows.len())
    }

    /// The number of columns: the length of row 1.
    pub fn width(&self) -> u16 {
        self.rows[0]
    }

    /// Whether all rows are equally long.
    pub fn is_rectangle(&self) -> bool {
        self.rows.last() == self.rows.first()
    }

    /// The number of squares, with the poison.
    pub fn area(&self) -> u32 {
        self.rows.iter().map(|&length| u32::from(length)).sum()
    }

    /// Whether a square is left.
    pub fn has(&self, square: Square) -> bool {
        let row = usize::from(square.row).checked_sub(1).and_then(|row| self.rows.get(row));
        square.column > 0 && row.is_some_and(|&length| square.column <= length)
    }

    /// All squares, row by row, the poison first.
    pub fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        (1..)
            .zip(&self.rows)
            .flat_map(|(row, &length)| (1..=length).map(move |column| Square { row, column }))
    }

    /// The board that a bite leaves: all squares but those that are in its row or a later one, and
    /// in its column or a later one. `None` if the bitten square is the poison or not there.
    ///
    /// ```
    /// use game::{Board, Square};
    ///
    /// let board = Board::rectangle(3, 4)?;
    /// let left = board.after(Square { row: 2, column: 3 }).unwrap();
    /// assert_eq!(left.to_string(), "(4,2,2)");
    /// assert_eq!(board.after(Square::POISON), None);
    /// # Ok::<(), game::BoardError>(())
    /// ```
    pub fn after(&self, bitten: Square) -> Option<Self> {
        if bitten == Square::POISON || !self.has(bitten) {
            return None;
        }
        let mut rows = self.rows.clone();
        for length in &mut rows[usize::from(bitten.row) - 1..] {
            *length = (*length).min(bitten.column - 1);
        }
        // A bite in column 1 removes its row and the later ones.
        rows.retain(|&length| length > 0);
        Some(Self { rows })
    }

    /// All bites, by row and column of the bitten square, with the boards that they leave. There is
    /// one for each square but the poison, and no two leave the same.
    pub fn bites(&self) -> impl Iterator<Item = (Square, Self)> + '_ {
        self.squares().filter_map(|square| Some((square, self.after(square)?)))
    }

    /// `[4557]` for (7,5,5,4), as in Cho's paper: row lengths, the poisoned row last, with commas
    /// only if one of them has more than one digit.
    ///
    /// ```
    /// use game::Board;
    ///
    /// assert_eq!(Board::new(vec![7, 5, 5, 4])?.in_notation_of_cho(), "[4557]");
    /// assert_eq!(Board::new(vec![10, 8])?.in_notation_of_cho(), "[8,10]");
    /// # Ok::<(), game::BoardError>(())
    /// ```
    pub fn in_notation_of_cho(&self) -> String {
        let between = if self.width() < 10 { "" } else { "," };
        let rows: Vec<String> = self.rows.iter().rev().map(u16::to_string).collect();
        format!("[{}]", rows.join(between))
    }

    /// The board mirrored at its diagonal: rows and columns change places. The outcome is the same.
    pub fn transposed(&self) -> Self {
        let length = |column| short(self.rows.partition_point(|&length| length >= column));
        Self { rows: (1..=self.width()).map(length).collect() }
    }
}

/// `(7,5,5,4)`: row lengths from row 1 on, without spaces.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<String> = self.rows.iter().map(u16::to_string).collect();
        f.pad(&format!("({})", rows.join(",")))
    }
}

/// Fails for a position with a row that is longer than
/// [`Board::LONGEST`].
impl TryFrom<ThreeRows> for Board {
    type Error = BoardError;

    fn try_from(position: ThreeRows) -> Result<Self, Self::Error> {
        let rows = [position.p(), position.q(), position.r()];
        Self::new(rows.map(|length| u16::try_from(length).unwrap_or(u16::MAX)).to_vec())
    }
}

/// A number of rows or columns of a board.
fn short(number: usize) -> u16 {
    u16::try_from(number).expect("a board has at most 10000 rows")
}

/// Chomp on boards with any number of rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chomp;

impl ImpartialGame for Chomp {
    type Position = Board;

    fn options(&self, board: &Board) -> impl Iterator<Item = Board> {
        board.bites().map(|(_, left)| left)
    }
}
