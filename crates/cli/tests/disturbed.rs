//! Runs that are killed, and runs to which the system refuses something: a clear error, the right
//! exit code, and a whole data set.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::{TempDir, tempdir};

const INPUT_OR_OUTPUT: i32 = 3;

const SIGKILL: i32 = 9;

fn chomp() -> Command {
    Command::new(assert_cmd::cargo::cargo_bin!("chomp"))
}

fn rows(to: u64, folder: &Path) -> Command {
    let mut command = chomp();
    command.args(["rows", "--to", &to.to_string(), "--out"]).arg(folder);
    command
}

fn data_set_to(last: u64) -> TempDir {
    let folder = tempdir().unwrap();
    assert!(rows(last, folder.path()).output().unwrap().status.success());
    folder
}

/// The names and contents of all files in a folder.
fn contents(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn require_output_error(output: &Output) {
    let words = text(&output.stderr);
    assert_eq!(output.status.code(), Some(INPUT_OR_OUTPUT), "{words}");
    assert!(words.contains("error: cannot "), "{words}");
}

/// The data set verifies at every depth, and ends with one of these rows.
fn require_whole(folder: &Path, last: &[u64]) {
    let output = chomp().args(["check", "--heads"]).arg(folder).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let verdict = text(&output.stdout);
    let says = |last: &u64| verdict.starts_with(&format!("Verified: rows 0 to {last}, "));
    assert!(last.iter().any(says), "{verdict}");
}

/// Kills so many runs of rows to `to` at random points within the length of an undisturbed one.
/// What is left of a run is gone on with, by any number of threads, until one ends by itself; then
/// they begin anew.
fn kills_change_no_byte(kills: u64, to: u64) {
    let began = Instant::now();
    let undisturbed = contents(data_set_to(to).path());
    let length = began.elapsed();
    let (mut killed, mut whole, mut resumed) = (0, 0, 0);
    let mut folder = tempdir().unwrap();
    let mut seeds = 0..;
    let mut random =
        |end| u32::try_from((record::column_weight(seeds.next().unwrap()) >> 32) % end).unwrap();
    let is_checkpoint = |name: &OsString| name.to_str().unwrap().starts_with("checkpoint-");
    while killed < kills {
        resumed += u32::from(contents(folder.path()).keys().any(is_checkpoint));
        let mut child = rows(to, folder.path())
            .args(["--checkpoint", "0s", "--threads", &(random(3) + 1).to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(length * random(1000) / 1000);
        child.kill().unwrap();
        let status = child.wait().unwrap();
        if status.signal() == Some(SIGKILL) {
            killed += 1;
        } else {
            assert!(status.success(), "{status}");
            assert!(contents(folder.path()) == undisturbed, "a byte or a file differs");
            whole += 1;
            folder = tempdir().unwrap();
        }
    }
    assert!(rows(to, folder.path()).output().unwrap().status.success());
    assert!(contents(folder.path()) == undisturbed, "a byte or a file differs");
    assert!(resumed > 0);
    println!(
        "{killed} runs killed in {:.0?}, {resumed} gone on from a checkpoint, {} ended by themselves",
        began.elapsed(),
        whole + 1
    );
}

#[test]
fn twenty_kills_change_no_byte() {
    kills_change_no_byte(20, 20_000);
}

#[test]
#[ignore = "minutes"]
fn two_hundred_kills_change_no_byte() {
    kills_change_no_byte(200, 30_000);
}

/// A long run has time to check what it has written: here, that a file is not what was written.
#[test]
#[ignore = "minutes"]
fn a_long_run_checks_itself() {
    let run = |disturb: &dyn Fn(&Path)| {
        let folder = tempdir().unwrap();
        let mut command = rows(300_000, folder.path());
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        disturb(folder.path());
        let output = child.wait_with_output().unwrap();
        (output.status.code(), text(&output.stderr), contents(folder.path()))
    };
    let (code, words, files) = run(&|_| ());
    assert_eq!(code, Some(0), "{words}");
    assert!(
        words.contains("self-check: rows 0 to ") && words.contains("were read back"),
        "{words}"
    );
    assert!(files.contains_key(Path::new("MANIFEST.ron").as_os_str()));

    // Long before the time for the first self-check has come.
    let (code, words, files) = run(&|folder| {
        let path = folder.join("rows-0010000-0019999.ron");
        while !path.exists() {
            thread::sleep(Duration::from_millis(1));
        }
        let changed = fs::read_to_string(&path).unwrap().replacen("Finite", "finite", 1);
        fs::write(&path, changed).unwrap();
    });
    assert_eq!(code, Some(INPUT_OR_OUTPUT), "{words}");
    assert!(words.contains("rows-0010000-0019999.ron is damaged"), "{words}");
    assert!(!files.contains_key(Path::new("MANIFEST.ron").as_os_str()));
}

/// Runs a shell script with mounts of its own. `None`, loudly, where that is not permitted.
fn with_mounts(script: &str, variables: &[(&str, &Path)]) -> Option<Output> {
    let run = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-euc", script]);
        command.envs(variables.iter().copied());
        command.env("CHOMP", assert_cmd::cargo::cargo_bin!("chomp")).output()
    };
    let permitted = run("mount -t tmpfs none \"$FOLDER\"");
    if permitted.is_ok_and(|output| output.status.success()) {
        return Some(run(script).unwrap());
    }
    eprintln!("SKIPPED: `unshare --map-root-user --mount` and `mount -t tmpfs` are not permitted");
    None
}

/// A file system with less and less space free for 300 kB, until there is enough.
#[test]
fn a_full_disk_leaves_the_data_set_from_before() {
    let (folder, results) = (tempdir().unwrap(), tempdir().unwrap());
    let script = r#"
        mount -t tmpfs -o size=1024k none "$FOLDER"
        for free in 0 4 40 200 212 216 220 240 400 700; do
            rm -rf "$FOLDER"/*
            "$CHOMP" rows --to 1000 --out "$FOLDER/rows"
            head -c 2M /dev/zero > "$FOLDER/ballast" || true
            truncate -s "-${free}K" "$FOLDER/ballast"
            code=0
            "$CHOMP" rows --to 3000 --out "$FOLDER/rows" 2> "$RESULTS/$free" || code=$?
            last=$("$CHOMP" check --heads "$FOLDER/rows" | sed -n 's/Verified: rows 0 to \([0-9]*\),.*/\1/p')
            rm -f "$FOLDER/ballast"
            "$CHOMP" rows --to 3000 --out "$FOLDER/rows"
            echo "free $free code $code last $last files $(ls "$FOLDER/rows" | wc -l)"
        done
    "#;
    let variables = [("FOLDER", folder.path()), ("RESULTS", results.path())];
    let Some(output) = with_mounts(script, &variables) else { return };
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let lines: Vec<&str> = printed.lines().filter(|line| line.starts_with("free ")).collect();
    let mut codes = Vec::new();
    for line in &lines {
        let words: Vec<&str> = line.split(' ').collect();
        let [_, free, _, code, _, last, _, files] = words[..] else { panic!("{line}") };
        codes.push(code);
        assert_eq!(files, "2", "no leftovers after all: {line}");
        match (code, last) {
            ("0", "3000") => {}
            ("3", "1000" | "3000") => {
                let said = fs::read_to_string(results.path().join(free)).unwrap();
                assert!(said.contains("error: cannot "), "{said}");
                assert!(said.contains("No space left on device"), "{said}");
            }
            _ => panic!("{line}"),
        }
    }
    assert_eq!((codes.first(), codes.last()), (Some(&"3"), Some(&"0")), "{lines:?}");
    assert_eq!(lines.len(), 10);
}

/// There is space for the rows, but not for checkpoints, which want some to spare.
#[test]
fn checkpoints_that_cannot_be_written_are_a_warning() {
    let folder = tempdir().unwrap();
    let script = r#"
        mount -t tmpfs -o size=4m none "$FOLDER"
        "$CHOMP" rows --to 3000 --checkpoint 0s --out "$FOLDER/rows"
        "$CHOMP" check --heads "$FOLDER/rows"
    "#;
    let Some(output) = with_mounts(script, &[("FOLDER", folder.path())]) else { return };
    let (printed, words) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{words}");
    assert!(printed.contains("Verified: rows 0 to 3000"), "{printed}");
    let warned = words.contains("could not be written") && words.contains("the run goes on");
    assert!(warned, "{words}");
}

#[test]
fn a_read_only_folder_is_an_output_error() {
    let folder = tempdir().unwrap();
    let script = r#"
        mount -t tmpfs none "$FOLDER"
        "$CHOMP" rows --to 1000 --out "$FOLDER/rows"
        mount -o remount,ro "$FOLDER"
        for to in 1000 2000; do
            code=0; "$CHOMP" rows --to $to --out "$FOLDER/rows" || code=$?; echo "code $code"
        done
        "$CHOMP" check --heads "$FOLDER/rows"
    "#;
    let Some(output) = with_mounts(script, &[("FOLDER", folder.path())]) else { return };
    let (printed, words) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{words}");
    let codes: Vec<&str> = printed.lines().filter(|line| line.starts_with("code")).collect();
    assert_eq!(codes, ["code 0", "code 3"], "what is there already needs no writing");
    assert!(printed.contains("Verified: rows 0 to 1000"), "{printed}");
    assert!(words.contains("error: cannot write to the folder"), "{words}");
    assert!(words.contains("Read-only file system"), "{words}");
}

/// No file may be longer than so many blocks of 512 bytes: writes become short, then fail.
fn rows_with_limit(to: u64, folder: &Path, blocks: u64) -> Output {
    let script = format!("ulimit -f {blocks}; exec \"$@\"");
    Command::new("sh")
        .args(["-c", &script, "sh"])
        .arg(chomp().get_program())
        .args(["rows", "--to", &to.to_string(), "--out"])
        .arg(folder)
        .output()
        .unwrap()
}

#[test]
fn files_that_may_not_grow_are_an_output_error() {
    let folder = data_set_to(300);
    for blocks in [0, 1, 7, 100, 400] {
        let output = rows_with_limit(2000, folder.path(), blocks);
        require_output_error(&output);
        assert!(text(&output.stderr).contains("File too large"), "{}", text(&output.stderr));
        require_whole(folder.path(), &[300]);
    }
    let output = rows_with_limit(2000, folder.path(), 1000);
    assert!(output.status.success(), "{}", text(&output.stderr));
    require_whole(folder.path(), &[2000]);
    assert!(contents(folder.path()) == contents(data_set_to(2000).path()), "no leftovers");
}

/// The results cannot be printed; the rows are written all the same.
#[test]
fn a_full_standard_output_is_an_output_error() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let folder = tempdir().unwrap();
    let stdout = || full.try_clone().unwrap();
    require_output_error(&rows(300, folder.path()).stdout(stdout()).output().unwrap());
    require_whole(folder.path(), &[300]);
    let check = chomp().arg("check").arg(folder.path()).stdout(stdout()).output().unwrap();
    require_output_error(&check);
}

/// The `when`-th of these system calls fails with this error.
fn rows_with_fault(to: u64, folder: &Path, calls: &str, error: &str, when: u32) -> Output {
    Command::new("strace")
        .args(["-f", "--quiet=all", "-o", "/dev/null", "-e"])
        .arg(format!("trace={calls}"))
        .arg("-e")
        .arg(format!("inject={calls}:error={error}:when={when}"))
        .arg(chomp().get_program())
        .args(["rows", "--to", &to.to_string(), "--threads", "1", "--out"])
        .arg(folder)
        .output()
        .unwrap()
}

fn can_trace() -> bool {
    let traced = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).status();
    let permitted = traced.is_ok_and(|status| status.success());
    if !permitted {
        eprintln!("SKIPPED: strace is not there, or not permitted");
    }
    permitted
}

/// Each write, sync, rename in turn, as the operating system itself would refuse it.
#[test]
fn a_refused_system_call_is_an_output_error() {
    if !can_trace() {
        return;
    }
    // A segment and a manifest: both are synced, renamed and their folder synced.
    for (calls, error, words, least) in [
        ("write", "EIO", "Input/output error", 2),
        ("write", "ENOSPC", "No space left on device", 2),
        ("fsync", "EIO", "Input/output error", 4),
        ("/^rename", "EIO", "Input/output error", 2),
        ("/^rename", "EROFS", "Read-only file system", 2),
    ] {
        let mut refused = 0;
        for when in 1..=16 {
            let folder = data_set_to(300);
            let output = rows_with_fault(400, folder.path(), calls, error, when);
            if !output.status.success() {
                require_output_error(&output);
                assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
                refused += 1;
            }
            require_whole(folder.path(), &[300, 400]);
            assert!(rows(400, folder.path()).output().unwrap().status.success());
            assert_eq!(contents(folder.path()).len(), 2, "no leftovers");
        }
        assert!(refused >= least, "{calls} {error}: {refused}");
    }
}
