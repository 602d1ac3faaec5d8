//! P or N, with the winning bites; Grundy values; and games: the moves of the program, and puzzles.

use ask::{Grade, Strength, puzzle};
use boards::strategy::Strategy;
use driver::{
    Answer, Basis, ChainProduct, GrundySearch, Position, Theorem, Watch, Way, grundy_value,
    with_length,
};
use figures::{BoardPlot, Poison};
use serde_json::json;

use crate::solver::Solver;
use crate::sums::evaluated;
use crate::{Shown, json, json_with, words};

/// Reads a position.
pub fn read(text: &str) -> Result<Position, String> {
    evaluated(text)?.trim().parse().map_err(words)
}

/// Whether a position is P or N.
pub fn answer(solver: &Solver, position: &Position, watch: &dyn Watch) -> Result<String, String> {
    let answer = solver.player().answer(position, watch).map_err(words)?;
    let answer = with_length(answer, false, watch).map_err(words)?;
    // Whether a strategy can be drawn, if it is a P-position.
    let has_strategy = matches!(Solver::way_of_game(position), Some(Way::Rectangle { .. }));
    Ok(json_with(&answer, json!({"basis": basis(&answer), "has_strategy": has_strategy})))
}

/// Who wins a product of chains; `None` if the text is none that has no rows.
pub fn answer_product(text: &str) -> Option<Result<String, String>> {
    let product: ChainProduct = text.trim().parse().ok()?;
    let decided = product.decide().map_err(words);
    Some(decided.map(|decided| {
        let lacks_bites = decided.outcome == 'N' && decided.winning_bites.is_empty();
        json(&json!({"product": decided.to_string().trim_end(), "lacks_bites": lacks_bites}))
    }))
}

/// The basis of an answer, in words.
fn basis(answer: &Answer) -> String {
    match &answer.basis {
        Basis::Rows(_) | Basis::Theorem(Theorem::UniqueOpening) => basis_of_rows(&answer.position),
        Basis::Theorem(theorem) => format!("a theorem. {theorem}"),
        Basis::Columns => {
            let basis = answer.position.transposed().as_ref().map(basis_of_rows);
            format!("{} of the transposed position", basis.unwrap_or_default())
        }
        Basis::Rectangle { rows, columns } => format!("all positions within {rows} × {columns}"),
    }
}

fn basis_of_rows(position: &Position) -> String {
    let tail = position.tail();
    match tail.first_column() {
        _ if tail.parts().len() > 1 => format!("the rows of all tails within {tail}"),
        0 => "row 0".to_owned(),
        row => format!("rows 0 to {row}"),
    }
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

/// The Grundy value, or a lower bound of it, and the length of the game if that takes seconds.
pub fn values(solver: &Solver, position: &Position, watch: &dyn Watch) -> Result<String, String> {
    let value = grundy_value(position, &GrundySearch::default(), watch).map_err(words)?;
    let answer = solver.player().answer(position, watch).map_err(words)?;
    let answer = with_length(answer, true, watch).map_err(words)?;
    Ok(json_with(&value, json!({"length": answer.length})))
}

/// The lengths of the rows of a bar.
pub fn bar(position: &Position) -> String {
    let is_finite = position.finite_rows().is_some();
    let can_be_played = is_finite && Solver::way_of_game(position).is_some();
    json(&json!({"position": position, "can_be_played": can_be_played}))
}

/// A puzzle, chosen by a random number.
pub fn pose(grade: Grade, chance: u64, watch: &dyn Watch) -> Result<String, String> {
    let position = puzzle(grade, chance, watch).map_err(words)?;
    Ok(json(&json!({"position": position})))
}
