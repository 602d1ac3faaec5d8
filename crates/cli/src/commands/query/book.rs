//! `chomp query --book`: a strategy for each P-position of a rectangle, as a document.

use driver::Error;
use std::fmt::Write;

use boards::Solved;
use boards::strategy::{Rule, Strategy};
use game::Board;

use super::strategy::{named, of_p_position};
use terminal::Watcher;

/// The document in Markdown. These are all P-positions of the rectangle that was solved.
pub fn document(
    solution: &dyn Solved,
    p_positions: &[Board],
    watcher: &Watcher,
) -> Result<String, Error> {
    let (rows, columns) = (solution.rows(), solution.columns());
    let number = p_positions.len();
    let mut text = format!(
        "# Strategies for {rows} x {columns} Chomp\n\n\
         {rows} x {columns} Chomp has {number} P-positions. Each is drawn with the poison at the top \
         left.\nIn brackets are the row lengths from the shortest, as in Cho's paper. A bite at a \
         square is answered\nat the other square with its label: what the two leave is a P-position \
         again.\n"
    );
    for board in p_positions {
        Error::if_interrupted(watcher)?;
        let paragraph = paragraph(solution, board);
        write!(text, "\n## {}\n\n{paragraph}", board.in_notation_of_cho())
            .expect("a string can always be written to");
    }
    Ok(text)
}

fn paragraph(solution: &dyn Solved, board: &Board) -> String {
    let Some(strategy) = Strategy::of(solution, board) else { return String::new() };
    // The first line says that it is a P-position.
    let lines = of_p_position(&strategy).split_off(1).join("\n");
    format!("{}\n\n```text\n{lines}\n```\n", reasons(board))
}

/// The rule by which it is a P-position, and the opening that leaves it.
fn reasons(board: &Board) -> String {
    let name = match Rule::of(board) {
        Some(Rule::TwoTopRow) => ", the 2TopRow Rule",
        Some(Rule::ThreeTopRow) => ", the 3TopRow Rule",
        Some(Rule::TwoRows | Rule::EqualWings) | None => "",
    };
    let by = Rule::of(board).map_or(String::new(), |rule| format!(" by {rule}{name}"));
    let mut sentences = vec![format!("{} is a P-position{by}", named(board))];
    let (rows, columns) = (board.height(), board.width());
    let rectangle = Board::rectangle(rows, columns).expect("the sides of a board");
    if let Some((bite, _)) = rectangle.bites().find(|(_, left)| left == board) {
        sentences.push(format!("The opening at {bite} of {rows} x {columns} leaves it, and wins"));
    }
    sentences.join(". ") + "."
}
