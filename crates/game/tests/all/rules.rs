//! Positions, notations and bites, against the rules as the papers state them.

use std::collections::BTreeSet;

use game::{NotationError, ThreeRows, ThreeRowsError, Written, Wrong};

fn position(p: u64, q: u64, r: u64) -> ThreeRows {
    ThreeRows::new(p, q, r).expect("a position")
}

/// The squares (row, column) of a position, both from 0.
fn squares(position: ThreeRows) -> BTreeSet<(u64, u64)> {
    let lengths = [position.p(), position.q(), position.r()];
    (0..)
        .zip(lengths)
        .flat_map(|(row, length)| (0..length).map(move |column| (row, column)))
        .collect()
}

/// The 2005 paper, section 1: pick an element, remove it and all larger elements; not the poison.
#[test]
fn bites_remove_a_square_and_all_beyond_it() {
    for position in ThreeRows::up_to(9) {
        let board = squares(position);
        let expected: BTreeSet<BTreeSet<(u64, u64)>> = board
            .iter()
            .filter(|&&poison| poison != (0, 0))
            .map(|&(i, j)| board.iter().copied().filter(|&(x, y)| x < i || y < j).collect())
            .collect();
        let found: Vec<_> = position.bites().map(squares).collect();
        assert_eq!(found.len(), board.len() - 1, "{position}: one bite a square");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "{position}");
    }
}

/// Zeilberger 2003, (Legal Moves): the six sets, as printed.
#[test]
fn bites_are_zeilbergers_legal_moves() {
    for position in ThreeRows::up_to(9) {
        let [c, a, b] = position.to_zeilberger();
        let mut expected: Vec<[u64; 3]> = Vec::new();
        expected.extend((1..=b).map(|x| [c, a, b - x]));
        expected.extend((1..=a).map(|x| [c, a - x, 0]));
        expected.extend((1..c).map(|x| [c - x, 0, 0]));
        expected.extend((1..=a).map(|x| [c, a - x, b + x]));
        expected.extend((1..=c).map(|x| [c - x, 0, a + b + x]));
        expected.extend((1..=c).map(|x| [c - x, a + x, b]));
        // The second set reaches the empty board where c = 0 and x = a; his S leaves it out.
        expected.retain(|&t| t != [0, 0, 0]);
        expected.sort_unstable();

        let mut found: Vec<_> = position.bites().map(ThreeRows::to_zeilberger).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{position}");
    }
}

#[test]
fn bites_come_earlier_in_the_order() {
    for position in ThreeRows::up_to(9) {
        assert!(position.bites().all(|bite| bite < position), "{position}");
    }
}

#[test]
fn all_positions_come_once_in_order() {
    for n in 0..12 {
        let positions: Vec<_> = ThreeRows::up_to(n).collect();
        assert_eq!(positions.len() as u64, (n + 1) * (n + 2) * (n + 3) / 6 - 1);
        assert!(positions.is_sorted_by(|before, after| before < after));
    }
}

#[test]
fn bites_of_huge_positions_are_lazy() {
    let bites: Vec<_> = position(u64::MAX, u64::MAX, u64::MAX).bites().take(2).collect();
    assert_eq!(bites, [position(1, 1, 1), position(2, 2, 2)]);
}

/// The row lengths of a text.
fn rows(text: &str) -> Vec<u64> {
    match Written::read(text) {
        Ok(Written::Lengths(lengths)) => lengths.rows,
        other => panic!("{text:?}: {other:?}"),
    }
}

fn refused(text: &str) -> NotationError {
    Written::<u64>::read(text).expect_err(text)
}

#[test]
fn notations_round_trip() {
    for position in ThreeRows::up_to(6) {
        let [c, a, b] = position.to_zeilberger();
        assert_eq!(ThreeRows::from_zeilberger(c, a, b), Ok(position));
        let lengths = vec![position.p(), position.q(), position.r()];
        assert_eq!(rows(&position.to_string()), lengths);
        let columns = Written::read(&format!("[{c},{a},{b}]"));
        assert_eq!(columns, Ok(Written::Squared(vec![c, a, b])));
    }
    for text in [
        "7 4 3",
        " 7\t4  3 ",
        "7,4,3",
        "7, 4, 3",
        "(7 4 3)",
        "007 4 3",
        "3 4 7",
        "[347]",
        "[743]",
        "[3332111]'",
    ] {
        assert_eq!(rows(text), [7, 4, 3], "{text:?}");
    }
    assert_eq!(Written::read("[ 3, 1, 3 ]"), Ok(Written::Squared(vec![3_u64, 1, 3])));
    assert_eq!(rows("1_000_000 4 3"), [1_000_000, 4, 3]);
    assert_eq!(rows("3x1_000_000"), [1_000_000; 3]);
}

#[test]
fn what_is_no_position_is_refused() {
    let refused = |made: Result<ThreeRows, ThreeRowsError>| made.unwrap_err().to_string();
    assert!(refused(ThreeRows::new(0, 0, 0)).starts_with("the empty board is not a position"));
    let longer = "in (3,5,1) the middle row (5) is longer than the top row (3); give";
    assert!(refused(ThreeRows::new(3, 5, 1)).starts_with(longer));
    let longer = "in (5,3,4) the bottom row (4) is longer than the middle row (3); give";
    assert!(refused(ThreeRows::new(5, 3, 4)).starts_with(longer));
    assert!(refused(ThreeRows::from_zeilberger(0, 0, 0)).starts_with("the empty board"));
    for [c, a, b] in [[u64::MAX, 1, 0], [1, u64::MAX, 0], [u64::MAX, 0, 1]] {
        let error = refused(ThreeRows::from_zeilberger(c, a, b));
        assert!(error.starts_with(&format!("in [{c},{a},{b}] the top row has c + a + b squares")));
    }
    assert!(ThreeRows::from_zeilberger(u64::MAX, 0, 0).is_ok());
}

#[test]
fn texts_that_are_no_row_lengths_are_refused() {
    let is = |text: &str, wrong: Wrong, words: &str| {
        let error = refused(text);
        assert!(error.wrong == wrong && error.to_string().contains(words), "{error}");
    };
    for text in ["(7,4,3", "7,4,3)", "[7,4,3)", "((7,4,3))", "[7,4,3"] {
        is(text, Wrong::Form, "has brackets that do not match");
    }
    for (text, bad) in [
        ("7,4 3", "4 3"),
        ("7,4,x", "x"),
        ("7 +4 3", "+4"),
        ("7 4 3.0", "3.0"),
        ("1__0 4 3", "1__0"),
        ("_7 4 3", "_7"),
        ("7 4 ٣", "٣"),
    ] {
        is(text, Wrong::Number, &format!("{bad:?} in {text:?} is not a number of squares"));
    }
    is("7 -4 3", Wrong::Form, "\"-4\" in \"7 -4 3\" is negative");
    is("7,4,", Wrong::Form, "lacks a number");
    is("18446744073709551616 1 1", Wrong::TooLarge, "is too large here");
    assert_eq!(rows("65535x1_000_000").len(), 65535);
    is(&format!("65535x{}", "0".repeat(1000)), Wrong::TooLarge, "is too large here");
    is("[1213]'", Wrong::Form, "has columns in no order");
}

#[test]
fn of_a_long_text_the_beginning_is_shown() {
    let digits = "9".repeat(1_000_000);
    for text in [
        format!("({digits} 4 3"),
        format!("{digits} 4"),
        format!("{digits}x 4 3"),
        format!("{digits} 4 3"),
        format!("4 3 \u{1b}{digits}"),
    ] {
        let message = refused(&text).to_string();
        assert!(message.len() < 500 && !message.contains(char::is_control), "{message}");
    }
}

/// Each says what was wrong, where, and what to do.
#[test]
fn errors_are_worded_for_the_person_who_must_act() {
    let message = |text: &str| refused(text).to_string();
    assert_eq!(
        ThreeRows::new(3, 5, 1).unwrap_err().to_string(),
        "in (3,5,1) the middle row (5) is longer than the top row (3); \
         give the row lengths from the top down, p >= q >= r"
    );
    assert_eq!(
        message("7 4 x"),
        "\"x\" in \"7 4 x\" is not a number of squares; \
         write numbers such as 10000, 10_000, 1e4, 10^30 or 5*10^29"
    );
    assert!(message("y").starts_with("\"y\" is not a number of squares; write numbers"));
    assert_eq!(message("7 4 -1"), "\"-1\" in \"7 4 -1\" is negative; a row has 0 squares or more");
}
