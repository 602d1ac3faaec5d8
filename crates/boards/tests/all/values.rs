//! Grundy values of all boards within a board, against the definition, plain search, the game tree,
//! the OEIS and the table of three rows.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use boards::SolveError;
use boards::grundy::{self, within};
use game::{Board, Chomp, GameTree, Outcome, Search, ThreeRows};

fn table(board: &Board) -> within::Table {
    within::Table::of(board, &|_| ControlFlow::Continue(())).expect("a small board")
}

/// All boards within a board.
fn boards_within(board: &Board) -> Vec<Board> {
    let mut choices = vec![Vec::new()];
    for &longest in board.rows() {
        let longer = |choice: &Vec<u16>| {
            let choice = choice.clone();
            let most = choice.last().copied().unwrap_or(longest).min(longest);
            (0..=most).map(move |next| [choice.clone(), vec![next]].concat())
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    choices.into_iter().filter_map(|choice| Board::new(choice).ok()).collect()
}

#[test]
fn every_board_within_has_the_value_of_plain_search() {
    let mut search = Search::of(&Chomp);
    for typed in [
        "1",
        "9",
        "1x9",
        "2x7",
        "4x6",
        "6x4",
        "5x5",
        "6x6",
        "2x11",
        "9,7,2,1",
        "7,7,7,1,1,1",
        "12,3,3,2,2,1",
        "3,3,2,2,2,1,1,1,1",
        "8,4,4,4",
        "20,5,1,1",
    ] {
        let around: Board = typed.parse().expect("a board");
        let table = table(&around);
        let boards = boards_within(&around);
        for board in &boards {
            let value = table.value(board).map(u64::from);
            assert_eq!(value, Some(search.grundy(board)), "{board} in {typed}");
        }
        let wider = Board::new(vec![around.width() + 1]).expect("a board");
        assert_eq!(table.value(&wider), None, "{typed}");
        let taller = Board::new(vec![1; usize::from(around.height()) + 1]).expect("a board");
        assert_eq!(table.value(&taller), None, "{typed}");
    }
}

/// The definition: the least number that is not the value of what a bite leaves. By the game tree
/// it is 0 at P-positions only.
#[test]
fn each_value_is_the_least_that_no_bite_leaves() {
    const N: u16 = 90;
    let (tree, table) = (GameTree::up_to(40), table(&Board::rectangle(3, N).expect("a board")));
    let value = |position| table.value(&Board::try_from(position).expect("short rows")).unwrap();
    for position in ThreeRows::up_to(N.into()) {
        let mut left: Vec<u16> = position.bites().map(value).collect();
        left.sort_unstable();
        left.dedup();
        let least = (0..).zip(&left).take_while(|(number, left)| number == *left).count();
        assert_eq!(usize::from(value(position)), least, "{position}");
        if let Some(outcome) = tree.outcome(position) {
            assert_eq!(outcome == Outcome::P, least == 0, "{position}");
        }
    }
}

/// The table of three rows is another one: it keeps sets of values, and no values.
#[test]
fn three_rows_have_the_values_of_their_own_table() {
    let table = table(&Board::rectangle(3, 70).expect("a board"));
    let positions: Vec<[u16; 3]> =
        (1..=70).flat_map(|p| (0..=p).flat_map(move |q| (0..=q).map(move |r| [p, q, r]))).collect();
    let one = NonZero::<usize>::MIN;
    let expected = grundy::values(&positions, one, &|_| ControlFlow::Continue(())).expect("values");
    for (lengths, expected) in positions.iter().zip(expected) {
        let board = Board::new(lengths.to_vec()).expect("a board");
        assert_eq!(table.value(&board).map(u32::from), Some(expected), "{board}");
    }
}

/// The steps are those that the work is announced with, and a callback stops it.
#[test]
fn progress_is_told_and_stops() {
    let board: Board = "10x10".parse().expect("a board");
    let done = AtomicU64::new(0);
    within::Table::of(&board, &|steps| {
        done.fetch_add(steps, Ordering::Relaxed);
        ControlFlow::Continue(())
    })
    .expect("a small board");
    assert_eq!(Some(done.into_inner()), within::choices(&board));
    let stopped = within::Table::of(&board, &|_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(SolveError::Stopped)));
    let huge: Board = "300x300".parse().expect("a board");
    assert_eq!((within::cost(&huge), within::memory(&huge)), (None, None));
    let refused = within::Table::of(&huge, &|_| ControlFlow::Continue(()));
    assert!(matches!(refused, Err(SolveError::TooLarge { rows: 300, columns: 300 })));
}
