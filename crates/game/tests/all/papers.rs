//! The oracles against the papers and the OEIS. No expected value was computed here.

use game::{GameTree, Outcome, ThreeRows, brouwer::Table};

/// The 2005 paper, section 8: all P-positions with r <= 5.
#[test]
fn rows_0_to_5() {
    const N: u64 = 60;
    let tree = GameTree::up_to(N);
    let table = Table::up_to(N);
    let mut expected: Vec<ThreeRows> = Vec::new();
    for line in fixtures::fields("rows-0-to-5.tsv") {
        let [r, q, p] = [0, 1, 2].map(|field: usize| line[field].parse().expect("a number"));
        let last = if line[3] == "forever" { N } else { 0 };
        expected.extend((0..=last).map(|a| ThreeRows::new(p + a, q + a, r).expect("a position")));
    }

    let in_order = |positions: &mut dyn Iterator<Item = ThreeRows>| {
        let mut positions: Vec<_> = positions.filter(|x| x.p() <= N && x.r() <= 5).collect();
        positions.sort_unstable();
        positions
    };
    let expected = in_order(&mut expected.into_iter());
    assert_eq!(in_order(&mut tree.p_positions()), expected);
    assert_eq!(in_order(&mut table.p_positions()), expected);
}

/// The 2005 paper, section 7: `2 x n` has the P-positions [m,m-1]; from the full bar the unique
/// bite that leaves one takes the top element.
#[test]
fn two_rows() {
    let tree = GameTree::up_to(60);
    for position in ThreeRows::up_to(60).filter(|position| position.r() == 0) {
        let expected = if position.p() == position.q() + 1 { Outcome::P } else { Outcome::N };
        assert_eq!(tree.outcome(position), Some(expected), "{position}");
    }
    for n in 1..=60 {
        assert_eq!(replies(&tree, [n, n, 0]), [[n, n - 1, 0]]);
    }
}

/// The 2005 paper, section 7: in `n x n` the next player wins with (1,1) and then answers
/// symmetrically. For three rows that is n = 1, 2, 3.
#[test]
fn square_boards() {
    let tree = GameTree::up_to(3);
    assert_eq!(replies(&tree, [1, 0, 0]), [[0; 3]; 0]);
    assert_eq!(replies(&tree, [2, 2, 0]), [[2, 1, 0]]);
    assert_eq!(replies(&tree, [3, 3, 3]), [[3, 1, 1]]);
}

/// The 2005 paper, section 7.1: unique for `3 x n`, n <= 100; section 8.5: in the middle row, and
/// then n is on the diagonal, or in the bottom row, and then n is the end of a finite row.
#[test]
fn opening_bites_are_unique() {
    const N: u64 = 60;
    let tree = GameTree::up_to(N);
    let diagonal: Vec<u64> =
        fixtures::numbers("oeis/A029900.txt").iter().map(|&[_, p]| p).collect();
    let ends: Vec<u64> = fixtures::numbers("oeis/A029901.txt").iter().map(|&[_, p]| p).collect();
    // (1,1,1) is d_0: the bite in the middle row leaves the poison alone.
    for n in 1..=N {
        let replies = replies(&tree, [n, n, n]);
        assert_eq!(replies.len(), 1, "({n},{n},{n}): {replies:?}");
        let [p, q, r] = replies[0];
        assert_eq!(p, n);
        assert_eq!(q == r, diagonal.contains(&n), "({n},{n},{n}) to ({p},{q},{r})");
        assert_eq!(q == n, ends.contains(&n), "({n},{n},{n}) to ({p},{q},{r})");
    }
}

/// The 2005 paper, section 7.1, names (3,1,1) and (2,2,1). There is a third, which its section 8
/// has among the P-positions of row 0: (3,2,0).
#[test]
fn replies_to_3_2_1() {
    let replies = replies(&GameTree::up_to(3), [3, 2, 1]);
    assert_eq!(replies, [[2, 2, 1], [3, 1, 1], [3, 2, 0]]);
}

/// Brouwer's page, "A small table", and the 2005 paper, Figures 2 and 3.
#[test]
fn printed_tables() {
    let table = Table::up_to(180);
    for (name, count) in
        [("brouwer-table-24.tsv", 325), ("figure-2.tsv", 144), ("figure-3.tsv", 55)]
    {
        let lines = fixtures::numbers(name);
        assert_eq!(lines.len(), count, "{name}");
        for [q, r, f] in lines {
            assert_eq!(table.f(q, r), Some(f), "{name}: f({q},{r})");
        }
    }
}

/// Brouwer's page, "3-by-n Chomp".
#[test]
fn row_120() {
    let table = Table::up_to(255);
    let found: Vec<[u64; 1]> = table.row(120).map(|position| [position.p()]).collect();
    assert_eq!(found, fixtures::numbers("row-120.txt"));
}

/// Brouwer's page, "Patterns in 3-by-n Chomp", as far as a cubic oracle goes quickly: offsets
/// minus their mean over several periods from the start, and no earlier start.
#[test]
fn first_patterns() {
    const N: u64 = 640;
    let table = Table::up_to(N);
    let mut rows = 0;
    for line in fixtures::fields("patterns.tsv") {
        let [r, start, period] = [0, 1, 2].map(|field: usize| line[field].parse().expect("number"));
        if start + 4 * period > N {
            continue;
        }
        let pattern: Vec<i64> = line[3].split(',').map(|x| x.parse().expect("a number")).collect();
        let offset = |q: u64| {
            let f = table.f(q, r).expect("in reach");
            i64::try_from(f).expect("small") - i64::try_from(q).expect("small")
        };
        let mean = offset(start) - pattern[0];
        for (q, value) in (start..=N).zip(pattern.iter().cycle()) {
            assert_eq!(offset(q), mean + value, "row {r}, q = {q}");
        }
        let before = offset(start - 1) - offset(start - 1 + period);
        assert_ne!(before, 0, "row {r} repeats before {start}");
        rows += 1;
    }
    assert_eq!(rows, 5);
}

/// The 2005 paper, section 8.9, and the OEIS.
#[test]
fn a029899_counts_p_positions() {
    let tree = GameTree::up_to(56);
    for [n, count] in fixtures::numbers("oeis/A029899.txt") {
        let found = tree.p_positions().filter(|position| position.p() <= n).count() as u64;
        assert_eq!(found, count, "p <= {n}");
    }
}

/// The 2005 paper, sections 8.4, 8.6 and 8.9: the diagonal, and the ends of finite rows.
#[test]
fn diagonal_and_finite_rows() {
    let table = Table::up_to(180);
    let second = |name| fixtures::numbers(name).into_iter().map(|[_, a]| a).collect::<Vec<u64>>();

    let diagonal = second("oeis/A029900.txt");
    let found: Vec<u64> = (0..).map_while(|c| table.f(c, c)).take(diagonal.len()).collect();
    assert_eq!(found, diagonal);

    let mut ends: Vec<[u64; 2]> = table
        .p_positions()
        .filter(|position| position.p() == position.q())
        .map(|position| [position.q(), position.r()])
        .collect();
    ends.sort_unstable();
    let (q, r) = (second("oeis/A029901.txt"), second("oeis/A029902.txt"));
    assert!(ends.iter().map(|end| end[0]).take(q.len()).eq(q));
    assert!(ends.iter().map(|end| end[1]).take(r.len()).eq(r));
}

/// The bites of a position that leave a P-position.
fn replies(tree: &GameTree, [p, q, r]: [u64; 3]) -> Vec<[u64; 3]> {
    let position = ThreeRows::new(p, q, r).expect("a position");
    position
        .bites()
        .filter(|&bite| tree.outcome(bite) == Some(Outcome::P))
        .map(|bite| [bite.p(), bite.q(), bite.r()])
        .collect()
}
