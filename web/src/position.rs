//! P or N, with the winning bites; and games: the moves of the program, puzzles, and the bite that
//! lost.

use boards::strategy::Strategy;
use driver::{Answer, Grade, Judged, Position, Strength, Watch, puzzle, review};
use figures::{BoardPlot, Poison};
use serde::Serialize;

use crate::solver::Solver;
use crate::sums::evaluated;
use crate::{Shown, json, words};

/// An answer, and what it rests on.
#[derive(Serialize)]
struct Answered {
    #[serde(flatten)]
    answer: Answer,
    basis: String,
    /// Whether a strategy can be drawn, if it is a P-position.
    has_strategy: bool,
}

/// Reads a position.
pub fn read(text: &str) -> Result<Position, String> {
    evaluated(text)?.trim().parse().map_err(words)
}

/// Whether a position is P or N.
pub fn answer(solver: &Solver, position: &Position, watch: &dyn Watch) -> Result<String, String> {
    let answer = solver.answer(position, watch)?;
    let has_strategy = Solver::can_know_all(position);
    Ok(json(&Answered { answer, basis: solver.basis(position), has_strategy }))
}

/// The strategy of the second player in a P-position.
pub fn strategy(solver: &Solver, position: &Position) -> Result<String, String> {
    let none = || format!("{position} has no strategy that can be drawn here");
    let solution = solver.player().solution().ok_or_else(none)?;
    let board = position.board().ok_or_else(none)?;
    let strategy = Strategy::of(solution, &board).ok_or_else(none)?;
    let figure = BoardPlot::new(&board, Poison::Top).map_err(words)?.strategy(&strategy);
    Ok(json(&Shown::of(&figure)))
}

/// A position in which to play. Infinite boards have no last bite.
pub fn read_board(text: &str) -> Result<Position, String> {
    let position = read(text)?;
    match position.finite_rows() {
        Some(_) => Ok(position),
        None => Err("the program plays on finite boards only".to_owned()),
    }
}

/// The bite that the program takes.
pub fn reply(
    solver: &Solver,
    position: &Position,
    strength: Strength,
    chance: u64,
    watch: &dyn Watch,
) -> Result<String, String> {
    let played = solver.player().bite_of(strength, chance, position, watch).map_err(words)?;
    Ok(json(&played.ok_or("only the poison is left: the player to move has lost")?))
}

/// A game, judged bite by bite.
#[derive(Serialize)]
struct Review {
    bites: Vec<Judged>,
}

/// Judges the bites between these positions.
pub fn judge(solver: &Solver, game: &[Position], watch: &dyn Watch) -> Result<String, String> {
    Ok(json(&Review { bites: review(solver.player(), game, watch).map_err(words)? }))
}

/// A position to solve.
#[derive(Serialize)]
struct Puzzle {
    position: Position,
}

/// A bar for a game.
#[derive(Serialize)]
struct Bar<'a> {
    position: &'a Position,
    can_be_played: bool,
}

/// The lengths of the rows of a bar.
pub fn bar(position: &Position) -> String {
    json(&Bar { position, can_be_played: Solver::can_play(position) })
}

/// A puzzle, chosen by a random number.
pub fn pose(grade: Grade, chance: u64, watch: &dyn Watch) -> Result<String, String> {
    Ok(json(&Puzzle { position: puzzle(grade, chance, watch).map_err(words)? }))
}
