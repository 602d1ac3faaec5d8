//! What the machine allows: outputs that are no regular files.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::{TempDir, tempdir};

const INPUT_OR_OUTPUT: i32 = 3;

fn chomp(arguments: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("chomp"));
    command.args(arguments.split_whitespace());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs it; the messages, if the exit code is this.
fn messages(command: &mut Command, code: i32) -> String {
    let output = command.output().unwrap();
    let words = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{command:?}: {words}");
    words
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

fn data_set() -> TempDir {
    let folder = tempdir().unwrap();
    messages(chomp("rows --to 300 --out").arg(folder.path()), 0);
    folder
}

/// A device, a FIFO and a link are what they were; what they stand for has got it.
#[test]
fn outputs_that_are_no_files_are_written_to() {
    let rows = data_set();
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let run = |arguments: &str| {
        let arguments = arguments.replace("DATA", rows.path().to_str().unwrap());
        let mut command = chomp(&arguments);
        command.current_dir(&folder);
        command
    };
    let csv = run("export DATA").output().unwrap().stdout;
    assert_eq!(text(&csv).lines().count(), 302);
    messages(&mut run("plot row 5 --out row.svg"), 0);
    let svg = fs::read(path("row.svg")).unwrap();

    for (name, written, arguments) in
        [("fifo.csv", &csv, "export DATA --out"), ("fifo.svg", &svg, "plot row 5 --out")]
    {
        assert!(Command::new("mkfifo").arg(path(name)).status().unwrap().success());
        symlink(name, path(&format!("to-{name}"))).unwrap();
        for name in [name.to_owned(), format!("to-{name}")] {
            let mut reader = Command::new("timeout");
            let reader = reader.args(["20", "cat"]).arg(path(&name)).stdout(Stdio::piped());
            let reader = reader.spawn().unwrap();
            messages(&mut run(&format!("{arguments} {name}")), 0);
            assert!(reader.wait_with_output().unwrap().stdout == *written, "{name}");
        }
        assert!(path(name).symlink_metadata().unwrap().file_type().is_fifo());
        assert!(path(&format!("to-{name}")).is_symlink());
    }

    // A chain of links, relative to the folder of each, to a file that is not there at first.
    fs::create_dir(path("inner")).unwrap();
    symlink("inner/second.csv", path("first.csv")).unwrap();
    symlink("../file.csv", path("inner/second.csv")).unwrap();
    for _ in 0..2 {
        messages(&mut run("export DATA --out first.csv"), 0);
        assert!(path("first.csv").is_symlink() && path("inner/second.csv").is_symlink());
        assert!(!path("file.csv").is_symlink());
        assert!(fs::read(path("file.csv")).unwrap() == csv);
        fs::write(path("file.csv"), "what was there before").unwrap();
    }

    // What standard output goes to is added to, not replaced.
    for out in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "-"] {
        fs::write(path("log"), "before\n").unwrap();
        let log = fs::OpenOptions::new().append(true).open(path("log")).unwrap();
        messages(run(&format!("export DATA --format csv --out {out}")).stdout(log), 0);
        assert!(fs::read(path("log")).unwrap() == [b"before\n", &csv[..]].concat(), "{out}");
    }
    assert!(Path::new("/dev/stdout").is_symlink() && !path("-").exists());
}

#[test]
fn outputs_that_cannot_be_meant_are_refused() {
    let folder = data_set();
    let files = count(folder.path());
    for (out, problem) in [
        (".", "it is a folder"),
        ("x.csv/", "it is a folder"),
        ("nowhere/x.csv", "there is no folder nowhere"),
        ("/proc/x.csv", "No such file"),
        ("/sys/x.csv", "os error"),
    ] {
        let mut command = chomp(&format!("export . --format csv --out {out}"));
        let words = messages(command.current_dir(&folder), INPUT_OR_OUTPUT);
        let named = words.contains(&format!("cannot write {out}: "));
        assert!(named && words.contains(problem) && !words.contains(".writing-"), "{words}");
    }
    assert_eq!(count(folder.path()), files, "nothing else is left there");

    let folder = tempdir().unwrap();
    symlink("/dev/full", folder.path().join("link.svg")).unwrap();
    let mut command = chomp("plot row 5 --out link.svg");
    let words = messages(command.current_dir(&folder), INPUT_OR_OUTPUT);
    assert!(words.contains("cannot write link.svg: No space left"), "{words}");
    assert_eq!(count(folder.path()), 1, "nothing else is left there");
}
