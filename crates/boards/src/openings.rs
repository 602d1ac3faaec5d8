//! Winning openings: the bites of a full rectangle that leave a P-position.

use std::num::NonZero;
use std::ops::ControlFlow;

use game::{Board, Square};

use crate::boundary::Solver;
use crate::rectangles::Solution;
use crate::{Outcomes, SolveError};

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
    pub fn of(solution: &(impl Outcomes + ?Sized), rows: u16, columns: u16) -> Option<Self> {
        let bites = solution.winning_bites(&Board::rectangle(rows, columns).ok()?)?;
        Some(Self { rows, columns, bites })
    }

    /// The openings of all a × b with a, b at most `side` that fit into the solved rectangle, by a
    /// and then b.
    pub fn up_to(solution: &impl Outcomes, side: u16) -> Vec<Self> {
        let all = (1..=side).flat_map(|rows| (1..=side).map(move |columns| (rows, columns)));
        all.filter_map(|(rows, columns)| Self::of(solution, rows, columns)).collect()
    }
}

/// The rectangles a × b, a <= b, with the fewest squares and at least this number of winning
/// openings, by a. There are none if they have more than `most` squares. For each a the longest
/// rectangle is solved, and with it all shorter ones.
///
/// # Errors
/// [`SolveError`].
///
/// ```
/// assert!(boards::openings::fewest_squares(2, 40)?.is_empty());
/// # Ok::<(), boards::SolveError>(())
/// ```
pub fn fewest_squares(number: usize, most: u16) -> Result<Vec<Openings>, SolveError> {
    let mut found: Vec<Openings> = Vec::new();
    for rows in (1..=most).take_while(|&rows| rows <= most / rows) {
        let columns = most / rows;
        let solution = outcomes(rows, columns)?;
        let of_rows = (rows..=columns).filter_map(|b| Openings::of(&*solution, rows, b));
        found.extend(of_rows.filter(|openings| openings.bites.len() >= number));
    }
    let squares = |openings: &Openings| u32::from(openings.rows) * u32::from(openings.columns);
    let least = found.iter().map(squares).min();
    found.retain(|openings| Some(squares(openings)) == least);
    Ok(found)
}

/// The outcomes of a rectangle, however long.
fn outcomes(rows: u16, columns: u16) -> Result<Box<dyn Outcomes>, SolveError> {
    let one = NonZero::<usize>::MIN;
    let on_progress = |_| ControlFlow::Continue(());
    match Solver::new(rows, columns) {
        Err(SolveError::TooLarge { .. }) => {
            Ok(Box::new(Solution::of(rows, columns, one, &on_progress)?))
        }
        solver => Ok(Box::new(solver?.solve(one, &|_, _| (), &on_progress)?)),
    }
}
