//! Claims about boards with any number of rows, decided by the solver of `boards`. Boards are
//! written as Cho writes them, `[abcd]`: row lengths from the top, the poisoned row last.

use boards::openings::{Measure, Openings};
use boards::strategy::Rule;
use game::{Board, Outcome, Square};
use record::joined;
use serde::Deserialize;

use crate::evidence::{Oracles, SIDE};
use crate::positions::PN;
use crate::verdict::{Examined, Finding};

/// A test on boards.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum BoardTest {
    /// All of these hold.
    All(Vec<BoardTest>),
    /// Boards have this outcome.
    Outcomes {
        /// P or N.
        outcome: PN,
        /// The boards.
        boards: Vec<String>,
    },
    /// From each of the boards a bite leads to this P-position.
    Blocked {
        /// The P-position.
        by: String,
        /// The boards.
        boards: Vec<String>,
    },
    /// From all boards with row lengths in these ranges, from the top, a bite leads to this
    /// P-position.
    Family {
        /// The least and the largest length of each row.
        rows: Vec<(u16, u16)>,
        /// The P-position.
        by: String,
    },
    /// The P-positions with these numbers of rows and columns are these. Without `trivial`, those
    /// of two rows or columns, and of equal wings, are left out.
    PPositions {
        /// The rows.
        rows: u16,
        /// The least and the largest number of columns.
        columns: (u16, u16),
        /// Whether the list has trivial ones.
        trivial: bool,
        /// All of them.
        boards: Vec<String>,
    },
    /// The winning openings of a rectangle leave these boards.
    Openings {
        /// The rows.
        rows: u16,
        /// The columns.
        columns: u16,
        /// The boards that they leave.
        leave: Vec<String>,
    },
    /// The winning opening of a rectangle is the bite at this square: column, row.
    OpeningMove {
        /// The rows.
        rows: u16,
        /// The columns.
        columns: u16,
        /// The square, as Cho names it.
        square: (u16, u16),
    },
    /// A rectangle has this number of winning openings.
    NumberOfOpenings {
        /// Rows, columns and number.
        rectangles: Vec<(u16, u16, usize)>,
    },
    /// On n × n, n >= from, the bite at this square wins; if `alone` is set, no other does.
    Square {
        /// The least n.
        from: u16,
        /// Column and row.
        square: (u16, u16),
        /// Whether no other may win.
        alone: bool,
    },
    /// On m × n, from <= m <= n, taking the corner square alone loses.
    CornerLoses {
        /// The least side.
        from: u16,
    },
    /// Of all rectangles with more than one winning opening this one has the fewest squares.
    FewestSquares {
        /// The rows.
        rows: u16,
        /// The columns.
        columns: u16,
    },
    /// The bite at this square, column and row, leaves this board.
    Bite {
        /// The board.
        board: String,
        /// The square, as Cho names it.
        square: (u16, u16),
        /// The board that is left.
        leaves: String,
    },
    /// Of the P-positions that no trivial rule gives, this one and its mirror image, and no other,
    /// have the fewest squares.
    FirstNotTrivial {
        /// The P-position.
        board: String,
    },
    /// To 3 × n, each P-position is given by a trivial rule, by the 2TopRow Rule, by the 3TopRow
    /// Rule, or it is left by a winning opening of a smaller or equal rectangle.
    RulesSuffice {
        /// The largest n.
        columns: u16,
    },
    /// Any two bites at these squares leave a P-position.
    AnyTwo {
        /// The board.
        board: String,
        /// Columns and rows.
        squares: Vec<(u16, u16)>,
    },
}

/// Rectangles to this number of squares are solved one by one.
const MOST_SQUARES: u16 = 100;

impl BoardTest {
    /// The method, and the finding.
    pub(crate) fn examine(&self, oracles: &Oracles) -> Examined {
        let solved = || format!("all positions of {SIDE}x{SIDE}");
        match self {
            Self::Square { from, .. } | Self::CornerLoses { from } => {
                let check = |n| self.check(oracles, u16::try_from(n).expect("a side")).err();
                Finding::each((*from).into()..=SIDE.into(), check).by(solved())
            }
            Self::Family { rows, .. } => {
                let counterexample = self.check(oracles, 0).err();
                let longest = rows.iter().map(|&(_, largest)| largest).max().unwrap_or(0);
                let tested = format!("row lengths to {longest}");
                Finding::Cases { counterexample, tested }.by(solved())
            }
            Self::FewestSquares { .. } => {
                let method = "all positions of each rectangle, by number of squares";
                self.stated(oracles).by(method)
            }
            _ => self.stated(oracles).by(solved()),
        }
    }

    fn stated(&self, oracles: &Oracles) -> Finding {
        match self.check(oracles, 0) {
            Ok(figure) => Finding::unless(None).with(figure),
            Err(found) => Finding::unless(Some(found)),
        }
    }

    /// The finding; n is for statements about all n.
    fn check(&self, oracles: &Oracles, n: u16) -> Result<String, String> {
        match self {
            Self::All(tests) => {
                for test in tests {
                    test.check(oracles, n)?;
                }
                Ok(String::new())
            }
            Self::Outcomes { outcome, boards } => {
                let expected = if *outcome == PN::P { Outcome::P } else { Outcome::N };
                first_wrong(boards, |board| {
                    let found = oracles.outcome_of(board);
                    (found != expected).then(|| format!("{} is {found}", named(board)))
                })
            }
            Self::Blocked { by, boards } => {
                first_wrong(boards, |from| not_blocked(oracles, from, &board(by)))
            }
            Self::Family { rows, by } => family(oracles, rows, &board(by)),
            Self::PPositions { rows, columns, trivial, boards } => {
                let found = oracles.p_positions().iter().filter(|board| {
                    board.height() == *rows
                        && (columns.0..=columns.1).contains(&board.width())
                        && (*trivial || !is_trivial(board))
                });
                same_boards(found.cloned().collect(), boards_of(boards))
            }
            Self::Openings { rows, columns, leave } => {
                same_boards(openings(oracles, *rows, *columns).1, boards_of(leave))
            }
            Self::OpeningMove { rows, columns, square } => {
                let found = openings(oracles, *rows, *columns).0;
                let words = squares(&found);
                if found == [at(*square)] { Ok(words) } else { Err(words) }
            }
            Self::NumberOfOpenings { rectangles } => {
                let mut figures = Vec::new();
                for &(rows, columns, number) in rectangles {
                    let found = openings(oracles, rows, columns).0;
                    figures.push(format!("{rows}x{columns}: {}", squares(&found)));
                    if found.len() != number {
                        return Err(figures.join("; "));
                    }
                }
                Ok(figures.join("; "))
            }
            Self::Square { square, alone, .. } => {
                let found = openings(oracles, n, n).0;
                let right = found.contains(&at(*square)) && (!alone || found.len() == 1);
                let words = format!("{n}x{n}: {}", squares(&found));
                if right { Ok(words) } else { Err(words) }
            }
            Self::CornerLoses { from } => corner(oracles, *from, n),
            Self::FewestSquares { rows, columns } => fewest_squares(*rows, *columns),
            Self::Bite { board: text, square, leaves } => {
                let left = board(text).after(at(*square));
                let words = left.as_ref().map_or_else(
                    || format!("{text} does not have the square {}", squares(&[at(*square)])),
                    |left| format!("the bite leaves {}", named(left)),
                );
                if left == Some(board(leaves)) { Ok(words) } else { Err(words) }
            }
            Self::FirstNotTrivial { board: text } => first_not_trivial(oracles, &board(text)),
            Self::RulesSuffice { columns } => rules_suffice(oracles, *columns),
            Self::AnyTwo { board: text, squares } => any_two(oracles, &board(text), squares),
        }
    }
}

fn board(text: &str) -> Board {
    text.parse().expect("the boards of the ledger are boards")
}

fn named(board: &Board) -> String {
    board.in_notation_of_cho()
}

/// A square as Cho names it.
fn at((column, row): (u16, u16)) -> Square {
    Square { row, column }
}

/// Squares as Cho names them.
fn squares(squares: &[Square]) -> String {
    let names = squares.iter().map(|Square { row, column }| format!("({column},{row})"));
    if squares.is_empty() { "none".to_owned() } else { joined(names, ", ") }
}

/// Propositions 2.1 and 2.2 of Cho's paper, and the poison alone.
fn is_trivial(board: &Board) -> bool {
    board.area() == 1 || matches!(Rule::of(board), Some(Rule::TwoRows | Rule::EqualWings))
}

fn first_wrong(
    boards: &[String],
    wrong: impl Fn(&Board) -> Option<String>,
) -> Result<String, String> {
    match boards.iter().find_map(|text| wrong(&board(text))) {
        Some(counterexample) => Err(counterexample),
        None => Ok(String::new()),
    }
}

fn not_blocked(oracles: &Oracles, from: &Board, by: &Board) -> Option<String> {
    if oracles.outcome_of(by) == Outcome::N {
        return Some(format!("{} is N", named(by)));
    }
    let reached = from.bites().any(|(_, left)| left == *by);
    (!reached).then(|| format!("no bite leads from {} to {}", named(from), named(by)))
}

fn family(oracles: &Oracles, rows: &[(u16, u16)], by: &Board) -> Result<String, String> {
    let mut choices = vec![Vec::new()];
    for &(least, largest) in rows {
        let longer = |choice: &Vec<u16>| {
            let choice = choice.clone();
            let least = choice.first().copied().unwrap_or(0).max(least);
            (least..=largest).map(move |next| [vec![next], choice.clone()].concat())
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    for choice in choices {
        let from = Board::new(choice).expect("the rows do not grow");
        if let Some(wrong) = not_blocked(oracles, &from, by) {
            return Err(wrong);
        }
    }
    Ok(String::new())
}

fn boards_of(texts: &[String]) -> Vec<Board> {
    texts.iter().map(|text| board(text)).collect()
}

fn same_boards(mut found: Vec<Board>, mut expected: Vec<Board>) -> Result<String, String> {
    found.sort();
    expected.sort();
    let words = joined(found.iter().map(named), ", ");
    if found == expected { Ok(words) } else { Err(words) }
}

/// The winning openings, and the boards that they leave.
fn openings(oracles: &Oracles, rows: u16, columns: u16) -> (Vec<Square>, Vec<Board>) {
    let found = Openings::of(oracles.boards(), rows, columns).expect("a rectangle that was solved");
    let rectangle = Board::rectangle(rows, columns).expect("not empty");
    let leave = found.bites.iter().filter_map(|&bite| rectangle.after(bite)).collect();
    (found.bites, leave)
}

fn first_not_trivial(oracles: &Oracles, board: &Board) -> Result<String, String> {
    let is_asked = |other: &&Board| other.area() <= board.area() && !is_trivial(other);
    let found = oracles.p_positions().iter().filter(is_asked).cloned().collect();
    same_boards(found, vec![board.clone(), board.transposed()])
}

fn rules_suffice(oracles: &Oracles, columns: u16) -> Result<String, String> {
    let is_asked = |board: &&Board| board.height() <= 3 && board.width() <= columns;
    let all = oracles.p_positions().iter().filter(is_asked);
    let left_by_openings: Vec<Board> = (1..=3)
        .flat_map(|rows| (1..=columns).map(move |columns| (rows, columns)))
        .filter(|&sides| sides != (1, 1))
        .flat_map(|(rows, columns)| openings(oracles, rows, columns).1)
        .collect();
    let (mut by_rules, mut by_openings) = (0_u64, Vec::new());
    for board in all {
        if board.area() == 1 || Rule::of(board).is_some() {
            by_rules += 1;
        } else if left_by_openings.contains(board) {
            by_openings.push(named(board));
        } else {
            return Err(format!("{} is P by none of these", named(board)));
        }
    }
    Ok(format!("{by_rules} by the rules; {}", joined(by_openings, ", ")))
}

fn corner(oracles: &Oracles, from: u16, n: u16) -> Result<String, String> {
    for m in from..=n {
        if openings(oracles, m, n).0.contains(&Square { row: m, column: n }) {
            return Err(format!("{m}x{n}: the corner square wins"));
        }
    }
    Ok(String::new())
}

fn fewest_squares(rows: u16, columns: u16) -> Result<String, String> {
    let found = Measure::Squares.smallest_with(2, MOST_SQUARES).expect("small rectangles");
    let words = found.iter().map(|found| {
        let Openings { rows, columns, bites } = found;
        format!("{rows}x{columns}, with {} squares: {}", rows * columns, squares(bites))
    });
    let words = joined(words, "; ");
    let sides: Vec<_> = found.iter().map(|found| (found.rows, found.columns)).collect();
    if sides == [(rows, columns)] { Ok(words) } else { Err(words) }
}

fn any_two(oracles: &Oracles, board: &Board, squares: &[(u16, u16)]) -> Result<String, String> {
    for (place, &one) in squares.iter().enumerate() {
        for &other in &squares[place + 1..] {
            let left = board.after(at(one)).and_then(|left| left.after(at(other)));
            if left.is_none_or(|left| oracles.outcome_of(&left) == Outcome::N) {
                return Err(format!("after {one:?} and {other:?} the next player wins"));
            }
        }
    }
    Ok(String::new())
}
