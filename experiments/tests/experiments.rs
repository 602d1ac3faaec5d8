//! The program.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use record::Record;
use record::data_set::DataSet;
use tempfile::TempDir;

const USAGE: i32 = 2;
const INPUT_OR_OUTPUT: i32 = 3;

fn experiments(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_experiments"));
    command.args(arguments.split_whitespace());
    command
}

fn stdout(run: Assert) -> String {
    String::from_utf8(run.success().get_output().stdout.clone()).unwrap()
}

fn workspace(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(path)
}

fn file(text: &str) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("perturbed.ron");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

/// The cells of the lines that the command prints with these arguments.
fn lines(arguments: &str) -> Vec<Vec<String>> {
    let printed = stdout(experiments(&format!("perturbed {arguments}")).assert().success());
    printed.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// With nothing blocked from the outset, the rows are those of the certified records.
#[test]
fn an_empty_perturbation_is_chomp() {
    let (_folder, path) = file("Perturbation(diagonal: [], cells: [])");
    let printed =
        stdout(experiments(&format!("perturbed {path} --to 410 --rows")).assert().success());
    let lines = printed.lines().filter(|line| !line.starts_with('#')).skip(1);
    let found: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
    let data_set = DataSet::open(&workspace("outputs/rows-10000")).unwrap();
    let expected: Vec<Record> = data_set.rows().take(411).map(Result::unwrap).collect();
    assert_eq!(found.len(), expected.len());
    for (line, record) in found.iter().zip(&expected) {
        assert_eq!(line[0], record.row().to_string());
        let (kind, end, period, mean) = match (record.periodic(), record.finite()) {
            (Some(row), _) => {
                ("periodic", String::new(), row.period().to_string(), row.mean().to_string())
            }
            (_, Some(row)) => ("finite", row.last.to_string(), String::new(), String::new()),
            _ => unreachable!("rows are finite or periodic"),
        };
        assert_eq!(line[1..5], [kind, &end, &period, &mean], "row {}", record.row());
        // A row moves if and only if it has one hole (`proofs/cascade.md`, 5.4).
        let moves = record.periodic().is_some_and(|row| row.period() > 1);
        assert_eq!(moves, line[5] == "1", "row {}: {line:?}", record.row());
    }
    // Row 402 of Brouwer's page has the word 1:AA: two balls, of which it takes out one.
    assert_eq!(found[402][5..8], ["1", "2", "1"]);
}

/// `columns_apart` in `crates/cascade` finds the same exception by another program.
#[test]
fn the_perturbation_is_named_and_failures_are_counted() {
    let text = "Perturbation(diagonal: [18, 20, 21, 26, 36, 40, 46, 51, 55], cells: [])";
    let (_folder, path) = file(text);
    let [names, line] = &lines(&format!("{path} --to 740"))[..] else { panic!("one recurrence") };
    assert_eq!(line.last().unwrap(), text);
    let cells = |name: &str| {
        let place = names.iter().position(|other| other.starts_with(name)).unwrap();
        &line[place..place + 3]
    };
    let [failures, _, last] = cells("8.10: these are successive") else { panic!("three cells") };
    assert_eq!([failures, last], ["1", "730"]);
    for theorem in ["(M):", "(M*)", "no end is a diagonal", "each n is", "8.3", "8.10: n-th", "5.1"]
    {
        assert_eq!(cells(theorem)[0], "0", "{theorem}");
    }
}

/// Each line names the recurrence, which gives the same numbers by itself.
#[test]
fn lines_of_random_perturbations_are_those_of_their_perturbations() {
    let all = lines("--random 4 --to 200");
    assert!(all.len() == 5 && all.iter().all(|line| line.len() == all[0].len()));
    for line in &all[1..] {
        let (_folder, path) = file(line.last().unwrap());
        assert_eq!(lines(&format!("{path} --to 200")), [all[0].clone(), line.clone()]);
    }
}

#[test]
fn refusals() {
    for (text, message) in [
        ("", "the form is Perturbation"),
        ("Perturbation(diagonal: [0], cells: [])", "0 is out of range"),
        ("Perturbation(diagonal: [], cells: [(9, 5)])", "(9, 5) has no effect"),
        ("Perturbation(diagonal: [], cells: [], rows: 3)", "the form is Perturbation"),
    ] {
        let (_folder, path) = file(text);
        let refused = experiments(&format!("perturbed {path}")).assert().code(INPUT_OR_OUTPUT);
        refused.stderr(contains(message).and(contains("has no perturbation")));
    }
    experiments("perturbed /nowhere").assert().code(INPUT_OR_OUTPUT);
    for arguments in ["", "- --random 3", "--random 3 --rows", "- --to 30001"] {
        experiments(&format!("perturbed {arguments}")).assert().code(USAGE);
    }
}

/// What the command writes is no data set, nor a part of one.
#[test]
fn no_command_takes_its_output_for_rows_of_chomp() {
    let (folder, path) = file("Perturbation(diagonal: [18], cells: [])");
    let print = |arguments: &str| {
        stdout(experiments(&format!("perturbed {arguments} --to 150")).assert().success())
    };
    let outputs = [print(&format!("{path} --rows")), print(&path), print("--random 1")];
    let (data, segment) = (folder.path().join("data"), "rows-0000000-0009999.ron");
    fs::create_dir(&data).unwrap();
    for part in ["MANIFEST.ron", segment, "rows-0010000-0010000.ron"] {
        fs::copy(workspace("outputs/rows-10000").join(part), data.join(part)).unwrap();
    }
    for part in ["MANIFEST.ron", segment] {
        let original = fs::read(data.join(part)).unwrap();
        for output in &outputs {
            fs::write(data.join(part), output).unwrap();
            let rows =
                DataSet::open(&data).and_then(|set| set.rows().collect::<Result<Vec<_>, _>>());
            assert!(rows.is_err(), "{part}: {output}");
        }
        fs::write(data.join(part), original).unwrap();
    }
    assert_eq!(DataSet::open(&data).unwrap().rows().count(), 10_001);
}
