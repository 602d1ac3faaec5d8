//! The table of Grundy values against the OEIS, plain search and the game tree, and what is proved
//! of all boards.

use game::{Board, Chomp, GameTree, GrundyTable, Outcome, Search, ThreeRows};

fn position(p: u64, q: u64, r: u64) -> ThreeRows {
    ThreeRows::new(p, q, r).expect("a position")
}

/// A069001: the Grundy values of 3×n.
#[test]
fn rectangles_have_the_values_of_the_oeis() {
    let terms = fixtures::numbers::<2>("oeis/A069001.txt");
    let table = GrundyTable::up_to(terms.len() as u64);
    for [n, value] in terms {
        assert_eq!(table.value(position(n, n, n)), Some(value), "3x{n}");
    }
}

#[test]
fn the_value_is_0_at_p_positions_only() {
    const N: u64 = 40;
    let (tree, table) = (GameTree::up_to(N), GrundyTable::up_to(N));
    assert_eq!(table.values().count(), ThreeRows::up_to(N).count());
    for (position, value) in table.values() {
        assert_eq!(tree.outcome(position) == Some(Outcome::P), value == 0, "{position}");
    }
}

#[test]
fn table_and_search_agree() {
    let mut search = Search::of(&Chomp);
    for (position, value) in GrundyTable::up_to(14).values() {
        let board = Board::try_from(position).expect("short rows");
        assert_eq!(search.grundy(&board), value, "{position}");
    }
}

/// The definition: the least number that is not the value of what a bite leaves.
#[test]
fn each_value_is_the_least_that_no_bite_leaves() {
    let table = GrundyTable::up_to(150);
    for (position, value) in table.values() {
        let mut left: Vec<u64> =
            position.bites().map(|bite| table.value(bite).expect("a smaller one")).collect();
        left.sort_unstable();
        left.dedup();
        let least = (0..).zip(&left).take_while(|(number, left)| number == *left).count();
        assert_eq!(value, least as u64, "{position}");
    }
}

#[test]
fn a_larger_table_changes_nothing() {
    let (small, large) = (GrundyTable::up_to(10), GrundyTable::up_to(20));
    assert!(small.values().eq(large.values().take_while(|(position, _)| position.p() <= 10)));
    assert_eq!(small.value(position(11, 0, 0)), None);
    assert_eq!(small.value(position(u64::MAX, u64::MAX, u64::MAX)), None);
    assert_eq!(GrundyTable::up_to(0).values().count(), 0);
}

/// Rows and columns change places: the bites do as well, and so the value is the same. The search
/// does not know that.
#[test]
fn a_board_and_its_conjugate_have_the_same_value() {
    let mut search = Search::of(&Chomp);
    let mut boards = vec![Board::rectangle(7, 7).expect("a board")];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(board) = boards.pop() {
        if !seen.insert(board.clone()) {
            continue;
        }
        assert_eq!(search.grundy(&board), search.grundy(&board.transposed()), "{board}");
        boards.extend(board.bites().map(|(_, left)| left));
    }
    // All lattice paths from corner to corner, but for the one around no square.
    assert_eq!(seen.len(), 3431);
}
