//! The answer for one board, in words, as JSON and as a figure.

use boards::solved::Solved;
use boards::strategy::{Labelled, Strategy};
use driver::WrittenBoard;
use driver::objects::{BoardObject, RectangleObject};
use figures::{BoardPlot, Figure, Poison};
use game::{Board, Square};
use record::joined;
use serde_json::Value;

use crate::drawing::{self, Marks};
use crate::failure::Failure;
use crate::json;

/// The answer for one board.
pub struct BoardAnswer<'a> {
    solution: &'a dyn Solved,
    written: WrittenBoard,
    /// The bites that win; none of a P-position.
    bites: Vec<Square>,
    pub strategy: Option<Strategy>,
}

impl<'a> BoardAnswer<'a> {
    pub fn of(solution: &'a dyn Solved, written: WrittenBoard) -> Self {
        let bites = solution.winning_bites(&written.board).unwrap_or_default();
        let strategy = Strategy::of(solution, &written.board);
        Self { solution, written, bites, strategy }
    }

    fn board(&self) -> &Board {
        &self.written.board
    }

    /// The name in messages: of a rectangle, its sides.
    fn name(&self) -> String {
        let board = self.board();
        if board.is_rectangle() {
            format!("{}x{}", board.height(), board.width())
        } else {
            named(board)
        }
    }

    pub fn figure(&self) -> Result<Figure, Failure> {
        let plot = plot(&self.written)?;
        Ok(match &self.strategy {
            Some(strategy) => plot.strategy(strategy),
            None => plot.winning_bites(&self.bites),
        })
    }

    pub fn words(&self) -> String {
        let mut lines = match &self.strategy {
            Some(strategy) => self.of_p_position(strategy),
            None => self.of_n_position(),
        };
        let (rows, columns) = (self.solution.rows(), self.solution.columns());
        let (positions, p) = (self.solution.positions(), self.solution.p_count());
        lines.push(String::new());
        lines.push(format!("Positions of {rows}x{columns}: {positions}, of which P: {p}."));
        lines.join("\n") + "\n"
    }

    fn of_n_position(&self) -> Vec<String> {
        let board = self.board();
        let what = if board.is_rectangle() { "winning opening bites" } else { "winning bites" };
        let mut lines = vec![
            format!("{} is an N-position.", self.name()),
            format!("Number of {what}: {}", self.bites.len()),
        ];
        let leaves =
            |&bite: &Square| Some(format!("  {bite} leaves {}", named(&board.after(bite)?)));
        lines.extend(self.bites.iter().filter_map(leaves));
        let marks = Marks::of_stdout();
        let drawn = drawing::board(board.rows(), |square| self.bites.contains(&square), marks);
        if !drawn.is_empty() {
            lines.push(String::new());
            lines.extend(drawn);
            lines.extend([String::new(), marks.legend(!self.bites.is_empty())]);
        }
        lines
    }

    pub fn of_p_position(&self, strategy: &Strategy) -> Vec<String> {
        let mut lines = vec![format!("{} is a P-position.", self.name())];
        if strategy.chosen.is_empty() {
            lines.push("No bite is left but the poison.".to_owned());
            return lines;
        }
        lines.push("A bite at a square is answered at the other square with its label.".to_owned());
        let label = |square| joined(strategy.labels(square).iter().map(|pair| &pair.label), " ");
        let drawn = drawing::labels(self.board().rows(), label, Marks::of_stdout());
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

    pub fn object(&self) -> Value {
        let Self { solution, bites, strategy, .. } = self;
        json::value(BoardObject::of(self.board(), bites, strategy.as_ref(), *solution))
    }
}

pub fn rectangle_object(solution: &dyn Solved) -> Value {
    json::value(RectangleObject::from(solution))
}

/// Row lengths, and the same in Cho's notation.
pub fn named(board: &Board) -> String {
    format!("{board} = {}", board.in_notation_of_cho())
}

pub fn plot(written: &WrittenBoard) -> Result<BoardPlot<'_>, Failure> {
    let poison = if written.poison_last { Poison::Bottom } else { Poison::Top };
    BoardPlot::new(&written.board, poison).map_err(Failure::usage)
}
