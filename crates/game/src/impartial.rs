//! Impartial games: positions, and options that do not depend on who moves.
//!
//! Outcomes and Grundy values come from the definitions, by plain memoised search. It works for any
//! game, so it is the oracle of boards with any number of rows and of posets.

use std::collections::HashMap;
use std::hash::Hash;

use crate::Outcome;

/// An impartial game under normal play: the two players have the same options, and a player
/// without one loses.
///
/// In Chomp, taking the poisoned element is not a move: the player who has no other move loses. So
/// every position has it, and a position without other elements has no options.
pub trait ImpartialGame {
    /// A position. Equal positions have the same options.
    type Position: Clone + Eq + Hash;

    /// All positions one move away, possibly with repetitions. Every sequence of moves ends.
    fn options(&self, position: &Self::Position) -> impl Iterator<Item = Self::Position>;
}

/// Outcomes and Grundy values of an impartial game, from the definitions; each position is visited
/// once.
///
/// Takes time in proportion to the options of all positions that can be reached, memory for each
/// of these positions, and a stack as deep as the game is long: meant for small games.
///
/// ```
/// use game::{Board, Chomp, Outcome, Search};
///
/// let mut search = Search::of(&Chomp);
/// let board: Board = "4,5,5,7".parse()?;
/// assert_eq!(search.outcome(&board), Outcome::P);
/// assert_eq!(search.grundy(&board), 0);
/// # Ok::<(), game::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Search<'g, G: ImpartialGame> {
    game: &'g G,
    outcomes: HashMap<G::Position, Outcome>,
    grundy: HashMap<G::Position, u64>,
}

impl<'g, G: ImpartialGame> Search<'g, G> {
    /// A search without any results yet.
    pub fn of(game: &'g G) -> Self {
        Self { game, outcomes: HashMap::new(), grundy: HashMap::new() }
    }

    /// N if some option is P, otherwise P.
    pub fn outcome(&mut self, position: &G::Position) -> Outcome {
        if let Some(&known) = self.outcomes.get(position) {
            return known;
        }
        let game = self.game;
        let leaves_p = game.options(position).any(|option| self.outcome(&option) == Outcome::P);
        let outcome = if leaves_p { Outcome::N } else { Outcome::P };
        self.outcomes.insert(position.clone(), outcome);
        outcome
    }

    /// The Grundy value: the least natural number that is not the Grundy value of an option. It is
    /// 0 if and only if the position is P.
    pub fn grundy(&mut self, position: &G::Position) -> u64 {
        if let Some(&known) = self.grundy.get(position) {
            return known;
        }
        let game = self.game;
        let values: Vec<u64> = game.options(position).map(|option| self.grundy(&option)).collect();
        let mut value = 0;
        while values.contains(&value) {
            value += 1;
        }
        self.grundy.insert(position.clone(), value);
        value
    }

    /// The winning moves: the options that are P, in the order of [`ImpartialGame::options`].
    pub fn winning_options(&mut self, position: &G::Position) -> Vec<G::Position> {
        let game = self.game;
        game.options(position).filter(|option| self.outcome(option) == Outcome::P).collect()
    }
}
