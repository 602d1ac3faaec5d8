//! Claims about boards with any number of rows, decided by the solver of `boards`. Boards are
//! written as Cho writes them, `[abcd]`: row lengths from the top, the poisoned row last.

use boards::openings::{self, Openings};
use boards::strategy::Rule;
use game::{Board, Outcome};
use record::joined;

use crate::arguments::{PN, Written};
use crate::brouwer::boards::{at, squares, winning};
use crate::evidence::Evidence;
use crate::oracles::{self, P_POSITIONS};
use crate::verdict::Finding;

/// Rectangles to this number of squares are solved one by one.
const MOST_SQUARES: u16 = 100;

type Boards = Vec<Written<Board>>;

fn named(board: &Board) -> String {
    board.in_notation_of_cho()
}

/// Propositions 2.1 and 2.2 of Cho's paper, and the poison alone.
fn is_trivial(board: &Board) -> bool {
    board.area() == 1 || matches!(Rule::of(board), Some(Rule::TwoRows | Rule::EqualWings))
}

/// Boards have this outcome.
pub fn board_outcomes(_: &Evidence, (outcome, boards): (PN, Boards)) -> Finding {
    let wrong = |Written(board): &Written<Board>| {
        let found = oracles::outcome_of(board);
        (!outcome.is(found)).then(|| format!("{} is {found}", named(board)))
    };
    Finding::unless(boards.iter().find_map(wrong))
}

/// To this P-position a bite leads from each of the boards.
pub fn boards_blocked(_: &Evidence, (Written(by), boards): (Written<Board>, Boards)) -> Finding {
    let mut boards = boards.iter();
    Finding::unless(boards.find_map(|Written(from)| not_blocked(from, &by)))
}

fn not_blocked(from: &Board, by: &Board) -> Option<String> {
    if oracles::outcome_of(by) == Outcome::N {
        return Some(format!("{} is N", named(by)));
    }
    let reached = from.bites().any(|(_, left)| left == *by);
    (!reached).then(|| format!("no bite leads from {} to {}", named(from), named(by)))
}

/// From all boards with row lengths in these ranges, from the top, a bite leads to a P-position:
/// the least and the largest length of each row, and the P-position.
pub fn family_blocked(
    _: &Evidence,
    (rows, Written(by)): (Vec<(u16, u16)>, Written<Board>),
) -> Finding {
    let choices =
        rows.iter().fold(vec![Vec::new()], |choices: Vec<Vec<u16>>, &(least, largest)| {
            let longer = |choice: Vec<u16>| {
                let least = choice.first().copied().unwrap_or(0).max(least);
                (least..=largest).map(move |next| [vec![next], choice.clone()].concat())
            };
            choices.into_iter().flat_map(longer).collect()
        });
    let boards = choices.into_iter().map(|rows| Board::new(rows).expect("the rows do not grow"));
    let wrong = boards.into_iter().find_map(|from| not_blocked(&from, &by));
    let longest = rows.iter().map(|&(_, largest)| largest).max().unwrap_or(0);
    Finding::in_cases(format!("row lengths to {longest}"), wrong)
}

fn same_boards(mut found: Vec<Board>, expected: &[Written<Board>]) -> Finding {
    let mut expected: Vec<Board> = expected.iter().map(|Written(board)| board.clone()).collect();
    found.sort();
    expected.sort();
    Finding::found(found == expected, joined(found.iter().map(named), ", "))
}

/// The P-positions with these numbers of rows and columns, the least and the largest number, are
/// these. The flag says whether the list has trivial ones, those of two rows or columns and of
/// equal wings.
pub fn p_position_boards(
    _: &Evidence,
    (rows, columns, trivial, boards): (u16, (u16, u16), bool, Boards),
) -> Finding {
    let found = P_POSITIONS.iter().filter(|board| {
        board.height() == rows
            && (columns.0..=columns.1).contains(&board.width())
            && (trivial || !is_trivial(board))
    });
    same_boards(found.cloned().collect(), &boards)
}

/// The winning openings of a rectangle, rows and columns, leave these boards.
pub fn openings(_: &Evidence, (rows, columns, leave): (u16, u16, Boards)) -> Finding {
    same_boards(winning(rows, columns).1, &leave)
}

/// The winning opening of a rectangle, rows and columns, is the bite at this square: column, row.
pub fn opening_move(_: &Evidence, (rows, columns, square): (u16, u16, (u16, u16))) -> Finding {
    let found = winning(rows, columns).0;
    Finding::found(found == [at(square)], squares(&found))
}

/// Of all rectangles with more than one winning opening this one, rows and columns, has the fewest
/// squares.
pub fn fewest_squares(_: &Evidence, said: (u16, u16)) -> Finding {
    let found = openings::fewest_squares(2, MOST_SQUARES).expect("small rectangles");
    let words = |Openings { rows, columns, bites }: &Openings| {
        format!("{rows}x{columns}, with {} squares: {}", rows * columns, squares(bites))
    };
    let right = found.iter().map(|found| (found.rows, found.columns)).eq([said]);
    Finding::found(right, joined(found.iter().map(words), "; "))
        .by("all positions of each rectangle, by number of squares")
}

/// On a board the bite at a square, column and row, leaves the other board.
pub fn bite(
    _: &Evidence,
    (Written(board), square, Written(leaves)): (Written<Board>, (u16, u16), Written<Board>),
) -> Finding {
    let Some(left) = board.after(at(square)) else {
        let words =
            format!("{} does not have the square {}", named(&board), squares(&[at(square)]));
        return Finding::found(false, words);
    };
    Finding::found(left == leaves, format!("the bite leaves {}", named(&left)))
}

/// Of the P-positions that no trivial rule gives, this one and its mirror image, and no other, have
/// the fewest squares.
pub fn first_not_trivial(_: &Evidence, (Written(board),): (Written<Board>,)) -> Finding {
    let is_asked = |other: &&Board| other.area() <= board.area() && !is_trivial(other);
    let found = P_POSITIONS.iter().filter(is_asked).cloned().collect();
    same_boards(found, &[Written(board.clone()), Written(board.transposed())])
}

/// To 3 × n, n to this number, each P-position is given by a trivial rule, by the 2TopRow Rule, by
/// the 3TopRow Rule, or it is left by a winning opening of a smaller or equal rectangle.
pub fn rules_suffice(_: &Evidence, (columns,): (u16,)) -> Finding {
    let is_asked = |board: &&Board| board.height() <= 3 && board.width() <= columns;
    let left_by_openings: Vec<Board> = (1..=3)
        .flat_map(|rows| (1..=columns).map(move |columns| (rows, columns)))
        .filter(|&sides| sides != (1, 1))
        .flat_map(|(rows, columns)| winning(rows, columns).1)
        .collect();
    let (by_rules, others): (Vec<&Board>, Vec<&Board>) = P_POSITIONS
        .iter()
        .filter(is_asked)
        .partition(|board| board.area() == 1 || Rule::of(board).is_some());
    let wrong = others.iter().find(|board| !left_by_openings.contains(board));
    let by_openings = joined(others.iter().map(|board| named(board)), ", ");
    Finding::unless(wrong.map(|board| format!("{} is P by none of these", named(board))))
        .with(format!("{} by the rules; {by_openings}", by_rules.len()))
}

/// On a board any two bites at these squares, columns and rows, leave a P-position.
pub fn any_two(
    _: &Evidence,
    (Written(board), squares): (Written<Board>, Vec<(u16, u16)>),
) -> Finding {
    let pairs = (1..)
        .zip(&squares)
        .flat_map(|(next, &one)| squares[next..].iter().map(move |&other| (one, other)));
    let wrong = pairs.into_iter().find(|&(one, other)| {
        let left = board.after(at(one)).and_then(|left| left.after(at(other)));
        left.is_none_or(|left| oracles::outcome_of(&left) == Outcome::N)
    });
    let words = |(one, other)| format!("after {one:?} and {other:?} the next player wins");
    Finding::unless(wrong.map(words))
}
