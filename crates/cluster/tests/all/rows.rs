//! Rows by several ranks, against the engine on one machine.

use cluster::{
    rows::{Found, RankDone, RowsError, help, planned, rows},
    transport::{Watched, channels},
};
use record::RowRecord;
use std::{num::NonZero, ops::ControlFlow, thread, time::Duration};
use sweep::{
    band::{self, Kernel, Options, Windows},
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
    let (rows, found) = told_by_ranks(end, ranks, threads, most);
    assert_eq!(found.ranks.len(), ranks);
    (rows, found.done)
}

/// The same, and what each rank has done.
fn told_by_ranks(end: u64, ranks: usize, threads: usize, most: usize) -> (Vec<RowRecord>, Found) {
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

/// Who was given something else is named, by everyone, before any row.
#[test]
fn a_rank_with_other_options_is_named() {
    let given = (20_000, options(1));
    let windows = Windows::new(30, 30, 8).expect("places");
    assert_ne!(windows, Windows::default());
    let with_windows = Options { windows, ..options(1) };
    for (other, its, first) in [
        ((20_001, options(1)), "rows below 20001", "rows below 20000"),
        ((20_000, options(2)), "2 threads", "1 threads"),
        ((20_000, with_windows), "Windows { below_low: 30, ", "Windows { below_low: "),
    ] {
        for different in 0..3 {
            thread::scope(|scope| {
                let rank = |(rank, transport)| {
                    scope.spawn(move || {
                        let (end, options) = if rank == different { other } else { given };
                        let mut visit =
                            |_: RowRecord| -> ControlFlow<()> { panic!("a row is visited") };
                        let ranks = Watched::new(transport, PATIENT);
                        rows(end, options, ranks, &mut visit).expect_err("they do not fit")
                    })
                };
                let all: Vec<_> = channels(3).into_iter().enumerate().map(rank).collect();
                for error in all.into_iter().map(|rank| rank.join().expect("no panic")) {
                    // If rank 0 is different, so are all others from it.
                    let (named, its, first) =
                        if different == 0 { (1, first, its) } else { (different, its, first) };
                    match error {
                        RowsError::Options { rank, its: i, first: f } => {
                            assert_eq!(rank, named);
                            assert!(i.starts_with(its) && f.starts_with(first), "{i}, {f}");
                        }
                        other => panic!("{other}"),
                    }
                }
            });
        }
    }
}

/// Kernels may differ.
#[test]
fn ranks_of_other_kernels_find_the_same_rows() {
    let end = 8000;
    let expected = on_one_machine(end);
    thread::scope(|scope| {
        let mut transports = channels(2).into_iter().map(|one| Watched::new(one, PATIENT));
        let (first, second) = (transports.next().expect("0"), transports.next().expect("1"));
        let portable = Options { kernel: Kernel::Portable, ..options(1) };
        scope.spawn(move || help(end, portable, second).expect("it helps"));
        let mut found = Vec::new();
        let mut visit = |row| {
            found.push(row);
            ControlFlow::Continue(())
        };
        let done = rows(end, options(1), first, &mut visit).expect("rows").done;
        assert!((found, done) == expected);
    });
}

/// Words take at most 1.1 times 0.17 R² bits, and groups and rows what the plan says; and all cells
/// are somebody's.
#[test]
#[expect(clippy::cast_precision_loss, reason = "some million bytes")]
fn ranks_send_what_the_plan_says() {
    let end = 40_000_u32;
    let (_, whole) = on_one_machine(end.into());
    for (ranks, threads) in [(2, 1), (3, 1), (4, 1), (2, 2)] {
        let (_, found) = told_by_ranks(end.into(), ranks, threads, usize::MAX);
        assert_eq!(found.done, whole);
        assert_eq!(found.ranks.iter().map(|rank| rank.cells).sum::<u64>(), whole.cells);
        let sum = |of: fn(&RankDone) -> u64| found.ranks.iter().map(of).sum::<u64>() as f64;
        let plan = planned(end.into(), ranks as u64, threads as u64);
        let besides = plan.groups + plan.rows + plan.diagonals;
        let most = 1.1 * 0.17 / 8.0 * f64::from(end).powi(2) + besides;
        let (all, words) = (sum(|rank| rank.sent.all()), sum(|rank| rank.sent.words));
        assert!(all <= most, "{ranks} ranks: {all} bytes, not {most}");
        // What is not sent cannot be right either.
        assert!((0.9..1.1).contains(&(words / plan.words)), "{words}, not {}", plan.words);
    }
}
