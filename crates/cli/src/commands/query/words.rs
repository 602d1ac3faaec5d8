//! The answers about a position and about a board, in words.

use std::iter;

use ask::BoardAnswer;
use boards::strategy::{Labelled, Strategy};
use driver::{Answer, Basis, Cost, Position, Record, cost_of_rectangle};
use game::{Board, Square};
use record::joined;
use terminal::cost_in_words;

use crate::drawing::{self, Marks};

/// The answer in words. Finding all bites that win takes this `cost`, if it is possible.
pub fn of_position(
    answer: &Answer,
    source: &str,
    proof: bool,
    cost: impl FnOnce() -> Option<Cost>,
) -> String {
    let Answer { position, bites, basis, .. } = answer;
    let mut lines = outcome(answer);
    if position.as_board() == "(1)" {
        NO_BITE.clone_into(&mut lines[1]);
    } else if position.longest_two().is_some() {
        lines.extend(drawn(answer));
    }
    lines.extend(length(answer));
    lines.extend(match basis {
        Basis::Rows(record) => by_rows(answer, record, source, proof),
        Basis::Theorem(theorem) => {
            let mut lines = vec![format!("{theorem}.")];
            if let Some(record) = bites.iter().find_map(|bite| bite.record.as_ref()) {
                lines.extend(rests(
                    &format!("rows 0 to {}, {source}", record.row()),
                    &[record],
                    proof,
                ));
            }
            if !answer.has_all_bites() {
                lines.push(not_computed(bites.is_empty(), cost()));
            }
            lines
        }
        Basis::Columns => {
            vec![format!("This rests on rows of the transposed position, {source}.")]
        }
        Basis::Rectangle { rows, columns } => {
            vec![format!("This rests on all positions of {rows}x{columns}, {source}.")]
        }
    });
    lines.join("\n") + "\n"
}

/// The number of turns that are left.
fn length(answer: &Answer) -> Option<String> {
    let turns = answer.length.filter(|&turns| turns > 1)?;
    Some(format!("With best play the game takes {turns} turns."))
}

/// The records that the answer rests on, or their names.
fn by_rows(answer: &Answer, own: &Record, source: &str, proof: bool) -> Vec<String> {
    let others = answer.bites.iter().filter_map(|bite| bite.record.as_ref());
    let records: Vec<&Record> = others.filter(|other| *other != own).chain([own]).collect();
    rests(&foundation(&answer.position, source), &records, proof)
}

/// The rows and the fact that an answer rests on.
fn foundation(position: &Position, source: &str) -> String {
    let tail = position.tail();
    let row = tail.first_column();
    if position.longest_two().is_none() {
        let row = if tail.parts().len() > 1 { tail.to_string() } else { row.to_string() };
        format!("fact 10 of the proofs, and on row {row}, {source}")
    } else if position.height() > 3 {
        format!("fact 12 of the proofs, and on the rows with tails within {tail}, {source}")
    } else if row == 0 {
        format!("row 0, {source}")
    } else {
        format!("rows 0 to {row}, {source}")
    }
}

/// The board with the bites that win, and lines around it; nothing if it is too large.
fn drawn(answer: &Answer) -> Vec<String> {
    let marks = Marks::of_stdout();
    let mut lines = drawing::position(&answer.position, &answer.squares(), marks);
    if !lines.is_empty() {
        lines.insert(0, String::new());
        lines.extend([String::new(), marks.legend(!answer.bites.is_empty())]);
    }
    lines
}

/// The basis of the answer: in a line, with `--proof` followed by the records.
fn rests(on: &str, records: &[&Record], proof: bool) -> Vec<String> {
    if proof {
        let printed = records.iter().map(|record| format!("  {}", record.abridged()));
        return iter::once(format!("This rests on {on}, among them:")).chain(printed).collect();
    }
    // `120`, `(3,2)`.
    let name = |record: &&Record| {
        let key = record.key();
        key.row().map_or_else(|| key.tail().to_string(), |row| row.to_string())
    };
    let names: Vec<String> = records.iter().map(name).collect();
    let which = match &names[..] {
        [row] => format!("the record of row {row}"),
        [rows @ .., last] => format!("the records of rows {} and {last}", rows.join(", ")),
        [] => "the records".to_owned(),
    };
    vec![format!("This rests on {on}; --proof prints {which}.")]
}

/// Says which bites are not known, and how they can be found.
fn not_computed(is_none_known: bool, cost: Option<Cost>) -> String {
    let which = if is_none_known { "Which bites win" } else { "Whether other bites win" };
    match cost {
        Some(cost) => {
            format!("{which} was not computed; with --all, {}.", cost_in_words("will", cost))
        }
        None => format!("{which} was not computed, and no way to it is known here."),
    }
}

/// Printed for the board that is the poison alone.
const NO_BITE: &str = "There is no bite: the next player must take the poison, and loses.";

/// P or N, and the bites that leave P-positions.
fn outcome(answer: &Answer) -> Vec<String> {
    let Answer { position, bites, .. } = answer;
    let outcome = if answer.is_p() { "a P-position" } else { "an N-position" };
    let then = match bites.len() {
        _ if answer.is_p() => Some("Every bite leaves an N-position."),
        _ if answer.has_all_bites() => Some("These bites leave a P-position, and no other does:"),
        0 => None,
        1 => Some("This bite leaves a P-position:"),
        _ => Some("These bites leave a P-position:"),
    };
    let mut lines = vec![format!("{} is {outcome}.", named(position, position))];
    lines.extend(then.map(str::to_owned));
    lines.extend(bites.iter().map(|bite| {
        let row = format!("{}:", position.name_of_row(bite.square.row));
        format!("  {row:<11} {}", named(&bite.leaves, position))
    }));
    lines
}

/// Row lengths, and with three rows at most, all finite, the same in Zeilberger's notation.
fn named(position: &Position, asked: &Position) -> String {
    let is_of_three = asked.height() <= 3 && asked.longest_two().is_some();
    match position.zeilberger().filter(|_| is_of_three) {
        Some([c, a, b]) => format!("{position} = [{c},{a},{b}]"),
        None if asked.height() > 3 => position.as_board(),
        None => position.to_string(),
    }
}

/// The same of a board, with all positions of the rectangle around it, or by a theorem.
pub fn of_board(found: &BoardAnswer) -> String {
    let Some(solution) = found.solution() else {
        let cost = || cost_of_rectangle(found.board.height(), found.board.width());
        return of_position(&found.answer, "", false, cost);
    };
    let mut lines = match found.strategy() {
        Some(strategy) => of_p_position(strategy),
        None => of_n_position(found),
    };
    let (rows, columns) = (solution.rows(), solution.columns());
    lines.extend(length(&found.answer).into_iter().flat_map(|line| [String::new(), line]));
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
        in_both(board)
    }
}

fn of_n_position(found: &BoardAnswer) -> Vec<String> {
    let (board, bites) = (&found.board, found.answer.squares());
    let what = if board.is_rectangle() { "winning opening bites" } else { "winning bites" };
    let mut lines = vec![
        format!("{} is an N-position.", name(board)),
        format!("Number of {what}: {}", bites.len()),
    ];
    let leaves = |&bite: &Square| Some(format!("  {bite} leaves {}", in_both(&board.after(bite)?)));
    lines.extend(bites.iter().filter_map(leaves));
    lines.extend(drawn(&found.answer));
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
            let (pad, leaves) = (" ".repeat(width - label.len()), in_both(&pair.leaves));
            format!("  {label}{pad}  {one}, and {other}, leave {leaves}")
        }));
    }
    lines
}

/// Row lengths, and the same in Cho's notation.
fn in_both(board: &Board) -> String {
    format!("{board} = {}", board.in_notation_of_cho())
}
