//! All positions of a rectangle at once.
//!
//! The positions of m × n are the lattice paths from corner to corner, `C(m+n, n)` with the empty
//! board. They are ranked, and a [`Solution`] has a bit for each. It is found by a recurrence on
//! the lower rows (`proofs/boards.md`), which costs m steps for each of `C(m+n-1, n)` choices of
//! them; no bite is ever tried.
//!
//! ```
//! use std::num::NonZero;
//! use std::ops::ControlFlow;
//! use boards::Outcomes;
//! use boards::rectangles::Solution;
//! use game::{Board, Outcome};
//!
//! let solution = Solution::of(4, 7, NonZero::<usize>::MIN, &|_| ControlFlow::Continue(()))?;
//! // Cho 2018, propositions 3.10 and 3.8.
//! assert_eq!(solution.outcome(&"[4557]".parse()?), Some(Outcome::P));
//! let bites = solution.winning_bites(&Board::rectangle(4, 7)?).unwrap();
//! assert_eq!(bites.len(), 1);
//! assert_eq!(bites[0].to_string(), "row 3, column 4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod walk;

use std::num::NonZero;

use game::{Board, Outcome};
use ultimate::NatSet;

use crate::ranks::binomial;
pub use crate::ranks::positions;
use crate::{OnProgress, Outcomes, SolveError, Solved, fitting};
use walk::{LEAST_WALKED, Rectangle, walk};

/// The largest side of a rectangle that is solved.
pub const LONGEST_SIDE: u16 = 1023;

/// The shorter and the longer side of a rectangle that can be solved.
fn sides(rows: u16, columns: u16) -> Result<(u16, u16), SolveError> {
    let (shorter, longer) = (rows.min(columns), rows.max(columns));
    require_squares(rows, columns)?;
    if longer > LONGEST_SIDE {
        return Err(SolveError::Size(format!(
            "boards are solved up to {LONGEST_SIDE} rows or columns, and {longer} are asked for"
        )));
    }
    Ok((shorter, longer))
}

pub(crate) fn require_squares(rows: u16, columns: u16) -> Result<(), SolveError> {
    if rows > 0 && columns > 0 {
        return Ok(());
    }
    Err(SolveError::Size(format!(
        "a board of {rows} rows and {columns} columns has no squares; both are at least 1"
    )))
}

/// The number of choices of lower rows, in which a solver counts its progress: `C(m+n-1, n)` with
/// sides m <= n, or `u64::MAX` if there are more.
///
/// # Errors
/// [`SolveError::Size`].
pub fn choices(rows: u16, columns: u16) -> Result<u64, SolveError> {
    let (m, n) = sides(rows, columns)?;
    Ok(binomial(u64::from(m) + u64::from(n) - 1, n.into()))
}

/// The largest number of threads that a solver uses.
pub fn walkers(rows: u16, columns: u16) -> NonZero<usize> {
    let second = if rows.min(columns) < 2 { 0 } else { rows.max(columns) };
    NonZero::<usize>::MIN.saturating_add(second.into())
}

/// The largest number of bytes that [`Solution::of`] allocates for a rectangle with this number of
/// threads; `u64::MAX` if there are more.
///
/// With sides m <= n these are the bits of the solution, `C(m+n, n)`, which stay, and the sets of
/// lengths: `C(m+n-2, n)` in table 2, one more slice of it, and for each thread `C(m+n-2, n+1)` in
/// the other tables.
pub fn memory(rows: u16, columns: u16, threads: NonZero<usize>) -> u64 {
    let (shorter, longer) = (rows.min(columns), rows.max(columns));
    let (m, n) = (u64::from(shorter.max(LEAST_WALKED)), u64::from(longer));
    let bits = binomial(u64::from(shorter) + n, n);
    let second = binomial(m + n - 2, n);
    let slice = binomial(m + n - 3, n);
    let others = binomial(m + n - 2, n + 1);
    let bytes_of_set = match longer {
        0..=63 => 8,
        64..=255 => 32,
        _ => 128,
    };
    let sets = (threads.get() as u64)
        .checked_mul(others.saturating_add(slice))
        .and_then(|sets| sets.checked_add(second)?.checked_mul(bytes_of_set));
    sets.and_then(|bytes| bytes.checked_add(bits / 8)).unwrap_or(u64::MAX)
}

/// The outcome of every position of a rectangle.
#[derive(Clone, Debug)]
pub struct Solution {
    rows: u16,
    columns: u16,
    /// The rectangle, or its mirror image: no more rows than columns.
    rectangle: Rectangle,
    /// For each length of row 2, the places of the P-positions, as [`walk()`] gives them.
    found: Vec<NatSet>,
}

impl Solution {
    /// Solves a rectangle. The result is the same for any number of threads.
    ///
    /// With sides m <= n this takes `O(m·C(m+n-1, n))` time, in words of n bits, and the memory of
    /// [`memory()`].
    ///
    /// # Errors
    /// [`SolveError`].
    pub fn of(
        rows: u16,
        columns: u16,
        threads: NonZero<usize>,
        on_progress: &OnProgress,
    ) -> Result<Self, SolveError> {
        let (shorter, longer) = sides(rows, columns)?;
        let walk = match longer {
            0..=63 => walk::<1>,
            64..=255 => walk::<4>,
            _ => walk::<16>,
        };
        let is_addressable = isize::try_from(memory(rows, columns, threads)).is_ok();
        let rectangle = Rectangle::new(shorter, longer).filter(|_| is_addressable);
        let rectangle = rectangle.ok_or(SolveError::TooLarge { rows, columns })?;
        let found = walk(&rectangle, threads, on_progress)?;
        Ok(Self { rows, columns, rectangle, found })
    }
}

impl Outcomes for Solution {
    /// `None` if the board fits into the rectangle neither as it is nor mirrored. Costs O(m) steps.
    fn outcome(&self, board: &Board) -> Option<Outcome> {
        let (rows, columns) = (self.rows.min(self.columns), self.rows.max(self.columns));
        let (second, place) = self.rectangle.place(&*fitting(board, rows, columns)?);
        let is_p = self.found[usize::from(second)].contains(place);
        Some(if is_p { Outcome::P } else { Outcome::N })
    }
}

impl Solved for Solution {
    fn rows(&self) -> u16 {
        self.rows
    }

    fn columns(&self) -> u16 {
        self.columns
    }

    fn p_count(&self) -> u64 {
        self.found.iter().map(NatSet::len).sum()
    }

    /// Costs O(m) steps for each, and one for every 64 positions.
    fn p_positions(&self) -> Box<dyn Iterator<Item = Board> + '_> {
        let mirrored = self.rows > self.columns;
        let boards = (0_u16..)
            .zip(&self.found)
            .flat_map(|(second, found)| found.iter().map(move |place| (second, place)))
            .map(|(second, place)| self.rectangle.board(second, place))
            .map(move |board| if mirrored { board.transposed() } else { board });
        Box::new(boards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_grows_and_does_not_overflow() {
        let (one, two) = (NonZero::<usize>::MIN, NonZero::new(2).expect("not 0"));
        assert_eq!(memory(1023, 1023, two), u64::MAX);
        assert_eq!(memory(10, 42, two), memory(42, 10, two));
        for side in 4..30 {
            assert!(memory(side, side, one) < memory(side, side + 1, one));
            assert!(memory(side, side, one) < memory(side, side, two));
        }
    }
}
