//! Puzzles: positions in which few bites win.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Deserialize;

use super::Player;
use driver::{Engine, Error, Position, Watch, Way};

/// How few bites win a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Three or more, on a board of up to 6 x 10 squares: 567 positions.
    Easy,
    /// Two, on a board of up to 6 x 8 squares: 923 positions.
    Medium,
    /// One, on a board of up to 6 x 10 squares: 3491 positions.
    Hard,
}

impl Grade {
    /// The rectangle in which the position lies, and the fewest and the most bites that win.
    fn limits(self) -> ([u16; 2], [usize; 2]) {
        match self {
            Self::Easy => ([6, 10], [3, usize::MAX]),
            Self::Medium => ([6, 8], [2, 2]),
            Self::Hard => ([6, 10], [1, 1]),
        }
    }
}

/// A position of this grade, with at least a third of the squares of its rectangle. Equal numbers
/// give equal puzzles. It takes a fraction of a second.
///
/// # Errors
/// As [`super::solve_board`].
///
/// ```
/// use ask::{Grade, puzzle};
/// use driver::{Engine, Source};
/// let position = puzzle(Grade::Hard, 7, &())?;
/// assert_eq!(Engine::default().answer(&position, &())?.bites.len(), 1);
/// # Ok::<(), driver::Error>(())
/// ```
pub fn puzzle(grade: Grade, seed: u64, watch: &dyn Watch) -> Result<Position, Error> {
    let ([rows, columns], [fewest, most]) = grade.limits();
    let player = Player::by(Way::Rectangle { rows, columns }, Engine::default(), watch)?;
    let mut numbers = SplitMix64::seed_from_u64(seed);
    loop {
        let mut lengths: Vec<u64> =
            (0..rows).map(|_| numbers.next_u64() % (u64::from(columns) + 1)).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        let squares = lengths.iter().sum::<u64>();
        let Ok(position) = Position::finite(lengths) else { continue };
        let winning = player.winning_bites(&position, watch)?.len();
        if 3 * squares >= u64::from(rows * columns) && (fewest..=most).contains(&winning) {
            return Ok(position);
        }
    }
}
