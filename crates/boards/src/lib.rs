//! Chomp on finite boards with any number of rows, solved.
//!
//! - [`by_rules`]: solutions tested by the rules, at random positions.
//! - [`four_rows`]: P-positions of four rows, counted.
//! - [`grundy`]: Grundy values of three rows, and of all boards within a board, by full tables.
//! - [`lengths`]: how long a game lasts with best play.
//! - [`rectangles`]: all positions of a rectangle at once, a bit each.
//! - [`boundary`]: all P-positions of a rectangle, a list in two bytes each; for larger squares.
//! - [`sieve`]: all P-positions with m rows of up to n squares, by length of row 1.
//! - [`openings`]: winning openings of rectangles.
//! - [`squares`]: all boards with a given number of squares, and how many of them are P.
//! - [`strategy`]: the reply to every bite of a P-position, as Cho draws it.
//!
//! The rules are in `game`, with [`game::Search`], the oracle of this crate. Not here:
//! other posets (`posets`), drawing, files, and boards without end.

mod ranks;
mod threads;

pub mod boundary;
pub mod by_rules;
pub mod four_rows;
pub mod grundy;
pub mod lengths;
pub mod openings;
pub mod rectangles;
pub mod sieve;
pub mod squares;
pub mod strategy;

use std::any::Any;
use std::borrow::Cow;
use std::fmt::Debug;
use std::io;
use std::ops::ControlFlow;

use game::{Board, Outcome, Square};
use thiserror::Error;

/// Called now and then with the number of steps done since the last call: choices of lower rows, or
/// the unit that a solver names. `Break` stops the solver.
pub type OnProgress<'a> = dyn Fn(u64) -> ControlFlow<()> + Sync + 'a;

/// Reports steps, and ends the work if they were the last.
fn report(on_progress: &OnProgress, steps: u64) -> Result<(), SolveError> {
    if on_progress(steps).is_break() { Err(SolveError::Stopped) } else { Ok(()) }
}

/// Why there is no result.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A size for which a solver is not made; the text has its limits.
    #[error("{0}")]
    Size(String),
    /// More positions than this machine can count, or more memory than it can address.
    #[error(
        "the positions of {rows}x{columns} are too many for this machine; choose a smaller board"
    )]
    TooLarge {
        /// The rows.
        rows: u16,
        /// The columns.
        columns: u16,
    },
    /// The state of an earlier run cannot be read.
    #[error(transparent)]
    Restore(io::Error),
    /// The callback stopped the solver.
    #[error("interrupted")]
    Stopped,
    /// The operating system does not create a thread.
    #[error(
        "no more threads can be started: {0}; use fewer, or raise the limits on threads and memory (ulimit \
         -u, -v)"
    )]
    Thread(#[source] io::Error),
}

/// A position whose outcome contradicts the outcomes of its options.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{lengths:?} is said to be {outcome}, and {} leaves a P-position", match outcome {
    Outcome::P => "a bite",
    Outcome::N => "no bite",
})]
pub struct Contradiction {
    /// The lengths of its rows.
    pub lengths: Vec<u16>,
    /// Its outcome.
    pub outcome: Outcome,
}

/// The outcomes of the positions of a rectangle.
pub trait Outcomes {
    /// P or N; `None` if the board does not fit.
    fn outcome(&self, board: &Board) -> Option<Outcome>;

    /// The bites that leave a P-position, by row and column; `None` if the board does not fit.
    fn winning_bites(&self, board: &Board) -> Option<Vec<Square>> {
        self.outcome(board)?;
        let wins = |left: &Board| self.outcome(left) == Some(Outcome::P);
        Some(board.bites().filter(|(_, left)| wins(left)).map(|(square, _)| square).collect())
    }
}

/// The P-positions of a rectangle, whichever solver found them.
pub trait Solved: Any + Debug + Outcomes + Send + Sync {
    /// The rows of the rectangle.
    fn rows(&self) -> u16;

    /// The columns of the rectangle.
    fn columns(&self) -> u16;

    /// The number of positions: boards with at least one square that fit into the rectangle.
    fn positions(&self) -> u64 {
        ranks::positions(self.rows(), self.columns())
    }

    /// The number of P-positions.
    fn p_count(&self) -> u64;

    /// The P-positions, each once. The order is always the same, and depends on the solver.
    fn p_positions(&self) -> Box<dyn Iterator<Item = Board> + '_>;
}

/// Adds a number to a set of bits.
#[inline]
fn insert(set: &mut [u64], number: usize) {
    set[number / 64] |= 1 << (number % 64);
}

/// The board, or its mirror image if that fits into a rectangle and the board does not.
fn fitting(board: &Board, rows: u16, columns: u16) -> Option<Cow<'_, Board>> {
    let fits = |board: &Board| board.height() <= rows && board.width() <= columns;
    if fits(board) {
        return Some(Cow::Borrowed(board));
    }
    Some(board.transposed()).filter(fits).map(Cow::Owned)
}
