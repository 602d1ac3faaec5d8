//! Files of an earlier program (`tests/earlier`): each is read, or refused with what to do.

use std::fs;
use std::path::{Path, PathBuf};

use predicates::str::contains;
use tempfile::{TempDir, tempdir};

use crate::program::{INPUT_OR_OUTPUT, chomp, stdout, workspace};

/// A copy of one of the folders.
fn copy(name: &str) -> (TempDir, PathBuf) {
    let (folder, from) = (tempdir().expect("a folder"), Path::new("tests/earlier").join(name));
    let copy = folder.path().join(name);
    fs::create_dir(&copy).expect("a new folder");
    for file in fs::read_dir(from).expect("files") {
        let file = file.expect("a file");
        fs::copy(file.path(), copy.join(file.file_name())).expect("a copy");
    }
    (folder, copy)
}

/// Data sets are those that the program writes today, byte for byte, and they are verified.
#[test]
fn data_sets_are_read_as_they_are() {
    for (name, command) in [
        ("rows", "rows --to 130"),
        ("full", "rows --to 60 --full"),
        ("levels", "grundy --levels 0..2 --to 30"),
        ("tails", "tail --parts 2 --to 6"),
        ("family", "family skew 5 1 0 --levels 0..1"),
    ] {
        let (folder, data) = copy(name);
        chomp("check --heads")
            .arg(&data)
            .assert()
            .success()
            .stdout(contains("Not checked: nothing"));
        let today = folder.path().join("today");
        chomp(command).arg("--out").arg(&today).assert().success();
        for file in fs::read_dir(&data).expect("files") {
            let file = file.expect("a file");
            let written = fs::read(today.join(file.file_name())).expect("the same name");
            assert!(fs::read(file.path()).expect("bytes") == written, "{:?}", file.path());
        }
    }
}

/// A check resumes from a checkpoint, and says what it believes.
#[test]
fn a_check_resumes_from_a_checkpoint() {
    let (_folder, kept) = copy("heads");
    let mut check = chomp("check --heads --keep");
    let printed = stdout(check.arg(&kept).arg(workspace("outputs/rows-10000")).assert());
    assert!(printed.contains("Verified: rows 0 to 10000"), "{printed}");
    assert!(printed.contains(", of columns 0 to 3431."), "{printed}");
}

/// The other files have a new form; they are refused by name, with what to do, and stay.
#[test]
fn other_files_are_refused_with_what_to_do() {
    for (name, command, file, words) in [
        ("parts", "board --openings 8 --keep", "part-0000", "choose another folder"),
        ("positions", "positions --to 200 --keep", "positions-4.state", "remove it to begin again"),
        (
            "checkpoints",
            "rows --to 3000 --out",
            "checkpoint-0000001536.bin",
            "the checkpoint to begin",
        ),
    ] {
        let (_folder, kept) = copy(name);
        let before = fs::read(kept.join(file)).expect("bytes");
        let refused = chomp(command).arg(&kept).assert().code(INPUT_OR_OUTPUT);
        refused.stderr(contains(file)).stderr(contains(words));
        assert!(fs::read(kept.join(file)).expect("it is still there") == before);
    }
}
