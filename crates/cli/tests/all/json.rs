//! What `--json` prints is what docs/chomp.schema.json says, and nothing else is.

use std::fs;

use assert_cmd::Command;
use jsonschema::Validator;
use serde_json::{Value, json};
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

/// The objects on the lines of a text, each as the definition says and as the whole schema does.
fn objects(name: &str, text: &str) -> Vec<Value> {
    let (one, any) = (definition(name), jsonschema::draft202012::new(&schema()).unwrap());
    let object = |line: &str| {
        let object: Value = serde_json::from_str(line).unwrap();
        let errors: Vec<String> = one
            .iter_errors(&object)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{name}: {line}\n{errors:#?}");
        assert!(any.is_valid(&object), "{line}");
        object
    };
    let objects: Vec<Value> = text.lines().map(object).collect();
    assert!(!objects.is_empty(), "{name}: nothing is printed");
    objects
}

fn printed(name: &str, arguments: &str) -> Vec<Value> {
    objects(name, &stdout(chomp(arguments).assert()))
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
    let bitten = |bite: &Value| bite["bitten"].as_u64().unwrap();
    assert!(of_board["winning_bites"].as_array().unwrap().iter().all(|bite| bitten(bite) <= 4));

    assert_eq!(printed("grundy", "grundy 1004 1000 5 --json")[0]["grundy"], 0);
    assert_eq!(printed("grundy", "grundy 8 8 8 --json")[0]["record"], Value::Null);
    // An offset is at most r + g + 1 (fact 12).
    let above = chomp("grundy 1000 700 5 --level 1 --json").assert().code(INCOMPLETE);
    let above = String::from_utf8(above.get_output().stdout.clone()).unwrap();
    let above = objects("grundy", &above).remove(0);
    assert_eq!((&above["grundy"], &above["at_least"]), (&Value::Null, &json!("294")));
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

/// A schema that accepts all would make the tests above worthless.
#[test]
fn other_objects_are_refused() {
    for (name, arguments) in [
        ("row", "show 5 --json"),
        ("row", "show 3 --json"),
        ("query", "query 7 5 3 --json"),
        ("grundy", "grundy 8 8 8 --json"),
        ("statistics", "stats --to 20 --json"),
    ] {
        let (schema, good) = (definition(name), printed(name, arguments).remove(0));
        for field in good.as_object().unwrap().keys() {
            let mut lacking = good.clone();
            lacking.as_object_mut().unwrap().remove(field);
            assert!(!schema.is_valid(&lacking), "{name} without {field}");
            let mut wrong = good.clone();
            wrong[field] = json!({ "other": 1 });
            assert!(!schema.is_valid(&wrong), "{name} with another {field}");
        }
        let mut more = good.clone();
        more["more"] = json!(1);
        assert!(!schema.is_valid(&more), "{name} with another field");
    }
    let schema = definition("row");
    let good = printed("row", "show 5 --json").remove(0);
    for (field, wrong) in [
        ("kind", json!("finite")),
        ("last", json!(7)),
        ("period", json!(0)),
        ("fingerprint", json!("12")),
        ("first", json!(9_007_199_254_740_992_u64)),
        ("first", json!("10")),
        ("start", json!(1.5)),
    ] {
        let mut row = good.clone();
        row[field] = wrong;
        assert!(!schema.is_valid(&row), "{row}");
    }
}

/// The examples of docs/JSON.md are of the shape that it describes, and its list of reasons has
/// those that the checker gives.
#[test]
fn the_document_has_the_same_shape() {
    let text = fs::read_to_string(workspace("docs/JSON.md")).unwrap();
    let any = jsonschema::draft202012::new(&schema()).unwrap();
    let examples: Vec<&str> = text.split("```json\n").skip(1).collect();
    assert!(examples.len() >= 2);
    for example in examples {
        let object: Value = serde_json::from_str(example.split("```").next().unwrap()).unwrap();
        assert!(any.is_valid(&object), "{object}");
    }
    let source = fs::read_to_string(workspace("crates/check/src/error.rs")).unwrap();
    let kinds = source.split("pub enum Why {").nth(1).unwrap().split("\n}\n").next().unwrap();
    let reasons: Vec<String> = kinds
        .lines()
        .filter_map(|line| {
            line.strip_prefix("    ").filter(|line| line.starts_with(char::is_uppercase))
        })
        .map(|line| {
            let name = line.trim_end_matches([',', ' ', '{']);
            let snake = name.chars().flat_map(|letter| {
                let before = letter.is_uppercase().then_some('_');
                before.into_iter().chain(letter.to_lowercase())
            });
            snake.collect::<String>().trim_start_matches('_').to_owned()
        })
        .collect();
    assert!(reasons.len() > 10, "{reasons:?}");
    for reason in reasons {
        assert!(text.contains(&format!("`{reason}`")), "docs/JSON.md lacks {reason}");
    }
}
