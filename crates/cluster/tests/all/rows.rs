//! Rows by several ranks, against the engine on one machine.

use cluster::{
    rows::{help, rows},
    transport::{Watched, channels},
};
use record::RowRecord;
use std::{num::NonZero, ops::ControlFlow, thread, time::Duration};
use sweep::{
    band::{self, Options},
    sink::Done,
};

const PATIENT: Duration = Duration::from_secs(30);

fn options(threads: usize) -> Options {
    Options { threads: NonZero::new(threads).expect("some"), ..Options::default() }
}

fn on_one_machine(end: u64) -> (Vec<RowRecord>, Done) {
    let mut found = Vec::new();
    let mut visit = |row| {
        found.push(row);
        ControlFlow::Continue(())
    };
    let done = band::rows(end, options(1), &mut visit).expect("rows");
    (found, done)
}

/// What rank 0 finds, if all ranks are threads of this process.
fn by_ranks(end: u64, ranks: usize, threads: usize, most: usize) -> (Vec<RowRecord>, Done) {
    thread::scope(|scope| {
        let mut transports = channels(ranks).into_iter().map(|one| Watched::new(one, PATIENT));
        let first = transports.next().expect("a rank");
        for other in transports {
            scope.spawn(move || help(end, options(threads), other).expect("it helps"));
        }
        let mut found = Vec::new();
        let mut visit = |row| {
            found.push(row);
            if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let done = rows(end, options(threads), first, &mut visit).expect("rows");
        (found, done)
    })
}

#[test]
fn any_number_of_ranks_finds_the_same_rows() {
    let end = 30_000;
    let expected = on_one_machine(end);
    assert_eq!(expected.0.len(), 30_000);
    for (ranks, threads) in [(1, 1), (1, 2), (2, 1), (3, 1), (4, 1), (2, 2), (3, 2), (4, 2)] {
        let found = by_ranks(end, ranks, threads, usize::MAX);
        assert!(found == expected, "{ranks} ranks of {threads} threads");
    }
}

/// Few rows, fewer blocks than workers, ends within a band and a block.
#[test]
fn any_end_is_an_end() {
    for end in [0, 1, 1000, 1024, 1025, 1216, 1217, 2000, 5003] {
        let expected = on_one_machine(end);
        for (ranks, threads) in [(2, 1), (3, 2)] {
            assert!(by_ranks(end, ranks, threads, usize::MAX) == expected, "{end}: {ranks} ranks");
        }
    }
}

/// Whoever wants no more rows gets no more, and everyone leaves.
#[test]
fn a_visitor_ends_all_ranks() {
    let (expected, _) = on_one_machine(20_000);
    for most in [1, 1000, 1025, 5000, 19_999] {
        let (found, _) = by_ranks(20_000, 3, 2, most);
        assert!(found == expected[..most], "{most}");
    }
}
