//! The sieve against slower engines and published counts.

use std::num::NonZero;
use std::ops::ControlFlow;

use boards::sieve::{Sieve, Width};
use game::{Board, Chomp, Outcome, Search, brouwer};

fn p_positions(rows: u16, to: u16, threads: usize) -> Vec<Vec<u16>> {
    let threads = NonZero::new(threads).expect("at least one");
    let mut sieve = Sieve::new(rows, to, Width::Of128).expect("a small sieve");
    let mut found = Vec::new();
    while let Some(block) =
        sieve.next_block(threads, &|_| ControlFlow::Continue(())).expect("not stopped")
    {
        for layer in block.layers() {
            layer.for_each(|lengths| found.push(lengths.to_vec()));
        }
    }
    found
}

/// All tuples of this number of lengths up to `to`, in lexicographic order.
fn positions(rows: u16, to: u16) -> Vec<Vec<u16>> {
    let mut tuples = vec![Vec::new()];
    for _ in 0..rows {
        let longer = |tuple: &Vec<u16>| {
            let tuple = tuple.clone();
            let last = tuple.last().copied().unwrap_or(to);
            (0..=last).map(move |next| [tuple.clone(), vec![next]].concat())
        };
        tuples = tuples.iter().flat_map(longer).collect();
    }
    tuples.retain(|tuple| tuple[0] > 0);
    tuples
}

#[test]
fn small_boards_are_as_the_game_tree_says() {
    let mut search = Search::of(&Chomp);
    for (rows, to) in [(3, 20), (4, 14), (5, 10), (6, 7), (7, 6), (8, 5)] {
        let is_p = |lengths: &Vec<u16>| {
            search.outcome(&Board::new(lengths.clone()).expect("a board")) == Outcome::P
        };
        let expected: Vec<_> = positions(rows, to).into_iter().filter(is_p).collect();
        assert_eq!(p_positions(rows, to, 1), expected, "{rows} rows up to {to}");
    }
}

#[test]
fn three_rows_are_as_brouwers_recurrence_says() {
    const LARGEST: u16 = 300;
    let table = brouwer::Table::up_to(LARGEST.into());
    let lengths = |position: game::Position| {
        [position.p(), position.q(), position.r()]
            .map(|length| u16::try_from(length).expect("short"))
            .to_vec()
    };
    let mut expected: Vec<_> = table
        .p_positions()
        .filter(|position| position.p() <= LARGEST.into())
        .map(lengths)
        .collect();
    expected.sort();
    assert_eq!(p_positions(3, LARGEST, 2), expected);
}

#[test]
fn four_rows_are_as_many_as_published() {
    for (to, count) in [(10, 75), (20, 432), (50, 4978), (100, 34_510), (500, 4_316_097)] {
        let found = p_positions(4, to, 2);
        assert_eq!(found.len(), count, "a <= {to}");
        assert!(found.is_sorted());
    }
}
