//! The answer for one board, in words and as a figure.

use ask::BoardAnswer;
use boards::strategy::{Labelled, Strategy};
use driver::{Error, WrittenBoard};
use figures::{BoardPlot, Figure, Poison};
use game::{Board, Square};
use record::joined;

use super::answer;
use crate::drawing::{self, Marks};

/// The winning bites, or the strategy, drawn.
pub fn figure(written: &WrittenBoard, found: &BoardAnswer) -> Result<Figure, Error> {
    let plot = plot(written)?;
    Ok(match found.strategy() {
        Some(strategy) => plot.strategy(strategy),
        None => plot.winning_bites(&found.squares()),
    })
}

pub fn words(found: &BoardAnswer) -> String {
    let Some(solution) = found.solution() else {
        return answer::words(&found.answer, "", false, || found.cost_of_all_bites());
    };
    let mut lines = match found.strategy() {
        Some(strategy) => of_p_position(strategy),
        None => of_n_position(found),
    };
    let (rows, columns) = (solution.rows(), solution.columns());
    lines.extend(answer::length(&found.answer).into_iter().flat_map(|line| [String::new(), line]));
    let (positions, p) = (solution.positions(), solution.p_count());
    lines.push(String::new());
    lines.push(format!("Positions of {rows}x{columns}: {positions}, of which P: {p}."));
    lines.join("\n") + "\n"
}

/// The name in messages: of a rectangle, its sides.
fn name(board: &Board) -> String {
    if board.is_rectangle() {
        format!("{}x{}", board.height(), board.width())
    } else {
        named(board)
    }
}

fn of_n_position(found: &BoardAnswer) -> Vec<String> {
    let (board, bites) = (&found.board, found.squares());
    let what = if board.is_rectangle() { "winning opening bites" } else { "winning bites" };
    let mut lines = vec![
        format!("{} is an N-position.", name(board)),
        format!("Number of {what}: {}", bites.len()),
    ];
    let leaves = |&bite: &Square| Some(format!("  {bite} leaves {}", named(&board.after(bite)?)));
    lines.extend(bites.iter().filter_map(leaves));
    lines.extend(answer::drawn(&found.answer));
    lines
}

fn of_p_position(strategy: &Strategy) -> Vec<String> {
    let mut lines = vec![format!("{} is a P-position.", name(&strategy.board))];
    if strategy.chosen.is_empty() {
        lines.push("No bite is left but the poison.".to_owned());
        return lines;
    }
    lines.push("A bite at a square is answered at the other square with its label.".to_owned());
    let label = |square| joined(strategy.labels(square).iter().map(|pair| &pair.label), " ");
    let drawn = drawing::labels(strategy.board.rows(), label, Marks::of_stdout());
    if !drawn.is_empty() {
        lines.push(String::new());
        lines.extend(drawn);
    }
    for same_rule in strategy.chosen.chunk_by(|one, other| one.pair.rule == other.pair.rule) {
        lines.push(String::new());
        lines.push(match same_rule[0].pair.rule {
            None => "What the two leave is a P-position:".to_owned(),
            Some(rule) => format!("By {rule}:"),
        });
        let width = same_rule.iter().map(|pair| pair.label.len()).max().unwrap_or(1);
        lines.extend(same_rule.iter().map(|Labelled { label, pair }| {
            let [one, other] = pair.squares;
            let (pad, leaves) = (" ".repeat(width - label.len()), named(&pair.leaves));
            format!("  {label}{pad}  {one}, and {other}, leave {leaves}")
        }));
    }
    lines
}

/// Row lengths, and the same in Cho's notation.
fn named(board: &Board) -> String {
    format!("{board} = {}", board.in_notation_of_cho())
}

pub fn plot(written: &WrittenBoard) -> Result<BoardPlot<'_>, Error> {
    let poison = if written.poison_last { Poison::Bottom } else { Poison::Top };
    BoardPlot::new(&written.board, poison).map_err(Error::usage)
}
