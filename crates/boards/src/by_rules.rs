//! Solutions against the rules of the game: a position is P if and only if no bite leaves a
//! P-position.
//!
//! [`play`] tests a rectangle at the positions of games that begin at random. At an N-position a
//! random winning bite is played, at a P-position any bite; a game ends when only the poison is
//! left.
//!
//! [`Samples`] tests the positions of a sieve with random lengths of all rows but the last. For
//! `(x_1, ..., x_{m-1})` and each `x_m` the P-positions among all positions one bite away are
//! looked up. These are in the same layer, or in an earlier one, in which each choice of all rows
//! but the last has at most one P-position (`proofs/boards.md`, 5). So one number is kept for each
//! earlier layer.

use std::ops::ControlFlow;

use fastrand::Rng;
use game::{Board, Outcome};

use crate::sieve::Layer;
use crate::{Contradiction, Outcomes};

/// The numbers of tested positions. None was wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
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
pub fn play(
    solved: &(impl Outcomes + ?Sized),
    Games { rows, columns, number, seed }: Games,
    mut on_game: impl FnMut() -> ControlFlow<()>,
) -> Result<Played, Contradiction> {
    let mut random = Rng::with_seed(seed);
    let mut played = Played::default();
    for _ in 0..number {
        let board = random_board(rows, columns, &mut random);
        play_to_the_end(solved, board, &mut random, &mut played)?;
        played.games += 1;
        if on_game().is_break() {
            break;
        }
    }
    Ok(played)
}

/// A game from this position to the end.
fn play_to_the_end(
    solved: &(impl Outcomes + ?Sized),
    mut board: Board,
    random: &mut Rng,
    played: &mut Played,
) -> Result<(), Contradiction> {
    loop {
        let outcome = solved.outcome(&board).expect("the rectangle was solved");
        let winning = solved.winning_bites(&board).expect("the rectangle was solved");
        if winning.is_empty() != (outcome == Outcome::P) {
            return Err(Contradiction { lengths: board.rows().to_vec(), outcome });
        }
        played.positions += 1;
        played.p += u64::from(outcome == Outcome::P);
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

/// The choices that are checked.
#[derive(Clone, Debug)]
pub struct Samples {
    samples: Vec<Sample>,
    checked: u64,
}

/// A choice of all rows but the last.
#[derive(Clone, Debug)]
struct Sample {
    lengths: Vec<u16>,
    /// For each length x of row 1 from 1 on, the last row of the P-position with these lengths cut
    /// to x.
    earlier: Vec<Option<u16>>,
}

impl Samples {
    /// This number of choices, from pseudo-random numbers that begin with `seed`. All lengths up to
    /// `to` are equally likely before they are sorted.
    pub fn random(rows: u16, to: u16, number: usize, seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let mut sample = |_| {
            let mut lengths: Vec<u16> = (1..rows).map(|_| random.u16(0..=to)).collect();
            lengths.sort_unstable_by(|one, other| other.cmp(one));
            lengths[0] = lengths[0].max(1);
            Sample { lengths, earlier: Vec::new() }
        };
        Self { samples: (0..number).map(&mut sample).collect(), checked: 0 }
    }

    /// The number of positions checked so far.
    pub fn checked(&self) -> u64 {
        self.checked
    }

    /// Takes the layers, in ascending order from length 1 on.
    ///
    /// # Errors
    /// [`Contradiction`].
    pub fn visit(&mut self, layer: &Layer) -> Result<(), Contradiction> {
        for sample in &mut self.samples {
            if sample.lengths[0] == layer.first() {
                self.checked += sample.check(layer)?;
            } else if sample.lengths[0] > layer.first() {
                let lengths = sample.cut(0, layer.first());
                sample.earlier.push(layer.last_row(&lengths[1..]));
            }
        }
        Ok(())
    }
}

impl Sample {
    /// The lengths from this row on cut to y.
    fn cut(&self, row: usize, y: u16) -> Vec<u16> {
        let (before, from) = self.lengths.split_at(row);
        before.iter().copied().chain(from.iter().map(|&length| length.min(y))).collect()
    }

    /// Checks the positions with all lengths of the last row; their number.
    fn check(&self, layer: &Layer) -> Result<u64, Contradiction> {
        let longest = *self.lengths.last().expect("at least two rows");
        let mut has_bite = vec![false; usize::from(longest) + 1];
        let in_row_1 = (1..).zip(self.earlier.iter().copied());
        let in_others = (1..self.lengths.len()).flat_map(|row| {
            (0..self.lengths[row]).map(move |y| (y, layer.last_row(&self.cut(row, y)[1..])))
        });
        for (y, last) in in_row_1.chain(in_others) {
            // The bite cuts the last row to y.
            match last {
                Some(last) if last < y => has_bite[usize::from(last)] |= last <= longest,
                Some(last) => has_bite[usize::from(last)..].fill(true),
                None => {}
            }
        }
        let own = layer.last_row(&self.lengths[1..]);
        if let Some(own) = own {
            has_bite[usize::from(own) + 1..].fill(true);
        }
        let mut positions = (0..=longest).zip(&has_bite);
        let wrong = positions.find(|&(last, &has_bite)| (own == Some(last)) == has_bite);
        match wrong {
            None => Ok(u64::from(longest) + 1),
            Some((last, _)) => Err(Contradiction {
                lengths: self.lengths.iter().copied().chain([last]).collect(),
                outcome: if own == Some(last) { Outcome::P } else { Outcome::N },
            }),
        }
    }
}
