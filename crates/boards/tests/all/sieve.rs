//! The sieve against slower engines and published counts.

use std::num::NonZero;
use std::ops::ControlFlow;

use boards::by_rules::Samples;
use boards::lengths::Lengths;
use boards::rectangles::Solution;
use boards::sieve::{self, Kept, Layer, LayerCount, Run, Sieve};
use boards::{SolveError, Solved};
use game::{Board, Chomp, Outcome, Search, brouwer};

/// Finds all, in one or several blocks at a time.
fn with(mut sieve: Sieve, threads: usize, mut visit: impl FnMut(Layer)) -> Sieve {
    let threads = NonZero::new(threads).expect("at least one");
    while let Some(layers) =
        sieve.next_layers(threads, &|_| ControlFlow::Continue(())).expect("not stopped")
    {
        layers.into_iter().for_each(&mut visit);
    }
    sieve
}

fn p_positions(rows: u16, to: u16, threads: usize) -> Vec<Vec<u16>> {
    let mut found = Vec::new();
    let sieve = Sieve::new(rows, to).expect("a small sieve");
    with(sieve, threads, |layer| layer.for_each(|lengths| found.push(lengths.to_vec())));
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
    let lengths = |position: game::ThreeRows| {
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

/// Rows 0 to 1000 with their certificates: all P-positions of three rows to p = 1400. The
/// least p of row r is near √2·r, where finite rows end, so later rows have none.
#[test]
fn three_rows_are_those_of_the_sweep() {
    const LARGEST: u16 = 1400;
    let mut expected = Vec::new();
    for (r, record) in (0_u16..).zip(fixtures::rows_in_full(1001)) {
        for q in r..=LARGEST {
            let offset = record.offset(q.into()).expect("the head is there");
            let p = offset.map(|offset| u64::from(q) + offset);
            let p = p.and_then(|p| u16::try_from(p).ok()).filter(|p| *p <= LARGEST);
            expected.extend(p.map(|p| vec![p, q, r]));
        }
    }
    expected.sort();
    assert!(expected.iter().all(|lengths| lengths[2] < 1000), "no row is missing");
    assert_eq!(p_positions(3, LARGEST, 2), expected);
}

#[test]
fn four_rows_are_as_many_as_published() {
    let published = fixtures::numbers::<2>("four-rows.tsv");
    assert_eq!(published.len(), 2);
    for [to, count] in published.into_iter().filter(|[to, _]| *to <= 500) {
        let found = p_positions(4, to.try_into().expect("short"), 2);
        assert_eq!(found.len() as u64, count, "a <= {to}");
        assert!(found.is_sorted());
    }
}

/// Also that of all lengths to 3000.
#[test]
#[ignore = "a minute of processor time, optimised"]
fn four_rows_are_as_many_as_published_in_full() {
    for [to, expected] in fixtures::numbers::<2>("four-rows.tsv") {
        let sieve = Sieve::new(4, to.try_into().expect("short")).expect("small");
        let mut count = 0;
        with(sieve, 2, |layer| count += layer.count().count);
        assert_eq!(count, expected, "a <= {to}");
    }
}

/// The boards without a bite to a P-position, when the others are marked.
fn by_marks(rows: u16, to: u16) -> Vec<Vec<u16>> {
    let lengths = Lengths::of(rows, to, &|_| ControlFlow::Continue(()));
    lengths.expect("few boards").p_positions().collect()
}

#[test]
fn marks_find_the_same() {
    for (rows, to) in [(3, 300), (4, 100), (5, 40), (6, 22), (7, 14)] {
        let expected = by_marks(rows, to);
        assert_eq!(p_positions(rows, to, 2), expected, "{rows} rows up to {to}");
    }
}

/// The recurrence without blocks.
#[test]
fn rectangles_have_the_same_positions() {
    for (rows, columns) in [(4, 160), (5, 45)] {
        let go_on = |_| ControlFlow::Continue(());
        let solution = Solution::of(rows, columns, NonZero::<usize>::MIN, &go_on).expect("small");
        let lengths = |board: Board| {
            let mut lengths = board.rows().to_vec();
            lengths.resize(rows.into(), 0);
            lengths
        };
        let mut expected: Vec<_> = solution.p_positions().map(lengths).collect();
        expected.sort();
        assert_eq!(p_positions(rows, columns, 3), expected);
    }
}

#[test]
fn threads_change_nothing() {
    for (rows, to) in [(3, 500), (4, 300), (5, 70), (6, 30)] {
        let layers = |threads| {
            let mut layers = Vec::new();
            let sieve = Sieve::new(rows, to).expect("small");
            with(sieve, threads, |layer| {
                layers.push(layer.count());
            });
            layers
        };
        let expected = layers(1);
        assert!(expected.iter().map(|layer| layer.first).eq(1..=to));
        for threads in [2, 3, 9] {
            assert_eq!(layers(threads), expected, "{rows} rows, {threads} threads");
        }
    }
}

/// Both ways to take a block: kept, and column by column.
#[test]
fn positions_are_counted_as_they_are_found() {
    for (rows, to) in [(3, 300), (4, 200), (5, 60)] {
        let mut expected: Vec<LayerCount> = Vec::new();
        let sieve = || Sieve::new(rows, to).expect("small");
        with(sieve(), 1, |layer| expected.push(layer.count()));
        for threads in [1, 2, 5] {
            let threads = NonZero::new(threads).expect("not 0");
            let (mut counts, mut met, mut order) = (Vec::new(), Vec::new(), Vec::new());
            let mut sieve = sieve();
            let mut visit = |first: u16, run: Run| {
                order.push((first / 128, run.second, first));
                for lower in run.lower.chunks(usize::from(rows) - 2) {
                    met.push([&[first, run.second], lower].concat());
                }
            };
            let go_on = |_| ControlFlow::Continue(());
            while let Some(block) = sieve.next_block(threads, &go_on, &mut visit).expect("whole") {
                counts.extend(block);
            }
            assert_eq!(counts, expected, "{rows} rows, {threads} threads");
            assert!(order.is_sorted(), "blocks, and in them columns");
            met.sort();
            assert_eq!(met, p_positions(rows, to, 1));
        }
    }
}

#[test]
fn a_count_can_be_stopped() {
    for threads in [1, 2, 5] {
        let threads = NonZero::new(threads).expect("not 0");
        let mut sieve = Sieve::new(4, 200).expect("small");
        let stopped = sieve.next_block(threads, &|_| ControlFlow::Break(()), &mut |_, _| ());
        assert!(matches!(stopped, Err(SolveError::Stopped)));
    }
}

/// As the documentation says, from the positions of the game tree's oracle.
#[test]
fn the_hash_is_of_the_documented_bytes() {
    let positions = by_marks(4, 30);
    let mut hashes = Vec::new();
    with(Sieve::new(4, 30).expect("small"), 1, |layer| {
        hashes.push(layer.count().hash);
    });
    for (first, hash) in (1..).zip(hashes) {
        let mut bytes = Vec::new();
        for second in 0..=first {
            for position in positions.iter().filter(|found| found[..2] == [first, second]) {
                bytes.extend(position[2..].iter().flat_map(|length| length.to_le_bytes()));
            }
            bytes.extend([0xff, 0xff]);
        }
        assert_eq!(hash, *blake3::hash(&bytes).as_bytes(), "a = {first}");
    }
}

#[test]
fn a_sieve_resumes_from_what_was_saved_with_another_end() {
    for (rows, to, longer) in [(3, 200, 300), (4, 127, 260), (4, 200, 201), (5, 50, 90)] {
        let mut state = Vec::new();
        let begun = with(Sieve::new(rows, to).expect("small"), 2, |_| ());
        begun.save(&mut state).expect("a vector takes all");
        let bytes = Sieve::bytes_to_resume(rows, begun.next()).expect("few");
        assert_eq!(bytes, state.len() as u64);
        let mut source = &state[..];
        let resumed = Sieve::restore(rows, longer, begun.next(), &mut source);
        let mut found = Vec::new();
        with(resumed.expect("whole"), 2, |layer| {
            layer.for_each(|lengths| found.push(lengths.to_vec()));
        });
        assert!(source.is_empty(), "all of it is read");
        let mut expected = p_positions(rows, longer, 2);
        expected.retain(|lengths| lengths[0] > to);
        assert_eq!(found, expected, "{rows} rows from {to} to {longer}");
        let smaller = Sieve::restore(rows, to - 2, begun.next(), &mut &state[..]);
        assert!(matches!(smaller, Err(SolveError::Size(_))));
        let cut = &mut &state[..state.len() - 1];
        let cut = Sieve::restore(rows, longer, begun.next(), cut);
        assert!(matches!(cut, Err(SolveError::Restore(_))));
    }
}

#[test]
fn samples_hold_the_rules_and_see_a_wrong_position() {
    let mut samples = Samples::random(4, 200, 300, 1);
    with(Sieve::new(4, 200).expect("small"), 2, |layer| {
        samples.visit(&layer).expect("right");
    });
    assert!(samples.checked() > 10_000);
    let mut wrong = Samples::random(4, 200, 300, 1);
    let mut seen = false;
    with(Sieve::new(4, 200).expect("small"), 2, |layer| {
        // The positions with a = 41 are taken for those with a = 40, too.
        if layer.first() == 41 {
            seen |= wrong.visit(&layer).is_err();
        }
        if layer.first() != 40 {
            seen |= wrong.visit(&layer).is_err();
        }
    });
    assert!(seen, "a wrong layer is seen");
}

#[test]
fn what_cannot_be_sieved_is_refused() {
    let of = |rows, to| Sieve::new(rows, to);
    let size = |rows, to| match of(rows, to) {
        Err(SolveError::Size(text)) => text,
        other => panic!("{other:?}"),
    };
    for rows in [2, 27] {
        let limits = format!("boards of 3 to 26 rows are sieved, and {rows} are asked for");
        assert_eq!(size(rows, 5), limits);
    }
    for to in [0, 65_535] {
        let limits = format!("row 1 is sieved from 1 to 65534 squares, and {to} are asked for");
        assert_eq!(size(4, to), limits);
    }
    assert!(matches!(of(26, 9999), Err(SolveError::TooLarge { .. })));
    assert_eq!(sieve::memory(26, 9999, NonZero::<usize>::MIN, Kept::Columns), u64::MAX);
}

#[test]
fn the_watcher_counts_all_columns_and_can_stop() {
    use std::sync::atomic::{AtomicU64, Ordering};
    for threads in [1, 2, 5] {
        let threads = NonZero::new(threads).expect("not 0");
        let heard = AtomicU64::new(0);
        let watch = |columns| {
            heard.fetch_add(columns, Ordering::SeqCst);
            ControlFlow::Continue(())
        };
        let mut sieve = Sieve::new(4, 200).expect("small");
        while sieve.next_layers(threads, &watch).expect("not stopped").is_some() {}
        assert_eq!(heard.load(Ordering::SeqCst), 128 + 201);
        assert_eq!(sieve::columns(0, 200), 128 + 201);
        let mut sieve = Sieve::new(4, 200).expect("small");
        let stopped = sieve.next_layers(threads, &|_| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(SolveError::Stopped)));
    }
}
