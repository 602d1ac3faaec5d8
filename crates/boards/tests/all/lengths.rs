//! The length of a game, against a plain game tree and published lengths.

use std::collections::HashMap;
use std::num::NonZero;
use std::ops::ControlFlow;

use boards::SolveError;
use boards::lengths::{Lengths, of_three_rows};
use game::{Board, ThreeRows};

fn go_on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The number of turns, from the definition: a player who wins chooses, of the positions from which
/// the other one loses, one with the fewest turns; a player who loses, one with the most.
fn by_tree(board: &Board, known: &mut HashMap<Board, u16>) -> u16 {
    if let Some(&length) = known.get(board) {
        return length;
    }
    let left: Vec<u16> = board.bites().map(|(_, left)| by_tree(&left, known)).collect();
    // The player who takes the poison loses: then an odd number of turns are left.
    let lost = left.iter().copied().filter(|turns| turns % 2 == 1);
    let length = lost.min().or(left.iter().copied().max()).unwrap_or(0) + 1;
    known.insert(board.clone(), length);
    length
}

/// All boards in rectangles a x b.
#[test]
fn every_board_lasts_as_long_as_the_game_tree_says() {
    let mut known = HashMap::new();
    for (rows, columns) in [(1, 1), (1, 9), (9, 2), (3, 12), (4, 9), (7, 6), (8, 8)] {
        let lengths = Lengths::of(rows, columns, &go_on).expect("a small rectangle");
        by_tree(&Board::rectangle(rows, columns).expect("a board"), &mut known);
        let mut boards = 0;
        for (board, &length) in &known {
            let fits = board.height() <= rows && board.width() <= columns;
            let mirrored = board.height() <= columns && board.width() <= rows;
            let expected = Some(length).filter(|_| fits || mirrored);
            assert_eq!(lengths.of_board(board), expected, "{board} in {rows}x{columns}");
            boards += u64::from(fits);
        }
        assert_eq!(boards, boards::rectangles::positions(rows, columns));
    }
}

/// The number of turns of every board in 12 x 12, by its boundary word (`proofs/boards.md`, 7): a
/// bite sorts a factor from a 1 to a 0. The bite at the poison leaves the empty board.
fn by_words() -> Vec<u16> {
    let mut turns = vec![0; 1 << LETTERS];
    for word in words() {
        let places = (0..LETTERS).flat_map(|low| (low + 1..LETTERS).map(move |high| (low, high)));
        let bites = places.filter(|(low, high)| word >> low & 1 == 0 && word >> high & 1 == 1);
        let (mut least_lost, mut most) = (u16::MAX, 0);
        for (low, high) in bites {
            let factor = (2 << high) - (1 << low);
            let sorted = ((1 << (word & factor).count_ones()) - 1) << low;
            let left: u16 = turns[(word & !factor | sorted) as usize];
            most = most.max(left);
            least_lost = if left % 2 == 1 { least_lost.min(left) } else { least_lost };
        }
        turns[word as usize] = 1 + if least_lost < u16::MAX { least_lost } else { most };
    }
    turns
}

const SIDE: u16 = 12;
const LETTERS: u32 = 2 * SIDE as u32;

/// The boundaries of the boards in 12 x 12, but for the empty board, in ascending order.
fn words() -> impl Iterator<Item = u32> {
    let empty = (1 << SIDE) - 1;
    (empty + 1..1 << LETTERS).filter(|word: &u32| word.count_ones() == u32::from(SIDE))
}

/// The board with this boundary: a row for each 0, with a square for each 1 before it.
fn board(word: u32) -> Board {
    let zeros = (0..LETTERS).filter(|place| word >> place & 1 == 0);
    let squares = |place: u32| (word >> place).count_ones().try_into().expect("at most 12");
    Board::new(zeros.map(squares).collect()).expect("not empty")
}

/// Every board in 12 x 12, and so every rectangle to 12 x 12; and the bounds of `proofs/boards.md`,
/// 8.
#[test]
fn boards_in_12x12_last_as_long_as_the_game_tree_says() {
    let lengths = Lengths::of(SIDE, SIDE, &go_on).expect("a small rectangle");
    let (by_words, mut least_possible) = (by_words(), 0);
    for word in words() {
        let (board, turns) = (board(word), by_words[word as usize]);
        assert_eq!(lengths.of_board(&board), Some(turns), "{board}");
        let side = board.width().max(board.height());
        if turns % 2 == 1 {
            assert!(turns > 2 * side - 2, "{board}");
        } else if board.is_rectangle() && board.width().min(board.height()) > 1 {
            assert!(turns >= 2 * side, "{board}");
            least_possible += u32::from(turns == 2 * side && side < SIDE);
        }
    }
    assert_eq!(least_possible, 52, "of 100 rectangles to 11 x 11");
}

/// Measured, not proved: in every periodic row the length less twice the column repeats from the
/// row's start on, with the row's period and with no smaller one.
#[test]
fn lengths_of_periodic_rows_repeat_as_the_rows_do() {
    repeat_as_rows_do(119, 360);
}

#[test]
#[ignore = "a minute"]
fn lengths_of_periodic_rows_to_500_repeat_as_the_rows_do() {
    assert_eq!(repeat_as_rows_do(500, 1800), 208);
}

/// Tests the periodic rows to this one, and P-positions with p up to `to`; the number of rows.
fn repeat_as_rows_do(last: u16, to: u16) -> usize {
    let mut of_row = vec![Vec::new(); usize::from(last) + 1];
    of_three_rows(to, last, NonZero::<usize>::MIN, &go_on, &mut |[_, q, r], length| {
        if r <= last {
            of_row[usize::from(r)].push((q, i32::from(length) - 2 * i32::from(q)));
        }
        ControlFlow::Continue(())
    })
    .expect("few columns");
    let records = fixtures::rows_in_full(u64::from(last) + 1);
    let periodic = records.iter().filter_map(|record| Some((record.row(), record.periodic()?)));
    let mut rows = 0;
    for (row, of) in periodic {
        let start = u16::try_from(of.start).expect("short");
        let mut found = of_row[usize::try_from(row).expect("short")].clone();
        found.retain(|&(q, _)| q >= start);
        found.sort_unstable();
        // The last columns lack those whose p is larger.
        let columns = (start..).zip(&found).take_while(|(q, (column, _))| q == column).count();
        let period = of.values.len();
        assert!(columns > 2 * period + 20, "row {row}: {columns} columns from {start} on");
        let excess: Vec<i32> = found[..columns].iter().map(|&(_, excess)| excess).collect();
        let repeats = |by: usize| excess[by..] == excess[..columns - by];
        assert_eq!((1..=period).find(|&by| repeats(by)), Some(period), "row {row}");
        rows += 1;
    }
    rows
}

/// `TopCoder`, problem 6851 (2008): 3 x 1 to 3 x 24.
#[test]
fn three_rows_last_as_long_as_was_published() {
    let published = fixtures::numbers::<2>("game-lengths.tsv");
    let mut found = Vec::new();
    of_three_rows(24, 24, NonZero::<usize>::MIN, &go_on, &mut |[p, q, r], length| {
        if q == p || q == r {
            found.push([p.into(), u64::from(length) + 1]);
        }
        ControlFlow::Continue(())
    })
    .expect("few columns");
    assert_eq!(found, published);
    let lengths = Lengths::of(3, 24, &go_on).expect("few columns");
    for [columns, length] in published {
        let board = Board::rectangle(3, columns.try_into().expect("few")).expect("a board");
        assert_eq!(lengths.of_board(&board).map(u64::from), Some(length), "{board}");
    }
}

/// Every P-position of three rows is there once, and lasts as long as the lengths of all boards
/// say.
#[test]
fn p_positions_of_three_rows_agree_with_all_boards() {
    const TO: u16 = 150;
    let lengths = Lengths::of(3, TO, &go_on).expect("few columns");
    let mut expected = Vec::new();
    for position in ThreeRows::up_to(TO.into()) {
        let board = Board::try_from(position).expect("short rows");
        let length = lengths.of_board(&board).expect("it fits");
        if length % 2 == 1 {
            let rows = [position.p(), position.q(), position.r()];
            expected.push((rows.map(|row| u16::try_from(row).expect("short")), length));
        }
    }
    for threads in [1, 2] {
        let (mut found, threads) = (Vec::new(), NonZero::new(threads).expect("not 0"));
        of_three_rows(TO, TO, threads, &go_on, &mut |position, length| {
            found.push((position, length));
            ControlFlow::Continue(())
        })
        .expect("few columns");
        assert_eq!(found, expected);
    }
}

#[test]
fn work_is_told_stopped_and_refused() {
    let positions = std::sync::atomic::AtomicU64::new(0);
    Lengths::of(9, 8, &|done| {
        positions.fetch_add(done, std::sync::atomic::Ordering::Relaxed);
        ControlFlow::Continue(())
    })
    .expect("a small rectangle");
    assert_eq!(positions.into_inner(), boards::rectangles::positions(9, 8));
    let stopped = Lengths::of(9, 8, &|_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(SolveError::Stopped)));
    assert!(matches!(Lengths::of(300, 300, &go_on), Err(SolveError::TooLarge { .. })));
    assert!(matches!(Lengths::of(0, 3, &go_on), Err(SolveError::Size(_))));
    let mut none = |_: [u16; 3], _: u16| ControlFlow::Break(());
    let one = NonZero::<usize>::MIN;
    assert!(matches!(of_three_rows(20_001, 1, one, &go_on, &mut none), Err(SolveError::Size(_))));
    of_three_rows(5000, 5000, one, &go_on, &mut none).expect("it ends at the first position");
}
