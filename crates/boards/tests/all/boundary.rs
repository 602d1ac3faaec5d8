//! Solutions by boundary words, against plain search and the recurrence.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Mutex;

use boards::boundary::{Solution, Solver, memory, mix};
use boards::openings::Openings;
use boards::{OnProgress, Outcomes, SolveError, Solved};
use game::{Board, Chomp, Outcome, Search};

use super::{solved, solved_by};

pub(super) fn solution(rows: u16, columns: u16, threads: usize) -> Solution {
    let threads = NonZero::new(threads).expect("at least one thread");
    let solver = Solver::new(rows, columns).expect("a small rectangle");
    solver.solve(threads, &|_, _| (), &|_| ControlFlow::Continue(())).expect("nobody stops it")
}

/// All P-positions of all rectangles to 6 × 6 and of some long ones, with one thread and with
/// three, by plain search.
#[test]
fn plain_search_finds_the_same() {
    let mut search = Search::of(&Chomp);
    let small = (1..=6).flat_map(|rows| (1..=6).map(move |columns| (rows, columns)));
    let long = [(1, 12), (12, 1), (2, 13), (13, 2), (3, 12), (9, 4), (4, 10)];
    for (rows, columns) in small.chain(long) {
        let everything = solved(rows, columns);
        let solutions = [1, 3].map(|threads| solution(rows, columns, threads));
        for solution in &solutions {
            let found: BTreeSet<Board> = solution.p_positions().collect();
            assert_eq!(found.len() as u64, solution.p_count(), "{rows}x{columns}: each once");
            assert_eq!(found, everything.p_positions().collect(), "{rows}x{columns}");
            assert_eq!(solution.positions(), everything.positions());
            assert!(found.iter().all(|board| search.outcome(board) == Outcome::P));
        }
        let p_count = solutions[0].p_count();
        let mut stack = vec![Board::rectangle(rows, columns).expect("a board")];
        let mut seen = BTreeSet::new();
        while let Some(board) = stack.pop() {
            let expected = search.outcome(&board);
            assert_eq!(solutions[0].outcome(&board), Some(expected), "{board} in {rows}x{columns}");
            stack.extend(
                board.bites().map(|(_, left)| left).filter(|left| seen.insert(left.clone())),
            );
        }
        let p = seen.iter().filter(|board| search.outcome(board) == Outcome::P).count() as u64;
        assert_eq!(p + u64::from(rows * columns == 1), p_count);
    }
}

/// The recurrence finds the same P-positions; larger rectangles, whose parts need each other.
#[test]
fn the_recurrence_finds_the_same() {
    for (rows, columns) in [(9, 9), (8, 12), (12, 8), (10, 11), (5, 19), (3, 40), (46, 2)] {
        let found: BTreeSet<Board> = solution(rows, columns, 2).p_positions().collect();
        assert_eq!(found, solved(rows, columns).p_positions().collect(), "{rows}x{columns}");
    }
}

/// The winning openings of all rectangles to 12 × 12 by the rules alone: a plain memoised search
/// that knows neither words nor rows, only which squares are left.
#[test]
#[ignore = "visits 2.7 million positions by the rules"]
fn openings_to_12_by_the_rules() {
    let solution = solution(12, 12, 2);
    let mut search = Search::of(&Chomp);
    for rows in 1..=12 {
        for columns in 1..=12 {
            let rectangle = Board::rectangle(rows, columns).expect("a board");
            let mut wins = |left: &Board| search.outcome(left) == Outcome::P;
            let bites = rectangle.bites().filter(|(_, left)| wins(left));
            let bites: Vec<_> = bites.map(|(square, _)| square).collect();
            let found = Openings::of(&solution, rows, columns).expect("it fits");
            assert_eq!(found.bites, bites, "{rows}x{columns}");
        }
    }
}

/// As many P-positions as the recurrence finds on larger rectangles, and the same openings.
#[test]
#[ignore = "40 million positions"]
fn the_recurrence_agrees_to_14() {
    for (rows, columns) in [(14, 14), (13, 15), (10, 18), (7, 26)] {
        let (by_words, by_rows) = (solution(rows, columns, 2), solved_by(rows, columns, 2));
        assert_eq!(by_words.p_count(), by_rows.p_count(), "{rows}x{columns}");
        let all_p = by_rows.p_positions().all(|board| by_words.outcome(&board) == Some(Outcome::P));
        assert!(all_p, "{rows}x{columns}");
        let openings = |side| Openings::up_to(&by_words, side);
        assert_eq!(openings(rows.max(columns)), Openings::up_to(&by_rows, rows.max(columns)));
    }
}

#[test]
fn p_positions_are_counted_by_board() {
    for (rows, counts) in (1..).zip(solution(9, 11, 1).summary().p_counts) {
        for (columns, count) in (1..).zip(counts) {
            assert_eq!(count, solved(rows, columns).p_count(), "{rows}x{columns}");
        }
    }
}

/// The mirror image of a P-position is P. No solver here relies on it.
#[test]
fn checksums_are_symmetric() {
    for (rows, columns) in [(1, 1), (7, 7), (12, 12), (5, 9)] {
        let summary = solution(rows, columns, 2).summary();
        let mirrored = solution(columns, rows, 1).summary();
        assert_eq!(summary.checksum, mirrored.mirrored_checksum, "{rows}x{columns}");
        assert_eq!(summary.mirrored_checksum, mirrored.checksum);
        assert_eq!(summary.checksum == summary.mirrored_checksum, rows == columns);
    }
    // The only P-position of 1 × 1 has the word 10; of 2 × 2, (2,1) has 1010.
    assert_eq!(solution(1, 1, 1).summary().checksum, mix(0b10));
    let sum = mix(0b0101).wrapping_add(mix(0b1010));
    assert_eq!(solution(2, 2, 1).summary().checksum, sum);
    // The first output of SplitMix64 with the seed 0.
    assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
}

/// The parts of a solution, by their numbers.
fn parts_of(rows: u16, columns: u16) -> BTreeMap<u32, Vec<u8>> {
    let kept = Mutex::new(BTreeMap::new());
    let on_part = |part, bytes: &[u8]| {
        assert_eq!(kept.lock().unwrap().insert(part, bytes.to_vec()), None, "each part once");
    };
    let solver = Solver::new(rows, columns).expect("a small rectangle");
    let threads = NonZero::new(2).expect("not 0");
    solver.solve(threads, &on_part, &|_| ControlFlow::Continue(())).expect("nobody stops it");
    kept.into_inner().unwrap()
}

/// A few parts, or most of them.
fn is_given(part: u32, modulus: u32) -> bool {
    if modulus < 5 { part.is_multiple_of(modulus) } else { !part.is_multiple_of(modulus) }
}

/// A solver that is given any parts finds the others, and the same solution.
#[test]
fn a_solver_resumes_from_any_parts() {
    let (rows, columns) = (9, 10);
    let parts = parts_of(rows, columns);
    let whole: Vec<Board> = solution(rows, columns, 1).p_positions().collect();
    // Also if a part needs another one only through parts that are known, with several threads.
    for (modulus, threads) in (1..9).flat_map(|modulus| [(modulus, 1), (modulus, 4)]) {
        let mut solver = Solver::new(rows, columns).expect("a small rectangle");
        assert_eq!(solver.parts().collect::<Vec<_>>(), parts.keys().copied().collect::<Vec<_>>());
        for (&part, bytes) in parts.iter().filter(|(part, _)| is_given(**part, modulus)) {
            solver.give(part, bytes).expect("what a solver found");
        }
        let found = Mutex::new(BTreeMap::new());
        let on_part = |part, bytes: &[u8]| {
            found.lock().unwrap().insert(part, bytes.to_vec());
        };
        let on_progress = |_| ControlFlow::Continue(());
        let threads = NonZero::new(threads).expect("not 0");
        let resumed = solver.solve(threads, &on_part, &on_progress).expect("done");
        let expected = parts.iter().filter(|(part, _)| !is_given(**part, modulus));
        let expected = expected.map(|(&part, bytes)| (part, bytes.clone())).collect();
        assert_eq!(found.into_inner().unwrap(), expected);
        assert!(resumed.p_positions().eq(whole.iter().cloned()));
    }
}

#[test]
fn what_is_no_part_is_refused() {
    let parts = parts_of(6, 7);
    let mut solver = Solver::new(6, 7).expect("a small rectangle");
    let (&part, bytes) = parts.iter().find(|(_, bytes)| bytes.len() > 60).expect("a long one");
    let mut give = |part, bytes: &[u8]| solver.give(part, bytes).map_err(|error| error.to_string());
    assert_eq!(give(9999, bytes), Err("there is no part 9999".to_owned()));
    let length = |found| Err(format!("it has {found} bytes, and its lists need {}", bytes.len()));
    assert_eq!(give(part, &bytes[..bytes.len() - 1]), length(bytes.len() - 1));
    assert_eq!(give(part, &[bytes.as_slice(), &[0]].concat()), length(bytes.len() + 1));
    let short = give(part, &bytes[..3]).expect_err("no lists");
    assert!(short.starts_with("it has 3 bytes, and its lists need "), "{short}");
    let changed = |place: usize, byte: u8| {
        let mut bytes = bytes.clone();
        assert_ne!(std::mem::replace(&mut bytes[place], byte), byte, "it was changed");
        bytes
    };
    let mut refused = |place, byte, problem: &str| {
        let error = give(part, &changed(place, byte)).expect_err("it was changed");
        assert!(error.starts_with("list ") && error.ends_with(problem), "{error}");
        error
    };
    let starts = "does not begin where the one before it ends";
    assert!(refused(0, 1, starts).starts_with("list 0 "));
    refused(5, 0xff, starts);
    refused(bytes.len() - 1, 0xff, "is not in ascending order, or has more than there is");
    assert_eq!(give(part, bytes), Ok(()));
}

#[test]
fn a_solver_can_be_stopped() {
    let solve = |on_progress: &OnProgress| {
        let solver = Solver::new(8, 8).expect("a small rectangle");
        solver.solve(NonZero::new(3).expect("not 0"), &|_, _| (), on_progress)
    };
    assert!(matches!(solve(&|_| ControlFlow::Break(())), Err(SolveError::Stopped)));
    let done = std::sync::atomic::AtomicU64::new(0);
    let count = |words| {
        done.fetch_add(words, std::sync::atomic::Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let solution = solve(&count).expect("nobody stops it");
    assert_eq!(done.into_inner(), solution.positions() + 1, "with the empty board");
}

#[test]
fn sizes_are_refused() {
    let empty = Solver::new(0, 3).expect_err("no rows").to_string();
    assert!(empty.starts_with("a board of 0 rows and 3 columns has no squares"), "{empty}");
    assert!(matches!(Solver::new(26, 27), Err(SolveError::TooLarge { .. })));
    assert!(matches!(Solver::new(u16::MAX, u16::MAX), Err(SolveError::TooLarge { .. })));
}

/// The lists of a solution take no more memory than was said.
#[test]
fn memory_is_enough() {
    let one = NonZero::<usize>::MIN;
    for (rows, columns) in
        [(1, 1), (1, 30), (2, 30), (3, 20), (7, 7), (8, 12), (11, 11), (4, 19), (2, 2)]
    {
        let bytes: usize = parts_of(rows, columns).values().map(Vec::len).sum();
        let said = memory(rows, columns, one);
        assert!(bytes as u64 <= said, "{rows}x{columns}: {bytes} bytes, {said} said");
    }
    assert_eq!(memory(26, 27, one), u64::MAX);
    assert!(memory(20, 20, one) < memory(20, 20, NonZero::new(2).expect("not 0")));
}
