//! The strict reader: what is refused, and in which words.

use proptest::prelude::*;
use record::{Record, parse_line};

const ROW_1: &str = r"Finite(row: 1, first: 3, last: 2, head: [2, 0])";
const ROW_120: &str = r#"Periodic(row: 120, first: 206, start: 170, values: [72, 70], certificate: (from: 170, recurs: 172, modulus: "1", filled: 71, above: []), head: "0123456789abcdef")"#;

fn refusal(line: &str) -> String {
    match parse_line(line, 17) {
        Ok(record) => panic!("accepted: {record}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_line_prints_as_it_was_read() {
    for line in [ROW_1, ROW_120] {
        assert_eq!(parse_line(line, 1).map(|record: Record| record.to_string()), Ok(line.into()));
    }
}

/// Each forged line differs from a good one in one place, and the message names line, column,
/// fault.
#[test]
fn forged_lines_are_refused() {
    let forged = [
        (ROW_120, "first: 206", "extra: 1, first: 206", "field"),
        (ROW_120, "first: 206", "first: 206, first: 206", "first"),
        (ROW_120, "first: 206, ", "", "first"),
        (ROW_120, "Periodic", "Constant", "Constant"),
        (ROW_120, "first: 206", "first: 2o6", "not understood"),
        (ROW_120, "first: 206", "first: -206", "not understood"),
        (ROW_120, "first: 206", "first: 0206", "canonical"),
        (ROW_120, "first: 206", "first:206", "canonical"),
        (ROW_120, "first: 206", "first: 2_06", "canonical"),
        (ROW_120, "first: 206", "first: 0xCE", "canonical"),
        (ROW_120, "first: 206", "first: 206.0", "not understood"),
        (ROW_120, "row: 120, first: 206", "first: 206, row: 120", "canonical"),
        (ROW_120, "first: 206", "first: 99999999999999999999", "out of bounds"),
        (ROW_120, "first: 206", "first: 9223372036854775808", "less than 2^63"),
        (ROW_120, "first: 206", "first: 119", "the first column of row 120 is 120"),
        (ROW_120, "first: 206", "first: 242", "offset 122 is out of range"),
        (ROW_120, "start: 170", "start: 119", "the first column of row 120 is 120"),
        (ROW_120, "start: 170", "start: 171", "before the row's start 171"),
        (ROW_120, "[72, 70]", "[]", "values is empty"),
        (ROW_120, "[72, 70]", "[72, 0]", "offset 0"),
        (ROW_120, "[72, 70]", "[72, 122]", "offset 122 is out of range"),
        (ROW_120, "[72, 70]", "[72, 70, 72, 70]", "not minimal: they repeat after 2"),
        (ROW_120, "[72, 70]", "[71, 71]", "not minimal: they repeat after 1"),
        (ROW_120, "[72, 70]", "[72, 71]", "no juggling sequence"),
        (ROW_120, "[72, 70]", "[72, 7o]", "not understood"),
        (ROW_120, "recurs: 172", "recurs: 170", "not past its from 170"),
        (ROW_120, "recurs: 172", "recurs: 173", "not a multiple of the period 2"),
        (ROW_120, "\"1\"", "\"4\"", "not a multiple of the modulus 4"),
        (ROW_120, "\"1\"", "\"0\"", "not a multiple of the modulus 0"),
        (ROW_120, "\"1\"", "\"1a\"", "a modulus is a string of 1 to 19 decimal digits"),
        (ROW_120, "\"1\"", "\"01\"", "this line would read: 1\", filled: 71"),
        (
            ROW_120,
            "\"1\"",
            "\"9999999999999999999\"",
            "multiple of the modulus 9999999999999999999",
        ),
        (
            ROW_120,
            "\"1\"",
            "\"18446744073709551615\"",
            "multiple of the modulus 18446744073709551615",
        ),
        (ROW_120, "\"1\"", "\"18446744073709551616\"", "string of 1 to 19 decimal digits"),
        (ROW_120, "\"1\"", "1", "Expected string"),
        (ROW_120, "filled: 71", "filled: 122", "offset 122 is out of range"),
        (ROW_120, "first: 206", "first: 120", "the offset of column 120 is 0"),
        (ROW_120, "above: []", "above: [71]", "must ascend"),
        (ROW_120, "above: []", "above: [75, 74]", "must ascend"),
        (ROW_120, "above: []", "above: [75, 122]", "offset 122 is out of range"),
        (ROW_120, "above: []", "above: [], below: []", "below"),
        (ROW_120, "0123456789abcdef", "0123456789ABCDEF", "not a fingerprint"),
        (ROW_120, "0123456789abcdef", "123456789abcdef", "not a fingerprint"),
        (ROW_120, "\"0123456789abcdef\"", "[86]", "head has 1 offsets"),
        (ROW_1, "last: 2", "last: 3", "head has 2 offsets"),
        (ROW_1, "[2, 0]", "[2, 2]", "offset 0 just where it ends"),
        (ROW_1, "[2, 0]", "[0, 0]", "first is 3, but the offset of column 1 is 0"),
        (ROW_1, "first: 3", "first: 1", "offset 0 just where it ends"),
        (ROW_1, "last: 2", "last: 1", "offset 0 just where it ends"),
        (ROW_1, "[2, 0]", "[2, 3]", "offset 3 is out of range"),
        (ROW_1, "first: 3", "first: 2", "first is 2, but the offset of column 1 is 2"),
    ];
    for (line, good, bad, words) in forged {
        assert!(line.contains(good), "{good} is in {line}");
        let message = refusal(&line.replacen(good, bad, 1));
        assert!(message.starts_with("line 17, column "), "{bad}: {message}");
        assert!(message.contains(words), "{bad}: {message}");
    }
}

/// A message shows little of a hostile line, and nothing that a terminal would obey.
#[test]
fn messages_are_short_and_show_no_control_characters() {
    let long = "9".repeat(1_000_000);
    let sequence = "\u{1b}]0;Verified\u{7}\u{9b}2J\r";
    for (good, bad) in [
        ("\"1\"", format!("\"{long}\"")),
        ("first: 206", format!("first: {long}")),
        ("0123456789abcdef", long.clone()),
        ("first: 206", format!("a{long}: 1, first: 206")),
        ("Periodic", format!("P{long}")),
        ("[72, 70]", format!("[{long}72, 70]")),
        ("first: 206", format!("first:{}206", " ".repeat(1_000_000))),
        ("first: 206", format!("first: {sequence}206")),
        ("\"1\"", format!("\"{sequence}\"")),
        ("0123456789abcdef", sequence.to_owned()),
        ("Periodic", sequence.to_owned()),
        ("above", sequence.to_owned()),
    ] {
        let line = ROW_120.replacen(good, &bad, 1);
        assert_ne!(line, ROW_120);
        let message = refusal(&line);
        // Other work can slow down one attempt.
        let is_quick = |_| {
            let began = std::time::Instant::now();
            refusal(&line);
            began.elapsed().as_secs() < 1
        };
        assert!((0..5).any(is_quick), "{good}");
        assert!(!message.contains(char::is_control) && message.len() < 500, "{good}: {message:?}");
    }
}

#[test]
fn heads_of_full_records_are_checked() {
    let row_5 = r#"Periodic(row: 5, first: 10, start: 7, values: [4], certificate: (from: 7, recurs: 8, modulus: "1", filled: 4, above: []), head: [5, 3])"#;
    assert!(parse_line(row_5, 1).is_ok());
    for (good, bad, words) in [
        ("[5, 3]", "[5, 4]", "columns 5 and 6 have the same p = 10"),
        ("first: 10, start: 7", "first: 10, start: 8", "before the row's start 8"),
        ("[5, 3]", "[5, 0]", "offset 0 just where it ends"),
        ("first: 10", "first: 9", "first is 9"),
    ] {
        let message = refusal(&row_5.replacen(good, bad, 1));
        assert!(message.contains(words), "{bad}: {message}");
    }
    let late = row_5
        .replace("start: 7", "start: 8")
        .replace("[5, 3]", "[5, 3, 4]")
        .replace("from: 7, recurs: 8", "from: 8, recurs: 9");
    assert!(refusal(&late).contains("start is not the least"), "{}", refusal(&late));
}

#[test]
fn an_error_points_at_its_field() {
    let message = refusal(&ROW_120.replace("recurs: 172", "recurs: 173"));
    let column = ROW_120.find("recurs").unwrap() + 1;
    assert!(message.starts_with(&format!("line 17, column {column}: ")), "{message}");
}

proptest! {
    #[test]
    fn no_text_panics(text in ".*") {
        let _any_answer = parse_line(&text, 1);
    }

    #[test]
    fn no_damaged_record_panics(place in 0..ROW_120.len(), byte in 32_u8..127) {
        let mut bytes = ROW_120.as_bytes().to_vec();
        bytes[place] = byte;
        let text = String::from_utf8(bytes).unwrap();
        if let Ok(record) = parse_line(&text, 1) {
            prop_assert_eq!(record.to_string(), text);
        }
    }
}
