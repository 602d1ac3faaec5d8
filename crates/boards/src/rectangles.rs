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

mod bits;
mod error;
mod lengths;
mod memory;
mod ranks;
mod walk;

use std::num::NonZero;

use game::{Board, Outcome};

use crate::Outcomes;
use crate::solved::Solved;
use bits::Bits;
pub use error::{LONGEST_SIDE, OnProgress, SolveError};
pub(crate) use memory::binomial;
pub use memory::memory;
use walk::{Rectangle, walk};

/// The shorter and the longer side of a rectangle that can be solved.
fn sides(rows: u16, columns: u16) -> Result<(u16, u16), SolveError> {
    match (rows.min(columns), rows.max(columns)) {
        (0, _) => Err(SolveError::Empty { rows, columns }),
        (_, side) if side > LONGEST_SIDE => Err(SolveError::TooLong { side }),
        sides => Ok(sides),
    }
}

/// The number of choices of lower rows, in which a solver counts its progress: `C(m+n-1, n)` with
/// sides m <= n, or `u64::MAX` if there are more.
///
/// # Errors
/// [`SolveError::Empty`] and [`SolveError::TooLong`].
pub fn choices(rows: u16, columns: u16) -> Result<u64, SolveError> {
    let (m, n) = sides(rows, columns)?;
    Ok(binomial(u64::from(m) + u64::from(n) - 1, n.into()))
}

/// The number of positions of a rectangle: boards with at least one square that fit. `u64::MAX` if
/// there are more.
#[must_use]
pub fn positions(rows: u16, columns: u16) -> u64 {
    let words = binomial(u64::from(rows) + u64::from(columns), rows.into());
    if words == u64::MAX { words } else { words - 1 }
}

/// The largest number of threads that a solver uses.
#[must_use]
pub fn walkers(rows: u16, columns: u16) -> NonZero<usize> {
    let second = if rows.min(columns) < 2 { 0 } else { rows.max(columns) };
    NonZero::<usize>::MIN.saturating_add(second.into())
}

/// The outcome of every position of a rectangle.
#[derive(Clone, Debug)]
pub struct Solution {
    rows: u16,
    columns: u16,
    /// The rectangle, or its mirror image: no more rows than columns.
    rectangle: Rectangle,
    /// For each length of row 2, as [`walk()`] gives them.
    found: Vec<Bits>,
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
            0..=15 => walk::<u16>,
            16..=31 => walk::<u32>,
            32..=63 => walk::<u64>,
            64..=255 => walk::<[u64; 4]>,
            _ => walk::<[u64; 16]>,
        };
        if !memory::is_addressable(rows, columns, threads) {
            return Err(SolveError::TooLarge { rows, columns });
        }
        let rectangle = Rectangle::new(shorter, longer);
        let found = walk(&rectangle, threads.min(walkers(rows, columns)), on_progress)?;
        Ok(Self { rows, columns, rectangle, found })
    }
}

impl Outcomes for Solution {
    /// `None` if the board fits into the rectangle neither as it is nor mirrored. Costs O(m) steps.
    fn outcome(&self, board: &Board) -> Option<Outcome> {
        if !self.rectangle.fits(board) {
            let mirrored = board.transposed();
            return if self.rectangle.fits(&mirrored) { self.outcome(&mirrored) } else { None };
        }
        let (second, place) = self.rectangle.place(board);
        let is_p = self.found[usize::from(second)].get(place);
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

    fn positions(&self) -> u64 {
        self.rectangle.positions()
    }

    fn p_count(&self) -> u64 {
        self.found.iter().map(Bits::count_ones).sum()
    }

    /// Costs O(m) steps for each, and one for every 64 positions.
    fn p_positions(&self) -> Box<dyn Iterator<Item = Board> + '_> {
        let mirrored = self.rows > self.columns;
        let boards = (0_u16..)
            .zip(&self.found)
            .flat_map(|(second, found)| found.ones().map(move |place| (second, place)))
            .map(|(second, place)| self.rectangle.board(second, place))
            .map(move |board| if mirrored { board.transposed() } else { board });
        Box::new(boards)
    }
}
