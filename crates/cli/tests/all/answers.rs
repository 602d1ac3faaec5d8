//! Sequences, queries and exports.

use std::fs;
use std::time::Duration;

use game::brouwer::Table;
use predicates::prelude::{PredicateBooleanExt, PredicateBoxExt};
use predicates::str::{contains, starts_with};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::program::{INPUT_OR_OUTPUT, USAGE, chomp, data_set_to, stdout, workspace};

const INCOMPLETE: i32 = 4;

const NAMES: [&str; 8] =
    ["A029899", "A029900", "A029901", "A029902", "A029903", "A029904", "A029905", "A147983"];

/// The rows of a period are those of Nivasch's lists; words have the periods of
/// proofs/cascade.md, 6.
#[test]
fn sequences_of_periods_are_those_of_the_lists() {
    let data = workspace("outputs/rows-10000");
    let seq = |arguments: &str| {
        let mut command = chomp(&format!("seq {arguments} --data"));
        stdout(command.arg(&data).assert().success())
    };
    let values = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split_once(' ').unwrap().1.to_owned()).collect()
    };
    let lists = fixtures::text("nivasch-lists.txt");
    let mut firsts = vec![("0".to_owned(), "1".to_owned())];
    for paragraph in lists.split("\n\n") {
        let (period, rows) = paragraph.split_once(" for r =").unwrap();
        let period = period.strip_prefix("Period ").unwrap();
        let rows: Vec<&str> = rows.trim_end().trim_end_matches('.').split(',').collect();
        let rows: Vec<String> = rows.iter().map(|row| row.trim().to_owned()).collect();
        let found = seq(&format!("period-{period} --terms {}", rows.len()));
        assert_eq!(values(&found), rows, "period {period}");
        firsts.push((rows[0].clone(), period.to_owned()));
    }
    firsts.sort_by_key(|(row, _)| row.parse::<u64>().unwrap());
    let terms = firsts.len();
    let (rows, periods): (Vec<String>, Vec<String>) = firsts.into_iter().unzip();
    assert_eq!(values(&seq(&format!("first-rows --terms {terms}"))), rows);
    assert_eq!(values(&seq(&format!("new-periods --terms {terms}"))), periods);
    let doubling: Vec<String> =
        (1..=16_u64).map(|n| (n + 1).next_power_of_two().to_string()).collect();
    assert_eq!(values(&stdout(chomp("seq word-periods-1 --terms 16").assert())), doubling);
    chomp("seq period-3").assert().code(USAGE).stderr(contains("give them by --data"));
    chomp("seq period-1").assert().code(USAGE);
    chomp("seq word-periods-0").assert().code(USAGE);
    chomp("seq pattern-2:B").assert().code(USAGE);
    chomp("seq pattern-1:AsAA").assert().code(INCOMPLETE).stderr(contains("several patterns"));
    // The patterns of certified rows, from the rotation on that is least.
    let table = std::fs::read_to_string(workspace("outputs/periods-1000000.tsv")).unwrap();
    for (row, word) in [(6541, "2:AA"), (112_742, "2:AAA")] {
        let line = table.lines().find(|line| line.starts_with(&format!("{row}\t"))).unwrap();
        let pattern = line.split('\t').nth(3).unwrap().split(',');
        let pattern: Vec<i64> = pattern.map(|value| value.parse().unwrap()).collect();
        let rotated = |by: usize| [&pattern[by..], &pattern[..by]].concat();
        let least = (0..pattern.len()).map(rotated).min().unwrap().repeat(2);
        let found = chomp(&format!("seq pattern-{word} --terms {}", least.len())).assert();
        let least: Vec<String> = least.iter().map(ToString::to_string).collect();
        assert_eq!(values(&stdout(found)), least, "{word}");
    }
}

/// Kinds and periods of the rows are those of Nivasch's lists, and none is left unexplained.
#[test]
fn rows_are_explained() {
    let data = workspace("outputs/rows-10000");
    let why = |arguments: &str| {
        let mut command = chomp(&format!("why {arguments} --data"));
        command.arg(&data);
        command
    };
    let found: serde_json::Value =
        serde_json::from_str(&stdout(why("--json").assert().success())).unwrap();
    let lists = fixtures::text("nivasch-lists.txt");
    let listed = lists.matches(',').count() + lists.matches('.').count();
    assert_eq!(found["rows"], listed);
    assert_eq!(found["not_explained"], serde_json::json!([]));
    let counted: u64 =
        found["words"].as_array().unwrap().iter().map(|word| word["rows"].as_u64().unwrap()).sum();
    assert_eq!(counted, listed as u64);
    // The page has row 402 from column 571 on, with the pattern 0 1 1 -2.
    let text = stdout(why("402").assert().success());
    assert!(text.starts_with("Row 402 has period 4 from column 571 on\n"), "{text}");
    assert!(text.contains("0 1 1 -2, around the mean 236"), "{text}");
    assert_eq!(stdout(chomp("why 402").assert()), text, "computed or read");
    why("1").assert().code(USAGE).stderr(contains("row 1 is finite"));
    why("10001").assert().code(USAGE).stderr(contains("holds rows 0 to 10000"));
    chomp("why").assert().code(USAGE);
    chomp("why 5 --to 9").assert().code(USAGE);
}

/// Byte for byte the terms of the OEIS, with its indices.
#[test]
fn sequences_are_those_of_the_oeis() {
    for name in NAMES {
        let mut expected = fixtures::text(&format!("oeis/{name}.txt"));
        if name == "A147983" {
            // Before its corrupt term.
            expected.truncate(expected.find("33 15231525").unwrap());
        }
        let terms = expected.lines().count();
        let found = stdout(chomp(&format!("seq {name} --terms {terms}")).assert());
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(
        stdout(chomp("seq A069001 --terms 64").assert()),
        fixtures::text("oeis/A069001.txt")
    );
    let committed = std::fs::read_to_string(workspace("outputs/b069001.txt")).unwrap();
    assert!(committed.starts_with(&stdout(chomp("seq A069001 --terms 300").assert())));
    // The rows that were thought to be enough are not.
    assert_eq!(stdout(chomp("seq a147983 --terms 1").assert()), "1 120\n");
}

#[test]
fn sequences_are_listed() {
    let list = stdout(chomp("seq").assert());
    for name in NAMES {
        assert!(list.contains(name), "{name} in {list}");
    }
    assert!(list.contains("A069001  n >= 1"), "{list}");
    for bad in ["A069000", "29906", "A"] {
        chomp("seq").arg(bad).assert().code(USAGE).stderr(contains("`chomp seq` lists"));
    }
    chomp("seq A029900 --terms 0").assert().code(USAGE).stderr(contains("at least 1 term"));
    chomp("seq A147983 --terms 1_000_000_000")
        .assert()
        .code(USAGE)
        .stderr(contains("ask for fewer"));
    chomp("seq --data x").assert().code(USAGE);
}

/// The terms are those of Nivasch's list to row 10 000.
/// Each of our own sequences has a draft within seconds, with the terms that are known. A row with
/// the word 2:A^10 can have two periods, so the powers of 3 end before.
#[test]
fn every_sequence_of_our_own_has_a_draft() {
    let data = workspace("outputs/rows-10000");
    let of_rows = ["period-2", "period-3", "new-periods", "first-rows"];
    let of_words = ["word-periods-1", "word-periods-2", "word-periods-3", "pattern-2:AA"];
    for name in of_rows.into_iter().chain(of_words) {
        let mut draft = chomp(&format!("seq {name} --oeis"));
        let made = if of_rows.contains(&name) {
            draft.arg("--data").arg(&data);
            "chomp rows --to 10000 --out rows; "
        } else {
            ""
        };
        let text = stdout(draft.timeout(Duration::from_secs(60)).assert());
        let terms = text.lines().find_map(|line| line.strip_prefix("%S A000000 ")).unwrap();
        let number = terms.split(',').count();
        assert!(number > 0 && text.contains("%A A000000 _NAME"), "{text}");
        let command = format!("%o A000000 (Other) # {made}chomp seq {name} --terms ");
        assert!(text.contains(&command), "{text}");
    }
    let text = stdout(chomp("seq word-periods-2 --oeis").assert());
    assert!(text.contains("%S A000000 3,9,27,81,243,729,2187,6561,6561\n"), "{text}");
}

#[test]
fn a_draft_for_the_oeis() {
    let data = workspace("outputs/rows-10000");
    let draft = |arguments: &str| chomp(arguments).arg("--data").arg(&data).assert();
    let text = stdout(draft("seq period-2 --oeis"));
    let of = |tag: &str| -> Vec<&str> {
        let start = format!("%{tag} A000000 ");
        text.lines().filter_map(|line| line.strip_prefix(&start)).collect()
    };
    let terms = [of("S"), of("T"), of("U")].concat().concat();
    let lists = fs::read_to_string(workspace("testdata/nivasch-lists.txt")).unwrap();
    let list = lists.split("Period 2 for r =").nth(1).unwrap().split('.').next().unwrap();
    let published: Vec<&str> = list.split(',').map(str::trim).collect();
    assert!(published.join(",").starts_with(&terms) && terms.len() > 200, "{terms}");
    assert!(of("S")[0].len() <= 80 && of("T")[0].len() <= 80);
    assert_eq!((of("O"), of("K")), (vec!["1,1"], vec!["nonn,more"]));
    assert!(of("N")[0].ends_with("has period 2.") && of("A")[0].contains("NAME"), "{text}");
    // Fewer terms than asked for.
    assert!(stdout(draft("seq new-periods --oeis")).contains("%S A000000 1,2,"));
    chomp("seq A029900 --oeis").assert().code(USAGE).stderr(contains("has this sequence already"));
    assert!(
        stdout(chomp("seq word-periods-1 --terms 5 --oeis").assert()).contains("%O A000000 1,")
    );
}

#[test]
fn sequences_are_read_from_data_sets() {
    let folder = data_set_to(500);
    let read = |arguments: &str| chomp(arguments).arg("--data").arg(folder.path()).assert();
    for name in &NAMES[1..7] {
        let computed = stdout(chomp(&format!("seq {name}")).assert());
        assert_eq!(stdout(read(&format!("seq {name}"))), computed, "{name}");
    }
    // The terms that the rows have are printed, with a message that there are no more.
    read("seq A147983 --terms 6")
        .code(INCOMPLETE)
        .stdout("1 120\n2 400\n3 402\n4 422\n5 424\n")
        .stderr(contains("holds rows 0 to 500, and they have 5 of the 6 terms"));

    let full = tempdir().unwrap();
    chomp("rows --to 99 --full --out").arg(full.path()).assert().success();
    let counts = stdout(chomp("seq A029899 --data").arg(full.path()).assert());
    assert_eq!(counts, stdout(chomp("seq A029899").assert()));
}

#[test]
fn queries_are_answered() {
    // The 2005 paper, section 7.1, has the first two bites; the third leaves a row of its
    // section 8.
    let answer = stdout(chomp("query 3 2 1 --proof").assert());
    assert!(answer.starts_with("(3,2,1) = [1,1,1] is an N-position.\n"), "{answer}");
    for bite in [
        "  top row:    (2,2,1) = [1,1,0]\n",
        "  middle row: (3,1,1) = [1,0,2]\n",
        "  bottom row: (3,2,0) = [0,2,1]\n",
        "  Finite(row: 1, first: 3, last: 2, head: \"22145bd91204b982\")\n",
    ] {
        assert!(answer.contains(bite), "{bite} in {answer}");
    }
    // Brouwer's page: the junk of row 120 ends in (172,169,120).
    let p = stdout(chomp("query 172 169 120 --proof").assert());
    assert!(p.starts_with("(172,169,120) = [120,49,3] is a P-position.\nEvery bite"), "{p}");
    assert!(p.contains("Periodic(row: 120, first: 206, start: 170, values: [72, 70],"), "{p}");
    for same in ["[120,49,3]", "[120, 49, 3]", "(172, 169, 120)"] {
        assert_eq!(stdout(chomp("query --proof").arg(same).assert()), p);
    }
    // Without them, a line names the rows.
    let short = stdout(chomp("query 172 169 120").assert());
    assert!(
        short.ends_with("rows 0 to 120, computed here; --proof prints the record of row 120.\n")
    );
    assert!(!short.contains("Periodic("), "{short}");
    chomp("query 5 4 3 --proof --json").assert().code(USAGE).stdout("");
}

/// The player who faces the poison alone loses, by the rules.
#[test]
fn the_poison_alone_leaves_no_bite() {
    for poison in ["1", "1 0 0", "[0,0,1]"] {
        let answer = stdout(chomp("query").args(poison.split(' ')).assert());
        let words = "is a P-position.\nThere is no bite: the next player must take the poison";
        assert!(answer.contains(words), "{answer}");
    }
    let two = stdout(chomp("query 2 1 0").assert());
    assert!(two.contains("Every bite leaves an N-position."), "{two}");
}

/// 2×ω is P (2005 paper, section 6). Row 3 has ended with (5,5,3), and far out row 5 has offset 4
/// (section 8).
#[test]
fn queries_of_infinite_rows_are_answered() {
    let answer = |position: &str| stdout(chomp(&format!("query {position}")).assert());
    assert!(answer("ω ω 0").starts_with("(ω,ω,0) is a P-position.\nEvery bite"));
    assert!(answer("omega,omega,omega").contains(" does:\n  bottom row: (ω,ω,0)\nThis rests on"));
    let both = "  top row:    (5,5,3)\n  bottom row: (ω,ω,0)\nThis rests on";
    assert!(answer("ω ω 3").contains(both));
    assert!(answer("ω 6 3").contains(" does:\n  top row:    (5,5,3)\nThis rests on"));
    assert!(answer("ω 1000 5").contains(" does:\n  top row:    (1004,1000,5)\nThis rests on"));
    let folder = data_set_to(5);
    let data = chomp("query ω 1000 5 --json --data").arg(folder.path()).assert();
    let data: serde_json::Value = serde_json::from_str(&stdout(data)).unwrap();
    assert_eq!(data["position"], serde_json::json!(["ω", "1000", "5"]));
    assert_eq!(data["winning_bites"][0]["leaves"], serde_json::json!(["1004", "1000", "5"]));
    // Fact 10 (f): (9,5,3,2) is a P-position, as `tails_in_other_languages_...` finds by a board.
    let four = stdout(chomp("query omega 4 3 2").assert());
    assert!(four.contains("(ω,4,3,2) is an N-position.") && four.contains("(9,4,3,2)"), "{four}");
    for (position, words) in [
        ("5 ω 3", "row 2 (ω) is longer than the row before it (5)"),
        ("ω 3 5", "row 3 (5) is longer than the row before it (3)"),
        ("[3,ω,0]", "ω is the length of a row"),
        ("ω ω ω 1", "the two longest may be infinite"),
        ("w 3 1", "\"w\" in \"w 3 1\" is not a number"),
    ] {
        chomp(&format!("query {position}")).assert().code(USAGE).stderr(contains(words));
    }
}

/// The opening of 3×n is that of a solved rectangle, from records with fingerprints, also past the
/// last row of a data set; with it comes its row.
#[test]
fn the_opening_of_three_rows_is_read_from_a_data_set() {
    let folder = data_set_to(130);
    for n in [100_u64, 120, 131, 200] {
        let mut query = chomp(&format!("query {n} {n} {n} --json --data"));
        let found = stdout(query.arg(folder.path()).assert().success());
        let found: serde_json::Value = serde_json::from_str(&found).unwrap();
        let solved = stdout(chomp(&format!("board 3x{n} --json")).assert());
        let solved: serde_json::Value = serde_json::from_str(&solved).unwrap();
        assert_eq!(found["theorem"], "unique_opening");
        let [bites, expected] = [&found, &solved].map(|answer| answer["winning_bites"].as_array());
        let (bites, expected) = (bites.unwrap(), expected.unwrap());
        assert_eq!((bites.len(), expected.len()), (1, 1));
        let left: Vec<_> = bites[0]["leaves"].as_array().unwrap().iter().collect();
        let solved: Vec<_> = expected[0]["leaves"].as_array().unwrap().iter().collect();
        assert_eq!(left, solved, "{n}");
        assert!(bites[0]["record"]["row"].as_u64().unwrap() <= 130);
    }
    let mut beyond = chomp("query 300 300 300 --data");
    beyond.arg(folder.path()).assert().code(USAGE).stderr(contains("holds rows 0 to 130"));
}

/// What `chomp board` finds by solving the rectangle; and Cho's [4557], far out as well: a bite in
/// row 1 of n, n, 5, 4 leaves what is left of (7,5,5,4)'s row.
#[test]
fn queries_with_any_number_of_rows_are_answered() {
    let json = |arguments: &str| -> serde_json::Value {
        serde_json::from_str(&stdout(chomp(arguments).assert())).unwrap()
    };
    for position in ["7,5,5,4", "8,7,6,5", "(9,9,4,4,4)", "[22337]", "5x6", "6,6,5,3,3,1"] {
        let (asked, solved) =
            (json(&format!("query {position} --json")), json(&format!("board {position} --json")));
        assert_eq!(asked["outcome"], solved["outcome"], "{position}");
        let left = |bites: &serde_json::Value| {
            let leaves = |bite: &serde_json::Value| bite["leaves"].to_string().replace('"', "");
            let mut left: Vec<_> = bites.as_array().unwrap().iter().map(leaves).collect();
            left.sort_unstable();
            left
        };
        assert_eq!(left(&asked["winning_bites"]), left(&solved["winning_bites"]), "{position}");
    }
    let p = stdout(chomp("query [4557]").assert());
    assert!(p.starts_with("(7,5,5,4) is a P-position.\nEvery bite"), "{p}");
    let n = "1".to_owned() + &"0".repeat(50);
    let far = stdout(chomp("query").args([&n, &n, "5", "4"]).assert());
    let ended = "is an N-position.\nThese bites leave a P-position, and no other does:\n  row 1: ";
    assert!(far.contains(ended), "{far}");
    // Of two rows.
    assert!(stdout(chomp("query 1001 1000").assert()).contains(" is a P-position"));
    assert_eq!(stdout(chomp("query 3x1").assert()), stdout(chomp("query 1 1 1").assert()));
}

#[test]
fn rows_with_any_number_of_rows_are_shown() {
    let shown = |row: &str| stdout(chomp(&format!("show {row}")).assert());
    // Of [1125] and of the trivial (2,2,2,1), and Cho's [4557].
    assert!(shown("3,1").starts_with("row (3,1) is empty\n  by           2: (2,2,2,1) is a P-pos"));
    assert!(shown("5,4").contains("first        7: the first P-position is (7,5,5,4)\n"));
    assert_eq!(shown("(120)"), shown("120"));
    assert_eq!(shown("()"), shown("0"));
    for (row, words) in [
        ("2,3", "\"2,3\": a tail begins with its longest row; type 3,2"),
        ("[3,2]", "[3,2] can be read in two ways"),
        ("3,x", "\"3,x\": a row is its number, such as 120, or its tail, such as 3,2"),
        ("abc", "\"abc\": a row is its number"),
        ("536_870_912", "rows go to 536870911 here"),
    ] {
        chomp(&format!("show {row}")).assert().code(USAGE).stdout("").stderr(contains(words));
    }
}

/// OEIS A069001 has the value of 3×4; P-positions have the value 0 (Cho's [4557], and (n+1,n)); and
/// a long bottom row of level 0 is one of `chomp rows`.
#[test]
fn grundy_values_are_found() {
    let found = |position: &str| stdout(chomp(&format!("grundy {position}")).assert());
    assert!(found("4 4 4").starts_with("(4,4,4) has the Grundy value 9.\n"));
    assert_eq!(found("3x4"), found("(4,4,4)"));
    assert!(found("[4557]").starts_with("(7,5,5,4) has the Grundy value 0.\n"));
    let far = found("1_000_001 1_000_000");
    assert!(far.starts_with("(1000001,1000000) has the Grundy value 0.\n"), "{far}");
    let json: serde_json::Value = serde_json::from_str(&found("1004 1000 5 --json")).unwrap();
    assert_eq!((&json["grundy"], &json["record"]["row"]), (&0.into(), &5.into()));
    // The value of `chomp poset chains 8 8 --grundy`, whose solver knows nothing of rows.
    assert!(found("8x8").starts_with("(8,8,8,8,8,8,8,8) has the Grundy value 13.\n"));
    let of_chains = stdout(chomp("poset chains 4 14 --grundy").assert());
    for typed in ["4x14", "14x4", "14x4 --by rows --level 40"] {
        let value =
            found(typed).split_once(" has the Grundy value ").expect("a value").1.to_owned();
        let value = value.split_once('.').expect("a sentence").0;
        assert!(of_chains.contains(&format!("The Grundy value is {value}.")), "{typed}: {value}");
    }
    let tall = found("14x4");
    assert!(tall.contains("\nTransposed, it is (14,14,14,14), of the same value.\n"), "{tall}");
    assert!(tall.contains("all boards within (14,14,14,14)"), "{tall}");
    // One number is a position of one row, and could have been meant as a level.
    let one = chomp("grundy 3").assert().success();
    let one = one.stdout(starts_with("(3) has the Grundy value 2.\n"));
    one.stderr(contains("for the rows of level 3 type `chomp family --level 3 --to R`"));
    // An offset is at most r + g + 1 (fact 12), and the default goes to level 30.
    chomp("grundy 1100 1000 5 --by rows")
        .assert()
        .code(INCOMPLETE)
        .stdout("(1100,1000,5) has a Grundy value of at least 94.\n")
        .stderr(contains("incomplete: the value is above level 30; --level G looks further"));
    for (arguments, words) in [
        ("ω 3 1", "a row of ω squares"),
        ("5 6 5", "is longer than"),
        ("5 4 3 --to 7", "cannot be used with"),
        ("--level 1 --to 7 --by rows", "unexpected argument \"--by\""),
        ("20000 300 200 --by table", "choose a smaller board"),
        ("--level 1", "<P Q R ...>"),
        ("", "<P Q R ...>"),
    ] {
        chomp(&format!("grundy {arguments}"))
            .assert()
            .code(USAGE)
            .stdout("")
            .stderr(contains(words));
    }
}

/// Far out row 5 has offset 4 for ever, and row 3 has ended with (5,5,3) (2005 paper, section 8).
#[test]
fn queries_of_a_hundred_digits_are_answered() {
    let [n, more] = ["1", "2"].map(|digit| digit.to_owned() + &"0".repeat(100));
    let answer = |of: [&str; 3]| stdout(chomp("query --json").args(of).assert());
    let moved = format!("{}4", &n[..100]);
    assert!(answer([&moved, &n, "5"]).contains(r#""outcome":"P""#));
    let top = answer([&more, &n, "5"]);
    let value: serde_json::Value = serde_json::from_str(&top).unwrap();
    assert_eq!(value["outcome"], "N");
    let bites = value["winning_bites"].as_array().unwrap();
    assert!(bites.iter().any(|bite| {
        bite["leaves"] == serde_json::json!([moved, n, "5"])
            && bite["square"][0] == "1"
            && bite["record"]["values"] == serde_json::json!([4])
            && bite["leaves_cab"][2] == "4"
    }));
    assert_eq!(value["record"]["row"], 5);
    let ended = answer([&n, &n, "3"]);
    assert!(ended.contains(r#""leaves":["5","5","3"]"#), "{ended}");

    let folder = data_set_to(1000);
    let from_data = |r: &str| {
        let position = [&more, &n, r];
        let query = || {
            let mut command = chomp("query --proof");
            command.args(position);
            command
        };
        let read = stdout(query().arg("--data").arg(folder.path()).assert());
        let computed = stdout(query().assert());
        let source = format!("read from {}", folder.path().display());
        assert_eq!(read.replace(&source, "computed here"), computed);
    };
    from_data("1000");
    from_data("402");
    let query =
        |position: &str| chomp(&format!("query {position} --data")).arg(folder.path()).assert();
    query("2000 1900 1001").code(USAGE).stderr(contains("holds rows 0 to 1000, not row 1001"));
}

/// The offsets of Brouwer's recurrence, with a data set that has only fingerprints of them.
#[test]
fn offsets_that_a_data_set_lacks_are_computed() {
    const LAST: u64 = 130;
    let table = Table::up_to(400);
    let folder = data_set_to(LAST);
    let read = |arguments: &str| chomp(&format!("{arguments} --data")).arg(folder.path()).assert();
    let says = contains("has only fingerprints of the offsets that this needs");
    // Brouwer's f is a smaller number where the row has ended.
    let f = |q, r| table.f(q, r).filter(|&p| p >= q);
    let mut heads = 0;
    for (q, r) in [(120, 120), (150, 120), (121, 119), (100, 77), (90, 90), (64, 50)] {
        let Some(p) = f(q, r) else { continue };
        // A record has the first offset of its row.
        let told = if q == r { says.clone().not().boxed() } else { says.clone().boxed() };
        assert_eq!(stdout(read(&format!("f {q} {r}")).stderr(told)), format!("{p}\n"));
        for (p, outcome) in [(p, "P"), (p + 1, "N")] {
            let asked = format!("query {p} {q} {r}");
            let computed = stdout(chomp(&asked).assert());
            assert!(computed.contains(&format!(
                "is a{} {outcome}-position",
                if outcome == "N" { "n" } else { "" }
            )));
            assert_eq!(stdout(read(&asked).stderr(says.clone())), computed);
            let object: Value =
                serde_json::from_str(&stdout(read(&format!("{asked} --json")))).unwrap();
            assert_eq!(object["source"], json!({ "from": "computed", "folder": null }));
        }
        heads += 1;
    }
    assert!(heads > 3 && f(120, 120) == Some(206), "{heads}");
    // What the records have is read.
    let far = stdout(read("query 1000072 1000000 120").stderr(""));
    assert!(far.contains("is a P-position") && far.contains("read from"), "{far}");
    let row_5: Vec<u64> = (5..7).map(|q| f(q, 5).unwrap() - q).collect();
    assert!(
        stdout(read("show 5 --full").stderr(says.clone()))
            .contains(&format!("q = 5: {}, {}", row_5[0], row_5[1]))
    );
    assert!(stdout(read("show 5").stderr("")).contains("fingerprint"));
    for form in ["--full --json", "--sage", "--pari", "--latex"] {
        for rows in ["120", "118..120"] {
            // Without a data set --json has all offsets.
            let alone = form.strip_prefix("--full ").unwrap_or(form);
            let computed = stdout(chomp(&format!("show {rows} {alone}")).assert());
            assert_eq!(stdout(read(&format!("show {rows} {form}")).stderr(says.clone())), computed);
        }
    }
    for figure in ["row 5", "table 24", "settling 120"] {
        let computed = stdout(chomp(&format!("plot {figure} --out -")).assert());
        let drawn = read(&format!("plot {figure} --out -")).stderr(says.clone());
        assert_eq!(stdout(drawn), computed, "{figure}");
    }
    let expected = fixtures::text("oeis/A029899.txt");
    let terms = expected.lines().count();
    assert_eq!(stdout(read(&format!("seq A029899 --terms {terms}")).stderr(says)), expected);
    // A record that the computed row contradicts: its fingerprint is of other offsets.
    crate::program::forger(folder.path())("8a21679c9ed36f2f", "8a21679c9ed36f2e");
    for asked in ["f 150 120", "query 206 120 120", "show 120 --full", "show 118..120 --sage"] {
        read(asked).code(INPUT_OR_OUTPUT).stderr(contains("row 120 of the data set differs"));
    }
}

/// In columns where most rows, and where nearly all have settled: by the cells of the band engine,
/// by the papers' recurrence, and from a data set of the pointer engine.
#[test]
fn positions_of_pre_periods_are_answered_alike() {
    let folders = [tempdir().unwrap(), tempdir().unwrap()];
    chomp("rows --to 1500 --full --out").arg(folders[0].path()).assert().success();
    let literal = "rows --to 200 --full --engine literal --out";
    chomp(literal).arg(folders[1].path()).assert().success();
    let mut p_positions = 0;
    for (r, q) in [(120, 125), (120, 150), (200, 201), (200, 281), (1400, 1500), (1500, 1900)] {
        let shown = stdout(chomp(&format!("show {r} --json")).assert());
        let record: serde_json::Value = serde_json::from_str(&shown).unwrap();
        let offset = record["head"][usize::try_from(q - r).unwrap()].as_u64().unwrap();
        for p in [q, q + 1, q + offset, q + r / 2, q + r] {
            let query = || chomp(&format!("query {p} {q} {r} --proof"));
            let read = |folder: &TempDir| {
                let answer = stdout(query().arg("--data").arg(folder.path()).assert());
                answer.replace(&format!("read from {}", folder.path().display()), "computed here")
            };
            let answer = stdout(query().assert());
            for folder in if r <= 200 { &folders[..] } else { &folders[..1] } {
                assert_eq!(answer, read(folder));
            }
            p_positions += u64::from(answer.contains("is a P-position"));
        }
    }
    assert!(p_positions >= 6, "{p_positions}");
}

/// Positions longer than a command line, from a file or from what is piped in.
#[test]
fn positions_are_read_from_files() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("position");
    let from = |text: &str, name: &str| {
        fs::write(&file, text).unwrap();
        let file = if name == "-" { name.as_ref() } else { file.as_os_str() };
        chomp("query --proof --from").arg(file).write_stdin(text).assert()
    };
    let p = stdout(chomp("query 172 169 120 --proof").assert());
    for text in ["(172,169,120)\n", "172 169 120", "\n[120, 49, 3]\n\n"] {
        assert_eq!(stdout(from(text, "file")), p);
        assert_eq!(stdout(from(text, "-")), p);
    }
    // Far out row 5 has offset 4 for ever (2005 paper, section 8).
    let zeros = "0".repeat(999_998);
    let (p, q) = (format!("1{zeros}4"), format!("1{zeros}0"));
    let began = std::time::Instant::now();
    let answer = stdout(from(&format!("{p} {q} 5"), "-"));
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    let nines = "9".repeat(999_998);
    let words = format!("({p},{q},5) = [5,{nines}5,4] is a P-position.\n");
    assert!(answer.starts_with(&words), "{}", &answer[answer.len() - 400..]);

    // Messages show a little of them.
    for (text, words) in [
        (format!("{q} {p} 5"), "1000000 digits)) is longer than the row before it (1000000000"),
        (format!("{p} {q} 5x"), "\"5x\" in \"10000000000"),
        (format!("{p} {p} {p}"), "are too long"),
        (format!("({p},{p},{p}"), "brackets"),
        (
            "9".repeat(10_000_001),
            "the position in standard input is longer than 10000000 characters",
        ),
    ] {
        let refused = from(&text, "-").code(USAGE).stdout("").stderr(contains(words));
        assert!(refused.get_output().stderr.len() < 600, "{words}");
    }
    chomp("query 1 1 1 --from x").assert().code(USAGE);
    let nowhere = folder.path().join("nowhere");
    for (file, words) in [(nowhere.as_path(), "cannot read"), (folder.path(), "cannot read")] {
        chomp("query --from").arg(file).assert().code(INPUT_OR_OUTPUT).stderr(contains(words));
    }
}

#[test]
fn queries_that_are_none_are_refused() {
    for (position, words) in [
        ("3 5 1", "row 2 (5) is longer than the row before it (3)"),
        ("5 3 4", "row 3 (4) is longer than the row before it (3)"),
        ("0 0 0", "the empty board"),
        ("7 -4 3", "\"-4\" in \"7 -4 3\" is negative"),
        ("-1 0 0", "\"-1\" in \"-1 0 0\" is negative"),
        ("7 4 3 5 2", "row 4 (5) is longer than the row before it (3)"),
        ("7 4 x", "\"x\" in"),
        ("1,000,000 5 3", "is not a number of squares; commas separate row lengths"),
        ("1,000,000", "commas separate row lengths"),
        ("1e 4 3", "\"1e\" in"),
        ("x", "\"x\" lacks a number"),
        ("1,2,", "\"1,2,\" lacks a number"),
        ("[7,4,3", "brackets"),
        ("600000001 600000001 600000001", "rows go to"),
    ] {
        chomp("query")
            .args(position.split(' '))
            .assert()
            .code(USAGE)
            .stdout("")
            .stderr(contains(words));
    }
    let long = "9".repeat(30);
    chomp("query")
        .args([&long, &long, &long])
        .assert()
        .code(USAGE)
        .stderr(contains("are too long"));
    chomp("query").assert().code(USAGE);
}

#[test]
fn exports_go_to_stdout_or_whole_to_a_file() {
    let folder = data_set_to(130);
    let export =
        |arguments: &str| chomp("export").arg(folder.path()).args(arguments.split(' ')).assert();
    let csv = stdout(export("--format csv"));
    assert_eq!(csv.lines().count(), 132);
    assert!(csv.starts_with("row,kind,first,head_end,period,values,"), "{csv}");
    assert!(csv.contains("\n120,periodic,206,170,2,72 70,170,172,1,71,,8a21679c9ed36f2f\n"));

    let out = tempdir().unwrap();
    let file = out.path().join("rows.jsonl");
    let export_to = |path: &std::path::Path| {
        chomp("export --format jsonl").arg(folder.path()).arg("--out").arg(path).assert()
    };
    export_to(&file).success().stdout("").stderr(contains("wrote 131 rows"));
    assert_eq!(fs::read_to_string(&file).unwrap(), stdout(export("--format jsonl")));
    export_to(&file).success();
    export_to(&out.path().join("no/such/file"))
        .code(INPUT_OR_OUTPUT)
        .stderr(contains("cannot write").and(contains("there is no folder")));

    // A data set that turns out to be damaged leaves what was there before.
    fs::write(folder.path().join("rows-0000000-0000130.ron"), "damaged\n").unwrap();
    export_to(&file).code(INPUT_OR_OUTPUT);
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 131);
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 1, "nothing else is left there");
    chomp("export nowhere").assert().code(INPUT_OR_OUTPUT).stderr(contains("no data set"));
}

#[test]
fn coq_needs_offsets() {
    let folder = data_set_to(20);
    let file = folder.path().join("Records.v");
    let export =
        |out: &std::path::Path| chomp("export").arg(folder.path()).arg("--out").arg(out).assert();
    export(&file).code(USAGE).stderr(contains("chomp rows --full"));
    assert!(!file.exists());
}

/// Earlier builds wrote Parquet.
#[test]
fn parquet_is_made_from_csv() {
    let folder = data_set_to(20);
    let file = folder.path().join("rows.parquet");
    let line = "polars.read_csv(\"rows.csv\", infer_schema_length=None)\
                .write_parquet(\"rows.parquet\")";
    for options in ["--format parquet", "--format parquet --out", "--out"] {
        let mut command = chomp(&format!("export {options}"));
        if options.ends_with("--out") {
            command.arg(&file);
        }
        let refused = command.arg(folder.path()).assert().code(USAGE).stdout("");
        refused.stderr(starts_with("error: ").and(contains("is gone")).and(contains(line)));
    }
    assert!(!file.exists());
}

/// `outputs/`: the first terms of the b-files are compared; of the others only the form is tested.
#[test]
fn b_files_are_as_the_program_writes_them() {
    for name in NAMES {
        let file = format!("outputs/b{}.txt", &name[1..]);
        let committed = fs::read_to_string(workspace(&file)).unwrap();
        let terms = if name == "A147983" { 300 } else { 2000 };
        let computed = stdout(chomp(&format!("seq {name} --terms {terms}")).assert());
        assert!(
            committed.starts_with(&computed),
            "{file}: run `just outputs`, and look at what changed"
        );
        let first: u64 = u64::from(name == "A147983");
        let indices = committed.lines().map(|line| line.split_once(' ').unwrap().0.parse::<u64>());
        assert!(indices.map(Result::unwrap).eq(first..first + 10_000), "{file}");
    }
    let lists = fs::read_to_string(workspace("outputs/period-lists-10000.txt")).unwrap();
    assert_eq!(lists, fixtures::text("nivasch-lists.txt"));
}

/// The examples of docs/GUIDE.md in these languages, in order, in one folder: each prints the block
/// after it. Another test runs the blocks of `console`.
#[cfg(unix)]
fn run_examples(languages: &[&str]) {
    let folder = tempdir().unwrap();
    let text = fs::read_to_string(workspace("docs/GUIDE.md")).unwrap();
    let mut blocks = text
        .split("```")
        .skip(1)
        .step_by(2)
        .filter(|block| !["console", "bash", "bibtex"].iter().any(|name| block.starts_with(name)))
        .peekable();
    let mut ran = 0;
    while let Some(block) = blocks.next() {
        let (language, code) = block.split_once('\n').unwrap();
        let printed = blocks.next_if(|next| next.starts_with("text\n"));
        let expected = printed.map_or("", |next| next.strip_prefix("text\n").unwrap());
        if !languages.contains(&language) {
            continue;
        }
        if let Some(found) = run_example(language, code, folder.path()) {
            assert_eq!(found.trim_end(), expected.trim_end(), "{code}");
            ran += 1;
        }
    }
    assert!(ran >= 22, "the {ran} shell and plain Python examples always run");
}

#[cfg(unix)]
#[test]
fn the_examples_of_the_guide_are_true() {
    run_examples(&["sh", "python"]);
}

#[cfg(unix)]
#[test]
#[ignore = "needs Sage"]
fn the_examples_of_the_guide_are_true_with_sage() {
    run_examples(&["sh", "python", "sage"]);
}

#[cfg(unix)]
#[test]
#[ignore = "needs Mathematica"]
fn the_examples_of_the_guide_are_true_with_mathematica() {
    run_examples(&["sh", "python", "wolfram"]);
}

/// What an example prints; `None` if there is no pandas here.
#[cfg(unix)]
fn run_example(language: &str, code: &str, folder: &std::path::Path) -> Option<String> {
    use std::process::Command;

    let imports_pandas = || {
        let import = Command::new("python3").args(["-c", "import pandas"]).output();
        import.is_ok_and(|output| output.status.success())
    };
    if code.contains("pandas") && !imports_pandas() {
        fixtures::skip("python3 has no pandas for an example of docs/GUIDE.md");
        return None;
    }
    let (program, option) = match language {
        "sh" => ("sh", "-c"),
        "python" => ("python3", "-c"),
        "sage" => ("sage", "-c"),
        "wolfram" => ("wolframscript", "-code"),
        other => panic!("an example in {other}"),
    };
    let program_folder = assert_cmd::cargo::cargo_bin!("chomp").parent().unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let paths = std::iter::once(program_folder.to_owned()).chain(std::env::split_paths(&path));
    let output = Command::new(program)
        .args([option, code])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(paths).unwrap())
        .output()
        .unwrap();
    assert!(output.status.success(), "{code}\n{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// What is pasted from Python has another reading than Zeilberger's; a remark shows both.
#[test]
fn numbers_in_square_brackets_have_two_readings() {
    let read = |arguments: &str| chomp(arguments).assert().success();
    for command in ["query", "grundy", "moves"] {
        let both = contains("columns, (6,5,3); for the row lengths (3,2,1)");
        read(&format!("{command} [3,2,1]")).stderr(both);
        read(&format!("{command} [321]")).stderr(contains("columns").not());
    }
    read("query 7,5,3").stderr(contains("columns").not());
    assert_eq!(stdout(read("f 10,5")), stdout(read("f 10 5")));
    assert_eq!(stdout(read("query ∞ 5 3")), stdout(read("query ω 5 3")));
}

#[test]
fn a_data_set_is_not_written_over() {
    let folder = data_set_to(20);
    let names = ["MANIFEST.ron", "rows-0000000-0000020.ron"];
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let before = names.map(text);
    for name in names {
        let mut export = chomp("export --format csv --out");
        export.arg(folder.path().join(name)).arg(folder.path());
        export.assert().code(USAGE).stdout("").stderr(contains("the name of a file of a data set"));
    }
    assert_eq!(names.map(text), before);
    let beside = folder.path().join("rows.csv");
    chomp("export --out").arg(&beside).arg(folder.path()).assert().success();
    assert!(beside.exists());
}

#[test]
fn the_name_of_a_file_says_its_form() {
    let folder = data_set_to(20);
    let out = tempdir().unwrap();
    let export = |options: &str, file: &str| {
        let mut command = chomp(&format!("export {options} --out"));
        command.arg(out.path().join(file)).arg(folder.path()).assert()
    };
    for (options, file, start) in [
        ("", "a.csv", "row,"),
        ("", "a.JSONL", "{\"row\":0"),
        ("--format csv", "a.ron", "row,"),
        ("--format jsonl", "b.csv", "{\"row\":0"),
    ] {
        export(options, file).success();
        let text = fs::read_to_string(out.path().join(file)).unwrap();
        assert!(text.starts_with(start), "{file}: {text}");
    }
    for file in ["c.ron", "c"] {
        export("", file).code(2).stderr(contains("does not end in .csv"));
        assert!(!out.path().join(file).exists());
    }
}
