//! Boards drawn with characters: the longest row first, and the poison at its beginning.

use std::env;
use std::io::{IsTerminal, stdout};

use driver::{Position, Square};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// The most rows and columns that are drawn.
const MOST_ROWS: usize = 12;
const MOST_COLUMNS: u16 = 20;

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

    /// For standard output: ASCII if it is not a terminal, or if the locale of the terminal is not
    /// UTF-8.
    pub fn of_stdout() -> Self {
        if stdout().is_terminal() && is_utf_8() { Self::UNICODE } else { Self::ASCII }
    }
}

/// Whether the locale is UTF-8, by the first of these variables that is set.
fn is_utf_8() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(env::var_os);
    let locale =
        set.filter(|value| !value.is_empty()).map(|value| value.to_string_lossy().into_owned());
    let locale = locale.take(1).collect::<String>().to_lowercase();
    locale.ends_with("utf-8") || locale.ends_with("utf8")
}

/// The lines of a board, with these bites marked; none if it has too many rows or columns.
pub fn board(position: &Position, bites: &[Square], marks: Marks) -> Vec<String> {
    let rows = position.finite_rows().unwrap_or_default();
    let short = |length: &BigUint| length.to_u16().filter(|&n| n <= MOST_COLUMNS);
    let lengths: Option<Vec<u16>> = rows.iter().map(short).collect();
    let Some(lengths) = lengths.filter(|lengths| (1..=MOST_ROWS).contains(&lengths.len())) else {
        return Vec::new();
    };
    let mark = |row: usize, column: u16| match column {
        1 if row == 1 => marks.poison,
        _ if bites.iter().any(|bite| bite.row == row && bite.column == column.into()) => marks.bite,
        _ => marks.square,
    };
    let rows = (1..).zip(&lengths);
    let marks: Vec<Vec<String>> = rows
        .map(|(row, &length)| (1..=length).map(|column| mark(row, column).to_string()).collect())
        .collect();
    grid(&marks, " ", if lengths[0] < 10 { 2 } else { 3 })
}

/// The numbers of the columns, then each row with its number and a text in each square. Squares
/// are `width` characters wide, and come after a `gap`.
pub fn grid(rows: &[Vec<String>], gap: &str, width: usize) -> Vec<String> {
    let line = |head: String, cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
        format!("{head:>4}{gap}{}", cells.concat())
    };
    let columns = rows.first().map_or(0, Vec::len);
    let columns: Vec<String> = (1..=columns).map(|column| column.to_string()).collect();
    let rows = (1..).zip(rows).map(|(number, row): (usize, _)| line(number.to_string(), row));
    std::iter::once(line(String::new(), &columns)).chain(rows).collect()
}

/// The meaning of the marks.
pub fn legend(bites: &[Square], marks: Marks) -> String {
    let Marks { poison, bite, .. } = marks;
    if bites.is_empty() {
        format!("{poison} is the poison.")
    } else {
        format!("A bite at {bite} wins; {poison} is the poison.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The board of README.md.
    #[test]
    fn boards_are_drawn_to_twelve_rows_and_twenty_columns() {
        let of = |lengths: &[u32]| Position::finite(lengths.iter().copied()).expect("a position");
        let bite = Square { row: 2, column: 3_u32.into() };
        let drawn = board(&of(&[7, 5, 3]), std::slice::from_ref(&bite), Marks::UNICODE);
        assert_eq!(
            drawn,
            ["      1 2 3 4 5 6 7", "   1  ■ □ □ □ □ □ □", "   2  □ □ ✕ □ □", "   3  □ □ □",]
        );
        let drawn = board(&of(&[10, 1]), &[], Marks::ASCII);
        assert_eq!(drawn[1], "   1   #  o  o  o  o  o  o  o  o  o");
        assert_eq!(board(&of(&[20; 12]), &[bite], Marks::ASCII).len(), 13);
        assert!(board(&of(&[21]), &[], Marks::ASCII).is_empty());
        assert!(board(&of(&[1; 13]), &[], Marks::ASCII).is_empty());
    }
}
