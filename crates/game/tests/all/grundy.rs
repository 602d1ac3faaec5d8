//! What is proved of the Grundy values of all boards, and plain search.

use game::{Board, Chomp, Search};

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
