//! The solver against slower engines.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::ControlFlow;

use boards::rectangles::Solution;
use boards::{Outcomes, SolveError, Solved};
use game::{Board, Chomp, GameTree, Outcome, Search, ThreeRows, brouwer};

use super::{solved, solved_by};

/// All boards that fit into a rectangle.
fn boards_in(rows: u16, columns: u16) -> Vec<Board> {
    let mut choices = vec![Vec::new()];
    for _ in 0..rows {
        let longer = |choice: &Vec<u16>| {
            let choice = choice.clone();
            let last = choice.last().copied().unwrap_or(columns);
            (0..=last).map(move |next| [choice.clone(), vec![next]].concat())
        };
        choices = choices.iter().flat_map(longer).collect();
    }
    choices.into_iter().filter_map(|choice| Board::new(choice).ok()).collect()
}

/// All rectangles of at most 24 squares, and some larger ones with few positions.
#[test]
fn every_position_of_small_rectangles_is_as_the_game_tree_says() {
    let mut search = Search::of(&Chomp);
    let small = (1..=24).flat_map(|rows| (1..=24 / rows).map(move |columns| (rows, columns)));
    for (rows, columns) in small.chain([(5, 5), (6, 6), (4, 9), (9, 4), (7, 6)]) {
        let solution = solved(rows, columns);
        let boards = boards_in(rows, columns);
        assert_eq!(solution.positions(), boards.len() as u64);
        let mut p_positions = BTreeSet::new();
        for board in boards {
            let outcome = search.outcome(&board);
            assert_eq!(solution.outcome(&board), Some(outcome), "{board} in {rows}x{columns}");
            let expected: Vec<_> = board
                .bites()
                .filter(|(_, left)| search.outcome(left) == Outcome::P)
                .map(|(square, _)| square)
                .collect();
            assert_eq!(solution.winning_bites(&board), Some(expected), "{board}");
            if outcome == Outcome::P {
                p_positions.insert(board);
            }
        }
        assert_eq!(solution.p_count(), p_positions.len() as u64);
        let listed: Vec<_> = solution.p_positions().collect();
        assert_eq!(listed.len(), p_positions.len(), "each once");
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), p_positions, "{rows}x{columns}");
    }
}

/// The widths of the sets of lengths: 16, 32, 64, 256 and 1024 bits.
#[test]
fn three_rows_are_as_brouwers_recurrence_says() {
    const LARGEST: u64 = 100;
    let table = brouwer::Table::up_to(LARGEST);
    for columns in [15, 16, 31, 32, 60, 63, 64, 100] {
        let solution = solved(3, columns);
        for position in ThreeRows::up_to(columns.into()) {
            let board = Board::try_from(position).expect("short rows");
            assert_eq!(solution.outcome(&board), table.outcome(position), "{position}");
        }
        let expected = table.p_positions().filter(|position| position.p() <= columns.into());
        assert_eq!(solution.p_count(), expected.count() as u64, "3x{columns}");
    }
}

/// Two rows: the P-positions are `(k + 1, k)` (the 2005 paper, section 5.2).
#[test]
fn two_rows_of_any_length() {
    for columns in [1, 2, 63, 64, 255, 256, 1023] {
        let solution = solved(2, columns);
        let mut found: Vec<_> = solution.p_positions().collect();
        found.sort();
        let expected: Vec<_> =
            (0..columns).map(|k| Board::new(vec![k + 1, k]).expect("a board")).collect();
        assert_eq!(found, expected);
        assert_eq!(solved(1, columns).p_count(), 1);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for (rows, columns) in [(1, 9), (2, 9), (3, 40), (4, 4), (5, 13), (8, 10), (10, 8)] {
        let one = solved(rows, columns);
        for threads in [2, 3, 7, 64] {
            let more = solved_by(rows, columns, threads);
            assert!(one.p_positions().eq(more.p_positions()), "{rows}x{columns}");
        }
    }
}

/// A mirrored position has the same outcome, and a larger rectangle knows all that a smaller does.
#[test]
fn rectangles_agree_with_each_other() {
    let (large, mirrored) = (solved(7, 9), solved(9, 7));
    for (rows, columns) in (1..=7).flat_map(|rows| (1..=9).map(move |columns| (rows, columns))) {
        let small = solved(rows, columns);
        for board in small.p_positions() {
            assert_eq!(large.outcome(&board), Some(Outcome::P), "{board}");
            assert_eq!(mirrored.outcome(&board), Some(Outcome::P), "{board}");
            assert_eq!(large.outcome(&board.transposed()), Some(Outcome::P), "{board}");
        }
        let fits = |board: &Board| board.height() <= rows && board.width() <= columns;
        assert_eq!(small.p_count(), large.p_positions().filter(fits).count() as u64);
    }
}

#[test]
fn what_does_not_fit_is_not_answered() {
    let solution = solved(3, 5);
    let board = |text: &str| text.parse::<Board>().expect(text);
    for text in ["1x6", "6x1", "4x4"] {
        assert_eq!(solution.outcome(&board(text)), None, "{text}");
        assert_eq!(solution.winning_bites(&board(text)), None, "{text}");
    }
    assert_eq!(solution.outcome(&board("5x3")), Some(Outcome::N));
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let of = |rows, columns| {
        Solution::of(rows, columns, NonZero::<usize>::MIN, &|_| ControlFlow::Continue(()))
    };
    let size = |rows, columns| match of(rows, columns) {
        Err(SolveError::Size(text)) => text,
        other => panic!("{other:?}"),
    };
    let empty = |rows, columns| {
        format!("a board of {rows} rows and {columns} columns has no squares; both are at least 1")
    };
    assert_eq!(size(0, 5), empty(0, 5));
    assert_eq!(size(5, 0), empty(5, 0));
    let long =
        |side| format!("boards are solved up to 1023 rows or columns, and {side} are asked for");
    assert_eq!(size(1, 1024), long(1024));
    assert_eq!(size(u16::MAX, 1), long(u16::MAX));
    assert!(matches!(of(1000, 999), Err(SolveError::TooLarge { rows: 1000, columns: 999 })));
}

#[test]
fn the_watcher_hears_of_all_choices_and_can_stop() {
    use std::sync::atomic::{AtomicU64, Ordering};
    for threads in [1, 2, 5] {
        let threads = NonZero::new(threads).expect("not 0");
        let heard = AtomicU64::new(0);
        let watch = |choices| {
            heard.fetch_add(choices, Ordering::SeqCst);
            ControlFlow::Continue(())
        };
        Solution::of(6, 9, threads, &watch).expect("a small rectangle");
        // C(14, 5) choices of five lower rows of at most nine squares.
        assert_eq!(heard.load(Ordering::SeqCst), 2002);
        let stop = |_| ControlFlow::Break(());
        assert!(matches!(Solution::of(6, 9, threads, &stop), Err(SolveError::Stopped)));
    }
}

/// Of the oracles of three rows the first one, too.
#[test]
fn the_tree_of_three_rows_agrees() {
    const N: u64 = 20;
    let (tree, solution) = (GameTree::up_to(N), solved(3, 20));
    for position in ThreeRows::up_to(N) {
        let board = Board::try_from(position).expect("short rows");
        assert_eq!(solution.outcome(&board), tree.outcome(position), "{position}");
    }
}
