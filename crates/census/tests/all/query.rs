//! P or N, and the bites that leave P-positions, against the game tree; far out, against the
//! engines.

use crate::common;

use std::sync::LazyLock;

use census::query::{Answer, Position, PositionError, Query, QueryError};
use game::{GameTree, Outcome};
use num_bigint::BigUint;
use record::{Head, RowRecord};

/// The tree reaches to this p.
const REACH: u64 = 40;

/// Rows 0 to 1000 with all offsets.
static ROWS: LazyLock<Vec<RowRecord>> = LazyLock::new(|| common::rows_in_full(1001));

fn position(p: u64, q: u64, r: u64) -> Position {
    Position::new(p.into(), q.into(), r).unwrap()
}

fn ask<'a>(
    position: &Position,
    rows: impl IntoIterator<Item = &'a RowRecord>,
) -> Result<Answer, QueryError> {
    let mut query = Query::new(position.clone());
    for record in rows {
        if let Some(answer) = query.add(record)? {
            return Ok(answer);
        }
    }
    panic!("row {} is there", position.r())
}

/// From records with fingerprints, and where these do not tell, from cells of column q; and row r
/// with its offsets.
fn ask_with_cells(position: &Position, short: &[RowRecord]) -> Answer {
    let r = usize::try_from(position.r()).unwrap();
    let mut query = Query::new(position.clone());
    // In any order.
    for record in short[..r].iter().rev() {
        if let Err(QueryError::NeedsHead { row, .. }) = query.add(record) {
            let row = usize::try_from(row).unwrap();
            let Head::Offsets(offsets) = ROWS[row].head() else { panic!("these are in full") };
            let q = usize::try_from(position.q()).unwrap();
            query.add_with_offset(record, offsets[q - row]);
        }
    }
    query.add(&ROWS[r]).unwrap().unwrap()
}

fn left(answer: &Answer) -> Vec<String> {
    let mut left: Vec<String> = answer.bites.iter().map(|bite| bite.leaves.to_string()).collect();
    left.sort();
    left
}

/// All positions with p <= 40, and all of their bites.
#[test]
fn the_game_tree_agrees() {
    let tree = GameTree::up_to(REACH);
    for of_tree in game::Position::up_to(REACH) {
        let answer = ask(&position(of_tree.p(), of_tree.q(), of_tree.r()), ROWS.iter()).unwrap();
        assert_eq!(answer.is_p(), tree.outcome(of_tree) == Some(Outcome::P), "{of_tree}");
        let p_positions = of_tree.bites().filter(|&bite| tree.outcome(bite) == Some(Outcome::P));
        let mut expected: Vec<String> = p_positions.map(|bite| bite.to_string()).collect();
        expected.sort();
        assert_eq!(left(&answer), expected, "{of_tree}");
        let rests_on = answer.bites.iter().all(|bite| bite.record.row() == bite.leaves.r());
        assert!(rests_on && answer.record.row() == of_tree.r());
    }
}

/// Row 120, as the paper prints it, has period 2; rows 402 and 585 have period 4. From the start on
/// every p but finitely many is met once, forwards and backwards.
#[test]
fn what_the_rows_say_is_found_again() {
    for r in [0, 5, 120, 402, 585, 892] {
        let record = &ROWS[usize::try_from(r).unwrap()];
        let periodic = record.periodic().unwrap();
        for (q, i) in (periodic.start..periodic.start + 300).zip(0..) {
            let p = q + periodic.values[i % periodic.values.len()];
            assert!(ask(&position(p, q, r), ROWS.iter()).unwrap().is_p(), "({p},{q},{r})");
            // A board with that p and a longer middle row: the bite in the middle row goes there.
            let longer = ask(&position(p, p, r), ROWS.iter()).unwrap();
            assert!(left(&longer).contains(&format!("({p},{q},{r})")), "{longer:?}");
        }
    }
}

/// The periodic part repeats: far out the answers are those nearby, moved.
#[test]
fn hundred_digits_are_a_shift_of_few() {
    // 36 is a multiple of every period to row 1000.
    let far = BigUint::from(36_u32) * BigUint::from(10_u32).pow(100);
    for r in [0_u64, 3, 120, 402, 585, 999, 1000] {
        let near = 4000 - 4000 % 36;
        for (p, q) in (near..near + 40).flat_map(|q| [(q + 1, q), (q + r / 2, q), (q + 36, q)]) {
            let distant = Position::new(&far + p, &far + q, r).unwrap();
            let (near, distant) =
                (ask(&position(p, q, r), &*ROWS).unwrap(), ask(&distant, &*ROWS).unwrap());
            let moved = |bite: &census::query::Bite| {
                let [p, q, r] = bite.leaves.lengths();
                // The end of a finite row, and (p,x,x), stay where they are or are out of reach.
                [p, q, r].map(|n| if n >= far { n - &far } else { n })
            };
            let near: Vec<_> = near.bites.iter().map(|bite| bite.leaves.lengths()).collect();
            assert_eq!(distant.bites.iter().map(moved).collect::<Vec<_>>(), near, "{p} {q} {r}");
        }
    }
}

/// Fingerprints are enough where no head matters, and otherwise it is said which does; with the
/// cells of the row and of the column they are enough always.
#[test]
fn fingerprints_answer_the_same_or_not_at_all() {
    let short: Vec<RowRecord> = ROWS[..=200].iter().map(RowRecord::abridged).collect();
    let (mut answered, mut refused) = (0, 0);
    for r in [0, 7, 119, 120, 200] {
        for (q, difference) in
            (r..2 * r + 40).flat_map(|q| (0..r + 2).step_by(3).map(move |d| (q, d)))
        {
            let Ok(position) = Position::new((q + difference).into(), q.into(), r) else {
                continue;
            };
            let full = ask(&position, &*ROWS).unwrap();
            let is_as_full =
                |answer: &Answer| (answer.is_p(), left(answer)) == (full.is_p(), left(&full));
            assert!(is_as_full(&ask_with_cells(&position, &short)), "{position}");
            match ask(&position, &short) {
                Ok(answer) => {
                    assert!(is_as_full(&answer), "{position}");
                    answered += 1;
                }
                Err(QueryError::NeedsHead { row, end }) => {
                    let record = &ROWS[usize::try_from(row).unwrap()];
                    let start = record.periodic().map_or(u64::MAX, |periodic| periodic.start);
                    assert!(row <= r && (start == u64::MAX || end == start));
                    refused += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(answered > 500 && refused > 500, "{answered} {refused}");
    let far = position(100_000, 99_900, 120);
    assert!(Query::new(far.clone()).likely_settled());
    ask(&far, &short).unwrap();
    assert!(!Query::new(position(200, 150, 120)).likely_settled());
}

/// A record that is well-formed and false can make a position both, or neither.
#[test]
fn false_records_are_noticed() {
    for (offset, [p, q], is_p) in [(2, [1002, 1000], true), (6, [12, 7], false)] {
        let forged = format!(
            "Periodic(row: 5, first: 10, start: 7, values: [{offset}], certificate: (from: 7, \
             recurs: 8, modulus: \"1\", filled: 4, above: []), head: [5, 3])"
        );
        let position = position(p, q, 5);
        let mut rows = ROWS[..=5].to_vec();
        ask(&position, &rows).unwrap();
        rows[5] = record::parse_line(&forged, 7).unwrap();
        let expected = QueryError::Contradiction { position: position.clone(), row: 5, is_p };
        assert_eq!(ask(&position, &rows), Err(expected));
    }
}

/// Half by half, against digit by digit.
#[test]
fn long_numbers_are_read_as_short_ones_are() {
    let digits: String = (0..300).map(|n| record::column_weight(n).to_string()).collect();
    for length in (1..20).chain(510..515).chain(1022..1027).chain(2046..2051).chain([4097, 5000]) {
        for text in [&digits[..length], &"0".repeat(length), &"9".repeat(length)] {
            let (number, power): (BigUint, _) =
                (text.parse().unwrap(), u32::try_from(length).unwrap());
            let position: Position = format!("[0,0,1{text}]").parse().unwrap();
            assert_eq!(*position.p(), BigUint::from(10_u32).pow(power) + &number);
            let grouped = text.split_inclusive('7').collect::<Vec<_>>().join("_");
            assert_eq!(format!("1{grouped} 1 0").parse(), Ok(position_of(&format!("1{text}"))));
        }
    }
}

fn position_of(p: &str) -> Position {
    Position::new(p.parse().unwrap(), 1_u32.into(), 0).unwrap()
}

#[test]
fn what_is_no_position_is_refused() {
    let new = |p: u32, q: u32, r: u64| Position::new(p.into(), q.into(), r);
    assert!(matches!(new(3, 4, 1), Err(PositionError::MiddleTooLong { .. })));
    assert!(matches!(new(4, 3, 4), Err(PositionError::BottomTooLong { .. })));
    assert_eq!(new(0, 0, 0), Err(PositionError::Empty));
    let long = [1_u32, 1, 1].map(|n| BigUint::from(n) << 64);
    assert!(matches!(Position::from_lengths(long), Err(PositionError::RowTooLarge { .. })));
}
