//! Boards counted by squares, against the OEIS and the game tree.

use std::collections::BTreeSet;

use boards::squares::{BySquares, Counts, Sequence};
use game::{Board, Chomp, Outcome, Search};

/// A112470 to A112473: P-positions, N-positions, those with a unique winning bite, and those with
/// more than one. The empty board counts as N, since who took the poison has lost.
#[test]
fn every_term_of_the_oeis() {
    let counts: Vec<Counts> = BySquares::up_to(56).collect();
    let empty = Counts::default();
    let all: Vec<&Counts> = std::iter::once(&empty).chain(&counts).collect();
    for sequence in Sequence::ALL {
        let terms = fixtures::numbers::<2>(&format!("oeis/{sequence}.txt"));
        assert!(terms.len() >= 40);
        assert_eq!(terms[0][0], u64::from(sequence.offset()));
        for [n, expected] in terms {
            let of = all[usize::try_from(n).expect("a short list")];
            assert_eq!(sequence.term(of), expected, "{sequence}({n})");
        }
    }
}

/// Board by board, with outcomes and bites by plain search.
#[test]
fn counts_are_those_of_the_game_tree() {
    const MOST: u16 = 14;
    let mut search = Search::of(&Chomp);
    let mut boards = BTreeSet::from([Board::new(vec![1]).expect("a board")]);
    let mut expected = Vec::new();
    for squares in 1..=MOST {
        let mut of = Counts { squares, ..Counts::default() };
        for board in &boards {
            match search.winning_options(board).len() {
                0 => of.p += 1,
                1 => of.unique += 1,
                _ => of.several += 1,
            }
            assert_eq!(search.outcome(board) == Outcome::P, search.grundy(board) == 0);
        }
        expected.push(of);
        boards = boards.iter().flat_map(with_one_more).collect();
    }
    assert_eq!(BySquares::up_to(MOST).collect::<Vec<_>>(), expected);
}

fn with_one_more(board: &Board) -> Vec<Board> {
    let rows = [board.rows(), &[0]].concat();
    let longer = |row: usize| {
        let mut rows = rows.clone();
        rows[row] += 1;
        Board::new(rows).ok()
    };
    (0..rows.len()).filter_map(longer).collect()
}

/// The same for any bound on the number of squares.
#[test]
fn a_larger_bound_changes_nothing() {
    let larger: Vec<_> = BySquares::up_to(20).take(12).collect();
    assert_eq!(BySquares::up_to(12).collect::<Vec<_>>(), larger);
    assert_eq!(BySquares::up_to(0).next(), None);
    assert!(BySquares::memory(60) < BySquares::memory(61));
    assert_eq!(BySquares::memory(201), u64::MAX);
}
