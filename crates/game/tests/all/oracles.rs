//! The two oracles against each other, and against facts that are proved of every table.

use game::{GameTree, Outcome, ThreeRows, brouwer::Table};

#[test]
fn game_tree_and_recurrence_agree_on_every_position() {
    const N: u64 = 40;
    let (tree, table) = (GameTree::up_to(N), Table::up_to(N));
    for position in ThreeRows::up_to(N) {
        assert_eq!(tree.outcome(position), table.outcome(position), "{position}");
    }
    let mut found: Vec<_> = table.p_positions().filter(|position| position.p() <= N).collect();
    found.sort_unstable();
    assert!(tree.p_positions().eq(found));
}

/// f is defined with minima (the 2005 paper, section 8.1): also where r > q or p < q, the position
/// that is meant is a P-position, and for no other p.
#[test]
fn f_is_right_above_the_diagonal_and_after_the_end_of_a_row() {
    const N: u64 = 12;
    let (tree, table) = (GameTree::up_to(2 * N + 1), Table::up_to(N));
    for (q, r) in (0..=N).flat_map(|q| (0..=N).map(move |r| (q, r))) {
        let p_values: Vec<u64> = (1..=2 * N + 1)
            .filter(|&p| {
                let position = ThreeRows::new(p, p.min(q), p.min(q).min(r)).expect("a position");
                tree.outcome(position) == Some(Outcome::P)
            })
            .collect();
        assert_eq!(Some(p_values), table.f(q, r).map(|f| vec![f]), "f({q},{r})");
    }
}

/// The 2005 paper, sections 8.1 and 8.3.
#[test]
fn the_diagonal_is_the_largest_of_its_column() {
    const N: u64 = 100;
    let table = Table::up_to(N);
    let f = |q, r| table.f(q, r).expect("in reach");
    for q in 0..=N {
        assert!(f(q, q) > q);
        for r in 0..q {
            assert!(f(q, r) < f(q, q), "f({q},{r})");
            assert!((1..=q + r + 1).contains(&f(q, r)), "f({q},{r})");
        }
    }
}

#[test]
fn a_larger_reach_changes_nothing() {
    let (small, large) = (Table::up_to(20), Table::up_to(40));
    assert!(small.p_positions().eq(large.p_positions().filter(|position| position.q() <= 20)));
    let (small, large) = (GameTree::up_to(10), GameTree::up_to(20));
    assert!(small.p_positions().eq(large.p_positions().filter(|position| position.p() <= 10)));
}

#[test]
fn beyond_the_reach_is_no_answer() {
    let position = |p, q, r| ThreeRows::new(p, q, r).expect("a position");
    let tree = GameTree::up_to(3);
    assert_eq!(tree.outcome(position(4, 0, 0)), None);
    assert_eq!(tree.outcome(position(u64::MAX, u64::MAX, u64::MAX)), None);
    assert_eq!(GameTree::up_to(0).p_positions().count(), 0);

    let table = Table::up_to(3);
    assert_eq!((table.f(4, 0), table.f(0, 4)), (None, None));
    assert_eq!(table.outcome(position(4, 4, 0)), None);
    assert_eq!(table.outcome(position(u64::MAX, 3, 0)), Some(Outcome::N));
    assert_eq!(table.row(4).count(), 0);
    assert_eq!(Table::up_to(0).f(0, 0), Some(1));
}
