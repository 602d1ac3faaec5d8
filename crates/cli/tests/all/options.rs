//! Combinations of options: those without effect are refused, the others work.

use std::fs;

use predicates::str::{contains, is_empty};
use serde_json::json;
use tempfile::tempdir;

use crate::json::objects;
use crate::program::{INPUT_OR_OUTPUT, USAGE, chomp, data_set_to, stdout, workspace};

/// Each of these has an option that would do nothing, or that contradicts another. `DATA` is a data
/// set of rows 0 to 20, `OUT` a folder that is not there.
const REFUSED: &[&str] = &[
    "query 3x2x2 --data DATA",
    "query 3x2x2 --threads 2",
    "query --grundy 5 3 --by table --level 3",
    "positions --to 5 --families - --json",
    "rows --to 9 --out OUT --full --threads 2",
    "rows --to 9 --out OUT --full --kernel portable",
    "rows --to 9 --out OUT --full --checkpoint 1s",
    "rows --to 9 --out OUT --full --spill OUT2",
    "rows --to 9 --out OUT --engine literal --memory 1G",
    "rows --to 9 --out OUT --full --memory 1G",
    "rows --to 9 --out OUT --engine literal --spill OUT2",
    "rows --to 9 --out OUT --engine literal --threads 2",
    "rows --to 9 --out OUT --engine literal --kernel avx2",
    "rows --to 9 --out OUT --engine literal --checkpoint 1s",
    "check DATA --rows 9..8",
    "show 3,2 --data DATA",
    "show 5 --json --full",
    "periods",
    "periods --from 3",
    "periods --data DATA --threads 2",
    "periods --data DATA --to 21",
    "periods --data DATA --from 21",
    "periods --to 9 --from 10",
    "periods --to 9 --tsv --json",
    "grundy --to 9",
    "grundy --level 1",
    "grundy --level 1 --levels 0..1 --to 9",
    "grundy --level 1 --to 9 --tsv --json",
    "grundy --level 1 --to 9 --tsv --full",
    "grundy --levels 0..1 --to 9 --out OUT --json",
    "grundy --levels 0..1 --to 9 --out OUT --tsv",
    "grundy --levels 1..2 --to 9 --out OUT",
    "grundy --level 1 --to 9 --by table",
    "grundy 3 2 1 --levels 0..1",
    "grundy 3 2 1 --to 9",
    "grundy 3 2 1 --tsv",
    "grundy 3 2 1 --full",
    "grundy 3 2 1 --out OUT",
    "tail 3,2 --parts 2 --to 9",
    "tail --parts 2",
    "tail () --to 9",
    "tail 3,2 --level 1 --levels 0..1",
    "tail 3,2 --levels 1..2 --out OUT",
    "tail 3,2 --tsv --json",
    "tail 3,2 --tsv --full",
    "family --describe",
    "family --tsv",
    "family --maple",
    "family --json",
    "family --out OUT",
    "family --levels 0..1",
    "family --threads 2",
    "family tails 3 --describe --threads 2",
    "seq --terms 9",
    "seq --data DATA",
    "seq --threads 2",
    "seq A029900 --data DATA --threads 2",
    "seq A112470 --data DATA",
    "seq A112470 --threads 2",
    "seq A069001 --data DATA",
    "show 5 --latex --sage",
    "show 3..5 --maple --json",
    "query 3 2 1 --proof --json",
    "query ωxω --proof",
    "query 3 2 1 --from FILE",
    "query 3 2 1 --data DATA --threads 2",
    "query 3 2 1 1 --data DATA",
    "board --list",
    "board 3x4 --list --svg OUT",
    "board 3x4 --openings 3",
    "board --openings 3x4 --keep OUT",
    "board --openings 4x3",
    "board --openings 3,2",
    "board --openings 3 --svg OUT",
    "board --openings 3 --list",
    "board 3x4 --resume OUT",
    "board 3x4 --verify 9",
    "positions",
    "positions --to 9 --tsv --json",
    "positions --to 9 --from 3",
    "positions --to 9 --format csv",
    "positions --to 9 --keep OUT --from 3",
    "positions --to 9 --keep OUT --format csv",
    "positions --to 9 --check --from 3",
    "positions --to 9 --check --format csv",
    "positions --to 9 --families OUT --from 3",
    "positions --to 9 --out - --tsv",
    "positions --to 9 --out - --json",
    "positions --to 9 --out - --at 3",
    "positions --to 9 --json --at 3",
    "positions --to 9 --at 10",
    "positions --to 9 --out OUT.csv --check",
    "positions --rows 3 --to 9 --lengths 2",
    "positions --to 9 --out OUT.csv --lengths 2",
    "positions --rows 3 --to 9 --out OUT.csv --lengths 2 --at 3",
    "positions --to 9 --out OUT.csv --keep OUT2",
    "positions --to 9 --check --keep OUT2",
    "seq A395126 --data DATA",
    "poset --json",
    "poset --grundy",
    "poset --memory 9M",
    "poset --strategy",
    "poset --after x",
    "poset --dot OUT",
    "poset chains 2 2 --strategy --memory 9M",
    "poset chains 2 2 --strategy --grundy",
    "poset chains 2 2 --strategy --dot OUT",
    "poset chains 2 2 --strategy --after (2,1)",
    "stats",
    "stats --data DATA --cells",
    "stats --data DATA --threads 2",
    "stats --data DATA --to 21",
    "plot row 5 --out OUT.pdf",
    "plot row 5 --out OUT.png",
    "plot strips --to 20 --out OUT.svg --tsv OUT.svg",
    "reproduce --data DATA --to 21",
    "reproduce garg-seven --to 9 --cells 5",
    "reproduce garg-seven --to 9 --four-rows 600",
    "reproduce garg-seven --to 9 --posets",
    "reproduce garg-seven --data DATA --threads 2",
    "completions bash --quiet",
    "man -q",
    "help -q",
    "help --progress json",
];

/// The same options where they do something.
const ACCEPTED: &[&str] = &[
    "rows --to 9 --out OUT --threads 2 --kernel portable --checkpoint 1s --engine sweep",
    "rows --to 9 --out OUT --spill OUT2 --memory 64M",
    "rows --to 9 --out OUT --memory 64M",
    "rows --to 9 --out OUT --spill OUT2",
    "reproduce 2005-8.3-largest --data DATA --cells 5 --threads 2",
    "reproduce garg-extending --to 9 --four-rows 501",
    "periods --data DATA --to 20 --from 20",
    "grundy --levels 1..2 --to 9 --tsv --threads 2",
    "grundy 3 2 1 --level 3 --threads 2",
    "tail 3,2 --levels 1..2 --full --json",
    "seq A069001 --terms 9 --threads 2",
    "seq A112470 --terms 9",
    "seq A395126 --terms 9 --threads 2",
    "positions --to 9 --rows 3 --at 1,5,9 --tsv --memory 64M --threads 2 --check",
    "positions --to 9 --out OUT.csv --from 3 --json",
    "positions --to 9 --out - --from 3 --format csv",
    "positions --to 9 --keep OUT2",
    "query 3 2 1 1 --threads 2",
    "poset chains 2 2 --strategy --json",
    "stats --to 9 --cells --threads 2",
    "stats --data DATA --to 9 --json",
    "plot row 5 --out OUT.svg -q",
    "show 5 --json --full --data DATA",
    "completions bash",
];

fn run(arguments: &str, data: &std::path::Path, out: &std::path::Path) -> assert_cmd::Command {
    let words = arguments.replace("DATA", data.to_str().unwrap());
    chomp(&words.replace("OUT", out.to_str().unwrap()))
}

#[test]
fn options_that_do_nothing_are_refused() {
    let (data, folder) = (data_set_to(20), tempdir().unwrap());
    let mut wrong = Vec::new();
    for arguments in REFUSED {
        let out = folder.path().join("new");
        let assert = run(arguments, data.path(), &out).assert();
        let output = assert.get_output();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_refused = output.status.code() == Some(USAGE) && output.stdout.is_empty();
        if !is_refused || !words.starts_with("error: ") {
            wrong.push(format!("{arguments}: {words}"));
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{arguments} leaves something");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for arguments in ACCEPTED {
        run(arguments, data.path(), &folder.path().join("new")).assert().success();
    }
}

#[test]
fn quiet_is_quiet_and_errors_show() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("rows");
    for arguments in [
        "-q rows --to 300 --out OUT",
        "rows --to 400 --out OUT -q",
        "--quiet rows --to 400 --out OUT",
        "board 3x4 -q",
        "periods --to 20 --quiet",
        "export OUT --out OUT/../rows.csv -q",
        "grundy --levels 0..1 --to 9 --out OUT/../levels -q",
        "plot table 9 --out - -q",
    ] {
        run(arguments, &out, &out).assert().success().stderr(is_empty());
    }
    // Without it there is something to be quiet about.
    chomp("periods --to 20").assert().success().stderr(contains("no row from 0 to 20"));
    let none = chomp("show 5,1 --period 1").assert().success();
    none.stderr(contains("tail (5,1) does not have period 1"));
    chomp("board 3x4").assert().success().stderr(contains("solved in"));
    chomp("-q check nowhere").assert().code(INPUT_OR_OUTPUT).stderr(contains("error: there is no"));
    let mut debug = chomp("-q periods --to 20");
    debug.env("CHOMP_LOG", "debug").assert().success().stderr(is_empty());
}

/// The last object says that all is done; with other messages off, every line is an object.
#[test]
fn progress_is_printed_for_programs() {
    let folder = tempdir().unwrap();
    let mut command = chomp("rows --to 3000 --progress json --out");
    let command = command.arg(folder.path()).env("CHOMP_LOG", "warn");
    let printed = command.assert().success().get_output().stderr.clone();
    let objects = objects("progress", &String::from_utf8(printed).unwrap());
    let last = &objects.last().unwrap()["progress"];
    assert_eq!(
        [&last["unit"], &last["done"], &last["all"]],
        [&json!("row"), &json!(3001), &json!(3001)]
    );
    chomp("-q periods --to 20 --progress json").assert().code(USAGE);
    chomp("periods --to 20 --progress xml").assert().code(USAGE).stderr(contains("json"));
}

/// Rows 402, 422, 424 are those of Brouwer's table between 401 and 500.
#[test]
fn rows_begin_and_end_where_they_are_asked_to() {
    let data = data_set_to(600);
    let read = |arguments: &str| stdout(chomp(arguments).arg("--data").arg(data.path()).assert());
    let rows = |text: &str| -> Vec<String> {
        text.lines().skip(1).map(|line| line.split('\t').next().unwrap().to_owned()).collect()
    };
    let computed = stdout(chomp("periods --from 401 --to 500 --tsv").assert());
    assert_eq!(rows(&computed), ["402", "422", "424"]);
    assert_eq!(read("periods --from 401 --to 500 --tsv"), computed);
    assert_eq!(rows(&read("periods --from 586 --tsv")), ["593"]);
    let none = chomp("periods --from 121 --to 399").assert().success();
    none.stderr(contains("no row from 121 to 399 has a period of 2 or more"));
    let parts = |text: String| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(parts(read("stats --to 300")), parts(stdout(chomp("stats --to 300").assert())));
    let mut larger = chomp("stats --to 601 --data");
    let refused = larger.arg(data.path()).assert().code(USAGE);
    refused.stderr(contains("holds rows 0 to 600, not row 601"));
}

#[test]
fn sequences_have_short_names() {
    let full = stdout(chomp("seq A029900 --terms 5").assert());
    for name in ["29900", "a029900", "029900", "A29900"] {
        assert_eq!(stdout(chomp(&format!("seq {name} --terms 5")).assert()), full);
    }
    for name in ["A000045", "45", "A", "", "A0299000", "B029900", "Ω"] {
        let mut refused = chomp("seq");
        refused.arg(name).assert().code(USAGE).stderr(contains("chomp seq"));
    }
}

/// Lists of what can be named.
#[test]
fn lists_are_100_columns_wide() {
    for list in ["family", "poset", "seq", "help"] {
        let text = stdout(chomp(list).assert());
        let widest = text.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 100, "chomp {list}: {widest}");
    }
    // A long entry continues below its beginning.
    let list = stdout(chomp("family").assert());
    let entry: Vec<&str> = list.lines().skip_while(|line| !line.starts_with("skew")).collect();
    let start = entry[0].find("three rows").unwrap();
    assert!(entry[1].starts_with(&" ".repeat(start)) && !entry[1][start..].starts_with(' '));
    let words = list.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("K and J may be negative; Chomp is skew R 0 0"), "{list}");
}

/// The names of all commands, in the order of the help.
pub fn commands() -> Vec<String> {
    let help = stdout(chomp("help").assert());
    let names = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names: Vec<String> = names
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect();
    assert!(names.len() > 12, "{names:?}");
    names
}

#[test]
fn help_is_80_columns_wide_where_there_is_no_terminal() {
    for name in commands().iter().filter(|name| *name != "help") {
        for help in ["-h", "--help"] {
            let text = stdout(chomp(&format!("{name} {help}")).assert());
            assert!(text.contains("Usage: chomp"), "{name} {help}: {text}");
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= 80 && widest > 60, "{name} {help}: {widest} columns");
        }
    }
}

/// An installed program has none of the documents. The manual page has all help texts.
#[test]
fn help_names_no_file_that_an_installed_program_lacks() {
    let page = stdout(chomp("man").assert()).replace("\\-", "-");
    assert!(page.lines().count() > 500);
    for folder in ["docs/", "proofs/", "outputs/", "crates/", "testdata/"] {
        let line = page.lines().find(|line| line.contains(folder));
        assert_eq!(line.filter(|line| !line.contains("cargo install")), None);
    }
}

/// The subjects of `chomp help` are parts of the documents.
#[test]
fn help_has_texts_on_subjects() {
    let own = |name: &str| {
        let path = workspace(&format!("crates/cli/src/commands/help/{name}.md"));
        fs::read_to_string(path).unwrap()
    };
    let document = |name: &str| fs::read_to_string(workspace(name)).unwrap();
    assert!(document("docs/GUIDE.md").contains(&own("notation")), "copy the section of the guide");
    assert!(document("docs/ARCHITECTURE.md").contains(&own("words")), "copy the section on words");
    assert_eq!(document("docs/JSON.md"), own("json"), "copy docs/JSON.md");
    for (subject, words) in [
        ("notation", "| `4x7`, `4×7`, `4⊗7` |"),
        ("words", "| tail | the rows of a board below its two longest"),
        ("json", "A fingerprint is a string of 16 hexadecimal digits"),
    ] {
        let text = stdout(chomp(&format!("help {subject}")).assert());
        assert!(text.contains(words) && !text.contains("](#"), "{subject}: {text}");
    }
    let help = stdout(chomp("help").assert());
    let subjects = help.lines().find(|line| line.starts_with("Subjects")).expect("they are listed");
    for subject in ["notation", "words", "json"] {
        assert!(subjects.contains(&format!("chomp help {subject}")), "{subjects}");
    }
    let refused = chomp("help nothing").assert().code(USAGE);
    refused.stderr(contains("there is no command or subject \"nothing\""));
    // `chomp help COMMAND` prints the same as `chomp COMMAND --help`.
    assert_eq!(stdout(chomp("help rows").assert()), stdout(chomp("rows --help").assert()));
}

/// Errors of every part of the program begin with `error: `, and quote the typed text in double
/// quotes.
#[test]
fn errors_begin_and_quote_alike() {
    for (arguments, words) in [
        ("rows --to x", "error: invalid value \"x\" for \"--to <R>\": "),
        ("show x", "error: \"x\" lacks a number"),
        ("query 7 x", "error: \"7 x\" lacks a number"),
        ("rows --to 1,000 --out nowhere", "without commas"),
        ("grundy", "  <P Q R ...>"),
        ("grundy --level 1", "  <P Q R ...>"),
        ("grundy --to 9", "error: the following required arguments were not provided"),
    ] {
        chomp(arguments).assert().code(USAGE).stdout("").stderr(contains(words));
    }
}
