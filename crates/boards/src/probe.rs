//! Solutions against the rules of the game, at random positions.
//!
//! Games are played from random positions to the end. A position is P if and only if no bite leaves
//! a P-position; that is tested at every position of a game. At an N-position a random winning bite
//! is played, at a P-position any bite; and a game ends when only the poison is left.

use std::ops::ControlFlow;

use fastrand::Rng;
use game::{Board, Outcome};

use crate::{Contradiction, Outcomes};

/// The numbers of tested positions. None was wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Probed {
    /// The games.
    pub games: u64,
    /// Their positions, with repetitions.
    pub positions: u64,
    /// The P-positions among these.
    pub p: u64,
}

/// Games from random positions of a rectangle, all equally likely. The same seed gives the same
/// games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Games {
    /// The rows of the rectangle.
    pub rows: u16,
    /// Its columns.
    pub columns: u16,
    /// How many games.
    pub number: u64,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// Plays games in a rectangle that was solved. `on_game` is called after each of them, and `Break`
/// ends the test.
///
/// # Errors
/// [`Contradiction`].
///
/// # Panics
/// If the rectangle is larger than the one that was solved.
pub fn probe(
    solved: &impl Outcomes,
    Games { rows, columns, number, seed }: Games,
    mut on_game: impl FnMut() -> ControlFlow<()>,
) -> Result<Probed, Contradiction> {
    let mut random = Rng::with_seed(seed);
    let mut probed = Probed::default();
    for _ in 0..number {
        play(solved, random_board(rows, columns, &mut random), &mut random, &mut probed)?;
        probed.games += 1;
        if on_game().is_break() {
            break;
        }
    }
    Ok(probed)
}

/// A game from this position to the end.
fn play(
    solved: &impl Outcomes,
    mut board: Board,
    random: &mut Rng,
    probed: &mut Probed,
) -> Result<(), Contradiction> {
    loop {
        let outcome = solved.outcome(&board).expect("the rectangle was solved");
        let winning = solved.winning_bites(&board).expect("the rectangle was solved");
        if winning.is_empty() != (outcome == Outcome::P) {
            return Err(Contradiction { lengths: board.rows().to_vec(), outcome });
        }
        probed.positions += 1;
        probed.p += u64::from(outcome == Outcome::P);
        // The options of a P-position are N-positions, and each has its turn in some game.
        let bites = if winning.is_empty() { board.squares().skip(1).collect() } else { winning };
        match random.choice(bites) {
            Some(bite) => board = board.after(bite).expect("a bite on the board"),
            None => return Ok(()),
        }
    }
}

/// A random position, by its boundary: of the steps that are left, each is equally likely to be the
/// next.
fn random_board(rows: u16, columns: u16, random: &mut Rng) -> Board {
    loop {
        let (mut up, mut right) = (u32::from(rows), u32::from(columns));
        let mut lengths = Vec::with_capacity(rows.into());
        while up > 0 {
            if random.u32(0..up + right) < up {
                up -= 1;
                lengths.push(columns - u16::try_from(right).expect("at most the columns"));
            } else {
                right -= 1;
            }
        }
        lengths.reverse();
        // The empty board is none.
        if let Ok(board) = Board::new(lengths) {
            return board;
        }
    }
}
