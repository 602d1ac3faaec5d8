//! Games to the end, and solutions that are wrong in one position.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use boards::Outcomes;
use boards::by_rules::{Games, play};
use game::{Board, Chomp, Outcome, Search};

use super::{boundary, solved};

/// Games in a square of this side.
fn games(side: u16, number: u64, seed: u64) -> Games {
    Games { rows: side, columns: side, number, seed }
}

const GO: fn() -> ControlFlow<()> = || ControlFlow::Continue(());

/// On boards that plain search does not reach: every N-position has a bite to a P-position, no
/// P-position has one, until the poison is left.
#[test]
fn games_are_won_to_the_end() {
    let by_words = boundary::solution(13, 13, 2);
    let played = play(&by_words, games(13, 2000, 1), GO).expect("no contradiction");
    assert_eq!(played.games, 2000);
    // N and P take turns, and the last position is P.
    assert!(played.p > 2 * played.games && played.positions <= 2 * played.p, "{played:?}");
    assert_eq!(play(&solved(13, 13), games(13, 2000, 1), GO), Ok(played));
}

#[test]
fn games_can_be_stopped() {
    let mut left = 3;
    let on_game = || {
        left -= 1;
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert_eq!(play(&solved(5, 5), games(5, 100, 2), on_game).expect("right").games, 3);
}

/// Outcomes, one of them turned into its opposite.
struct Wrong<'a> {
    outcomes: &'a BTreeMap<Board, Outcome>,
    wrong: &'a Board,
}

impl Outcomes for Wrong<'_> {
    fn outcome(&self, board: &Board) -> Option<Outcome> {
        let outcome = *self.outcomes.get(board)?;
        Some(match outcome {
            _ if board != self.wrong => outcome,
            Outcome::P => Outcome::N,
            Outcome::N => Outcome::P,
        })
    }
}

/// Each wrong outcome of 4 × 4 is found, with a contradiction at that position or above it.
#[test]
fn wrong_outcomes_are_found() {
    let mut search = Search::of(&Chomp);
    let mut outcomes = BTreeMap::new();
    let mut stack = vec![Board::rectangle(4, 4).expect("a board")];
    while let Some(board) = stack.pop() {
        outcomes.insert(board.clone(), search.outcome(&board));
        stack.extend(
            board.bites().map(|(_, left)| left).filter(|left| !outcomes.contains_key(left)),
        );
    }
    assert_eq!(outcomes.len(), 69);
    for wrong in outcomes.keys() {
        let found = play(&Wrong { outcomes: &outcomes, wrong }, games(4, 1000, 3), GO);
        let rows = found.expect_err("one outcome is wrong").lengths;
        let above = rows.iter().zip(wrong.rows()).all(|(a, b)| a >= b);
        assert!(above && rows.len() >= wrong.rows().len(), "{rows:?} for {wrong}");
    }
}
