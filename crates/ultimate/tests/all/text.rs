//! Texts that are wrong: each is refused in the right words and place, and none panics.

use crate::common;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use ultimate::SetSequence;

fn error(text: &str) -> String {
    text.parse::<SetSequence>().expect_err(text).to_string()
}

#[test]
fn sets() {
    for (text, complaint) in [
        ("", "at byte 1: expected a set, `{` or `∅`, found the end of the text"),
        ("5", "at byte 1: expected a set, `{` or `∅`, found `5`"),
        ("{0, 1, 5", "at byte 9: expected `,` or `}`, found the end of the text"),
        ("{0 1}", "at byte 4: expected `,` or `}`, found `1`"),
        ("{0,}", "at byte 4: expected a number up to 16777215, found `}`"),
        ("{,}", "at byte 2: expected a number up to 16777215, found `,`"),
        ("{-1}", "at byte 2: expected a number up to 16777215, found `-`"),
        ("{16777216}", "at byte 2: expected a number up to 16777215, found `16777216`"),
        (
            "{4, 99999999999999999999999999}",
            "at byte 5: expected a number up to 16777215, found `999999999999999999999999`",
        ),
        ("{0, 5, 0}", "at byte 8: expected a member not named before, found `0`"),
        ("{0}}", "at byte 4: expected `,` or `]`, found `}`"),
        ("∅∅", "at byte 4: expected `,` or `]`, found `∅`"),
        ("{٣}", "at byte 2: expected a number up to 16777215, found `٣`"),
    ] {
        assert_eq!(error(&format!("[{text}")), complaint, "{text}");
    }
}

#[test]
fn sequences_of_sets() {
    for (text, complaint) in [
        ("", "at byte 0: expected `[` or `(`, found the end of the text"),
        ("[∅]", "at byte 5: expected `[` or `(`, found the end of the text"),
        ("[{1, 2}, {3, 3}][∅]^∞", "at byte 13: expected a member not named before, found `3`"),
        ("[4][∅]^∞", "at byte 1: expected a set, `{` or `∅`, found `4`"),
        ("([{1}]^∞", "at byte 10: expected `∪`, `U` or `)`, found the end of the text"),
        ("([{1}]^∞ ∪ )", "at byte 15: expected `[`, found `)`"),
        ("([{1}]^∞ ∪ []^∞)", "at byte 16: expected a term, found `]`"),
        ("()", "at byte 1: expected `[`, found `)`"),
        (
            "([{1}]^∞ ∪ [{2}, {1}]^∞)",
            "at byte 15: expected a layer without numbers of those before it, found `[`",
        ),
    ] {
        assert_eq!(error(text), complaint, "{text}");
    }
}

#[test]
fn other_ways_to_write() {
    let same = |text: &str| text.parse::<SetSequence>().unwrap().to_string();
    assert_eq!(same(" [ ] ( [ { } ] ^ oo U [{3,2}]^oo ) "), "[{2, 3}]^∞");
    assert_eq!(same("([{1}, {1}]^∞∪[{2}]^∞)"), "[{1, 2}]^∞");
    assert_eq!(same("[{1}]([{1}]^∞)"), "[{1}]^∞");
}

/// Every value read is canonical, and its printed form is read as the same value.
fn read_as_anything(text: &str) {
    match text.parse::<SetSequence>() {
        Ok(sequence) => {
            assert!(common::is_valid(&sequence));
            assert_eq!(sequence.to_string().parse(), Ok(sequence));
        }
        Err(error) => {
            let error = error.to_string();
            let place = error.strip_prefix("at byte ").and_then(|rest| rest.split_once(':'));
            assert!(text.is_char_boundary(place.unwrap().0.parse().unwrap()), "{error}");
        }
    }
}

const TOKENS: [&str; 20] = [
    "[", "]", "{", "}", "(", ")", "^∞", "^oo", "^", "∪", "U", "∅", ",", " ", "0", "7", "70", "∞",
    "é", "\u{2003}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text(text in any::<String>()) {
        read_as_anything(&text);
    }

    #[test]
    fn any_tokens(tokens in vec(select(&TOKENS[..]), 0..24)) {
        read_as_anything(&tokens.concat());
    }

    /// One token lost, added or changed somewhere in a text that was right.
    #[test]
    fn nearly_right(parts in common::raw_sets(4), place in any::<Index>(), token in select(&TOKENS[..]), keep in any::<bool>()) {
        let text: Vec<char> = common::sets(&parts).to_string().chars().collect();
        let place = place.index(text.len());
        let after = if keep { place } else { place + 1 };
        let changed = [&text[..place], &token.chars().collect::<Vec<_>>(), &text[after..]].concat();
        read_as_anything(&changed.iter().collect::<String>());
        let lost = [&text[..place], &text[place + 1..]].concat();
        read_as_anything(&lost.iter().collect::<String>());
    }
}

#[test]
fn long_and_deep() {
    for token in TOKENS {
        read_as_anything(&token.repeat(20_000));
    }
    read_as_anything(&format!("[{}]^∞", "3, ".repeat(20_000)));
    read_as_anything(&format!("([{{0}}]^∞{})", " ∪ [∅]^∞".repeat(2_000)));
}
