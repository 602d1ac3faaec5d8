//! The answer about a position, in words.

use std::iter;

use driver::{Answer, Basis, Cost, Position, Record, Square};
use terminal::cost_in_words;

use crate::drawing::{self, Marks};

/// The answer in words. Finding all bites that win takes this `cost`, if it is possible.
pub fn words(
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
pub fn length(answer: &Answer) -> Option<String> {
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
pub fn drawn(answer: &Answer) -> Vec<String> {
    let bites: Vec<Square> = answer.bites.iter().map(|bite| bite.square.clone()).collect();
    let marks = Marks::of_stdout();
    let mut lines = drawing::position(&answer.position, &bites, marks);
    if !lines.is_empty() {
        lines.insert(0, String::new());
        lines.extend([String::new(), marks.legend(!bites.is_empty())]);
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
