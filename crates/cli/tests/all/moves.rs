//! `chomp moves`. Expected values come from plain search, from the rules of the game.

use game::{Board, Chomp, Search, Square};
use predicates::str::contains;
use serde_json::Value;

use crate::program::{INCOMPLETE, USAGE, chomp, stdout};

fn number(value: &Value) -> u16 {
    value.as_str().expect("digits").parse().expect("a small number")
}

fn board(lengths: &Value) -> Board {
    let lengths = lengths.as_array().expect("row lengths").iter();
    let lengths = lengths.map(|length| length.as_str().expect("digits").parse().expect("small"));
    Board::new(lengths.collect()).expect("a board")
}

/// Three rows come from a table of their own, more from a table of boards, or from rows of levels.
#[test]
fn every_bite_has_the_value_of_plain_search() {
    let mut search = Search::of(&Chomp);
    for typed in [
        "1",
        "6",
        "5 5",
        "2 1",
        "7 5 3",
        "8x3",
        "4,4,3,2",
        "[4557]",
        "3 2 2 1 1",
        "4,4,3,2 --by rows",
        "7 5 3 --by rows",
        "3 2 2 1 1 --by rows",
    ] {
        let printed = stdout(chomp(&format!("moves {typed} --json")).assert());
        let found: Value = serde_json::from_str(&printed).expect("JSON");
        let position = board(&found["position"]);
        assert_eq!(found["grundy"], search.grundy(&position), "{typed}");
        let bites = found["bites"].as_array().expect("bites");
        let expected: Vec<(Square, Board)> = position.bites().collect();
        assert_eq!(bites.len(), expected.len(), "{typed}");
        for bite in bites {
            let [row, column] = [0, 1].map(|at| number(&bite["square"][at]));
            let square = Square { row, column };
            let left = board(&bite["leaves"]);
            assert!(expected.contains(&(square, left.clone())), "{typed}: {square}");
            assert_eq!(bite["grundy"], search.grundy(&left), "{typed}: {square}");
        }
    }
}

/// A value above the levels is bounded from below, and the exit code says that it is not found.
#[test]
fn values_above_the_levels_are_not_invented() {
    let printed = chomp("moves 9 7 2 1 --by rows --level 2 --json").assert().code(INCOMPLETE);
    let printed = printed.stderr(contains("--level G looks further"));
    let found: Value = serde_json::from_slice(&printed.get_output().stdout).expect("JSON");
    let mut search = Search::of(&Chomp);
    let (mut known, mut unknown) = (0, 0);
    for bite in found["bites"].as_array().expect("bites") {
        let value = search.grundy(&board(&bite["leaves"]));
        let least: u64 = bite["at_least"].as_str().expect("digits").parse().expect("small");
        if bite["grundy"].is_null() {
            assert!(value >= least && least > 2, "{bite}: {value}");
            unknown += 1;
        } else {
            assert_eq!((&bite["grundy"], least), (&Value::from(value), value));
            known += 1;
        }
    }
    assert!(known > 2 && unknown > 0, "{known} known, {unknown} unknown");
    // No value that is not found can be the least that no bite leaves.
    assert_eq!(found["grundy"], search.grundy(&"9,7,2,1".parse().expect("a board")));
    // A value that is not found may be 1, and then the position does not have it.
    let printed = chomp("moves 9 7 2 1 --by rows --level 0 --json").assert().code(INCOMPLETE);
    let found: Value = serde_json::from_slice(&printed.get_output().stdout).expect("JSON");
    assert_eq!(found["grundy"], Value::Null);
}

/// (3,2,1) is an N-position: section 7.1 of the 2005 paper names two of the bites that win.
#[test]
fn a_list_for_people_names_the_bites_that_win() {
    let printed = stdout(chomp("moves 3 2 1").assert());
    assert!(printed.contains("(3,2,1) has the Grundy value "), "{printed}");
    let wins = |line: &&str| line.trim_end_matches(['|', ' ']).ends_with(" 0");
    let winning: Vec<&str> = printed.lines().filter(wins).collect();
    assert_eq!(winning.len(), 3, "{printed}");
    for (line, leaves) in winning.iter().zip(["(2,2,1)", "(3,1,1)", "(3,2)"]) {
        assert!(line.contains(leaves), "{printed}");
    }
    let alone = stdout(chomp("moves 1").assert());
    assert!(alone.contains("There is no bite"), "{alone}");
}

#[test]
fn what_has_no_list_is_refused() {
    for (typed, words) in [
        ("ω 3 2", "no natural number as value"),
        ("100000 3 2", "more than 100000 squares"),
        ("3 4 2", "longer"),
    ] {
        chomp(&format!("moves {typed}")).assert().code(USAGE).stderr(contains(words));
    }
}
