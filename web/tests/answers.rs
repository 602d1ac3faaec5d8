//! The answers of the page, against the rules of the game and published numbers.

use std::ops::ControlFlow;

use byrnes::ChompGrundy;
use driver::{Engine, HeadForm, Source};
use game::{Board, Chomp, GameTree, Outcome, Search, ThreeRows};
use page::Session;
use serde_json::{Value, json};

fn ask(session: &mut Session, question: &Value) -> Value {
    serde_json::from_str(&session.answer(&question.to_string(), &())).expect("JSON")
}

fn once(question: &Value) -> Value {
    ask(&mut Session::default(), question)
}

fn position(lengths: &Value) -> ThreeRows {
    let length = |row: usize| lengths[row].as_str().map_or(0, |length| length.parse().unwrap());
    ThreeRows::new(length(0), length(1), length(2)).unwrap()
}

fn reply(session: &mut Session, text: &str, strength: &str, chance: u64) -> Value {
    let question = json!({"ask": "reply", "text": text, "strength": strength, "chance": chance});
    ask(session, &question)
}

fn board(lengths: &Value) -> Board {
    let rows = lengths.as_array().unwrap().iter().map(|n| n.as_str().unwrap().parse().unwrap());
    Board::new(rows.filter(|length| *length > 0).collect()).unwrap()
}

/// All positions with `r <= q <= p <= n`.
fn positions(n: u64) -> impl Iterator<Item = ThreeRows> {
    let below = |p| (0..=p).flat_map(move |q| (0..=q).map(move |r| (p, q, r)));
    (1..=n).flat_map(below).map(|(p, q, r)| ThreeRows::new(p, q, r).unwrap())
}

#[test]
fn positions_are_answered_as_the_rules_say() {
    let tree = GameTree::up_to(7);
    for asked in positions(7) {
        let answer = once(&json!({"ask": "position", "text": asked.to_string()}));
        let is_p = tree.outcome(asked) == Some(Outcome::P);
        assert_eq!(answer["outcome"], if is_p { "P" } else { "N" }, "{asked}");
        let bites = answer["winning_bites"].as_array().unwrap();
        let mut found: Vec<ThreeRows> =
            bites.iter().map(|bite| position(&bite["leaves"])).collect();
        let wins = |bite: &ThreeRows| tree.outcome(*bite) == Some(Outcome::P);
        let mut expected: Vec<ThreeRows> = asked.bites().filter(wins).collect();
        found.sort_by_key(ToString::to_string);
        expected.sort_by_key(ToString::to_string);
        assert_eq!(found, expected, "{asked}");
    }
}

/// All positions with four or five rows that fit into 5 x 4, and all bites, against a search.
#[test]
fn positions_with_more_rows_are_answered_as_the_rules_say() {
    let mut search = Search::of(&Chomp);
    let all = (0..5_u16.pow(5)).map(|code| [0, 1, 2, 3, 4].map(|row| code / 5_u16.pow(row) % 5));
    for rows in all.filter(|rows| rows.is_sorted_by(|a, b| a >= b) && rows[3] > 0) {
        let asked = Board::new(rows.into_iter().filter(|length| *length > 0).collect()).unwrap();
        let answer = once(&json!({"ask": "position", "text": asked.to_string()}));
        assert_eq!(board(&answer["position"]), asked);
        let bites = answer["winning_bites"].as_array().unwrap();
        let mut found: Vec<Board> = bites.iter().map(|bite| board(&bite["leaves"])).collect();
        let mut expected = search.winning_options(&asked);
        found.sort_by_key(ToString::to_string);
        expected.sort_by_key(ToString::to_string);
        assert_eq!(found, expected, "{asked}");
        assert_eq!(answer["outcome"], if expected.is_empty() { "P" } else { "N" }, "{asked}");
    }
    // Cho (2018), proposition 3.10.
    let answer = once(&json!({"ask": "position", "text": "[4557]"}));
    assert_eq!((&answer["outcome"], &answer["record"]["tail"]), (&json!("P"), &json!([5, 4])));
}

/// From every N-position the program leaves a P-position; from every other it makes a move, until
/// only the poison is left.
#[test]
fn the_program_never_errs() {
    let tree = GameTree::up_to(7);
    for asked in positions(7) {
        let answer = reply(&mut Session::default(), &asked.to_string(), "perfect", 0);
        if asked.to_string() == "(1,0,0)" {
            assert!(answer["error"].as_str().unwrap().starts_with("only the poison is left"));
            continue;
        }
        let left = position(&answer["leaves"]);
        assert!(asked.bites().any(|bite| bite == left), "{asked} to {left}");
        let wins = tree.outcome(asked) == Some(Outcome::N);
        assert_eq!(answer["wins"], wins, "{asked}");
        assert_eq!(tree.outcome(left) == Some(Outcome::P), wins, "{asked} to {left}");
    }
}

/// Row 120 has period 2 from column 170 on, with the offsets 72 and 70: Brouwer's page, and the
/// 2005 paper, 8.2. So in column 5·10²⁹, which is even as 170 is, f is 72 more.
#[test]
fn lengths_may_have_a_hundred_digits() {
    let zeros = "0".repeat(29);
    let p = format!("1{zeros}0");
    let answer = once(&json!({"ask": "position", "text": format!("({p},5{zeros},120)")}));
    assert_eq!((&answer["outcome"], &answer["record"]["row"]), (&json!("N"), &json!(120)));
    let top = &answer["winning_bites"][0];
    let expected = json!([format!("5{}72", "0".repeat(27)), format!("5{zeros}"), "120"]);
    assert_eq!((&top["square"][0], &top["leaves"]), (&json!("1"), &expected));
    let nines = "9".repeat(100);
    let answer = once(&json!({"ask": "position", "text": format!("{nines} {nines} 0")}));
    // Two rows are a P-position if and only if the top one is one longer.
    assert_eq!(answer["winning_bites"][0]["leaves"][1], format!("{}8", "9".repeat(99)));
}

#[test]
fn positions_are_read_as_spreadsheets_write_them() {
    for text in ["7;5;3", "\"7\",\"5\",\"3\"", "7,5,3,", "\u{feff}7 5 3", "7\t5\t3", "7; 5; 3;"] {
        let answer = once(&json!({"ask": "position", "text": text}));
        assert_eq!(answer["position"], json!(["7", "5", "3"]), "{text}");
    }
    for text in ["7;5;;3", "7;x", ";"] {
        assert!(once(&json!({"ask": "position", "text": text}))["error"].is_string(), "{text}");
    }
}

/// Fact 10: 2×ω is a P-position, and from it every other m×ω is N; ω×ω is N. Who begins on a finite
/// product wins, by strategy stealing.
#[test]
fn products_of_chains_are_answered() {
    let words = |text: &str| {
        let answer = once(&json!({"ask": "position", "text": text}));
        answer["product"].as_str().map(str::to_owned)
    };
    for (text, outcome) in [
        ("ωxω", "ω×ω is an N-position.\nA bite at (2,2) wins;"),
        ("ω × 3", "ω×3 is an N-position.\nA bite at (1,3) wins; it leaves 2×ω, a P-position."),
        ("ωx2", "ω×2 is a P-position.\n"),
        ("70x71x72", "70×71×72 is an N-position.\nOn a rectangle, or another product"),
        ("1x1x1", "1×1×1 is a P-position.\nOnly the poison is left."),
    ] {
        assert!(words(text).is_some_and(|words| words.starts_with(outcome)), "{text}");
    }
    let undecided = once(&json!({"ask": "position", "text": "3x3xω"}));
    assert!(undecided["error"].as_str().unwrap().contains("is not decided"));
}

/// Two rows are a P-position if and only if the top one is one longer.
#[test]
fn sums_are_numbers() {
    let zeros = "0".repeat(120);
    for (text, p, q) in [
        ("10^120 + 1, 10^120", format!("1{}1", &zeros[1..]), format!("1{zeros}")),
        ("(5*10^3+1-2,5e3-2)", "4999".to_owned(), "4998".to_owned()),
        ("10_000 − 3 + 1 9997", "9998".to_owned(), "9997".to_owned()),
    ] {
        let answer = once(&json!({"ask": "position", "text": text}));
        assert_eq!((&answer["position"], &answer["outcome"]), (&json!([p, q]), &json!("P")));
    }
    let answer = once(&json!({"ask": "position", "text": "3×7"}));
    assert_eq!(answer["position"], json!(["7", "7", "7"]));
}

#[test]
fn what_cannot_be_answered_says_why() {
    for (question, words) in [
        (json!({"ask": "position", "text": "3 5 1"}), "row 2 (5) is longer than the row before"),
        (json!({"ask": "position", "text": "3 - 5, 1"}), "3-5 is negative"),
        (json!({"ask": "position", "text": "7 5 -3"}), "\"-3\" in \"7 5 -3\" is negative"),
        (json!({"ask": "position", "text": "7+y 5"}), "\"y\" in \"7+y\": give a whole number"),
        (json!({"ask": "position", "text": "3 y 1"}), "\"y\" in \"3 y 1\" is not a number"),
        (json!({"ask": "position", "text": "9999999 9999997 9999997"}), "three rows are answered"),
        (json!({"ask": "position", "text": "999 999 999 998"}), "this position is too large"),
        (json!({"ask": "strategy", "text": "4x4"}), "(4,4,4,4) has no strategy"),
        (
            json!({"ask": "position", "text": "ω ω ω 1"}),
            "of four rows or more, the two longest may",
        ),
        (
            json!({"ask": "reply", "text": "ω 3 2", "strength": "easy", "chance": 1}),
            "the program plays on finite boards only",
        ),
        (json!({"ask": "why", "row": 8}), "row 8 is finite, and has no period: it ends in column"),
        (json!({"ask": "overlay", "rows": [5000]}), "rows are drawn one over the other to row"),
        (json!({"ask": "rows", "to": 10_000_000}), "this page goes to row"),
        (json!({"ask": "point", "y": 1, "z": 1}), "there is no sheet yet"),
        (json!({"ask": "what"}), "the question is none"),
    ] {
        let answer = once(&question);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(!error.is_empty() && error.starts_with(words), "{question}: {answer}");
    }
}

/// By `ChompGrundy` of Zeilberger's paper.
#[test]
fn rows_of_levels_are_those_of_the_literal_recurrence() {
    let rows =
        (0..=10).zip(ChompGrundy::to_level(3)).flat_map(|(_, rows)| (0..).zip(rows.unwrap()));
    for (level, row) in rows {
        let record = row.record(level, driver::HeadForm::Fingerprint).unwrap();
        let found = once(&json!({"ask": "level", "level": level, "row": record.row()}));
        let expected = serde_json::to_value(&record).unwrap();
        for (field, value) in expected.as_object().unwrap() {
            assert_eq!(&found[field], value, "{field} of {record}");
        }
        assert_eq!(found["line"], record.to_string());
    }
    let refused = once(&json!({"ask": "level", "level": 30, "row": 10_000}));
    assert!(refused["error"].as_str().unwrap().contains("needs more than 10000 rows"), "{refused}");
}

#[test]
fn a_row_is_shown_in_words_and_on_its_sheet() {
    let mut session = Session::default();
    let row = ask(&mut session, &json!({"ask": "row", "row": 120}));
    assert_eq!((&row["title"], &row["period"]), (&json!("row 120 is periodic"), &json!(2)));
    assert_eq!((&row["values"], &row["head"]), (&json!([72, 70]), &json!(null)));
    let sheet = ask(&mut session, &json!({"ask": "sheet", "row": 24, "part": null}));
    assert_eq!((&sheet["y"], &sheet["z"], &sheet["span"]), (&json!(0), &json!(0), &json!(19)));
    for class in ["frame", "upper-line", "lower-line", "last-line", "dots"] {
        let svg = sheet["svg"].as_str().unwrap();
        assert!(svg.contains(&format!("class=\"{class}\"")), "{class}");
    }
    let tree = GameTree::up_to(24 + 2 * 18);
    for (y, z) in (0..19).flat_map(|y| (0..19).map(move |z| (y, z))) {
        let point = ask(&mut session, &json!({"ask": "point", "y": y, "z": z}));
        let asked = ThreeRows::new(24 + y + z, 24 + y, 24).unwrap();
        let is_p = tree.outcome(asked) == Some(Outcome::P);
        assert_eq!(point["name"], asked.to_string());
        assert_eq!(point["kind"] == "P-position", is_p, "{asked}");
        if is_p {
            assert_eq!((&point["offset"], &point["p_position"]), (&json!(z), &point["name"]));
        }
        let wins = |bite: &ThreeRows| bite.r() < 24 && tree.outcome(*bite) == Some(Outcome::P);
        assert_eq!(point["kind"] == "instant winner", !is_p && asked.bites().any(|b| wins(&b)));
    }
    let part = ask(&mut session, &json!({"ask": "sheet", "row": 24, "part": [30, 2, 6]}));
    // It is moved onto the sheet.
    assert_eq!((&part["y"], &part["z"], &part["span"]), (&json!(13), &json!(2), &json!(6)));
}

/// Nivasch's lists.
#[test]
fn the_list_of_rows_has_the_published_periods() {
    let answer = once(&json!({"ask": "rows", "to": 600}));
    let column = |name: &str| -> Vec<u64> {
        let numbers = answer["rows"][name].as_array().unwrap();
        numbers.iter().map(|number| number.as_u64().unwrap()).collect()
    };
    let (periods, ends) = (column("periods"), column("ends"));
    assert_eq!((periods.len(), ends.len()), (601, 601));
    let found = (0..).zip(periods).filter(|(_, period)| *period > 1);
    let found: Vec<[u64; 2]> = found.map(|(row, period)| [row, period]).collect();
    let mut expected = fixtures::numbers::<2>("nivasch-periods.tsv");
    expected.retain(|[row, _]| *row <= 600);
    assert_eq!(found, expected);
    // Row 1 ends in column 2.
    assert_eq!(ends[..2], [0, 2]);
    assert_eq!((ends[120], &answer["rows"]["patterns"]["120"]), (170, &json!([1, -1])));
    assert!(answer["tsv"].as_str().unwrap().contains("\n120\t170\t2\t1,-1\n"));
}

/// Every part of four offsets of row 12, and some of no row, by the literal recurrence.
#[test]
fn rows_are_found_by_their_offsets() {
    let mut rows = Vec::new();
    let mut visit = |row: driver::ProvedRow| {
        rows.push(row.record);
        ControlFlow::Continue(())
    };
    Engine::Literal.rows(25, HeadForm::Offsets, &(), &mut visit).unwrap();
    let offsets = |row: &driver::Record| -> Vec<u64> {
        (row.row()..row.row() + 60).map_while(|q| row.offset(q).unwrap()).collect()
    };
    let parts = offsets(&rows[12]);
    let more = [vec![1, 1], vec![7], vec![0], vec![99, 98], vec![4, 4, 4]];
    for run in parts.windows(4).map(<[u64]>::to_vec).chain(more) {
        let found = once(&json!({"ask": "find", "offsets": run, "to": 25}));
        let expected = rows.iter().filter_map(|row| {
            let place = offsets(row).windows(run.len()).position(|part| part == run)?;
            Some([row.row(), row.row() + place as u64])
        });
        assert_eq!(found["found"], json!(expected.collect::<Vec<_>>()), "{run:?}");
    }
    for refused in [json!({"offsets": [], "to": 5}), json!({"offsets": [1], "to": 10_001})] {
        let mut question = refused;
        question["ask"] = json!("find");
        assert!(once(&question)["error"].as_str().unwrap().contains("rows 0 to 10000"));
    }
}

/// The texts of row 120 have the values of f on Brouwer's page.
#[test]
fn a_row_in_full_and_a_record_from_elsewhere_are_told() {
    let full = once(&json!({"ask": "full", "row": 120}));
    let published = fixtures::numbers::<1>("row-120.txt");
    let offsets = (120..170).zip(&published).map(|(q, [p])| (p - q).to_string());
    let maple = format!("B[120] := [[{}], [72, 70]]:\n", offsets.collect::<Vec<_>>().join(", "));
    assert_eq!(full["texts"][1], json!(["Maple", maple]));
    assert_eq!(full["texts"].as_array().unwrap().len(), 5);
    assert!(full["svg"].as_str().unwrap().contains("P-positions of row 120"));
    let told = once(&json!({"ask": "record", "line": full["line"]}));
    let described = once(&json!({"ask": "row", "row": 120}));
    for field in ["title", "line", "start", "values"] {
        assert_eq!(told[field], described[field], "{field}");
    }
    let refused = once(&json!({"ask": "record", "line": "Periodic"}));
    assert!(refused["error"].as_str().unwrap().starts_with("line 1, "), "{refused}");
}

#[test]
fn a_data_set_is_verified_and_a_forged_one_refused() {
    let mut session = Session::default();
    let files = ask(&mut session, &json!({"ask": "files", "to": 200}))["files"].take();
    let verify = |files: &Value| once(&json!({"ask": "verify", "files": files, "heads": true}));
    let verdict = verify(&files);
    assert_eq!(verdict["verdict"], "verified");
    assert!(verdict["words"].as_str().unwrap().contains("Assumed: nothing."));
    let some = once(&json!({"ask": "verify", "files": files, "heads": true, "to": 150}));
    assert!(some["words"].as_str().unwrap().starts_with("Verified: rows 0 to 150,"), "{some}");
    let mut cut = files.clone();
    cut.as_array_mut().unwrap().pop();
    assert_eq!(verify(&cut)["verdict"], "unreadable");
    let mut changed = files.clone();
    let text = changed[1][1].as_str().unwrap().replace("values: [72, 70]", "values: [70, 72]");
    changed[1][1] = json!(text);
    let verdict = verify(&changed);
    assert!(verdict["words"].as_str().unwrap().contains("its hash is"), "{verdict}");
    // A character is a byte.
    changed[1][1] = json!("\u{ff}\n\n");
    let verdict = verify(&changed);
    assert!(verdict["words"].as_str().unwrap().contains("it is not text"), "{verdict}");
    changed[1][1] = json!("\u{100}");
    assert!(verify(&changed)["error"].as_str().unwrap().starts_with("the question is none"));
}

/// The names and bytes of a data set of levels and tails, which `docs/FORMAT.md` calls format 2.
fn levels_and_tails() -> [(&'static str, &'static str); 2] {
    const MANIFEST: &str = include_str!("../../crates/record/tests/fixtures/format-2/MANIFEST.ron");
    const ROWS: &str =
        include_str!("../../crates/record/tests/fixtures/format-2/rows-0000000-0000053.ron");
    [("MANIFEST.ron", MANIFEST), ("rows-0000000-0000053.ron", ROWS)]
}

#[test]
fn levels_and_tails_are_verified_and_a_forged_row_refused() {
    let verify = |files: &Value| once(&json!({"ask": "verify", "files": files, "heads": true}));
    let [(manifest_name, manifest), (name, rows)] = levels_and_tails();
    let verdict = verify(&json!([[manifest_name, manifest], [name, rows]]));
    assert_eq!(verdict["verdict"], "verified", "{verdict}");
    let said = verdict["words"].as_str().unwrap();
    assert!(said.contains("levels 0 to 2, tails within (6,2)"), "{said}");
    assert!(said.contains("Assumed: nothing."), "{said}");

    // The row of the tail (3,2) has the offset 3 from column 7 on; here it has 2, and all hashes
    // are right.
    let (records, end) = rows.split_at(rows.find("End(").unwrap());
    let line =
        records.lines().find(|line| line.starts_with("Periodic(tail: [3, 2], first")).unwrap();
    let forged = records.replace(line, &line.replace("values: [3]", "values: [2]"));
    assert_ne!(forged, records);
    let hash = |text: &str| blake3::hash(text.as_bytes()).to_hex().to_string();
    let rehashed = |text: &str| text.replace(&hash(records), &hash(&forged));
    let forged_rows = forged.clone() + &rehashed(end);
    let verdict = verify(&json!([[manifest_name, rehashed(manifest)], [name, forged_rows]]));
    assert_eq!(verdict["verdict"], "refuted", "{verdict}");
    assert!(verdict["words"].as_str().unwrap().contains("tail (3,2)"), "{verdict}");
    let verdict = verify(&json!([[manifest_name, manifest], [name, forged_rows]]));
    assert_eq!(verdict["verdict"], "unreadable", "{verdict}");
}

/// Cho (2018) shows a strategy for [4557]; and 8 × 10 has two winning openings (the 2005 paper,
/// 7.1).
#[test]
fn boards_with_more_rows_are_solved() {
    let answer = once(&json!({"ask": "strategy", "text": "[4557]"}));
    assert!(answer["svg"].as_str().unwrap().starts_with("<svg"));
    assert!(answer["caption"].as_str().unwrap().contains("The P-position (7,5,5,4)"));
    let answer = once(&json!({"ask": "position", "text": "8x10"}));
    assert_eq!(answer["winning_bites"].as_array().unwrap().len(), 2);
}

/// A rectangle in either direction: by rows, by columns, and by all of its positions.
#[test]
fn a_position_and_its_transposed_one_are_answered_alike() {
    for (one, other) in [("3x1000", "1000x3"), ("4x40", "40x4"), ("9x10", "10x9")] {
        let [one, other] = [one, other].map(|text| once(&json!({"ask": "position", "text": text})));
        assert_eq!(one["outcome"], "N");
        let transposed = |answer: &Value| {
            let bites = answer["winning_bites"].as_array().unwrap();
            let mut left: Vec<Board> = bites.iter().map(|bite| board(&bite["leaves"])).collect();
            left.sort_by_key(ToString::to_string);
            left
        };
        let mut turned: Vec<Board> = transposed(&other).iter().map(Board::transposed).collect();
        turned.sort_by_key(ToString::to_string);
        assert_eq!(transposed(&one), turned);
    }
}

/// The perfect program wins from every N-position of 12 x 12 that a weak one leaves it, and a weak
/// one errs: the rules of the game are searched after the first bites.
#[test]
fn opponents_differ_in_strength() {
    let (mut session, mut search) = (Session::default(), Search::of(&Chomp));
    let mut wins = |strength: &str| {
        let found = (0..40).filter(|chance| {
            let answer = reply(&mut session, "(6,6,5,3)", strength, chance * 7919 + 3);
            let left = board(&answer["leaves"]);
            let wins = search.winning_options(&left).is_empty();
            assert_eq!(answer["wins"], wins, "{left}");
            wins
        });
        found.count()
    };
    let [easy, fair, perfect] = ["easy", "fair", "perfect"].map(&mut wins);
    assert_eq!(perfect, 40);
    assert!(easy < fair && fair <= perfect, "{easy}, {fair}");
    let answer = reply(&mut session, "12x12", "perfect", 0);
    // The bite at the corner leaves a row and a column.
    let expected = Board::new([vec![12], vec![1; 11]].concat()).unwrap();
    assert_eq!(board(&answer["leaves"]), expected);
}

#[test]
fn a_bar_is_read_in_every_notation() {
    for (text, lengths, can_be_played) in [
        ("7 5 5 4", json!(["7", "5", "5", "4"]), true),
        ("[4557]", json!(["7", "5", "5", "4"]), true),
        ("[3,2,2]", json!(["7", "5", "3"]), true),
        ("12x12", json!(vec!["12"; 12]), true),
        ("30x30", json!(vec!["30"; 30]), false),
        ("ω,5,3", json!(["ω", "5", "3"]), false),
    ] {
        let bar = once(&json!({"ask": "bar", "text": text}));
        assert_eq!((&bar["position"], &bar["can_be_played"]), (&lengths, &json!(can_be_played)));
    }
}

#[test]
fn a_puzzle_has_as_many_solutions_as_its_grade_says() {
    let mut search = Search::of(&Chomp);
    for (grade, solutions) in [("easy", 3..=99), ("medium", 2..=2), ("hard", 1..=1)] {
        let mut posed = Vec::new();
        for chance in 0..5 {
            let answer = once(&json!({"ask": "puzzle", "grade": grade, "chance": chance}));
            let position = board(&answer["position"]);
            let number = search.winning_options(&position).len();
            assert!(solutions.contains(&number), "{grade}: {position}");
            posed.push(position);
        }
        posed.dedup();
        assert!(posed.len() > 1);
    }
}

/// OEIS A069001, and the list of `game-lengths.tsv`, which counts the last turn, too.
#[test]
fn grundy_values_and_lengths_are_those_that_are_published() {
    let published = [(1, 2, 2), (2, 4, 6), (3, 5, 6), (4, 9, 8), (5, 11, 12)];
    for (n, grundy, length) in published {
        let answer = once(&json!({"ask": "values", "text": format!("3x{n}")}));
        assert_eq!((&answer["grundy"], &answer["length"]), (&json!(grundy), &json!(length)));
    }
}

/// Row 402 has period 4 (Nivasch). Every frame is checked against Brouwer's recurrence: the offsets
/// of the row and of the rows below, and that a blocked hole rises.
#[test]
fn the_frames_of_an_explanation_are_those_of_the_rules() {
    let answer = once(&json!({"ask": "why", "row": 402}));
    let table = game::brouwer::Table::up_to(1600);
    let offset = |row: u64, column: u64| {
        table.row(row).find(|at| at.q() == column).map(|at| at.p() - at.q()).unwrap()
    };
    let explanation = &answer["explanation"];
    let mean = explanation["mean"].as_u64().unwrap();
    let frames = answer["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 4);
    for frame in frames {
        let column = frame["column"].as_u64().unwrap();
        let height = |row| offset(row, column).cast_signed() - mean.cast_signed();
        assert_eq!(frame["height"], height(402));
        let cluster = explanation["cluster"].as_array().unwrap().iter();
        let mut expected: Vec<i64> =
            cluster.map(|row| height(row["row"].as_u64().unwrap())).collect();
        expected.sort_unstable();
        let blocked: Vec<i64> =
            frame["blocked"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect();
        assert!(blocked.iter().all(|height| expected.contains(height)), "{column}");
        let hole = frame["hole"].as_i64().unwrap();
        let taken = if blocked.contains(&hole) { 1 } else { hole };
        assert_eq!(frame["height"], taken, "{column}");
    }
}
