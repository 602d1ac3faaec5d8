//! Boards drawn with characters: the longest row first, and the poison at its beginning.

use std::io::{IsTerminal, stdout};

use driver::Position;
use game::Square;

/// The most rows and columns that are drawn: 24 columns fit on a line of 80 characters.
const MOST: u16 = 24;

/// The characters of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    poison: char,
    square: char,
    bite: char,
}

impl Marks {
    const UNICODE: Self = Self { poison: '■', square: '□', bite: '✕' };
    const ASCII: Self = Self { poison: '#', square: 'o', bite: 'x' };

    /// For standard output: ASCII if it is not a terminal.
    pub fn of_stdout() -> Self {
        if stdout().is_terminal() { Self::UNICODE } else { Self::ASCII }
    }

    /// Their meaning.
    pub fn legend(self, any_wins: bool) -> String {
        let Self { poison, bite, .. } = self;
        if any_wins {
            format!("A bite at {bite} wins; {poison} is the poison.")
        } else {
            format!("{poison} is the poison.")
        }
    }
}

/// The lines of a position, with these bites marked; none if it has too many rows or columns.
pub fn position(position: &Position, bites: &[Square], marks: Marks) -> Vec<String> {
    let mark = |at| if bites.contains(&at) { marks.bite } else { marks.square }.to_string();
    position.board().map_or_else(Vec::new, |board| labels(board.rows(), mark, marks))
}

/// The same for rows of these lengths, with a text in each square but the poison.
pub fn labels(lengths: &[u16], text: impl Fn(Square) -> String, marks: Marks) -> Vec<String> {
    let (height, columns) = (lengths.len(), lengths.first().copied().unwrap_or_default());
    if height == 0 || height > MOST.into() || columns > MOST {
        return Vec::new();
    }
    let text = |at| match at {
        Square::POISON => marks.poison.to_string(),
        at => text(at),
    };
    let of_row = |(row, &length)| (1..=length).map(|column| text(Square { row, column })).collect();
    let rows: Vec<Vec<String>> = (1..).zip(lengths).map(of_row).collect();
    let widest = rows.iter().flatten().map(|text| text.chars().count()).max();
    let width = widest.unwrap_or(1).max(columns.to_string().len()) + 1;
    let line = |head: String, cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
        format!("{head:>4} {}", cells.concat())
    };
    // The numbers of the columns, then each row with its number.
    let columns: Vec<String> = (1..=columns).map(|column| column.to_string()).collect();
    let rows = (1..).zip(&rows).map(|(number, row): (usize, _)| line(number.to_string(), row));
    std::iter::once(line(String::new(), &columns)).chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_drawn_to_24_rows_and_columns() {
        let of = |lengths: &[u32]| Position::finite(lengths.iter().copied()).expect("a position");
        let bite = Square { row: 2, column: 3 };
        let drawn = position(&of(&[7, 5, 3]), std::slice::from_ref(&bite), Marks::UNICODE);
        assert_eq!(
            drawn,
            ["      1 2 3 4 5 6 7", "   1  ■ □ □ □ □ □ □", "   2  □ □ ✕ □ □", "   3  □ □ □",]
        );
        let drawn = position(&of(&[10, 1]), &[], Marks::ASCII);
        assert_eq!(drawn[1], "   1   #  o  o  o  o  o  o  o  o  o");
        let drawn = position(&of(&[24; 24]), &[bite], Marks::ASCII);
        assert_eq!(drawn.len(), 25);
        assert!(drawn.iter().all(|line| line.len() < 80));
        assert!(position(&of(&[25]), &[], Marks::ASCII).is_empty());
        assert!(position(&of(&[1; 25]), &[], Marks::ASCII).is_empty());
    }
}
