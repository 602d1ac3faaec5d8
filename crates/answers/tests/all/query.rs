//! P or N, and the bites that leave P-positions, against the game tree; far out, against the
//! engines.

use std::sync::LazyLock;

use answers::{Answer, Length, Position, Query, QueryError, ReadError};
use game::{Chomp, GameTree, Outcome, Search};
use num_bigint::BigUint;
use record::{Head, HeadForm, Record};

/// The tree reaches to this p.
const REACH: u64 = 40;

/// Rows 0 to 1000 with all offsets.
static ROWS: LazyLock<Vec<Record>> = LazyLock::new(|| fixtures::rows_in_full(1001));

fn position(p: u64, q: u64, r: u64) -> Position {
    Position::finite([p, q, r]).unwrap()
}

fn ask<'a>(
    position: &Position,
    rows: impl IntoIterator<Item = &'a Record>,
) -> Result<Answer, QueryError> {
    let mut query = Query::new(position.clone());
    for record in rows {
        if let Some(answer) = query.add(record)? {
            return Ok(answer);
        }
    }
    panic!("{} is there", position.key())
}

/// From records with fingerprints, and where these do not tell, from cells of column q; and row r
/// with its offsets.
fn ask_with_cells(position: &Position, short: &[Record]) -> Answer {
    let r = usize::try_from(position.tail().first_column()).unwrap();
    let mut query = Query::new(position.clone());
    // In any order.
    for record in short[..r].iter().rev() {
        if let Err(QueryError::NeedsHead { key, .. }) = query.add(record) {
            let row = usize::try_from(key.first_column()).unwrap();
            let Some(Head::Offsets(offsets)) = ROWS[row].head() else {
                panic!("these are in full")
            };
            let q = usize::try_from(position.longest_two().unwrap().1).unwrap();
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
    for of_tree in game::ThreeRows::up_to(REACH) {
        let answer = ask(&position(of_tree.p(), of_tree.q(), of_tree.r()), ROWS.iter()).unwrap();
        assert_eq!(answer.is_p(), tree.outcome(of_tree) == Some(Outcome::P), "{of_tree}");
        let p_positions = of_tree.bites().filter(|&bite| tree.outcome(bite) == Some(Outcome::P));
        let mut expected: Vec<String> = p_positions.map(|bite| bite.to_string()).collect();
        expected.sort();
        assert_eq!(left(&answer), expected, "{of_tree}");
        let rests_on = answer.bites.iter().all(|bite| {
            bite.record.as_ref().is_some_and(|record| *record.key() == bite.leaves.key())
        });
        let own = answer.record().map(Record::row);
        // From 3×n one bite wins, and the row that has it is enough.
        let is_rectangle = of_tree.p() == of_tree.r();
        assert!(rests_on && own == (!is_rectangle).then_some(of_tree.r()));
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
            let distant = Position::finite([&far + p, &far + q, r.into()]).unwrap();
            let (near, distant) =
                (ask(&position(p, q, r), &*ROWS).unwrap(), ask(&distant, &*ROWS).unwrap());
            let moved = |bite: &answers::Bite| {
                let rows = bite.leaves.finite_rows().unwrap();
                // The end of a finite row, and (p,x,x), stay where they are or are out of reach.
                rows.into_iter().map(|n| if n >= far { n - &far } else { n }).collect::<Vec<_>>()
            };
            let near: Vec<_> =
                near.bites.iter().map(|bite| bite.leaves.finite_rows().unwrap()).collect();
            assert_eq!(distant.bites.iter().map(moved).collect::<Vec<_>>(), near, "{p} {q} {r}");
        }
    }
}

/// Fingerprints are enough where no head matters, and otherwise it is said which does; with the
/// cells of the row and of the column they are enough always.
#[test]
fn fingerprints_answer_the_same_or_not_at_all() {
    let short: Vec<Record> = ROWS[..=200].iter().map(Record::abridged).collect();
    let (mut answered, mut refused) = (0, 0);
    for r in [0, 7, 119, 120, 200] {
        for (q, difference) in
            (r..2 * r + 40).flat_map(|q| (0..r + 2).step_by(3).map(move |d| (q, d)))
        {
            let Ok(position) = Position::finite([q + difference, q, r]) else {
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
                Err(QueryError::NeedsHead { key, end }) => {
                    let row = key.first_column();
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
        let expected = QueryError::Contradiction {
            position: Box::new(position.clone()),
            key: position.key(),
            is_p,
        };
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
            assert_eq!(
                *position.longest_two().unwrap().0,
                BigUint::from(10_u32).pow(power) + &number
            );
            let grouped = text.split_inclusive('7').collect::<Vec<_>>().join("_");
            assert_eq!(format!("1{grouped} 1 0").parse(), Ok(position_of(&format!("1{text}"))));
        }
    }
}

fn position_of(p: &str) -> Position {
    Position::finite([p.parse::<BigUint>().unwrap(), 1_u32.into()]).unwrap()
}

#[test]
fn what_is_no_position_is_refused() {
    let long = [1_u32, 1, 1].map(|n| BigUint::from(n) << 64);
    let infinite = vec![Length::Omega, Length::Omega, Length::Omega, 1.into()];
    for (refused, words) in [
        (Position::finite([3_u32, 4, 1]), "row 2 (4) is longer than the row before it (3);"),
        (Position::finite([4_u32, 3, 4]), "row 3 (4) is longer than the row before it (3);"),
        (Position::finite([0_u32; 3]), "the empty board is not a position"),
        (Position::finite(long), "the rows below the two longest are too long"),
        (Position::new(infinite), "of four rows or more, the two longest may be infinite"),
    ] {
        let error = refused.expect_err(words);
        assert!(matches!(&error, ReadError::Refused(said) if said.starts_with(words)), "{error}");
    }
}

/// Any number of rows: all positions of a small board, against a search from the rules. The rows
/// come from the engine of tails.
#[test]
fn boards_agree_with_a_search() {
    let family = record::Family::of_tails(0, "5,4,3".parse().unwrap());
    let options = levels::Options { form: HeadForm::Offsets, ..Default::default() };
    let go_on = &mut |_: &Record| std::ops::ControlFlow::Continue(());
    let rows = levels::rows(&family, &options, go_on).unwrap();
    let mut search = Search::of(&Chomp);
    let mut counted = 0;
    for lengths in (0..6_u16.pow(5)).map(|n| [n / 1296, n / 216 % 6, n / 36 % 6, n / 6 % 6, n % 6])
    {
        let Ok(board) = Position::finite(lengths) else { continue };
        if !family.within().unwrap().contains(board.tail()) {
            continue;
        }
        let answer = ask(&board, &rows).unwrap();
        let of_search = game::Board::new(lengths.to_vec()).unwrap();
        assert_eq!(answer.is_p(), search.outcome(&of_search) == Outcome::P, "{board}");
        let left_by_bites = search.winning_options(&of_search).into_iter();
        let mut expected: Vec<String> = left_by_bites
            .map(|left| Position::finite(left.rows().iter().copied()).unwrap().to_string())
            .collect();
        expected.sort();
        assert_eq!(left(&answer), expected, "{board}");
        counted += 1;
    }
    assert!(counted > 200, "{counted}");
}
