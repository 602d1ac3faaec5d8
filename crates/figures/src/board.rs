//! A board: its winning bites, or a strategy with labelled squares, as Cho (2018) draws it.

use boards::strategy::{Labelled, Strategy};
use game::{Board, Square};
use record::joined;

use super::FigureError;
use super::chart::{Figure, Ink, Label, Page, Path, WIDTH, colour};

/// Side of a square at most, 1 cm.
const LARGEST_SQUARE: i64 = 1000;
const LEFT: i64 = 850;
const RIGHT: i64 = 300;
const TOP: i64 = 1250;

/// The corner with the poisoned square. Rows and columns are counted from it in either case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Poison {
    /// At the top left, as in the 2005 paper.
    Top,
    /// At the bottom left, as in Cho's.
    Bottom,
}

/// A board that can be drawn.
#[derive(Clone, Debug)]
pub struct BoardPlot<'a> {
    board: &'a Board,
    poison: Poison,
    side: i64,
}

impl<'a> BoardPlot<'a> {
    /// The largest number of rows and of columns that is drawn: with more the labels are too small
    /// for print.
    pub const LARGEST: u16 = 40;

    /// A board with its poison there.
    ///
    /// # Errors
    /// [`FigureError::LargeBoard`].
    pub fn new(board: &'a Board, poison: Poison) -> Result<Self, FigureError> {
        let (rows, columns) = (board.height(), board.width());
        if rows.max(columns) > Self::LARGEST {
            return Err(FigureError::LargeBoard { rows, columns, largest: Self::LARGEST });
        }
        let side = ((WIDTH - LEFT - RIGHT) / i64::from(columns)).min(LARGEST_SQUARE);
        Ok(Self { board, poison, side })
    }

    /// The board with the bites that win, each a dot.
    pub fn winning_bites(&self, bites: &[Square]) -> Figure {
        let mut page = self.page(&format!("Winning bites of {}", self.name(self.board)));
        let dots = Path::dots(bites.iter().map(|&bite| self.middle(bite)));
        page.path("winning-bite", dots, Ink::Dots(colour::VERMILION, self.side * 45 / 100));
        let name = self.name(self.board);
        let mut sentences = vec![match bites.len() {
            0 => format!("The P-position {name}: every bite leaves an N-position."),
            1 => format!("The N-position {name}. One bite leaves a P-position:"),
            many => format!("The N-position {name}. {many} bites leave P-positions:"),
        }];
        let leaves = |&bite: &Square| {
            let left = self.name(&self.board.after(bite)?);
            let bite = unbroken(&bite.to_string());
            Some(format!("{bite} leaves {left};"))
        };
        sentences.extend(bites.iter().filter_map(leaves));
        page.caption(self.bottom(), &closed(&sentences.join(" ")))
    }

    /// The board with the labels of a strategy.
    pub fn strategy(&self, strategy: &Strategy) -> Figure {
        let mut page = self.page(&format!("A strategy for {}", self.name(self.board)));
        for square in self.board.squares().skip(1) {
            self.labels(&mut page, square, &strategy.labels(square));
        }
        page.caption(self.bottom(), &closed(&self.legend(strategy)))
    }

    /// The labels of a square, in one line or two; blue where a rule explains all of a line.
    fn labels(&self, page: &mut Page, square: Square, labels: &[&Labelled]) {
        let per_line = if labels.len() > 2 { labels.len().div_ceil(2) } else { labels.len() };
        let lines: Vec<_> = labels.chunks(per_line.max(1)).collect();
        let (x, y) = self.middle(square);
        let longest = lines.iter().map(|line| text_of(line).chars().count()).max().unwrap_or(1);
        let room = self.side * 150 / 100 / i64::try_from(longest.max(3)).expect("a short text");
        let size = room.min(self.side * 42 / 100);
        let leading = size * 105 / 100;
        let number = i64::try_from(lines.len()).expect("few lines");
        for (line, text) in (0..).zip(&lines) {
            let base = y + size * 36 / 100 + (2 * line + 1 - number) * leading / 2;
            let explained = text.iter().all(|label| label.pair.rule.is_some());
            let ink = if explained { colour::BLUE } else { colour::BLACK };
            let label = Label::new("pair", text_of(text), (x, base)).size(size).colour(ink);
            page.label(label.middle());
        }
    }

    /// The empty board, with its poison and the numbers of rows and columns.
    fn page(&self, title: &str) -> Page {
        let mut page = Page::new(title);
        let mut squares = Path::default();
        for square in self.board.squares() {
            squares.rectangle(self.corner(square), self.side, self.side);
        }
        page.path("board", squares.clone(), Ink::Fill("#f6efe4"));
        page.path("squares", squares, Ink::Line(colour::DARK, 15));
        let (x, y) = self.middle(Square::POISON);
        let ink = Ink::Dots(colour::BLACK, self.side * 50 / 100);
        page.path("poison", Path::dots([(x, y)]), ink);
        let arm = self.side * 13 / 100;
        let mut cross = Path::through(&[(x - arm, y - arm), (x + arm, y + arm)]);
        cross.line(&[(x - arm, y + arm), (x + arm, y - arm)]);
        page.path("poison", cross, Ink::Line(colour::WHITE, self.side * 7 / 100));
        self.numbers(&mut page);
        page
    }

    fn numbers(&self, page: &mut Page) {
        let size = (self.side * 45 / 100).clamp(130, 260);
        for row in 1..=self.board.height() {
            let (_, y) = self.middle(Square { row, column: 1 });
            let at = (LEFT - 130, y + size * 36 / 100);
            let label = Label::new("row", row.to_string(), at).size(size).end();
            page.label(label.colour(colour::DARK));
        }
        for column in 1..=self.board.width() {
            let (x, y) = self.middle(Square { row: 1, column });
            let y = match self.poison {
                Poison::Top => y - self.side / 2 - 110,
                Poison::Bottom => y + self.side / 2 + 90 + size,
            };
            let label = Label::new("column", column.to_string(), (x, y)).size(size);
            page.label(label.middle().colour(colour::DARK));
        }
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (i64, i64) {
        let line = match self.poison {
            Poison::Top => square.row - 1,
            Poison::Bottom => self.board.height() - square.row,
        };
        let place = |number: u16| i64::from(number) * self.side;
        (LEFT + place(square.column - 1), TOP + place(line))
    }

    fn middle(&self, square: Square) -> (i64, i64) {
        let (x, y) = self.corner(square);
        (x + self.side / 2, y + self.side / 2)
    }

    /// Row lengths in the order in which the rows are drawn, from the top.
    fn name(&self, board: &Board) -> String {
        match self.poison {
            Poison::Top => board.to_string(),
            Poison::Bottom => board.in_notation_of_cho(),
        }
    }

    /// The position that each pair leaves, or the rule by which it is P.
    fn legend(&self, strategy: &Strategy) -> String {
        let mut sentences = vec![format!(
            "The P-position {}. A bite at a square is answered at the other square with its label, \
             and what the two leave is a P-position:",
            self.name(self.board)
        )];
        let (explained, others): (Vec<_>, Vec<_>) =
            strategy.chosen.iter().partition(|label| label.pair.rule.is_some());
        for label in others {
            sentences.push(format!("{}:\u{a0}{};", label.label, self.name(&label.pair.leaves)));
        }
        for same_rule in explained.chunk_by(|one, other| one.pair.rule == other.pair.rule) {
            if let Some(rule) = same_rule[0].pair.rule {
                let labels = joined(same_rule.iter().map(|label| &label.label), ", ");
                sentences.push(format!("{labels} (blue), by {rule};"));
            }
        }
        sentences.join(" ")
    }

    /// The lower end of the drawing, with the numbers of columns below it.
    fn bottom(&self) -> i64 {
        let below = if self.poison == Poison::Bottom { 350 } else { 0 };
        TOP + i64::from(self.board.height()) * self.side + below + 150
    }
}

/// The labels of pairs, each once.
fn text_of(labels: &[&Labelled]) -> String {
    joined(labels.iter().map(|label| &label.label), " ")
}

/// Makes its spaces unbreakable.
fn unbroken(text: &str) -> String {
    text.replace(' ', "\u{a0}")
}

/// A list that ends in a full stop.
fn closed(text: &str) -> String {
    match text.strip_suffix([';', ':']) {
        Some(text) => format!("{text}."),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;
    use std::ops::ControlFlow;

    use boards::Solved;
    use boards::rectangles::Solution;

    use super::*;

    fn solved(rows: u16, columns: u16) -> Solution {
        let watch = |_| ControlFlow::Continue(());
        Solution::of(rows, columns, NonZero::<usize>::MIN, &watch).expect("a small board")
    }

    #[test]
    fn no_text_is_cut_by_the_edge_of_the_page() {
        let solution = solved(7, 9);
        for board in solution.p_positions() {
            let strategy = Strategy::of(&solution, &board).expect("a P-position");
            for poison in [Poison::Top, Poison::Bottom] {
                let plot = BoardPlot::new(&board, poison).expect("small");
                assert_eq!(plot.strategy(&strategy).cut_texts(), [""; 0], "{board}");
                assert_eq!(plot.winning_bites(&[]).cut_texts(), [""; 0], "{board}");
            }
        }
    }

    /// A square has the labels of its pairs, and each pair occurs twice.
    #[test]
    fn every_square_is_labelled() {
        let solution = solved(4, 7);
        let board: Board = "[4557]".parse().expect("a board");
        let strategy = Strategy::of(&solution, &board).expect("a P-position");
        let figure = BoardPlot::new(&board, Poison::Bottom).expect("small").strategy(&strategy);
        let svg = figure.svg();
        let document = roxmltree::Document::parse(&svg).expect("well-formed");
        let texts = document.descendants().filter(|node| node.attribute("class") == Some("pair"));
        let labels: Vec<&str> =
            texts.flat_map(|node| node.text().expect("text").split(' ')).collect();
        assert_eq!(labels.len(), 2 * strategy.chosen.len());
        for label in strategy.chosen {
            assert_eq!(labels.iter().filter(|&&other| other == label.label).count(), 2);
        }
    }

    #[test]
    fn large_boards_are_refused() {
        let board = Board::rectangle(1, 41).expect("a board");
        let refused = BoardPlot::new(&board, Poison::Top).expect_err("too large");
        assert_eq!(refused, FigureError::LargeBoard { rows: 1, columns: 41, largest: 40 });
    }
}
