//! Winning openings: the bites of a full rectangle that leave a P-position.

use std::num::NonZero;
use std::ops::ControlFlow;

use game::{Board, Square};

use crate::Outcomes;
use crate::rectangles::{Solution, SolveError};

/// A rectangle with its winning openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Openings {
    /// The rows.
    pub rows: u16,
    /// The columns.
    pub columns: u16,
    /// The bites that leave a P-position, by row and column.
    pub bites: Vec<Square>,
}

impl Openings {
    /// The openings of a rectangle; `None` if it does not fit into the one that was solved.
    #[must_use]
    pub fn of(solution: &impl Outcomes, rows: u16, columns: u16) -> Option<Self> {
        let bites = solution.winning_bites(&Board::rectangle(rows, columns).ok()?)?;
        Some(Self { rows, columns, bites })
    }

    /// The openings of all a × b with a, b at most `side` that fit into the solved rectangle, by a
    /// and then b.
    #[must_use]
    pub fn up_to(solution: &impl Outcomes, side: u16) -> Vec<Self> {
        let all = (1..=side).flat_map(|rows| (1..=side).map(move |columns| (rows, columns)));
        all.filter_map(|(rows, columns)| Self::of(solution, rows, columns)).collect()
    }
}

/// A size by which rectangles are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The number of squares.
    Squares,
    /// Twice the sum of the sides.
    Perimeter,
}

impl Measure {
    /// The measure of a rectangle.
    #[must_use]
    pub fn of(self, rows: u16, columns: u16) -> u32 {
        let (rows, columns) = (u32::from(rows), u32::from(columns));
        match self {
            Self::Squares => rows * columns,
            Self::Perimeter => 2 * (rows + columns),
        }
    }

    /// The smallest rectangles a × b, a <= b, with more than one winning opening: all of the same
    /// measure, by a; none if they are larger than `most`. Every smaller rectangle was solved.
    ///
    /// # Errors
    /// Those of [`Solution::of`].
    ///
    /// ```
    /// use boards::openings::Measure;
    /// assert!(Measure::Squares.smallest_with_two(40)?.is_empty());
    /// # Ok::<(), boards::rectangles::SolveError>(())
    /// ```
    pub fn smallest_with_two(self, most: u16) -> Result<Vec<Openings>, SolveError> {
        let mut found = Vec::new();
        for size in 1..=most {
            for (rows, columns) in (1..=size).flat_map(|a| (a..=size).map(move |b| (a, b))) {
                if self.of(rows, columns) != u32::from(size) {
                    continue;
                }
                let watch = |_| ControlFlow::Continue(());
                let solution = Solution::of(rows, columns, NonZero::<usize>::MIN, &watch)?;
                found.extend(Openings::of(&solution, rows, columns));
            }
            found.retain(|openings| openings.bites.len() > 1);
            if !found.is_empty() {
                break;
            }
        }
        Ok(found)
    }
}
