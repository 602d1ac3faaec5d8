//! The output of `--json` fits docs/chomp.schema.json, and other objects do not.

use std::collections::BTreeSet;
use std::fs;

use assert_cmd::Command;
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use tempfile::{TempDir, tempdir};

use crate::program::{
    INCOMPLETE, INPUT_OR_OUTPUT, REFUTED, USAGE, chomp, data_set_to, stdout, workspace,
};

fn schema() -> Value {
    let text = fs::read_to_string(workspace("docs/chomp.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The schema of one of the definitions.
fn definition(name: &str) -> Validator {
    let mut schema = schema();
    assert!(schema["$defs"][name].is_object(), "{name} is defined");
    schema["anyOf"] = json!([{ "$ref": format!("#/$defs/{name}") }]);
    jsonschema::draft202012::new(&schema).unwrap()
}

/// The schema that accepts what just one of the definitions does.
fn just_one() -> Validator {
    let mut schema = schema();
    schema["oneOf"] = schema["anyOf"].take();
    schema.as_object_mut().unwrap().remove("anyOf");
    jsonschema::draft202012::new(&schema).unwrap()
}

/// The objects on the lines of a text, each as the definition says and as no other does.
pub fn objects(name: &str, text: &str) -> Vec<Value> {
    let (one, just_one) = (definition(name), just_one());
    let object = |line: &str| {
        let object: Value = serde_json::from_str(line).unwrap();
        let errors: Vec<String> = one
            .iter_errors(&object)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{name}: {line}\n{errors:#?}");
        assert!(just_one.is_valid(&object), "{line}");
        object
    };
    let objects: Vec<Value> = text.lines().map(object).collect();
    assert!(!objects.is_empty(), "{name}: nothing is printed");
    objects
}

/// The lines of a text are objects, each as just one of the definitions says.
pub fn require_objects(text: &str) {
    let just_one = just_one();
    let fits = |line: &str| serde_json::from_str(line).is_ok_and(|value| just_one.is_valid(&value));
    let wrong: Vec<&str> = text.lines().filter(|line| !fits(line)).collect();
    assert!(!text.is_empty() && wrong.is_empty(), "{wrong:#?}");
}

fn printed(name: &str, arguments: &str) -> Vec<Value> {
    objects(name, &stdout(chomp(arguments).assert()))
}

/// The output of a program that ends with another exit code than 0.
fn printed_with(code: i32, name: &str, arguments: &str) -> Vec<Value> {
    let printed = chomp(arguments).assert().code(code);
    objects(name, &String::from_utf8(printed.get_output().stdout.clone()).unwrap())
}

fn in_folder(arguments: &str, folder: &TempDir) -> Command {
    let path = folder.path().to_str().unwrap();
    let mut command = chomp("");
    command.args(arguments.split(' ').map(|word| if word == "DATA" { path } else { word }));
    command
}

#[test]
fn the_schema_is_one() {
    assert!(jsonschema::draft202012::meta::is_valid(&schema()));
}

/// Row 120 is that of Brouwer's page, row 3 that of Zeilberger's paper.
#[test]
fn rows_of_all_commands_have_one_shape() {
    let shown = printed("row", "show 120 --json").remove(0);
    assert_eq!((&shown["start"], &shown["period"]), (&json!(170), &json!(2)));
    assert_eq!((&shown["kind"], &shown["pattern"]), (&json!("periodic"), &json!([1, -1])));
    assert_eq!((&shown["tail"], &shown["level"]), (&json!([120]), &json!(0)));
    assert_eq!(shown["head"].as_array().unwrap().len(), 170 - 120);

    let mut abridged = shown.clone();
    abridged["head"] = Value::Null;
    assert_eq!(printed("row", "periods --to 130 --json"), [abridged.clone()]);
    assert!(printed("row", "tail 120 --json").contains(&abridged));
    assert!(printed("row", "grundy --level 0 --to 120 --json").contains(&abridged));
    for form in ["", " --full"] {
        let folder = tempdir().unwrap();
        let row = if form.is_empty() { &abridged } else { &shown };
        in_folder(&format!("rows --to 130{form} --out DATA"), &folder).assert().success();
        let export = stdout(in_folder("export DATA --format jsonl", &folder).assert());
        let rows = objects("row", &export);
        assert_eq!((rows.len(), &rows[120]), (131, row));
        let read = stdout(in_folder("show 120 --json --data DATA", &folder).assert());
        assert_eq!(objects("row", &read).first(), Some(row));
        let asked = stdout(in_folder("query 1000 900 120 --json --data DATA", &folder).assert());
        let answer = objects("query", &asked).remove(0);
        assert_eq!(answer["record"], abridged);
        assert_eq!(answer["source"]["from"], "data_set");
    }
    let several = printed("row", "show 118..120 --json");
    assert_eq!((several.len(), &several[2]), (3, &shown));
    let row_3 = printed("row", "show 3 --json").remove(0);
    assert_eq!((&row_3["kind"], &row_3["last"]), (&json!("finite"), &json!(5)));
    assert_eq!((&row_3["head_end"], &row_3["start"]), (&json!(6), &Value::Null));
}

/// (1,1,1) has the Grundy value 2, so the rows of level 2 from 2 on are empty by 1.
#[test]
fn rows_of_levels_and_tails_have_it_too() {
    let rows = printed("row", "grundy --levels 0..3 --to 6 --json");
    assert_eq!(rows.len(), 4 * 7);
    let empty = |row: &&Value| row["kind"] == "empty" && row["level"] == 2;
    let empty: Vec<&Value> = rows.iter().filter(empty).collect();
    assert_eq!(empty.len(), 5);
    assert!(empty.iter().all(|row| row["empty_by"] == 1 && row["head_end"] == 0));
    let tails = printed("row", "tail 3,2 --json");
    assert_eq!((&tails[0]["tail"], &tails[0]["row"]), (&json!([3, 2]), &Value::Null));
    assert_eq!(printed("row", "show 3,2 --json")[0]["values"], tails[0]["values"]);
}

#[test]
fn answers_have_rows_in_them() {
    for (position, bites) in
        [("7 5 3", 3), ("7 5 5 4", 0), ("ω ω 3", 2), ("ω 1000 5", 1), ("10 5 5", 0), ("1 0 0", 0)]
    {
        let answer = printed("query", &format!("query {position} --json")).remove(0);
        assert_eq!(answer["winning_bites"].as_array().unwrap().len(), bites, "{position}");
        assert_eq!(answer["outcome"], if bites == 0 { "P" } else { "N" }, "{position}");
        assert_eq!(answer["source"], json!({ "from": "computed", "folder": null }));
    }
    let of_board = printed("query", "query 6 5 5 5 --json").remove(0);
    let bites = of_board["winning_bites"].as_array().unwrap();
    assert!(
        bites.iter().all(|bite| ["1", "2", "3", "4"].map(Value::from).contains(&bite["square"][0]))
    );

    // From a rectangle. The 2005 paper, 7.1: the smallest one with two winning openings.
    let of_rectangle = printed("query", "query 8x10 --json").remove(0);
    assert_eq!(of_rectangle["winning_bites"].as_array().unwrap().len(), 2);
    assert_eq!(of_rectangle["record"], Value::Null);

    assert_eq!(printed("grundy", "grundy 1004 1000 5 --json")[0]["grundy"], 0);
    assert_eq!(printed("grundy", "grundy 8 8 8 --json")[0]["record"], Value::Null);
    // An offset is at most r + g + 1 (fact 12).
    let above = "grundy 1000 700 5 --by rows --level 1 --json";
    let above = printed_with(INCOMPLETE, "grundy", above).remove(0);
    assert_eq!((&above["grundy"], &above["at_least"]), (&Value::Null, &json!("294")));
}

/// f(10,5) is in the table of the 2005 paper; row 1 ends with (2,2,1).
#[test]
fn values_say_why_there_are_none() {
    let value = |arguments: &str, code| printed_with(code, "value", arguments).remove(0);
    let found = json!({ "q": "10", "tail": [5], "p": "14", "none": null });
    assert_eq!(value("f 10 5 --json", 0), found);
    for (arguments, none) in [
        ("f 3 5 --json", "before_first"),
        ("f 1e30 1 --json", "ended"),
        ("f 5 3,1 --json", "empty"),
    ] {
        let value = value(arguments, 1);
        assert_eq!((&value["p"], &value["none"]), (&Value::Null, &json!(none)), "{arguments}");
    }
}

/// Row 120 is the first of period 2 (Brouwer's page).
#[test]
fn a_run_has_a_summary() {
    let folder = tempdir().unwrap();
    let run = || {
        let printed = stdout(in_folder("rows --to 150 --out DATA --json", &folder).assert());
        objects("run", &printed).remove(0)
    };
    let computed = run();
    assert_eq!(computed["rows"], json!({ "first": 0, "last": 150 }));
    assert_eq!(computed["periods"][1], json!({ "period": 2, "first": 120, "rows": 1 }));
    assert_eq!((&computed["computed"], &computed["checkpoint"]), (&json!(true), &Value::Null));
    let held = run();
    assert_eq!((&held["computed"], &held["periods"]), (&json!(false), &computed["periods"]));
}

#[test]
fn statistics_say_where_rows_come_from() {
    let computed = printed("statistics", "stats --to 200 --cells --json").remove(0);
    assert!(computed["cells"].is_object() && computed["source"]["from"] == "computed");
    let folder = data_set_to(200);
    let read = stdout(in_folder("stats --data DATA --json", &folder).assert());
    let read = objects("statistics", &read).remove(0);
    assert_eq!(read["source"]["folder"], folder.path().to_str().unwrap());
    assert_eq!((&read["rows"], &read["cells"]), (&computed["rows"], &Value::Null));
}

fn verdict(arguments: &str, folder: &TempDir, code: i32) -> Value {
    let printed = in_folder(&format!("check DATA --json{arguments}"), folder).assert().code(code);
    let printed = String::from_utf8(printed.get_output().stdout.clone()).unwrap();
    objects("verdict", &printed).remove(0)
}

#[test]
fn a_verdict_is_fields() {
    let folder = data_set_to(130);
    let heads = verdict(" --heads", &folder, 0);
    assert_eq!(heads["verdict"], "verified");
    assert_eq!((&heads["depth"], &heads["assumed"]), (&json!("heads"), &json!([])));
    assert_eq!(heads["rows"], json!({ "first": 0, "last": 130 }));
    let words = stdout(in_folder("check --heads DATA", &folder).assert());
    assert_eq!(heads["words"], words);
    let some = verdict(" --rows 100..120", &folder, 0);
    assert_eq!(some["assumed"], json!(["heads", "least_starts", "states", "rows_below"]));
    let left_out = json!([{ "first": 0, "last": 99 }, { "first": 121, "last": 130 }]);
    assert_eq!(some["rows_not_checked"], left_out);
    assert_eq!(verdict(" --rows 7..900", &folder, USAGE)["problem"]["reason"], "no_such_rows");

    let forge = crate::program::forger(folder.path());
    let problem = |arguments: &str, code: i32| {
        let verdict = verdict(arguments, &folder, code);
        let of_code = [(REFUTED, "refuted"), (INCOMPLETE, "incomplete"), (3, "unreadable")];
        assert!(of_code.contains(&(code, verdict["verdict"].as_str().unwrap())), "{verdict}");
        let problem = &verdict["problem"];
        assert_eq!((&problem["row"], &problem["line"]), (&json!(120), &json!(122)), "{problem}");
        assert_eq!(problem["file"], "rows-0000000-0000130.ron");
        (problem["reason"].as_str().unwrap().to_owned(), problem["details"].clone())
    };
    // In column 170 row 120 has the offset 72, as Brouwer's table has it.
    forge("values: [72, 70]", "values: [70, 72]");
    let (reason, details) = problem("", REFUTED);
    assert_eq!(reason, "wrong_value");
    assert_eq!(details, json!({ "column": 170, "stated": 70, "computed": 72 }));
    forge("first: 206", "first: 207");
    assert_eq!(problem(" --heads", REFUTED).0, "wrong_first");
    forge("8a21679c9ed36f2f", "0000000000000001");
    let (reason, details) = problem(" --heads", REFUTED);
    assert_eq!(reason, "wrong_fingerprint");
    assert_eq!(details["stated"], "0000000000000001");
    forge("first: 206", "first: 1206");
    assert_eq!(problem("", REFUTED).0, "not_well_formed");
    forge("first: 206", "first: 2O6");
    assert_eq!(problem("", INPUT_OR_OUTPUT).0, "not_readable");
    forge("from: 170, recurs: 172", "from: 1073741994, recurs: 1073741996");
    assert_eq!(problem(" --heads", INCOMPLETE).0, "column");

    let empty = tempdir().unwrap();
    let none = verdict("", &empty, INPUT_OR_OUTPUT);
    assert_eq!(
        (&none["verdict"], &none["problem"]["reason"]),
        (&json!("unreadable"), &json!("no_data_set"))
    );

    let levels = tempdir().unwrap();
    in_folder("grundy --levels 0..2 --to 20 --out DATA", &levels).assert().success();
    let verified = verdict("", &levels, 0);
    assert_eq!(verified["family"], json!({ "level": 2, "within": [20] }));
    assert_eq!(verified["assumed"][0], "empty_rows");
    assert_eq!(verdict(" --rows 0..1", &levels, USAGE)["problem"]["reason"], "whole_family");

    let ideals = tempdir().unwrap();
    in_folder("family on chains 3 --levels 0..1 --out DATA", &ideals).assert().success();
    let relations = json!([
        "c[i] < d[i]",
        "d[1] < (1)",
        "d[2] < (2)",
        "d[3] < (3)",
        "(1)",
        "(2)",
        "(3)",
        "(1) < (2)",
        "(2) < (3)"
    ]);
    let verified = verdict(" --heads", &ideals, 0);
    assert_eq!(verified["family"], json!({ "level": 1, "poset": relations }));
    let segment = ideals.path().join("rows-0000000-0000007.ron");
    let text = fs::read_to_string(&segment).unwrap();
    fs::write(&segment, text.replacen("column: 1", "column: 2", 1)).unwrap();
    let damaged = verdict("", &ideals, INPUT_OR_OUTPUT);
    assert_eq!(damaged["verdict"], "unreadable");
}

/// The page has rows 120 and 402: their periods, their patterns and where these begin.
#[test]
fn an_explanation_has_the_rows_below() {
    let explanation = |row: u64| printed("explanation", &format!("why {row} --json")).remove(0);
    for (row, start, pattern) in
        [(120, 170, json!([1, -1])), (402, 571, json!([0, 1, 1, -2])), (5, 7, json!([0]))]
    {
        let why = explanation(row);
        assert_eq!((&why["row"], &why["start"]), (&json!(row), &json!(start)));
        assert_eq!(why["pattern"], pattern);
        assert_eq!(why["source"], json!({ "from": "computed", "folder": null }));
        let period = pattern.as_array().unwrap().len();
        assert_eq!((&why["period"], &why["doubts"]), (&json!(period), &json!([])));
        let hole = why["hole"].as_array().unwrap();
        let mut heights: Vec<&Value> = hole.iter().map(|column| &column["height"]).collect();
        let turn = heights.iter().position(|height| **height == pattern[0]).unwrap();
        heights.rotate_left(turn);
        assert!(heights.into_iter().eq(pattern.as_array().unwrap()), "{why}");
        let shown = printed("row", &format!("show {row} --json")).remove(0);
        assert_eq!(why["start"], shown["start"]);
        assert_eq!(why["hole"][0]["column"], shown["certificate"]["from"]);
    }
    // Row 119 is constant at the mean of row 120, and stands in its way.
    let why = explanation(120);
    let neighbour = json!([{ "row": 119, "start": 169, "heights": [0] }]);
    assert_eq!((&why["obstacles"], &why["companions"]), (&neighbour, &json!([])));
    assert_eq!((&why["cluster"], &why["word"]), (&neighbour, &json!("1:A")));
    // Of rows 399, 400 and 402 the first is constant.
    let why = explanation(402);
    let rows = |field: &str| -> Vec<u64> {
        why[field].as_array().unwrap().iter().map(|row| row["row"].as_u64().unwrap()).collect()
    };
    assert_eq!((rows("cluster"), rows("companions")), (vec![399, 400], vec![400]));
    chomp("why 3 --json").assert().code(USAGE).stdout("");
}

/// Rows and periods are those of Nivasch's lists.
#[test]
fn explanations_are_counted_by_word() {
    let found = printed("explanations", "why --to 900 --json").remove(0);
    assert_eq!(found["source"], json!({ "from": "computed", "folder": null }));
    assert_eq!((&found["last_row"], &found["not_explained"]), (&json!(900), &json!([])));
    let words = found["words"].as_array().unwrap();
    let with_period = |period: u64| -> u64 {
        let of = words.iter().filter(|word| word["periods"] == json!([period]));
        of.map(|word| word["rows"].as_u64().unwrap()).sum()
    };
    assert_eq!((with_period(2), with_period(4), &found["rows"]), (11, 5, &json!(16)));
    assert_eq!((&words[0]["word"], &words[0]["first"]), (&json!("1:A"), &json!(120)));

    let folder = data_set_to(130);
    let read = stdout(in_folder("why --json --data DATA", &folder).assert());
    let read = objects("explanations", &read).remove(0);
    assert_eq!(read["source"]["folder"], folder.path().to_str().unwrap());
    assert_eq!((&read["rows"], &read["last_row"]), (&json!(1), &json!(130)));
}

/// False records are not explained, and each reason has its details.
#[test]
fn what_is_not_explained_has_its_reasons() {
    let folder = data_set_to(130);
    let forge = crate::program::forger(folder.path());
    let why = |row: u64| {
        let printed = in_folder(&format!("why {row} --json --data DATA"), &folder).assert();
        objects("explanation", &stdout(printed)).remove(0)
    };
    let data = fs::read_to_string(folder.path().join("rows-0000000-0000130.ron")).unwrap();
    let line = |row: usize| data.lines().nth(row + 1).unwrap();
    let finite = |row: usize| {
        let last = row + 1;
        format!("Finite(row: {row}, first: {last}, last: {last}, head: \"0000000000000000\")")
    };
    let named = |reason: &str, details: Value| json!({ "reason": reason, "details": details });
    let at_170 = json!({ "column": 170 });
    let mut reasons = BTreeSet::new();
    let mut doubts = |why: &Value| {
        let doubts = why["doubts"].as_array().unwrap().clone();
        reasons.extend(doubts.iter().map(|doubt| doubt["reason"].as_str().unwrap().to_owned()));
        doubts
    };

    // The mean of row 120 is 71, 1 more than the number of finite rows below; row 2 is periodic.
    forge(line(2), &finite(2));
    assert_eq!(doubts(&why(120)), [named("other_mean", json!({ "expected": 72 }))]);
    let tally = stdout(in_folder("why --json --data DATA", &folder).assert());
    let tally = objects("explanations", &tally).remove(0);
    assert_eq!((&tally["rows"], &tally["not_explained"]), (&json!(1), &json!([why(120)])));
    // In column 170 row 120 has the offset 72, as Brouwer's table has it.
    forge("values: [72, 70]", "values: [70, 72]");
    assert_eq!(doubts(&why(120)), [named("other_offset", at_170.clone())]);
    // Then its state there lacks both 70 and 71.
    forge("recurs: 172, modulus: \"1\", filled: 71", "recurs: 172, modulus: \"1\", filled: 70");
    assert!(doubts(&why(120)).contains(&named("not_one_hole", at_170.clone())));
    // Without row 119, or with it at another height, nothing blocks the mean.
    forge(line(119), &finite(119));
    let without = doubts(&why(120));
    for doubt in [named("other_offset", at_170), named("other_word", json!({}))] {
        assert!(without.contains(&doubt), "{without:?}");
    }
    forge(line(119), &line(119).replace("values: [71]", "values: [70]"));
    assert!(doubts(&why(120)).contains(&named("no_law", json!({}))));
    // Row 115 is not in the cluster of row 120 if rows 116 to 119 are finite.
    let lines: Vec<&str> = (115..=119).map(line).collect();
    let (before, rest) = lines[0].split_once("values: [").unwrap();
    let lower = format!("{before}values: [71]{}", &rest[rest.find(']').unwrap() + 1..]);
    let (from, upper) = (lines.join("\n"), lines[1..4].join("\n"));
    forge(&from, &format!("{lower}\n{upper}\n{}", finite(119)));
    let stranger = named("not_in_cluster", json!({ "row": 115 }));
    assert!(doubts(&why(120)).contains(&stranger));
    // A periodic row right above one that moves has h = 2, and so no word.
    let above =
        line(119).replace("row: 119, first: 204, start: 169", "row: 121, first: 207, start: 172");
    forge(line(121), &above.replace("from: 169, recurs: 170", "from: 172, recurs: 173"));
    let against = why(121);
    assert_eq!((&against["word"], &against["choices"]), (&Value::Null, &Value::Null));
    let cluster = against["cluster"].as_array().unwrap();
    let cluster: Vec<&Value> = cluster.iter().map(|row| &row["row"]).collect();
    assert_eq!((cluster, &against["balls"]), (vec![&json!(119), &json!(120)], &Value::Null));
    // With two holes it would take out both balls, and not be constant.
    assert_eq!(against.get("holes"), None);
    let against = doubts(&against);
    for doubt in [named("no_law", json!({})), named("no_word", json!({}))] {
        assert!(against.contains(&doubt), "{against:?}");
    }

    let doubts = schema()["$defs"]["doubt"]["oneOf"].take();
    let reason = |doubt: &Value| doubt["properties"]["reason"]["const"].as_str().map(str::to_owned);
    let all: BTreeSet<String> = doubts.as_array().unwrap().iter().filter_map(reason).collect();
    assert_eq!(reasons, all);
}

/// Cho, proposition 3.10: [4557] is P, and the squares with his label 6 leave [3457]. Thompson and
/// Beeler found two winning openings of 8 x 10.
#[test]
fn boards_have_their_bites_or_a_strategy() {
    let lost = printed("board", "board [4557] --json").remove(0);
    assert_eq!(lost["position"], json!(["7", "5", "5", "4"]));
    assert_eq!((&lost["outcome"], &lost["winning_bites"]), (&json!("P"), &json!([])));
    let strategy = lost["strategy"].as_array().unwrap();
    let squares = json!([["3", "5"], ["4", "4"]]);
    let pair = strategy.iter().find(|pair| pair["squares"] == squares).unwrap();
    assert_eq!((&pair["leaves"], &pair["rule"]), (&json!(["7", "5", "4", "3"]), &Value::Null));
    // The rules are his propositions 2.1 to 2.3.
    for (leaves, rule) in [
        (json!(["6", "5"]), "two_rows"),
        (json!(["4", "1", "1", "1"]), "equal_wings"),
        (json!(["7", "5", "2"]), "two_top_row"),
    ] {
        let pair = strategy.iter().find(|pair| pair["leaves"] == leaves).unwrap();
        assert_eq!(pair["rule"], rule);
    }

    let won = printed("board", "board 8x10 --json").remove(0);
    assert_eq!((&won["outcome"], &won["strategy"]), (&json!("N"), &Value::Null));
    assert_eq!(won["winning_bites"].as_array().unwrap().len(), 2);
    // C(18, 8) boards, without the empty one.
    assert_eq!(won["rectangle"]["positions"], 43757);
    // A square leaves its two sides, and the mirror image then wins; 2 x n is lost without its
    // corner.
    for (board, bite) in [
        ("2x2", json!([["2", "2"], ["2", "1"]])),
        ("3x3", json!([["2", "2"], ["3", "1", "1"]])),
        ("2x9", json!([["2", "9"], ["9", "8"]])),
        ("4,4", json!([["2", "4"], ["4", "3"]])),
        ("5,3", json!([["1", "5"], ["4", "3"]])),
    ] {
        let board = printed("board", &format!("board {board} --json")).remove(0);
        let bites = board["winning_bites"].as_array().unwrap();
        let bites: Vec<Value> =
            bites.iter().map(|it| json!([it["square"], it["leaves"]])).collect();
        assert_eq!(bites, [bite]);
    }
    let poison = printed("board", "board 1x1 --json").remove(0);
    assert_eq!((&poison["outcome"], &poison["strategy"]), (&json!("P"), &json!([])));
}

/// Cho, summaries 1 and 2, to 3 x 4.
#[test]
fn positions_and_openings_are_lists() {
    let list = printed("p_positions", "board --list 3x4 --json").remove(0);
    let expected = json!([
        ["1"],
        ["2", "1"],
        ["2", "2", "1"],
        ["3", "1", "1"],
        ["3", "2"],
        ["4", "3"],
        ["4", "2", "2"]
    ]);
    assert_eq!(list["p_positions"], expected);
    // C(7, 3) boards, without the empty one.
    let rectangle = json!({ "rows": 3, "columns": 4, "positions": 34, "p_positions": 7 });
    assert_eq!(list["rectangle"], rectangle);

    let table = printed("openings", "board --openings 10 --json");
    assert_eq!(table.len(), 100);
    let openings = |rows: u64, columns: u64| {
        let of = |found: &&Value| found["rows"] == rows && found["columns"] == columns;
        table.iter().find(of).unwrap()["openings"].as_array().unwrap()
    };
    let p_positions: u64 = table.iter().map(|found| found["p_positions"].as_u64().unwrap()).sum();
    assert!(p_positions > 2612 && table[99]["p_positions"] == 2612);
    assert!(table.iter().all(|found| found["checksum"] == table[0]["checksum"]));
    assert!(openings(1, 1).is_empty());
    assert_eq!(openings(10, 10), &[json!(["2", "2"])]);
    assert_eq!((openings(8, 10).len(), openings(10, 8).len()), (2, 2));
    // Of 8 x 8, 8 x 9 and 8 x 10, from the P-positions of the last one.
    let along = printed("openings", "board --openings 8x10 --verify 20 --json");
    let both = along.iter().map(|found| (&found["columns"], &found["openings"]));
    let of_all = table.iter().filter(|found| found["rows"] == 8).skip(7);
    assert!(both.eq(of_all.map(|found| (&found["columns"], &found["openings"]))));
    assert!(along[0]["p_positions"].is_null() && along[0]["checksum"].is_null());
}

/// 2005 paper: who wins on chains, circuits, complete graphs, sets and solids, sections 2 to 6.
#[test]
fn posets_of_all_kinds_have_one_shape() {
    for (arguments, elements, poison, bites) in [
        ("poset solid octahedron", 27, Value::Null, json!(["solid"])),
        ("poset boolean 3", 8, json!("{}"), json!(["123"])),
        ("poset complete 4", 10, Value::Null, json!(["1", "2", "3", "4"])),
        ("poset complete 3", 6, Value::Null, json!([])),
        ("poset circuit 5", 10, Value::Null, json!([])),
        ("poset chains 2 2 2 --after (2,2,2)", 8, json!("(1,1,1)"), json!([])),
    ] {
        let poset = printed("poset", &format!("{arguments} --json")).remove(0);
        assert_eq!((&poset["elements"], &poset["poison"]), (&json!(elements), &poison));
        assert_eq!((&poset["winning_bites"], &poset["undecided_bites"]), (&bites, &json!([])));
        let lost = bites == json!([]);
        assert_eq!(poset["outcome"], if lost { "P" } else { "N" }, "{arguments}");
        assert_eq!(poset["grundy"] == 0, lost, "{arguments}");
        let left = if arguments.contains("--after") { 7 } else { elements };
        assert_eq!(poset["left"], left);
    }
    let folder = tempdir().unwrap();
    let (file, graph) = (folder.path().join("diamond.txt"), folder.path().join("graph.txt"));
    fs::write(&file, "0 < a\n0 < b\na < 1\nb < 1\n").unwrap();
    let diamond = stdout(chomp("poset --json").arg(&file).assert());
    let diamond = objects("poset", &diamond).remove(0);
    // This is 2 x 2, whose corner wins.
    assert_eq!((&diamond["poset"], &diamond["poison"]), (&json!("diamond.txt"), &json!("0")));
    assert_eq!(diamond["winning_bites"], json!(["1"]));
    fs::write(&graph, "u v\nv w\nw u\nx\n").unwrap();
    let graph = stdout(chomp("poset --json graph").arg(&graph).assert());
    let graph = objects("poset", &graph).remove(0);
    // A circuit is lost, and so is a forest of four vertices and two components.
    assert_eq!(graph["winning_bites"], json!(["x", "u-v", "v-w", "u-w"]));
}

/// Fact 10: 2 x ω is P; from ω x ω the bite at (2,2) wins, and leaves no product. A product that is
/// too large for a search is N by strategy stealing.
#[test]
fn products_have_one_coordinate_for_each_chain() {
    let product = |typed: &str| printed("product", &format!("board {typed} --json")).remove(0);
    assert_eq!(
        (&product("2xω")["outcome"], &product("2xω")["all_bites"]),
        (&json!("P"), &json!(true))
    );
    let bites = |typed: &str| product(typed)["winning_bites"].take();
    assert_eq!(bites("ωxω"), json!([{ "square": ["2", "2"], "leaves": null }]));
    assert_eq!(bites("5xω"), json!([{ "square": ["3", "1"], "leaves": ["2", "ω"] }]));
    let large = product("300x400x500");
    assert_eq!((&large["outcome"], &large["winning_bites"]), (&json!("N"), &json!([])));
}

/// The top of a 6-set wins. Of a 7-set nothing is found out in so little memory.
#[test]
fn a_search_that_ended_early_has_null() {
    let known = printed_with(INCOMPLETE, "poset", "poset boolean 6 --grundy --memory 1M --json");
    assert_eq!((&known[0]["outcome"], &known[0]["grundy"]), (&json!("N"), &Value::Null));
    assert_eq!(known[0]["winning_bites"], json!(["123456"]));
    let unknown = printed_with(INCOMPLETE, "poset", "poset subsets 7 3 --memory 64K --json");
    assert_eq!((&unknown[0]["outcome"], &unknown[0]["grundy"]), (&Value::Null, &Value::Null));
    let undecided = unknown[0]["undecided_bites"].as_array().unwrap();
    assert!(undecided.contains(&json!("123")));
}

/// 2005 paper, sections 3 and 5: circuits are lost, and (2,2) wins on a square.
#[test]
fn a_strategy_by_symmetry_has_a_bite_or_none() {
    let circuit = printed("symmetry_strategy", "poset circuit 2000 --strategy --json").remove(0);
    let expected = json!({
        "poset": "circuit 2000", "elements": 4000, "outcome": "P", "winning_bite": null,
        "involutions": 1,
    });
    assert_eq!(circuit, expected);
    let square = printed("symmetry_strategy", "poset chains 30 30 --strategy --json").remove(0);
    assert_eq!((&square["outcome"], &square["winning_bite"]), (&json!("N"), &json!("(2,2)")));
}

/// Of 2, 3, ... a bite at 3 leaves the chain 0, 2, 4 and a bite at 4 leaves 2 x 2. Of 3, 4, 5, ...
/// a bite at 3 leaves 0 with 4 and 5 above it, which are not comparable: P.
#[test]
fn what_a_bite_leaves_of_a_semigroup_is_a_poset() {
    for (words, outcome, grundy) in
        [("2 2 3", "N", 1), ("3 2 3", "N", 2), ("4 2 3", "N", 2), ("3 3 4 5", "P", 0)]
    {
        let poset = printed("poset", &format!("poset semigroup {words} --json")).remove(0);
        assert_eq!((&poset["outcome"], &poset["grundy"]), (&json!(outcome), &json!(grundy)));
    }
}

#[test]
fn claims_have_verdicts() {
    let asked = "reproduce 2005-3 2005-8.2 2003-take-over --to 130 --json";
    let found = printed("ledger", asked).remove(0);
    assert_eq!(found["source"], json!({ "from": "computed", "folder": null }));
    let claims = found["claims"].as_array().unwrap();
    for (verdict, number) in found["counts"].as_object().unwrap() {
        let with_verdict = claims.iter().filter(|claim| claim["verdict"] == *verdict).count();
        assert_eq!(number, with_verdict, "{verdict}");
    }
    assert!(claims.iter().all(|claim| claim["as_expected"] == true));
    let claim = |id: &str| claims.iter().find(|claim| claim["id"] == id).unwrap();
    // The claim is about row 782.
    assert_eq!(claim("2005-8.2-row-782")["verdict"], "out_of_reach");
    let circuits = claim("2005-3-circuits");
    assert_eq!(circuits["sources"], json!([{ "paper": "paper2005", "section": "3" }]));
    assert_eq!(circuits["verdict"], "confirmed");
    let take_over = claim("2003-take-over");
    // Row 120 is the first with a period above 1.
    assert_eq!((&take_over["reached"], &take_over["verdict"]), (&json!(130), &json!("vague")));

    let folder = data_set_to(130);
    let forge = crate::program::forger(folder.path());
    // The sequence of ends begins with 2.
    forge("first: 3, last: 2", "first: 3, last: 3");
    let refuted =
        in_folder("reproduce 2005-8.6 --json --data DATA", &folder).assert().code(REFUTED);
    let refuted = String::from_utf8(refuted.get_output().stdout.clone()).unwrap();
    let refuted = objects("ledger", &refuted).remove(0);
    assert_eq!(refuted["source"]["folder"], folder.path().to_str().unwrap());
    let claims = refuted["claims"].as_array().unwrap();
    let ends = claims.iter().find(|claim| claim["id"] == "2005-8.6-ends-terms").unwrap();
    assert_eq!((&ends["verdict"], &ends["as_expected"]), (&json!("wrong"), &json!(false)));
}

/// Numbers that no row computed here has: a record of another program may have them.
#[test]
fn integers_past_53_bits_are_strings() {
    let folder = data_set_to(130);
    let forge = crate::program::forger(folder.path());
    forge("recurs: 172", "recurs: 9007199254740992");
    let row = stdout(in_folder("show 120 --json --data DATA", &folder).assert());
    let row = objects("row", &row).remove(0);
    assert_eq!(row["certificate"]["recurs"], "9007199254740992");
    forge("recurs: 172", "recurs: 9007199254740990");
    let row = stdout(in_folder("show 120 --json --data DATA", &folder).assert());
    assert_eq!(objects("row", &row)[0]["certificate"]["recurs"], json!(9_007_199_254_740_990_u64));
}

/// The places of the objects in an object, and in the first item of each of its lists.
fn objects_in(value: &Value, place: &str, places: &mut Vec<String>) {
    let within: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), field)).collect(),
        Value::Array(items) => items.iter().take(1).map(|item| ("0".to_owned(), item)).collect(),
        _ => Vec::new(),
    };
    for (name, value) in within {
        let place = format!("{place}/{name}");
        objects_in(value, &place, places);
        if value.is_object() {
            places.push(place);
        }
    }
}

/// A schema that accepts all would make the tests above worthless.
#[test]
fn other_objects_are_refused() {
    for (name, arguments) in [
        ("row", "show 5 --json"),
        ("row", "show 3 --json"),
        ("query", "query 7 5 3 --json"),
        ("grundy", "grundy 8 8 8 --json"),
        ("moves", "moves 3 2 1 --json"),
        ("losers", "losers [{0}][{0,2},{1}]^oo --json"),
        ("value", "f 10 5 --json"),
        ("citation", "cite 5 --json"),
        ("explanation", "why 402 --json"),
        ("explanations", "why --to 402 --json"),
        ("board", "board [4557] --json"),
        ("board", "board 4x5 --json"),
        ("p_positions", "board --list 2x2 --json"),
        ("openings", "board --openings 1 --json"),
        ("positions", "positions --to 5 --check --json"),
        ("poset", "poset solid cube --json"),
        ("product", "board 2x2xω --json"),
        ("symmetry_strategy", "poset circuit 4 --strategy --json"),
        ("ledger", "reproduce 2005-8.2 2003-take-over page-a page-subsets-7 --to 9 --json"),
        ("statistics", "stats --to 20 --json"),
    ] {
        let (schema, good) = (definition(name), printed(name, arguments).remove(0));
        let mut places = vec![String::new()];
        // The objects in statistics may have any number of fields.
        if name != "statistics" {
            objects_in(&good, "", &mut places);
        }
        for place in &places {
            let at = |object: &mut Value, change: &dyn Fn(&mut Map<String, Value>)| {
                change(object.pointer_mut(place).unwrap().as_object_mut().unwrap());
            };
            for field in good.pointer(place).unwrap().as_object().unwrap().keys() {
                let mut lacking = good.clone();
                at(&mut lacking, &|object| drop(object.remove(field)));
                assert!(!schema.is_valid(&lacking), "{name}{place} without {field}");
                let mut wrong = good.clone();
                at(&mut wrong, &|object| object[field] = json!({ "other": 1 }));
                assert!(!schema.is_valid(&wrong), "{name}{place} with another {field}");
            }
            let mut more = good.clone();
            at(&mut more, &|object| drop(object.insert("more".to_owned(), json!(1))));
            assert!(!schema.is_valid(&more), "{name}{place} with another field");
        }
    }
}

/// Fields that are right one by one, and not together.
#[test]
fn objects_that_contradict_themselves_are_refused() {
    for (name, arguments, field, wrong) in [
        ("row", "show 5", "kind", json!("finite")),
        ("row", "show 5", "last", json!(7)),
        ("row", "show 5", "period", json!(0)),
        ("row", "show 5", "fingerprint", json!("12")),
        ("row", "show 5", "first", json!(9_007_199_254_740_992_u64)),
        ("row", "show 5", "first", json!("10")),
        ("row", "show 5", "start", json!(1.5)),
        ("explanation", "why 120", "word", Value::Null),
        ("explanation", "why 120", "choices", Value::Null),
        (
            "explanation",
            "why 120",
            "companions",
            json!([{ "row": 119, "start": 169, "heights": [0] }]),
        ),
        (
            "explanation",
            "why 120",
            "doubts",
            json!([{ "reason": "other_mean", "details": { "column": 1 } }]),
        ),
        ("board", "board 2,1", "outcome", json!("N")),
        ("board", "board 2,1", "strategy", Value::Null),
        ("board", "board 2,1", "position", json!([2, 1])),
        ("board", "board 2x2", "outcome", json!("P")),
        ("board", "board 2x2", "strategy", json!([])),
        ("product", "board 2xω", "outcome", json!("N")),
        (
            "product",
            "query ωxω",
            "winning_bites",
            json!([{ "square": ["0", "2"], "leaves": null }]),
        ),
        ("poset", "poset complete 3", "grundy", json!(1)),
        ("poset", "poset complete 3", "outcome", Value::Null),
        ("poset", "poset complete 3", "undecided_bites", json!(["1"])),
        ("poset", "poset complete 4", "winning_bites", json!([])),
        ("symmetry_strategy", "poset circuit 4 --strategy", "winning_bite", json!("1")),
    ] {
        let mut object = printed(name, &format!("{arguments} --json")).remove(0);
        object[field] = wrong;
        assert!(!definition(name).is_valid(&object), "{object}");
    }
}

/// Of counts the document only says that their fields are those of the report.
const OF_COUNTS: [&str; 20] = [
    "statistics",
    "row_statistics",
    "cell_statistics",
    "summary",
    "census",
    "certificate_extremes",
    "excess",
    "terms",
    "strip",
    "extreme",
    "occurrences",
    "ends",
    "complementarity",
    "monotonicity",
    "estimates",
    "periodic_rows",
    "period_count",
    "element_frequencies",
    "diagonal_frequencies",
    "row_minima",
];

/// The examples of docs/JSON.md are of the shape that it describes. It names all fields but those
/// of counts, and the reasons that the checker and explanations give.
#[test]
fn the_document_has_the_same_shape() {
    let text = fs::read_to_string(workspace("docs/JSON.md")).unwrap();
    let just_one = just_one();
    let examples: Vec<&str> = text.split("```json\n").skip(1).collect();
    assert!(examples.len() >= 8);
    for example in examples {
        let object: Value = serde_json::from_str(example.split("```").next().unwrap()).unwrap();
        assert!(just_one.is_valid(&object), "{object}");
    }
    for (name, definition) in schema()["$defs"].as_object().unwrap() {
        if OF_COUNTS.contains(&name.as_str()) {
            continue;
        }
        for (field, _) in definition["properties"].as_object().into_iter().flatten() {
            let named = [format!("`{field}`"), format!("\"{field}\":")];
            let named = named.iter().any(|field| text.contains(field));
            assert!(named, "docs/JSON.md lacks {field} of {name}");
        }
    }
    let hole = fs::read_to_string(workspace("crates/cascade/src/why/hole.rs")).unwrap();
    let doubts = variants(&hole, "pub enum Doubt {");
    let problems: Vec<String> = ["certificate", "tails", "stated", "lib", "family/heads"]
        .iter()
        .map(|file| fs::read_to_string(workspace(&format!("crates/check/src/{file}.rs"))).unwrap())
        .flat_map(|source| problems(&source))
        .collect();
    assert!(doubts.len() >= 7 && problems.len() >= 20, "{doubts:?}, {problems:?}");
    for reason in doubts.iter().chain(&problems) {
        assert!(text.contains(&format!("`{reason}`")), "docs/JSON.md lacks {reason}");
    }
}

/// The first texts of the calls that refute a record, or say that a limit was reached.
fn problems(source: &str) -> Vec<String> {
    let calls = source.split("refuted(").skip(1).chain(source.split("limit(").skip(1));
    calls.filter_map(|call| call.split('"').nth(1).map(str::to_owned)).collect()
}

/// The names of the kinds of an enum, as they are printed.
fn variants(source: &str, start: &str) -> Vec<String> {
    let kinds = source.split(start).nth(1).unwrap().split("\n}\n").next().unwrap();
    let kinds = kinds.lines().filter_map(|line| {
        line.strip_prefix("    ").filter(|line| line.starts_with(char::is_uppercase))
    });
    let snake = |line: &str| {
        let name = line.trim_end_matches([',', ' ', '{', '}']);
        let snake = name.chars().flat_map(|letter| {
            let before = letter.is_uppercase().then_some('_');
            before.into_iter().chain(letter.to_lowercase())
        });
        snake.collect::<String>().trim_start_matches('_').to_owned()
    };
    kinds.map(snake).collect()
}
