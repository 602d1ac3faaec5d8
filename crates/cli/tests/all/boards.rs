//! `chomp board`, and the sequences of boards.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use game::{Board, Chomp, Outcome, Search, Square};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};
use serde_json::Value;
use tempfile::tempdir;

use crate::program::{INCOMPLETE, INPUT_OR_OUTPUT, USAGE, chomp, stdout, workspace};

fn json(arguments: &str) -> Value {
    serde_json::from_str(&stdout(chomp(arguments).assert())).expect("JSON")
}

/// Thompson and Beeler found two winning openings of 8 × 10; the bites of the 2005 paper are not
/// printed, so what they leave is asked back.
#[test]
fn the_openings_of_8_by_10() {
    let text = stdout(chomp("board 8x10").assert());
    assert!(text.starts_with("8x10 is an N-position.\nNumber of winning opening bites: 2\n"));
    // C(18, 8) boards, without the empty one.
    assert!(text.contains("Positions of 8x10: 43757, of which P: "), "{text}");
    let drawn = text.lines().filter(|line| line.starts_with("   "));
    assert_eq!(drawn.map(|line| line.matches('x').count()).sum::<usize>(), 2, "{text}");
    let answer = json("board 8x10 --json");
    assert_eq!(answer["outcome"], "N");
    let openings = answer["winning_bites"].as_array().expect("a list");
    assert_eq!(openings.len(), 2);
    for opening in openings {
        let left = opening["leaves"].as_array().expect("row lengths");
        let left: Vec<&str> = left.iter().map(|row| row.as_str().expect("digits")).collect();
        let left = json(&format!("board {} --json", left.join(",")));
        assert_eq!(left["outcome"], "P");
        assert_eq!(left["winning_bites"], Value::Array(Vec::new()));
    }
    chomp("board 8x10").assert().stderr(contains("43757 positions of 8x10 solved in"));
}

/// Cho, proposition 3.10: `[4557]` is P, and the squares that have his label 6 leave `[3457]`. A
/// board is the same in either direction, and drawn with the longest row first.
#[test]
fn a_strategy() {
    let upwards = stdout(chomp("board [4557]").assert());
    assert!(upwards.starts_with("(7,5,5,4) = [4557] is a P-position.\n"));
    assert!(upwards.contains("row 3, column 5, and row 4, column 4, leave (7,5,4,3) = [3457]"));
    let downwards = stdout(chomp("board 7,5,5,4").assert());
    assert_eq!(downwards, upwards);
    assert_eq!(json("board 4,5,5,7 --json"), json("board 7 5 5 4 --json"));

    let strategy = &json("board [4557] --json")["strategy"];
    let mut answered = BTreeSet::new();
    for pair in strategy.as_array().expect("a list") {
        for square in pair["squares"].as_array().expect("two squares") {
            answered.insert(square.to_string());
        }
    }
    assert_eq!(answered.len(), 20, "every square but the poison");
}

#[test]
fn a_strategy_is_drawn() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("4557.svg");
    chomp("board [4557] --svg").arg(&file).assert().success();
    let svg = fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("A strategy for [4557]"), "{svg}");
    let committed = fs::read_to_string(workspace("outputs/figures/board-4557.svg")).unwrap();
    assert_eq!(svg, committed);
    let nowhere = folder.path().join("no/such.svg");
    chomp("board 3x4 --svg").arg(nowhere).assert().code(INPUT_OR_OUTPUT);
    chomp("board 2x41 --svg").arg(&file).assert().code(USAGE).stderr(contains("are drawn to 40"));
    assert_eq!(fs::read_to_string(&file).unwrap(), svg, "as it was");
}

/// Cho, summaries 1 and 2, to 3 × 4.
#[test]
fn the_p_positions_of_3_by_4() {
    let expected = ["(1)", "(2,1)", "(2,2,1)", "(3,1,1)", "(3,2)", "(4,3)", "(4,2,2)"];
    let list = stdout(chomp("board --list 3x4").assert());
    assert_eq!(list.lines().collect::<Vec<_>>(), expected);
    assert_eq!(json("board --list 3x4 --json")["p_positions"].as_array().unwrap().len(), 7);
    chomp("board --list 4,5").assert().code(USAGE).stderr(contains("a rectangle, such as 4x7"));
}

/// `row 1, column 6`.
fn square(text: &str) -> Square {
    let (row, column) = text.strip_prefix("row ").unwrap().split_once(", column ").unwrap();
    Square { row: row.parse().unwrap(), column: column.parse().unwrap() }
}

/// The pairs of squares of a strategy, and what they leave.
fn pairs(strategy: &str) -> Vec<([Square; 2], Board)> {
    let lines = strategy.lines().filter(|line| line.contains(", leave "));
    lines
        .map(|line| {
            let line = &line[line.find("row ").unwrap()..];
            let (squares, leaves) = line.split_once(", leave ").unwrap();
            let (one, other) = squares.split_once(", and ").unwrap();
            let leaves = leaves.split_once(" = ").unwrap().0;
            let rows = leaves.trim_matches(['(', ')']).split(',').map(|row| row.parse().unwrap());
            ([one, other].map(square), Board::new(rows.collect()).unwrap())
        })
        .collect()
}

/// The strategy of each P-position of 4 x 7 answers every bite and leaves P-positions, by a search
/// from the rules. The P-positions are those of Cho's summaries 1 and 2, and the trivial ones.
#[test]
fn strategies_of_4_by_7() {
    let listed = stdout(chomp("board 4x7 --list").assert());
    assert_eq!(listed.lines().count(), 30, "as many as `chomp board` counts");
    let mut search = Search::of(&Chomp);
    let mut names = BTreeSet::new();
    for name in listed.lines() {
        let rows = name.trim_matches(['(', ')']).split(',').map(|row| row.parse().unwrap());
        let board = Board::new(rows.collect()).unwrap();
        assert_eq!(search.outcome(&board), Outcome::P, "{name}");
        let strategy = stdout(chomp(&format!("board {name}")).assert());
        let pairs = pairs(&strategy);
        for (squares, leaves) in &pairs {
            let [one, other] = squares.map(|square| board.after(square).unwrap());
            assert_eq!(one.after(squares[1]).as_ref(), Some(leaves), "{name}");
            assert_eq!(other.after(squares[0]).as_ref(), Some(leaves), "{name}");
            assert_eq!(search.outcome(leaves), Outcome::P, "{name}");
        }
        for bitten in board.squares().filter(|&square| square != Square::POISON) {
            assert!(pairs.iter().any(|(pair, _)| pair.contains(&bitten)), "{name}: {bitten}");
        }
        names.insert(board.in_notation_of_cho());
    }
    for cho in [
        "[224]", "[235]", "[246]", "[257]", "[336]", "[347]", "[355]", "[477]", "[1133]", "[1125]",
        "[2255]", "[2335]", "[2226]", "[2237]", "[2357]", "[2447]", "[3377]", "[3457]", "[4557]",
    ] {
        assert!(names.contains(cho), "{cho}");
    }
}

fn output(file: &str) -> String {
    fs::read_to_string(workspace("outputs").join(file)).unwrap()
}

/// The lines of `outputs/openings-20.tsv` of small boards, written anew.
#[test]
fn the_openings_in_outputs() {
    let small = |line: &&str| {
        let sides = line.split('\t').take(2).map(|side| side.parse().unwrap_or(0_u16));
        sides.max() <= Some(13)
    };
    let committed = output("openings-20.tsv");
    assert_eq!(committed.lines().count(), 1 + 20 * 20);
    let found = stdout(chomp("board --openings 13 --verify 100").assert());
    assert_eq!(
        found.lines().collect::<Vec<_>>(),
        committed.lines().filter(small).collect::<Vec<_>>()
    );
    assert_eq!(stdout(chomp("board --openings 3 --json").assert()).lines().count(), 9);
}

/// `OPENINGS.md` has a cell for each board, with the openings of the table.
#[test]
fn the_document_of_openings_has_those_of_the_table() {
    let (table, document) = (output("openings-20.tsv"), output("OPENINGS.md"));
    let mut cells = Vec::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let sides: Vec<u16> = fields[..2].iter().map(|side| side.parse().unwrap()).collect();
        if sides[0] <= sides[1] {
            let openings = fields[3].replace(' ', " and ");
            cells.push(if openings.is_empty() { "none".to_owned() } else { openings });
        }
    }
    let rows = document.lines().filter(|line| line.starts_with("| **")).take(20);
    let words = rows.flat_map(|row| row.split('|').skip(2).map(|cell| cell.replace("**", "")));
    let words: Vec<String> = words.map(|cell| cell.trim().to_owned()).collect();
    let words: Vec<&str> =
        words.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
    assert_eq!(words, cells);
}

/// All of the file.
#[test]
#[ignore = "solves 20 × 20: minutes, and 1 GB of memory"]
fn the_openings_to_20_in_outputs() {
    let folder = tempdir().unwrap();
    let parts = folder.path().join("parts");
    let command = format!("board --openings 20 --keep {}", parts.display());
    assert_eq!(stdout(chomp(&command).assert()), output("openings-20.tsv"));
}

/// A run takes the parts that are there, also if some are missing, and refuses those that are
/// damaged or of another board.
#[test]
fn openings_are_resumed_from_parts() {
    let folder = tempdir().unwrap();
    let parts = folder.path().join("a/parts");
    let command = |side| format!("board --openings {side} --keep {}", parts.display());
    let expected = stdout(chomp("board --openings 10").assert());
    let solved = || chomp(&command(10)).assert().code(0).stdout(expected.clone());
    solved().stderr(contains("believed").not());
    let all = fs::read_dir(&parts).unwrap().count();
    assert_eq!(all, 32, "2^5 parts, all of which have words");
    solved().stderr(contains("32 of 32 parts are in").and(contains("believed")));
    for part in ["part-0000", "part-0019", "part-0031"] {
        fs::remove_file(parts.join(part)).unwrap();
    }
    solved().stderr(contains("29 of 32 parts are in"));
    assert_eq!(fs::read_dir(&parts).unwrap().count(), all);

    let other = chomp(&command(11)).assert().code(INPUT_OR_OUTPUT).stdout("");
    other.stderr(contains("begins with `chomp-part 2 of 10x10").and(contains("choose another")));
    // A bit that was flipped with a good hash: the P-positions are not symmetric.
    let part = parts.join("part-0011");
    let whole = fs::read(&part).unwrap();
    let mut body = whole[..whole.len() - 32].to_vec();
    let last = body.len() - 2;
    body[last] ^= 1;
    fs::write(&part, [&body[..], blake3::hash(&body).as_bytes()].concat()).unwrap();
    let refused = chomp(&command(10)).assert().code(INPUT_OR_OUTPUT).stdout("");
    refused.stderr(contains("believed, not proved, and wrong").or(contains("remove it")));
    fs::write(&part, &whole).unwrap();
    solved().stderr(contains("32 parts in").and(contains("believed, not proved")));
    let printed = stdout(chomp(&format!("{} --json", command(10))).assert());
    assert!(printed.lines().all(|line| line.contains("\"parts_believed\":32")), "{printed}");

    let part = parts.join("part-0011");
    let whole = fs::read(&part).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for damaged in [&flipped, &whole[..whole.len() - 1], b"", b"not a part"] {
        fs::write(&part, damaged).unwrap();
        let refused = chomp(&command(10)).assert().code(INPUT_OR_OUTPUT).stdout("");
        refused.stderr(contains("part-0011: ").and(contains("remove it")));
    }
    fs::remove_file(&part).unwrap();
    solved();
    assert_eq!(fs::read(&part).unwrap(), whole);
}

#[test]
fn what_is_no_board_is_refused_at_once() {
    for (arguments, words) in [
        ("board 0x5", "a board without squares is not a position"),
        ("board 7,5,6", "row 3 (6) is longer than the row before it (5)"),
        ("board 400x400 --all", "the positions of 400x400 need more than"),
        ("board 20000x1", "at most 10000 of either"),
        ("board 1x2000 --all", "up to 1023 rows or columns"),
        ("board [4557", "brackets"),
        ("board chocolate", "is not a number"),
        ("board", "required"),
        ("board 4x4 --openings 3", "cannot be used"),
        ("board --openings 0", "0 is not in 1.."),
        ("board --openings 60", "the positions of 60x60 need"),
        ("board 4x4 --threads 0", "at least 1 thread"),
        ("seq A112470 --terms 1000", "boards of up to 999 squares need more than"),
        ("seq A112470 --data nowhere", "leave out --data"),
        ("seq A069001 --data nowhere", "leave out --data"),
        ("seq A069001 --terms 60_000", "Grundy values to 3x60000 need about"),
        ("seq A069001 --terms 1_000_000", "Grundy values to 3x1000000 need about"),
    ] {
        let refused = chomp(arguments).assert().code(USAGE);
        refused.stdout("").stderr(starts_with("error: ").and(contains(words)));
    }
}

/// The b-files: the terms of the OEIS, and more.
#[test]
fn sequences_of_boards() {
    for name in ["A112470", "A112471", "A112472", "A112473"] {
        let terms = stdout(chomp(&format!("seq {name} --terms 60")).assert());
        let expected = fs::read_to_string(workspace(&format!("testdata/oeis/{name}.txt"))).unwrap();
        assert!(terms.starts_with(expected.trim_end()), "{name}");
        assert_eq!(terms.lines().count(), 60);
        let committed = workspace(&format!("outputs/b{}.txt", &name[1..]));
        assert_eq!(terms, fs::read_to_string(committed).unwrap(), "{name}");
    }
    assert!(stdout(chomp("seq").assert()).contains("A112473  n >= 1  the number of boards"));
}

/// Fact 10, by its commands; the strategies are played out in `answers`.
#[test]
fn infinite_boards_are_decided_where_a_strategy_is_known() {
    for command in ["query", "board"] {
        for (board, outcome, rest) in [
            ("ωxω", "ω×ω is an N-position", "(2,2) wins"),
            ("omega×omega", "ω×ω is an N-position", "(2,2) wins"),
            ("2x2xω", "2×2×ω is an N-position", "leaves 2×ω"),
            ("ωx5", "ω×5 is an N-position", "(1,3) wins; it leaves 2×ω"),
            ("ωx2x1", "ω×2×1 is a P-position", "fact 10 (b)"),
        ] {
            let found = chomp(&format!("{command} {board}")).assert().success();
            found.stdout(contains(outcome)).stdout(contains(rest));
        }
        for board in ["3x3xω", "2xωxω", "2x3xω"] {
            let found = chomp(&format!("{command} {board}")).assert().code(INCOMPLETE);
            found.stderr(contains("is not decided"));
        }
        let object = stdout(chomp(&format!("{command} ωxω --json")).assert());
        assert!(object.contains(r#""winning_bites":[{"square":["2","2"],"#), "{object}");
    }
    chomp("board ωxω --list").assert().code(USAGE).stderr(contains("leave out --list"));
}

/// What theorems say at once (fact 14; `answers` tests them against a search), where a search would
/// take weeks or terabytes. Gale's bite (2,2) wins on squares: 2005 paper, section 7.
#[test]
fn boards_beyond_a_search_are_answered_by_theorems() {
    let corner = "1,".repeat(22) + "1";
    for (arguments, theorem, leaves) in [
        ("query 24x24", "short_bite", Some(format!("24,{corner}"))),
        ("board 24x24", "short_bite", Some(format!("24,{corner}"))),
        ("query 20x30", "strategy_stealing", None),
        ("board 20x30", "strategy_stealing", None),
        ("board 400x399", "strategy_stealing", None),
        ("query 5000000 5000000 5000000", "strategy_stealing", None),
        ("query 10^50 10^50", "two_rows", Some(format!("1{},{}", "0".repeat(50), "9".repeat(50)))),
        ("query 10^9 1 1 1", "hook", Some("4,1,1,1".to_owned())),
        ("query 1000 999 800 700", "short_bite", Some("1000,999".to_owned())),
    ] {
        let found = chomp(&format!("{arguments} --json")).timeout(Duration::from_secs(20)).assert();
        let found: Value = serde_json::from_str(&stdout(found.success())).unwrap();
        assert_eq!((&found["outcome"], &found["theorem"]), (&"N".into(), &theorem.into()));
        let has_all = ["two_rows", "hook"].contains(&theorem);
        assert_eq!(found["all_bites"], has_all, "{arguments}");
        let bites: Vec<String> = found["winning_bites"]
            .as_array()
            .unwrap()
            .iter()
            .map(|bite| {
                let rows = bite["leaves"].as_array().unwrap().iter();
                let rows = rows.map(|row| row.as_str().unwrap()).filter(|row| *row != "0");
                rows.collect::<Vec<_>>().join(",")
            })
            .collect();
        assert_eq!(bites, leaves.into_iter().collect::<Vec<_>>(), "{arguments}");
        let words = stdout(chomp(arguments).assert().success());
        assert!(words.contains("is an N-position") && words.contains("fact 14 ("), "{words}");
        assert_eq!(words.contains("was not computed"), !has_all, "{words}");
    }
    for arguments in ["query 24x24 --all", "board 24x24 --all", "board 30x30 --svg OUT"] {
        chomp(arguments).assert().code(USAGE).stdout("").stderr(contains("need about"));
    }
    // Small rectangles are solved, and all of their bites are known.
    assert!(json("board 8x10 --json")["theorem"].is_null());
    assert_eq!(json("query 14x14 --json")["all_bites"], true);
}

/// A product of more than two chains is the poset.
#[test]
fn products_of_chains_are_positions() {
    for board in ["2x3x4", "3×2×2×2", "2x2x2"] {
        let sides = board.replace(['x', '×'], " ");
        let expected = stdout(chomp(&format!("poset chains {sides} --json")).assert());
        for command in ["query", "board", "poset"] {
            assert_eq!(stdout(chomp(&format!("{command} {board} --json")).assert()), expected);
        }
    }
    // Beyond a search, by strategy stealing.
    let large = stdout(chomp("query 30x30x30").assert().success());
    assert!(large.starts_with("30×30×30 is an N-position.\n") && large.contains("fact 14 (d)"));
    let undecided = json("query 6x7x8 --json");
    assert_eq!((&undecided["outcome"], &undecided["grundy"]), (&"N".into(), &Value::Null));
    for command in ["moves", "grundy", "play"] {
        let refused = chomp(&format!("{command} 3x4x5")).assert().code(USAGE);
        refused.stderr(contains("a product of more than two chains").and(contains("chomp query")));
    }
    chomp("board 2x3x4 --list").assert().code(USAGE).stderr(contains("leave out --list"));
    chomp("query 0x3x4").assert().code(USAGE).stderr(contains("at least 1 element"));
}

/// `TopCoder`, problem 6851 (2008): the lengths of games on 3 x n, and the draft of an entry. The
/// answers about a position and about a board have them, where they cost little.
#[test]
fn games_last_as_long_as_was_published() {
    let published = fixtures::fields("game-lengths.tsv");
    let lines: Vec<String> = published.iter().map(|line| line.join(" ") + "\n").collect();
    assert_eq!(stdout(chomp("seq game-lengths --terms 24").assert()), lines.concat());
    let entry = stdout(chomp("seq game-lengths --terms 24 --oeis").assert());
    let terms: Vec<&str> = published.iter().map(|line| &*line[1]).collect();
    assert!(entry.contains(&format!("%S A000000 {}\n", terms.join(","))), "{entry}");
    for line in &published {
        let [columns, turns] = [&line[0], &line[1]];
        for command in ["query", "board"] {
            let found = json(&format!("{command} 3x{columns} --json"));
            assert_eq!(found["length"].to_string(), *turns, "{command} 3x{columns}");
            let words = stdout(chomp(&format!("{command} 3x{columns}")).assert());
            let expected = format!("With best play the game takes {turns} turns.");
            assert!(words.contains(&expected), "{words}");
        }
    }
    for not_computed in ["query 100x100 --json", "board 13x13 --json", "query 1000000 3 --json"] {
        assert_eq!(json(not_computed)["length"], Value::Null, "{not_computed}");
    }
    // The bound of proofs/boards.md, 8 (c).
    let length = json("board 11x11 --all --json")["length"].as_u64();
    assert!(length.is_some_and(|turns| turns >= 22 && turns % 2 == 0), "{length:?}");
}
