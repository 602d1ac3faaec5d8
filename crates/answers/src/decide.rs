//! The answers that theorems give: fact 14 of `proofs/README.md`.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::{Answer, Basis, Position, Square, Theorem};

impl Theorem {
    /// The answer about a finite position from one of these theorems, but for the last; `None` if
    /// none of them applies. O(number of rows).
    ///
    /// ```
    /// use answers::{Position, Theorem};
    /// let leaves = |text: &str| {
    ///     let answer = Theorem::decide(&text.parse::<Position>().unwrap()).unwrap();
    ///     answer.leaves().map(Position::as_board).collect::<Vec<_>>()
    /// };
    /// assert_eq!(leaves("1e6 1e3"), ["(1001,1000)"]);
    /// assert_eq!([leaves("3x3"), leaves("3 3 2")], [["(3,1,1)"]; 2]);
    /// assert!(leaves("500x700").is_empty());
    /// assert_eq!(Theorem::decide(&"7 4 3".parse()?), None);
    /// # Ok::<(), answers::ReadError>(())
    /// ```
    pub fn decide(position: &Position) -> Option<Answer> {
        // An infinite rectangle has no last square: 2×ω is P.
        position.longest_two()?;
        let (theorem, leaves) = match (in_full(position), short_bites(position)) {
            (Some((theorem, leaves)), _) => (theorem, leaves.into_iter().collect()),
            (None, leaves) if !leaves.is_empty() => (Self::ShortBite, leaves),
            (None, _) => (position.is_rectangle().then_some(Self::StrategyStealing)?, Vec::new()),
        };
        Some(Answer::without_record(position, leaves, Basis::Theorem(theorem)))
    }
}

/// Of two rows, of two columns, or of a row and a column, the P-position that a bite leaves; none
/// if the position is P.
fn in_full(position: &Position) -> Option<(Theorem, Option<Position>)> {
    let (p, q) = position.longest_two()?;
    let height = position.height();
    if height <= 2 {
        return Some((Theorem::TwoRows, from_two_rows(position, p, q)));
    }
    if *p <= 2_u32.into() {
        let (theorem, leaves) = in_full(&position.transposed()?)?;
        return Some((theorem, leaves.and_then(|leaves| leaves.transposed())));
    }
    if *q > 1_u32.into() {
        return None;
    }
    let from_row = Square { row: 1, column: (height + 1).into() };
    let from_column =
        p.to_usize().map(|p| Square { row: p.saturating_add(1), column: 1_u32.into() });
    let mut squares = [Some(from_row), from_column].into_iter().flatten();
    Some((Theorem::Hook, squares.find_map(|square| position.after(&square))))
}

/// The same of at most two rows.
fn from_two_rows(position: &Position, p: &BigUint, q: &BigUint) -> Option<Position> {
    let (row, column) = if p == q { (2, q.clone()) } else { (1, q + 2_u32) };
    position.after(&Square { row, column })
}

/// The P-positions of two rows, of two columns, and of a row and a column that one bite leaves.
fn short_bites(position: &Position) -> Vec<Position> {
    let squares = [(2, 2_u32), (3, 1), (1, 3)].map(|(row, column)| (row, column.into()));
    let left = squares.map(|(row, column)| position.after(&Square { row, column }));
    let is_p = |left: &Position| matches!(in_full(left), Some((_, None)));
    left.into_iter().flatten().filter(is_p).collect()
}
