//! `chomp losers`. Expected losers come from the rules of the game, by plain search over positions.

use std::collections::BTreeSet;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

use crate::program::{USAGE, chomp, stdout};

/// Losers are compared for a to this number.
const LAST: usize = 24;

/// The losers (a, b) for a to `LAST`, and b to two above the largest instant winner. A position has
/// rows of a + b and a squares. A player who moves to a loser wins, and one who moves to an instant
/// winner loses.
fn by_the_rules(winners: impl Fn(usize) -> Vec<u64>) -> Vec<(usize, u64)> {
    let most = (0..=LAST).flat_map(&winners).max().unwrap_or(0) + 2;
    let mut losers = BTreeSet::new();
    for a in 0..=LAST {
        let here = winners(a);
        for b in 0..=most {
            let shorter_top = (0..b).map(|b| (a, b)).chain((0..a).map(|a| (a, 0)));
            let shorter_bottom = (0..a).map(|left| (left, b + (a - left) as u64));
            let mut bites = shorter_top.chain(shorter_bottom);
            if !here.contains(&b) && !bites.any(|bite| losers.contains(&bite)) {
                losers.insert((a, b));
            }
        }
    }
    losers.into_iter().collect()
}

/// The instant winners as lists, and as they are typed.
fn typed(head: &[&[u64]], period: &[&[u64]]) -> (impl Fn(usize) -> Vec<u64>, String) {
    let text = |sets: &[&[u64]]| {
        let set = |set: &&[u64]| {
            let members: Vec<String> = set.iter().map(u64::to_string).collect();
            format!("{{{}}}", members.join(","))
        };
        format!("[{}]", sets.iter().map(set).collect::<Vec<_>>().join(","))
    };
    let text = format!("{}{}^oo", text(head), text(period));
    let [head, period] =
        [head, period].map(|sets| sets.iter().map(|set| set.to_vec()).collect::<Vec<_>>());
    let member = move |a: usize| match head.get(a) {
        Some(set) => set.clone(),
        None => period[(a - head.len()) % period.len()].clone(),
    };
    (member, text)
}

/// A sequence of sets.
type Sets = &'static [&'static [u64]];

#[test]
fn losers_are_those_of_the_rules() {
    let cases: [(Sets, Sets); 8] = [
        (&[&[0, 1, 2, 3], &[0, 1, 5]], &[&[0, 1]]),
        (&[&[0]], &[&[]]),
        (&[], &[&[0, 2], &[1], &[0, 1, 3]]),
        (&[&[0, 1]], &[&[0, 4], &[0, 2], &[0], &[0, 1, 2]]),
        (&[&[0, 1]], &[&[]]),
        (&[&[5, 0]], &[&[0, 3, 7], &[0, 1, 2, 6]]),
        (&[], &[&[0, 1, 2, 3, 4, 5, 6], &[0, 2, 4, 6, 8, 10]]),
        (&[], &[&[]]),
    ];
    let (mut finite, mut periodic) = (0, 0);
    for (head, period) in cases {
        let (winners, text) = typed(head, period);
        let expected = by_the_rules(winners);
        let printed = stdout(chomp("losers --json").arg(&text).assert());
        let found: Value = serde_json::from_str(&printed).expect("JSON");
        let list = |field: &str| {
            let numbers = found[field].as_array().expect("a list").iter();
            numbers.map(|number| number.as_u64().expect("small")).collect::<Vec<_>>()
        };
        let (head, values) = (list("head"), list("values"));
        let sequence = head.iter().chain(values.iter().cycle()).copied();
        let found_losers: Vec<(usize, u64)> = (0..=LAST).zip(sequence).collect();
        assert_eq!(found_losers, expected, "{text}");
        match found["certificate"] {
            Value::Null => finite += 1,
            _ => periodic += 1,
        }
        for (a, loser) in expected {
            let at = stdout(chomp("losers").arg(&text).args(["--at", &a.to_string()]).assert());
            assert_eq!(at, format!("{loser}\n"), "{text} at {a}");
        }
    }
    assert!(finite >= 2 && periodic >= 4, "{finite} end, {periodic} do not");
}

/// The worked example of Zeilberger 2003: a0 = 1, b0 = 1, M = 6, and both periods are 1.
#[test]
fn the_example_of_the_paper_is_proved_twice() {
    let printed = stdout(chomp("losers").arg("[{0,1,2,3},{0,1,5}][{0,1}]^∞").assert());
    assert!(printed.starts_with("L = [4, 2][3]^∞\n"), "{printed}");
    assert!(printed.contains("max(a0, b0) + M + lcm(κ, ν) = 8 "), "{printed}");
    assert!(printed.contains("the recurrence gives these L_a for a = 0 to 8."), "{printed}");
    assert!(printed.contains("Certificate (fact 3): before a = "), "{printed}");
}

#[test]
fn what_is_no_sequence_of_sets_is_refused() {
    for (sets, words) in [
        ("", "expected"),
        ("[{0}]", "expected"),
        ("[{0}][{1}]", "`^∞` or `^oo`"),
        ("[{0}][1]^∞", "a set"),
        ("[{0}][{-1}]^∞", "a number up to"),
        ("[{99999999}]^∞", "a number up to"),
    ] {
        let refused = chomp("losers").arg(sets).assert().code(USAGE).stdout("");
        refused.stderr(contains(words).and(contains("sets are typed as in")));
    }
    let ended = chomp("losers --at 1").arg("[{}]^oo").assert().code(1).stdout("");
    ended.stderr(contains("the last loser is [0,0]"));
}

/// Messages shorten a long input.
#[test]
fn long_input_is_quoted_in_short() {
    let long = "x".repeat(50_000);
    for (command, words) in [
        (vec!["losers".to_owned(), format!("[{{0}}{long}")], "sets are typed as in"),
        (vec!["query".to_owned(), format!("7 {long}")], ""),
        (vec!["board".to_owned(), format!("3x{long}")], ""),
        (vec!["family".to_owned(), long.clone(), long.clone()], "`chomp family` lists them"),
        (vec!["poset".to_owned(), long.clone(), long.clone()], "`chomp poset` lists them"),
        (vec![long.clone()], "unrecognized subcommand"),
        (vec!["f".to_owned(), "1".to_owned(), format!("--{long}")], "unexpected argument"),
    ] {
        let refused = chomp("").args(&command).assert().failure();
        let message = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
        assert!(message.len() < 1500 && message.contains(words), "{command:.30?}: {message}");
        assert!(!message.contains(&"x".repeat(161)), "{message}");
    }
}
