//! Records of any level and tail: their lines, and statements that no row can satisfy.

use proptest::prelude::*;
use record::{Problem, Record, RowKey, Tail, parse_line};

const ROW_120: &str = r#"Periodic(row: 120, first: 206, start: 170, values: [72, 70], certificate: (from: 170, recurs: 172, modulus: "1", filled: 71, above: []), head: "8a21679c9ed36f2f")"#;

#[test]
fn level_0_and_one_part_is_a_row_of_three_rowed_chomp() {
    let row_120 = parse_line(ROW_120, 1).unwrap();
    assert_eq!(row_120.key(), &RowKey::of_row(0, 120));
    assert_eq!(Record::of_row(row_120.statement().clone()), Ok(row_120));
    let row_0 = r#"Periodic(row: 0, first: 1, start: 0, values: [1], certificate: (from: 0, recurs: 1, modulus: "1", filled: 1, above: []), head: "0000000000000000")"#;
    assert_eq!(parse_line(row_0, 1).unwrap().key().tail(), &Tail::default());
}

#[test]
fn a_row_has_one_line() {
    for (line, words) in [
        ("Empty(row: 2, level: 0, by: 1)", "canonical"),
        ("Empty(tail: [2], level: 2, by: 1)", "canonical"),
        ("Empty(tail: [], level: 2, by: 1)", "canonical"),
        ("Empty(level: 2, by: 1)", "canonical"),
        ("Empty(row: 0, level: 2, by: 1)", "1 to 0"),
        ("Empty(row: 4, tail: [2], level: 2, by: 1)", "canonical"),
        ("Empty(row: 4, level: 2, by: 1, begins: 0)", "canonical"),
        ("Empty(row: 4, early: [(1, 2)], level: 2, by: 1)", "early has column 1"),
        ("Empty(row: 4, level: 2)", "would read: , by: 0"),
        ("Empty(row: 4, by: 1)", "no row of three-rowed Chomp is empty"),
        ("Empty(tail: [4, 2], level: 02, by: 1)", "canonical"),
        ("Empty(tail: [2, 3], by: 1)", "do not ascend"),
        ("Empty(tail: [2, 0], by: 1)", "no part 0"),
        ("Empty(row: 2, row: 2, level: 2, by: 1)", "uplicate"),
        ("Empty(row: 2, level: 2, by: 1, head: [])", "canonical"),
        ("Empty(row: 2, level: 2, by: 0)", "1 to 1"),
        ("Empty(row: Some(2), level: 2, by: 1)", "not understood"),
        ("Empty(row: 9223372036854775808, level: 2, by: 1)", "2^63"),
    ] {
        let error = parse_line(line, 1).expect_err(line).to_string();
        assert!(error.contains(words), "{line}: {error}");
    }
    for line in ["Empty(row: 2, level: 2, by: 1)", "Empty(tail: [4, 2], by: 3)"] {
        assert_eq!(parse_line(line, 1).unwrap().to_string(), line);
    }
}

#[test]
fn offsets_go_as_far_as_the_tail_and_the_level_let_them() {
    // |t| + g + 1 = 9.
    for (first, good) in [(13, true), (14, false)] {
        let line = format!(
            "Finite(tail: [4, 2], level: 2, first: {first}, last: 9, head: \"0000000000000001\")"
        );
        let read = parse_line(&line, 1);
        assert_eq!(read.is_ok(), good, "{read:?}");
        assert!(read.is_ok() || matches!(read.unwrap_err().problem, Problem::Fault(_)));
    }
}

/// All tails with parts up to `most`, by looking at all lists.
fn plain(within: &[u64]) -> Vec<Vec<u64>> {
    let Some((first, rest)) = within.split_first() else { return vec![vec![]] };
    let mut tails = vec![];
    for part in 0..=*first {
        for rest in plain(rest) {
            if rest.iter().all(|other| *other <= part) {
                let mut tail = if part > 0 { vec![part] } else { vec![] };
                tail.extend(rest);
                tails.push(tail);
            }
        }
    }
    tails
}

proptest! {
    #[test]
    fn tails_within_a_tail(mut parts in prop::collection::vec(1_u64..6, 0..4)) {
        parts.sort_unstable_by(|a, b| b.cmp(a));
        let within = Tail::new(parts.clone()).unwrap();
        let found: Vec<Tail> = within.within().collect();
        prop_assert!(found.is_sorted());
        let found: Vec<Vec<u64>> = found.iter().map(|tail| tail.parts().to_vec()).collect();
        let mut expected = plain(&parts);
        expected.sort();
        prop_assert_eq!(within.count_within(), Some(expected.len() as u64));
        prop_assert_eq!(found, expected);
        for tail in within.within() {
            prop_assert!(within.contains(&tail));
            prop_assert_eq!(tail.to_string().parse(), Ok(tail));
        }
    }
}
