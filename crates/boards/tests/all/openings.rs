//! Winning openings: the statements of the 2005 paper, and the smallest boards with two.

use std::env;

use boards::openings::{Openings, fewest_squares};
use boards::rectangles::Solution;
use game::{Board, Chomp, Outcome, Search, Square};

use super::solved;

fn openings(solution: &Solution, rows: u16, columns: u16) -> Vec<Square> {
    Openings::of(solution, rows, columns).expect("it fits").bites
}

/// Section 7.1: the winning opening is unique for n × n, 4 × 5 and 4 × 6 (Gale), for 2 × n and
/// 3 × n; Thompson and Beeler found two for 8 × 10.
#[test]
fn uniqueness_of_the_opening() {
    let solution = solved(10, 10);
    for n in 2..=10 {
        let square = [Square { row: 2, column: 2 }];
        assert_eq!(openings(&solution, n, n), square, "section 7: {n}x{n}");
        assert_eq!(openings(&solution, 2, n), [Square { row: 2, column: n }]);
        assert_eq!(openings(&solution, 3, n).len(), 1, "3x{n}");
    }
    assert_eq!(openings(&solution, 4, 5).len(), 1);
    assert_eq!(openings(&solution, 4, 6).len(), 1);
    assert_eq!(openings(&solution, 8, 10).len(), 2);
    assert_eq!(openings(&solution, 1, 1), []);
}

/// The winning bites of a rectangle, by plain search.
fn by_search(search: &mut Search<Chomp>, rows: u16, columns: u16) -> Vec<Square> {
    let rectangle = Board::rectangle(rows, columns).expect("a board");
    let bites = rectangle.bites().filter(|(_, left)| search.outcome(left) == Outcome::P);
    bites.map(|(square, _)| square).collect()
}

/// The papers name 8 × 10 and know no smaller board with two winning openings. By perimeter there
/// is none; but 6 × 13 has two, and fewer squares. Both searches were exhaustive, and plain search
/// agrees on every board that has fewer squares than 8 × 10.
#[test]
fn the_smallest_boards_with_two_openings() {
    let found = fewest_squares(2, 78).expect("small boards");
    assert!(found.iter().map(|found| (found.rows, found.columns)).eq([(6, 13)]));
    assert_eq!(fewest_squares(2, 77).expect("small boards"), []);
    let of_perimeter_36 = (1..=9).flat_map(|rows| (rows..=18 - rows).map(move |own| (rows, own)));
    let several = of_perimeter_36
        .filter(|&(rows, columns)| openings(&solved(rows, columns), rows, columns).len() > 1);
    assert!(several.eq([(8, 10)]));
    let mut search = Search::of(&Chomp);
    let smaller = (1..=8).flat_map(|rows| (rows..=80 / rows).map(move |columns| (rows, columns)));
    for (rows, columns) in smaller {
        let bites = by_search(&mut search, rows, columns);
        assert_eq!(openings(&solved(rows, columns), rows, columns), bites, "{rows}x{columns}");
        let number = match (rows, columns) {
            (1, 1) => 0,
            (6, 13) | (8, 10) => 2,
            _ => 1,
        };
        assert_eq!(bites.len(), number, "{rows}x{columns}");
    }
}

/// Boards with three winning openings have at least 420 squares; 10 × 42 is one. The test searches
/// the boards of up to 300 squares. With `SQUARES=419` it searches all smaller boards, and takes
/// half an hour and 14 GB of memory (docs/PERFORMANCE.md).
#[test]
#[ignore = "solves 3 · 10^10 positions"]
fn no_board_of_fewer_squares_has_three_openings() {
    let squares = env::var("SQUARES").map_or(300, |squares| squares.parse().expect("a number"));
    assert!(squares < 420);
    assert_eq!(fewest_squares(3, squares).expect("rectangles that fit"), []);
}

/// Three winning openings (docs/FINDINGS.md, 9).
#[test]
#[ignore = "solves 1.6 · 10^10 positions: 2 GB of memory, and minutes"]
fn ten_by_forty_two_has_three_openings() {
    let found = openings(&solved(10, 42), 10, 42);
    let expected = [(5, 36), (7, 30), (8, 26)].map(|(row, column)| Square { row, column });
    assert_eq!(found, expected);
}

/// Section 7.2: Gale conjectures that for m × n with n >= m >= 3 taking the corner square alone
/// loses. On 6 × 11 it wins, and nothing else does; plain search agrees. There is no other
/// counterexample with sides up to 12, and for two rows the corner always wins.
#[test]
fn the_corner_wins_on_6_by_11() {
    let solution = solved(12, 12);
    let corner_wins = |rows, columns| {
        openings(&solution, rows, columns).contains(&Square { row: rows, column: columns })
    };
    let sides = (2..=12).flat_map(|rows| (rows..=12).map(move |columns| (rows, columns)));
    let found: Vec<_> = sides.filter(|&(rows, columns)| corner_wins(rows, columns)).collect();
    let of_two_rows = (2..=12).map(|columns| (2, columns));
    assert_eq!(found, of_two_rows.chain([(6, 11)]).collect::<Vec<_>>());
    let bites = by_search(&mut Search::of(&Chomp), 6, 11);
    assert_eq!(bites, [Square { row: 6, column: 11 }]);
}

/// Every opening of the mirror image is mirrored, and all that a large rectangle knows a small one
/// knows.
#[test]
fn a_table_of_openings() {
    let solution = solved(9, 9);
    let table = Openings::up_to(&solution, 9);
    assert_eq!(table.len(), 81);
    for Openings { rows, columns, bites } in &table {
        assert_eq!(&openings(&solved(*rows, *columns), *rows, *columns), bites);
        let mirrored = table.iter().find(|other| (other.rows, other.columns) == (*columns, *rows));
        let mut of_mirrored: Vec<Square> = mirrored
            .expect("in the table")
            .bites
            .iter()
            .map(|&Square { row, column }| Square { row: column, column: row })
            .collect();
        of_mirrored.sort();
        assert_eq!(&of_mirrored, bites, "{rows}x{columns}");
        assert_eq!(bites.is_empty(), rows * columns == 1, "{rows}x{columns}");
    }
}
