//! Fact 14 against a search by the rules, and far beyond it.

use answers::{Answer, Position, Query, Square, Theorem};
use game::{Board, Chomp, Outcome, Search};

fn position(rows: &[u16]) -> Position {
    Position::finite(rows.iter().copied()).unwrap()
}

/// All boards of up to six rows and six columns.
fn boards() -> impl Iterator<Item = Board> {
    let all = (0..7_u32.pow(6)).map(|code| [0, 1, 2, 3, 4, 5].map(|row| code / 7_u32.pow(row) % 7));
    let sorted = all.filter(|rows| rows.is_sorted_by(|a, b| a >= b) && rows[0] > 0);
    sorted.map(|rows| Board::new(rows.map(|row| u16::try_from(row).unwrap()).to_vec()).unwrap())
}

fn leaves(answer: &Answer) -> Vec<Position> {
    let mut leaves: Vec<Position> = answer.leaves().cloned().collect();
    leaves.sort_by_key(ToString::to_string);
    leaves
}

#[test]
fn theorems_say_what_a_search_says() {
    let mut search = Search::of(&Chomp);
    let mut uses = [0; 4];
    for board in boards() {
        let (rows, columns) = (board.height(), board.width());
        let is_hook = board.rows()[1..].iter().all(|&row| row == 1);
        let in_full = rows <= 2 || columns <= 2 || is_hook;
        let has_short = board.has(game::Square { row: 2, column: 2 }) && rows == columns;
        let Some(answer) = Theorem::decide(&position(board.rows())) else {
            assert!(!in_full && !has_short && !board.is_rectangle(), "{board}");
            continue;
        };
        let expected = search.outcome(&board);
        assert_eq!(answer.is_p(), expected == Outcome::P, "{board}");
        let mut won: Vec<Position> =
            search.winning_options(&board).iter().map(|left| position(left.rows())).collect();
        won.sort_by_key(ToString::to_string);
        let (theorem, found) = (answer.theorem().unwrap(), leaves(&answer));
        assert!(!in_full || theorem.names_all_bites(), "{board}");
        if theorem.names_all_bites() {
            assert_eq!(found, won, "{board}");
        } else {
            assert!(!won.is_empty() && found.iter().all(|left| won.contains(left)), "{board}");
            assert!(theorem == Theorem::StrategyStealing || !found.is_empty(), "{board}");
        }
        uses[theorem as usize] += 1;
    }
    // 6 + 21 boards of one and two rows, and as many of columns but for the four that are both.
    assert_eq!(uses[0], 2 * (6 + 21) - 5);
    // Hooks with both arms longer than two.
    assert_eq!(uses[1], 4 * 4);
    // Rectangles with two different sides from 3 to 6.
    assert_eq!(uses[3], 4 * 4 - 4);
    assert!(uses[2] > 100, "{uses:?}");
}

/// Far beyond a search, by the statements.
#[test]
fn theorems_hold_for_any_size() {
    let decided = |text: &str| Theorem::decide(&text.parse().unwrap()).unwrap();
    let bite = |text: &str| {
        let (answer, position) = (decided(text), text.parse::<Position>().unwrap());
        let squares: Vec<Square> =
            answer.leaves().map(|left| position.bite_to(left).unwrap()).collect();
        assert!(!answer.is_p());
        squares.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(bite("1000x1000"), ["row 2, column 2"]);
    assert_eq!(bite("10^40 10^39"), [format!("row 1, column 1{}2", "0".repeat(38))]);
    assert_eq!(bite("20000x2"), ["row 20000, column 2"]);
    assert_eq!(bite("10^40 1 1 1 1"), ["row 1, column 6"]);
    assert_eq!(bite("5 1 1 1 1 1 1 1"), ["row 6, column 1"]);
    let less = "9".repeat(40);
    assert_eq!(bite(&format!("10^40 {less} 70 60")), ["row 3, column 1"]);
    assert!(bite("10^6 10^6 10^6").is_empty());
    assert!(decided("4 1 1 1").is_p() && decided(&format!("10^40 {less}")).is_p());
    assert!(decided("1").is_p());
    for text in ["ω ω", "ω ω ω", "9 7 5", "500 499 1 1"] {
        let decided = Theorem::decide(&text.parse().unwrap());
        assert_eq!(decided.is_some(), text.ends_with("1 1"), "{text}");
    }
}

/// `proofs/uniqueness.md`, 2.4, against the rules: a row below n has the one bite from 3×n, and its
/// fingerprint is enough.
#[test]
fn the_one_opening_of_three_rows_comes_from_a_row_below() {
    let mut search = Search::of(&Chomp);
    let rows = fixtures::rows_in_full(15);
    for n in 3..=15_u16 {
        let mut query = Query::new(position(&[n; 3]));
        let answer = rows.iter().find_map(|row| query.add(&row.abridged()).unwrap()).unwrap();
        assert_eq!(answer.theorem(), Some(Theorem::UniqueOpening));
        assert!(!answer.is_p() && answer.has_all_bites());
        let won = search.winning_options(&Board::rectangle(3, n).unwrap());
        let won: Vec<Position> = won.iter().map(|left| position(left.rows())).collect();
        assert_eq!(leaves(&answer), won, "{n}");
        let record = answer.bites[0].record.as_ref().unwrap();
        assert!(record.row() < u64::from(n), "{n}: {record}");
    }
}
