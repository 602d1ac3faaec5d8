//! I.-S. Cho, *Winning Strategies for the Game of Chomp: A Practical Approach*, 2018. His `[abc]`
//! are row lengths from the top, the poison in the last row, and his `(x, y)` column and row.

use std::collections::BTreeSet;

use boards::Outcomes;
use boards::Solved;
use boards::rectangles::Solution;
use boards::strategy::{Rule, Strategy};
use game::{Board, Outcome, Square};

use super::solved;

const SUMMARY_1: [&str; 8] =
    ["[224]", "[235]", "[246]", "[257]", "[336]", "[347]", "[355]", "[477]"];

const SUMMARY_2: [&str; 11] = [
    "[1133]", "[1125]", "[2255]", "[2335]", "[2226]", "[2237]", "[2357]", "[2447]", "[3377]",
    "[3457]", "[4557]",
];

fn board(text: &str) -> Board {
    text.parse().expect(text)
}

fn boards(texts: &[&str]) -> BTreeSet<Board> {
    texts.iter().map(|text| board(text)).collect()
}

/// Propositions 2.1 and 2.2, the *trivial rules*, and the poison alone.
fn is_trivial(board: &Board) -> bool {
    board.area() == 1 || matches!(Rule::of(board), Some(Rule::TwoRows | Rule::EqualWings))
}

/// P-positions that are not trivial, without those that have fewer rows.
fn of_height(solution: &Solution, height: u16) -> BTreeSet<Board> {
    let all = solution.p_positions();
    all.filter(|board| board.height() == height && !is_trivial(board)).collect()
}

/// Propositions 2.3 to 2.8 and 3.1 to 3.10, summaries 1 and 2. He says that there are no others.
#[test]
fn the_winning_shapes_of_the_summaries_and_no_others() {
    let solution = solved(4, 7);
    assert_eq!(of_height(&solution, 3), boards(&SUMMARY_1));
    assert_eq!(of_height(&solution, 4), boards(&SUMMARY_2));
    assert_eq!(board("[1133]"), board("[224]'"));
}

/// Section 4.
#[test]
fn the_winning_shapes_of_three_rows_with_one_digit() {
    let new = |columns: u16| {
        let of_width = |board: &Board| board.width() == columns;
        of_height(&solved(3, columns), 3).into_iter().filter(of_width).collect::<BTreeSet<_>>()
    };
    assert_eq!(new(8), boards(&["[268]", "[448]"]));
    assert_eq!(new(9), boards(&["[279]", "[459]", "[569]", "[699]"]));
}

/// Propositions 2.1, 2.2, 2.4 to 2.6, 2.8, 3.2, 3.4, 3.8, and section 4.
#[test]
fn the_opening_moves_to_4_by_7() {
    let solution = solved(9, 9);
    let opening = |rows, columns| {
        let rectangle = Board::rectangle(rows, columns).expect("not empty");
        solution.winning_bites(&rectangle).expect("it fits")
    };
    for (rows, columns, (x, y)) in [
        (3, 4, (3, 2)),
        (3, 5, (4, 3)),
        (3, 6, (4, 2)),
        (3, 7, (5, 3)),
        (4, 5, (3, 3)),
        // Printed as (2, 3), which is a square of [2226], the shape that the move leaves.
        (4, 6, (3, 2)),
        (4, 7, (4, 3)),
    ] {
        assert_eq!(opening(rows, columns), [Square { row: y, column: x }], "{rows}x{columns}");
        let mirrored = [Square { row: x, column: y }];
        assert_eq!(opening(columns, rows), mirrored, "{columns}x{rows}");
    }
    for n in 2..=9 {
        assert_eq!(opening(n, n), [Square { row: 2, column: 2 }], "square of side {n}");
        assert_eq!(opening(2, n), [Square { row: 2, column: n }], "2x{n}");
    }
    for (columns, shape) in [(8, "[448]"), (9, "[699]")] {
        let rectangle = Board::rectangle(3, columns).expect("not empty");
        let left: Vec<_> = opening(3, columns)
            .into_iter()
            .map(|square| rectangle.after(square).expect("a bite"))
            .collect();
        assert_eq!(left, [board(shape)]);
    }
}

/// Proposition 2.3 and corollaries 2.9 and 2.10.
#[test]
fn rules_for_three_rows() {
    let solution = solved(3, 30);
    let outcome = |rows: [u16; 3]| {
        solution.outcome(&Board::new(rows.to_vec()).expect("a board")).expect("it fits")
    };
    for b in 2..=28 {
        assert_eq!(outcome([b + 2, b, 2]), Outcome::P);
        assert_eq!(Rule::of(&board(&format!("{},{b},2", b + 2))), Some(Rule::TwoTopRow));
    }
    for b in 3..=27 {
        assert_eq!(outcome([b + 3, b, 3]) == Outcome::P, b <= 4, "(c): 3TopRow for b = 3, 4 only");
        let rule = Rule::of(&board(&format!("{},{b},3", b + 3)));
        assert_eq!(rule, (b <= 4).then_some(Rule::ThreeTopRow));
    }
    for c in 7..=30 {
        assert!(is_blocked([c, 3, 3], "[336]"));
        for b in 5..c {
            assert!(is_blocked([c, b, 3], "[355]"));
        }
    }
}

fn is_blocked(rows: [u16; 3], by: &str) -> bool {
    Board::new(rows.to_vec()).expect("a board").bites().any(|(_, left)| left == board(by))
}

/// The remarks between the propositions of section 3.
#[test]
fn what_blocks_the_other_shapes_of_four_rows() {
    for (shapes, by) in [
        ("1144 1145 1135 1147", "[1133]"),
        ("1126 1127 1128", "[1125]"),
        ("3335", "[2335]"),
        ("3355 3455 4455 2455", "[2255]"),
        ("2227 2466 4566", "[2226]"),
        ("2457 3357", "[2357]"),
        ("2557 2577 4447", "[2447]"),
        ("3337", "[2237]"),
        ("3347", "[347]"),
        ("3477 3557 4457", "[3457]"),
        ("3677 3777 4477", "[3377]"),
        ("5557", "[4557]"),
    ] {
        for shape in shapes.split(' ') {
            let board_of = board(&format!("[{shape}]"));
            assert!(board_of.bites().any(|(_, left)| left == board(by)), "[{shape}] by {by}");
        }
    }
    let solution = solved(4, 7);
    for shape in ["3345", "2467", "3467", "3567", "3667", "4467", "5567", "5667", "2456"] {
        let of_rule = |(_, left): (Square, Board)| is_trivial(&left);
        assert!(board(&format!("[{shape}]")).bites().any(of_rule), "[{shape}] is trivial");
    }
    // He names other shapes for these two, to which no bite leads.
    for (shape, by) in [("[2456]", "[2255]"), ("[4447]", "[3457]")] {
        assert!(board(shape).bites().all(|(_, left)| left != board(by)), "{shape}");
        assert_eq!(solution.outcome(&board(shape)), Some(Outcome::N));
    }
}

/// What his labelled squares leave, proposition by proposition; `2TopRow` is proposition 2.3.
const PROOFS: [(&str, &[&str]); 14] = [
    ("[355]", &["[224]", "[235]"]),
    ("[336]", &["[235]", "[224]"]),
    ("[347]", &["2TopRow", "[224]", "[336]"]),
    ("[477]", &["[336]", "[355]", "[224]", "2TopRow", "[347]"]),
    ("[1125]", &[]),
    ("[2255]", &["[224]'", "2TopRow", "[1125]"]),
    ("[2335]", &["[224]'", "[1125]", "2TopRow"]),
    ("[2226]", &["[1125]", "2TopRow"]),
    ("[2237]", &["[2226]", "[235]", "[224]'"]),
    ("[2357]", &["[2255]", "[224]'", "[347]", "[2335]", "[2237]", "[2226]"]),
    ("[2447]", &["[2226]", "[224]'", "[2237]", "[347]"]),
    ("[3377]", &["[2226]", "[2255]", "[224]'", "[2357]", "[347]", "[2237]"]),
    ("[3457]", &["[2255]", "[224]'", "[2447]", "[2237]", "[2226]", "[2357]", "2TopRow"]),
    ("[4557]", &["[2226]", "[2255]", "[224]'", "[2447]", "[2237]", "[3457]", "[2357]", "2TopRow"]),
];

/// Each label of his is a pair of squares that leaves what he says, and the squares without label
/// have a reply by a trivial rule.
#[test]
fn his_strategies_come_out() {
    let solution = solved(4, 7);
    for (shape, labels) in PROOFS {
        let strategy = Strategy::of(&solution, &board(shape)).expect("a P-position");
        let mut left_by_his = Vec::new();
        for label in labels {
            let is_meant = |left: &Board| match *label {
                "2TopRow" => left.height() == 3 && Rule::of(left) == Some(Rule::TwoTopRow),
                label => *left == board(label),
            };
            let meant: Vec<_> = strategy.all.iter().filter(|pair| is_meant(&pair.leaves)).collect();
            assert!(!meant.is_empty(), "{shape}: {label}");
            left_by_his.extend(meant);
        }
        for square in strategy.board.squares().skip(1) {
            let has_reply = strategy.all.iter().any(|pair| {
                pair.squares.contains(&square)
                    && (is_trivial(&pair.leaves) || left_by_his.contains(&pair))
            });
            assert!(has_reply, "{shape}: {square}");
        }
    }
}

/// Figure 7 and figure 8: the pairs of example 2.1 and 2.2, and no others.
#[test]
fn the_pairs_of_the_trivial_shapes() {
    let solution = solved(4, 5);
    let pairs = |shape: &str| -> Vec<[(u16, u16); 2]> {
        let strategy = Strategy::of(&solution, &board(shape)).expect("a P-position");
        let squares = strategy.all.iter().map(|pair| pair.squares);
        squares.map(|pair| pair.map(|Square { row, column }| (column, row))).collect()
    };
    let two_rows = (1..=4).map(|x| [(x + 1, 1), (x, 2)]).collect::<Vec<_>>();
    assert_eq!(pairs("[45]"), two_rows);
    let wings = (2..=4).map(|x| [(x, 1), (1, x)]).collect::<Vec<_>>();
    assert_eq!(pairs("[1114]"), wings);
}

/// A strategy answers every bite, with a bite that is still there and leaves a P-position; and what
/// it chooses is among all replies.
#[test]
fn strategies_answer_every_bite() {
    let solution = solved(6, 7);
    for position in solution.p_positions() {
        let strategy = Strategy::of(&solution, &position).expect("a P-position");
        let chosen: Vec<_> = strategy.chosen.iter().map(|labelled| &labelled.pair).collect();
        for (bitten, left) in position.bites() {
            assert!(chosen.iter().any(|pair| pair.squares.contains(&bitten)), "{position}");
            let replies = solution.winning_bites(&left).expect("it fits");
            let pairs = strategy.all.iter().filter(|pair| pair.squares.contains(&bitten));
            let others: BTreeSet<_> =
                pairs.map(|pair| pair.squares[usize::from(pair.squares[0] == bitten)]).collect();
            assert_eq!(others, replies.into_iter().collect(), "{position}: {bitten}");
        }
        for pair in &strategy.chosen {
            assert!(strategy.all.contains(&pair.pair));
            let [first, second] = pair.pair.squares;
            for (one, other) in [(first, second), (second, first)] {
                let left = position.after(one).and_then(|left| left.after(other));
                assert_eq!(left.as_ref(), Some(&pair.pair.leaves), "{position}");
            }
        }
        let labels: BTreeSet<_> = strategy.chosen.iter().map(|pair| &pair.label).collect();
        assert_eq!(labels.len(), strategy.chosen.len(), "labels differ");
    }
    assert_eq!(Strategy::of(&solution, &board("6x7")), None);
    assert_eq!(Strategy::of(&solution, &board("[78]")), None);
}

#[test]
fn rules_say_p_for_p_positions_only() {
    let solution = solved(8, 8);
    let p_by_rule = (1..=8).flat_map(|first| {
        (0..=first).flat_map(move |second| (0..=second).map(move |third| [first, second, third]))
    });
    for rows in p_by_rule {
        let board = Board::new(rows.to_vec()).expect("a board");
        if let Some(rule) = Rule::of(&board) {
            assert_eq!(solution.outcome(&board), Some(Outcome::P), "{board}: {rule}");
        }
    }
}
