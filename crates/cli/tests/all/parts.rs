//! A check that is shared out: parts from one checkpoint to another, and their verdicts together.

use std::fs;
use std::path::{Path, PathBuf};

use predicates::str::contains;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::program::{INCOMPLETE, INPUT_OR_OUTPUT, chomp, data_set_to, stdout};

/// The verdict on the columns from the newest checkpoint in `kept` on.
fn part(rows: &Path, kept: &Path, options: &str, code: i32) -> Value {
    let mut command = chomp(&format!("check --heads --json {options} --keep"));
    let printed = command.arg(kept).arg(rows).assert().code(code);
    serde_json::from_slice(&printed.get_output().stdout).unwrap()
}

fn merge(verdicts: &[&PathBuf]) -> assert_cmd::assert::Assert {
    chomp("check --merge").args(verdicts).assert()
}

struct Parts {
    rows: TempDir,
    folder: TempDir,
    verdicts: Vec<Value>,
}

/// Columns up to 100, up to 300, and the others; the checkpoint after the first part is copied.
fn three_parts() -> Parts {
    let (rows, folder) = (data_set_to(300), tempdir().unwrap());
    let [kept, copy] = ["kept", "copy"].map(|name| folder.path().join(name));
    let first = part(rows.path(), &kept, "--to-column 100", INCOMPLETE);
    fs::create_dir(&copy).unwrap();
    for entry in fs::read_dir(&kept).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.join(path.file_name().unwrap())).unwrap();
    }
    let second = part(rows.path(), &kept, "--to-column 300", INCOMPLETE);
    let last = part(rows.path(), &kept, "", 0);
    Parts { rows, folder, verdicts: vec![first, second, last] }
}

impl Parts {
    fn files(&self) -> Vec<PathBuf> {
        let files = (1..).zip(&self.verdicts).map(|(number, verdict)| {
            let file = self.folder.path().join(format!("{number}.json"));
            fs::write(&file, verdict.to_string()).unwrap();
            file
        });
        files.collect()
    }
}

#[test]
fn parts_make_a_whole() {
    let parts = three_parts();
    let [first, second, last] = &parts.verdicts[..] else { panic!("three parts") };
    for verdict in [first, second] {
        assert_eq!(verdict["verdict"], "incomplete");
        assert_eq!(verdict["problem"]["reason"], "part");
    }
    let to = &first["problem"]["details"]["to"];
    assert!((100..124).contains(&to["column"].as_u64().unwrap()), "a group has 24 columns: {to}");
    assert_eq!(*to, second["problem"]["details"]["from"]);
    assert_eq!(last["checkpoint"], second["problem"]["details"]["to"]["hash"]);

    let files = parts.files();
    for order in [[0, 1, 2], [2, 0, 1]] {
        let words = stdout(merge(&order.map(|place| &files[place])));
        assert!(words.starts_with("Verified in parts: rows 0 to 300, "), "{words}");
        assert!(words.contains(first["data"].as_str().unwrap()), "{words}");
        assert!(words.contains("each of the 3 parts"), "{words}");
    }

    // Someone else who begins at the same checkpoint comes to the same one, with any threads.
    let copy = parts.folder.path().join("copy");
    let again = part(parts.rows.path(), &copy, "--to-column 300 --threads 3", INCOMPLETE);
    assert_eq!(again, *second);
    let none = part(parts.rows.path(), &copy, "--to-column 300", INCOMPLETE);
    let words = none["words"].as_str().unwrap();
    assert!(words.contains("rows 0 to 300, no columns: as stated"), "{words}");
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let mut parts = three_parts();
    let files = parts.files();
    let [first, second, last] = &files[..] else { panic!("three parts") };
    let refused = |verdicts: &[&PathBuf], code: i32, words: &str| {
        merge(verdicts).code(code).stderr(contains(words));
    };
    refused(&[second, last], INCOMPLETE, "no part begins at column 0");
    refused(&[first, last], INCOMPLETE, "no part begins at the checkpoint with hash ");
    refused(&[first, second], INCOMPLETE, "no part begins at the checkpoint with hash ");
    refused(&[first, second, last, second], INCOMPLETE, "2.json has no place among the others");
    for (field, value) in [("verdict", "refuted"), ("verdict", "verified"), ("depth", "tails")] {
        let before = parts.verdicts[1][field].take();
        parts.verdicts[1][field] = value.into();
        let others = parts.files();
        refused(&[first, &others[1], last], INPUT_OR_OUTPUT, "2.json is no verdict of a part");
        parts.verdicts[1][field] = before;
    }
    parts.verdicts[1]["data"] = "0".repeat(64).into();
    let others = parts.files();
    refused(&[first, &others[1], last], INCOMPLETE, "are of different rows");
    parts.verdicts[1]["data"] = Value::Null;
    let others = parts.files();
    refused(&[first, &others[1], last], INPUT_OR_OUTPUT, "2.json is no verdict of a part");
    fs::write(second, "no verdict").unwrap();
    refused(&[first, second, last], INPUT_OR_OUTPUT, "2.json is no verdict of a part");
    fs::remove_file(second).unwrap();
    refused(&[first, second, last], INPUT_OR_OUTPUT, "cannot read ");
}
