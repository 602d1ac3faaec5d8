//! `chomp grundy --level`, `chomp tail`, and the data sets that they write.

use std::fs;

use assert_cmd::Command;
use predicates::str::contains;
use tempfile::tempdir;

use crate::program::{INPUT_OR_OUTPUT, REFUTED, USAGE, stdout, workspace};

fn chomp() -> Command {
    crate::program::chomp("")
}

fn printed(arguments: &[&str]) -> String {
    stdout(chomp().args(arguments).assert())
}

#[test]
fn a_level_as_a_table() {
    // Level 2 has (3,0,0), (2,2,0); (2,1,1), (1,1,1); and so all later rows are empty.
    let expected = "row\tkind\tperiod\tstart\n0\tfinite\t0\t2\n1\tfinite\t0\t1\n2\tempty\t0\t1\n";
    assert_eq!(printed(&["grundy", "--level", "2", "--to", "2", "--tsv"]), expected);
    let both = printed(&["grundy", "--levels", "0..2", "--to", "2", "--tsv"]);
    assert!(both.starts_with("level\trow\tkind\tperiod\tstart\n0\t0\tperiodic\t1\t0\n"), "{both}");
    assert_eq!(both.lines().count(), 10);
}

/// With any number of threads, and the records of `chomp rows`.
#[test]
fn threads_and_levels_agree() {
    let arguments = ["grundy", "--levels", "0..3", "--to", "60"];
    let sweep = printed(&arguments);
    assert_eq!(printed(&[&arguments[..], &["--threads", "1"]].concat()), sweep);
    let folder = tempdir().unwrap();
    let rows = folder.path().join("rows");
    chomp().args(["rows", "--to", "60", "--out"]).arg(&rows).assert().success();
    let segment = fs::read_to_string(rows.join("rows-0000000-0000060.ron")).unwrap();
    let expected: Vec<&str> = segment.lines().skip(1).take(61).collect();
    let level_0 = printed(&["grundy", "--level", "0", "--to", "60"]);
    assert_eq!(level_0.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn tails_as_tables() {
    // (2,2,2,1) is a P-position.
    let expected =
        "tail\tkind\tperiod\tstart\n2,1\tfinite\t0\t2\n3,1\tempty\t0\t2\n4,1\tempty\t0\t2\n";
    assert_eq!(printed(&["tail", "2,1", "--to", "4", "--tsv"]), expected);
    assert_eq!(printed(&["tail", "()", "--tsv"]), "tail\tkind\tperiod\tstart\n0\tperiodic\t1\t0\n");
    let all = printed(&["tail", "--parts", "2", "--to", "12", "--tsv"]);
    assert_eq!(all.lines().count(), 1 + 91);
    let json: serde_json::Value =
        serde_json::from_str(&printed(&["tail", "3,1", "--json"])).unwrap();
    assert_eq!((&json["kind"], &json["empty_by"]), (&"empty".into(), &2.into()));
}

#[test]
fn data_sets_of_levels_and_tails_are_written_and_verified() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("levels");
    let write = || {
        let mut command = chomp();
        command.args(["grundy", "--levels", "0..2", "--to", "40", "--out"]).arg(&path);
        command
    };
    write().assert().success().stdout(contains("|     2 |   41 |    39 |      2 |        0 |"));
    let verdict = "Verified: levels 0 to 2, rows 0 to 40, depths structure, tails, heads.";
    chomp().arg("check").arg(&path).arg("--heads").assert().success().stdout(contains(verdict));
    // Again: nothing to do. Something else: not there.
    write().assert().success().stderr(contains("already; nothing to compute"));
    let mut other = chomp();
    other.args(["grundy", "--levels", "0..2", "--to", "50", "--out"]).arg(&path);
    let words = "holds levels 0 to 2, rows 0 to 40, not levels 0 to 2, rows 0 to 50, and is not \
                 extended to them; choose another folder with --out, or remove it";
    other.assert().code(INPUT_OR_OUTPUT).stderr(contains(words));
    write().arg("--full").assert().code(INPUT_OR_OUTPUT).stderr(contains("; leave out --full"));
    let mut rows = chomp();
    rows.args(["rows", "--to", "40", "--out"]).arg(&path);
    let words = "holds levels 0 to 2, rows 0 to 40, not level 0, rows 0 to 40, and is not extended";
    rows.assert().code(INPUT_OR_OUTPUT).stderr(contains(words));
    let mut some = chomp();
    some.arg("check").arg(&path).args(["--rows", "3..4"]);
    let words =
        "some of its rows were asked for; it holds levels 0 to 2, rows 0 to 40; leave out --rows";
    some.assert().code(USAGE).stderr(contains(words));
    let mut some = chomp();
    some.arg("check").arg(&path).args(["--rows", "3..4", "--json"]);
    some.assert().code(USAGE).stdout(contains(r#""verdict":"usage""#));
    // A forged row is named by its level.
    let segment = path.join("rows-0000000-0000122.ron");
    let text = fs::read_to_string(&segment).unwrap();
    let forged = text.replace("Empty(row: 7, level: 2, by: 1)", "Empty(row: 7, level: 2, by: 3)");
    assert_ne!(text, forged);
    let end = forged.rfind("End(").unwrap();
    let hash = |text: &str| blake3::hash(text.as_bytes()).to_string();
    let (old, new) = (hash(&text[..text.rfind("End(").unwrap()]), hash(&forged[..end]));
    fs::write(&segment, forged.replace(&old, &new)).unwrap();
    let manifest = path.join("MANIFEST.ron");
    let listed = fs::read_to_string(&manifest).unwrap().replace(&old, &new);
    fs::write(manifest, listed).unwrap();
    let mut heads = chomp();
    heads.arg("check").arg(&path).args(["--heads", "--json"]);
    let words =
        "row 7 of level 2, line 25 of rows-0000000-0000122.ron: by is 3, but the row is empty by 1";
    heads.assert().code(REFUTED).stdout(contains(words));
}

/// Answers from a data set of format 2 are those without one.
#[test]
fn data_sets_of_tails_answer_questions() {
    let folder = tempdir().unwrap();
    let write = |arguments: &str, name: &str| {
        let path = folder.path().join(name);
        let mut command = chomp();
        command.args(arguments.split(' ')).arg("--out").arg(&path).assert().success();
        path.to_str().unwrap().to_owned()
    };
    let tails = write("tail 5,4 --levels 0..1 --full", "tails");
    let rows = write("rows --to 5 --full", "rows");
    let ask = |question: &str, data: &str| {
        printed(&question.split(' ').chain(["--json", "--data", data]).collect::<Vec<_>>())
    };
    for question in ["show 5,4", "show 3,1", "query 7,5,5,4", "query 9,7,5,3", "query 4,4,2,2,0"] {
        let computed = printed(&question.split(' ').chain(["--json"]).collect::<Vec<_>>());
        let from = format!(r#"{{"folder":"{tails}","from":"data_set"}}"#);
        let read = ask(question, &tails).replace(&from, r#"{"folder":null,"from":"computed"}"#);
        assert_eq!(read, computed, "{question}");
    }
    // Cho 2018, proposition 3.10: [4557] is a P-position.
    let words = printed(&["query", "7,5,5,4", "--data", &tails]);
    assert!(words.contains("is a P-position") && words.contains("read from "), "{words}");
    // Of three rows, both formats say the same.
    for question in ["show 5", "query 9 6 5", "query 8 6 4", "query omega omega 4"] {
        let of_rows = ask(question, &rows).replace(&rows, &tails);
        assert_eq!(ask(question, &tails), of_rows, "{question}");
    }
    for (question, data, words) in [
        ("show 6", &tails, "holds levels 0 to 1, tails within (5,4), not row 6"),
        ("query 9 9 6", &tails, "tails within (5,4), not row 6"),
        ("query 9 9 6 1", &tails, "tails within (5,4), not tail (6,1)"),
        ("query 9 9 5 1", &rows, "holds rows 0 to 5 of three-rowed Chomp, not tail (5,1)"),
        ("show 3,2", &rows, "holds rows 0 to 5 of three-rowed Chomp, not tail (3,2)"),
    ] {
        let mut command = chomp();
        command.args(question.split(' ')).args(["--data", data]);
        command.assert().code(USAGE).stdout("").stderr(contains(words));
    }
}

/// Data sets of rows 0 to 130, of levels 0 and 1 of the same rows, and of tails within (12,3); all
/// with offsets.
struct DataSets {
    _folder: tempfile::TempDir,
    rows: String,
    levels: String,
    tails: String,
}

impl DataSets {
    fn new() -> Self {
        let folder = tempdir().unwrap();
        let write = |arguments: &str, name: &str| {
            let path = folder.path().join(name);
            let mut command = chomp();
            command.args(arguments.split(' ')).args(["--full", "--out"]).arg(&path);
            command.assert().success();
            path.to_str().unwrap().to_owned()
        };
        Self {
            rows: write("rows --to 130", "rows"),
            levels: write("grundy --levels 0..1 --to 130", "levels"),
            tails: write("tail 12,3", "tails"),
            _folder: folder,
        }
    }
}

/// The words of a question to a data set. To `export` the folder is no option.
fn words<'a>(question: &'a str, data: &'a str) -> Vec<&'a str> {
    let option = ["--data"].into_iter().filter(|_| !question.starts_with("export"));
    question.split(' ').chain(option).chain([data]).collect()
}

fn ask(question: &str, data: &str) -> String {
    printed(&words(question, data))
}

/// What is about rows of three-rowed Chomp reads those of level 0, and answers as from rows.
#[test]
fn families_hold_rows_of_three_rowed_chomp() {
    let sets = DataSets::new();
    for question in [
        "seq A029900 --terms 130",
        "seq A029899 --terms 60",
        "seq first-rows --terms 2",
        "why 120",
        "why --to 130",
        "f 1000 120",
    ] {
        let of_rows = ask(question, &sets.rows).replace(&sets.rows, &sets.levels);
        assert_eq!(ask(question, &sets.levels), of_rows, "{question}");
    }
    assert_eq!(
        ask("seq A029900 --terms 12", &sets.tails),
        printed(&["seq", "A029900", "--terms", "12"])
    );
    assert!(ask("why --to 12", &sets.tails).starts_with("Rows 0 to 12: read from "));
    let folder = tempdir().unwrap();
    for (figure, data) in [
        ("row 120", &sets.levels),
        ("settling 120", &sets.levels),
        ("periods --to 130", &sets.levels),
        ("row 12", &sets.tails),
    ] {
        let draw = |data: &str, name: &str| {
            let out = folder.path().join(name);
            let mut command = chomp();
            command.arg("plot").args(figure.split(' ')).args(["--data", data, "--out"]).arg(&out);
            command.assert().success();
            fs::read(out).unwrap()
        };
        assert_eq!(draw(data, "family.svg"), draw(&sets.rows, "rows.svg"), "{figure}");
    }
}

/// `export`, `periods` and `show` print all rows of a family, as `grundy` and `tail` find them.
/// `stats` has those of level 0.
#[test]
fn families_are_listed_whole() {
    let sets = DataSets::new();
    for (data, found) in [
        (&sets.levels, printed(&["grundy", "--levels", "0..1", "--to", "130", "--tsv"])),
        (
            &sets.tails,
            printed(&["tail", "--parts", "2", "--to", "12", "--levels", "0..0", "--tsv"]),
        ),
    ] {
        // Level, tail, kind, period, start.
        let is_within = |line: &&str| {
            let tail = line.split('\t').nth(1).unwrap();
            data == &sets.levels
                || tail.split(',').nth(1).is_none_or(|part| part.parse::<u8>().unwrap() <= 3)
        };
        let found: Vec<&str> = found.lines().skip(1).filter(is_within).collect();

        let export = ask("export --format csv", data);
        let mut lines = export.lines();
        let header = "level,tail,kind,first,head_end,period,values,certificate_from,\
                      certificate_recurs,certificate_modulus,certificate_filled,certificate_above,\
                      fingerprint,head";
        assert_eq!(lines.next(), Some(header));
        let exported: Vec<String> = lines
            .map(|line| {
                let fields: Vec<&str> = line.split(',').collect();
                let start = match fields[2] {
                    "empty" => fields[3].to_owned(),
                    "finite" => (fields[4].parse::<u64>().unwrap() - 1).to_string(),
                    _ => fields[4].to_owned(),
                };
                let tail =
                    if fields[1].is_empty() { "0".to_owned() } else { fields[1].replace(' ', ",") };
                [fields[0], &tail, fields[2], fields[5], &start].join("\t")
            })
            .collect();
        assert_eq!(exported, found);
        let json = ask("export --format jsonl", data);
        assert_eq!(json.lines().count(), found.len());

        let periods = ask("periods --period 1 --tsv", data);
        let mut lines = periods.lines();
        assert_eq!(lines.next(), Some("level\ttail\tstart\tperiod\tpattern"));
        let constant = found.iter().filter(|line| line.contains("\tperiodic\t1\t"));
        let starts = constant.map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let tail = if fields[1] == "0" { "" } else { fields[1] };
            format!("{}\t{tail}\t{}\t1\t0", fields[0], fields[4])
        });
        assert_eq!(lines.collect::<Vec<_>>(), starts.collect::<Vec<_>>());
    }
    let words = ask("stats --to 64", &sets.levels);
    let own = printed(&["stats", "--to", "64"]);
    let below_source = |words: &str| words.split_once('\n').unwrap().1.to_owned();
    assert_eq!(below_source(&words), below_source(&own));
    let shown = ask("show 119..120", &sets.levels);
    let titles: Vec<&str> = shown.lines().filter(|line| line.starts_with("row ")).collect();
    assert_eq!(
        titles,
        [
            "row 119 is periodic",
            "row 119 of level 1 is finite",
            "row 120 is periodic",
            "row 120 of level 1 is periodic",
        ]
    );
    let shown = ask("show 5..5", &sets.tails);
    assert!(shown.contains("row (5,3) is"), "{shown}");
}

/// A question without meaning gives an error of one sentence.
#[test]
fn families_refuse_what_has_no_meaning() {
    let sets = DataSets::new();
    for (question, message) in [
        ("periods --from 131", "holds levels 0 to 1, rows 0 to 130, not row 131"),
        (
            "export --format coq",
            "the checker in Coq knows rows of three-rowed Chomp at level 0, and row 0 of level 1 is none",
        ),
        ("seq A029900 --terms 132", "holds rows 0 to 130, and they have 131 of the 132 terms"),
        ("why 131", "holds levels 0 to 1, rows 0 to 130, not row 131"),
    ] {
        let mut command = chomp();
        command.args(words(question, &sets.levels));
        let refused = command.assert().failure().stderr(contains(message));
        assert!([Some(USAGE), Some(4)].contains(&refused.get_output().status.code()), "{question}");
    }
}

/// `outputs/`, written anew: of tails the first ones.
#[test]
fn the_outputs_are_what_is_printed() {
    let committed = |name: &str| fs::read_to_string(workspace(&format!("outputs/{name}"))).unwrap();
    for (arguments, name) in [
        (["grundy", "--levels", "0..6", "--to", "1000", "--tsv"], "levels-1000.tsv"),
        (["grundy", "--levels", "0..3", "--to", "2000", "--tsv"], "levels-2000.tsv"),
        (["tail", "--parts", "2", "--to", "50", "--tsv"], "tails-100.tsv"),
        (["tail", "--parts", "3", "--to", "15", "--tsv"], "tails-75.tsv"),
    ] {
        let found = printed(&arguments);
        assert!(committed(name).starts_with(&found), "{name}");
        let whole = name.starts_with("levels");
        assert!(!whole || committed(name) == found, "{name}");
    }
    let document = committed("LEVELS.md");
    assert!(document.starts_with(&committed("levels.txt")));
    assert_eq!(document.matches("Assumed: nothing.").count(), 4);
}

#[test]
fn what_makes_no_sense_is_a_usage_error() {
    for (arguments, words) in [
        (&["grundy", "--to", "5"][..], "--level"),
        (&["grundy", "--levels", "3..1", "--to", "5"], "past the last"),
        (&["grundy", "--level", "9999999", "--to", "5"], "levels go to"),
        (&["tail", "2,3"], "begins with its longest row; type 3,2"),
        (&["tail", "3,2", "--to", "2"], "past --to 2"),
        (&["tail", "()", "--to", "2"], "no first part"),
        (&["tail", "--parts", "2"], "--to"),
        (&["tail", "--parts", "40", "--to", "1000"], "2^32 rows or more"),
        (&["grundy", "20x20"], "neither a table nor rows of levels give this Grundy value"),
        (&["grundy", "20x20"], "Boards to about 14x14 have a table"),
    ] {
        chomp().args(arguments).assert().code(USAGE).stderr(contains(words));
    }
}
