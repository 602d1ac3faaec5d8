//! Killed runs, runs with errors of the system, and hostile data sets: a clear error, the right
//! exit code, and a complete data set.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use record::Record;
use sweep::band::Options;
use sweep::checkpoints::{Checkpoints, resumable_rows};
use tempfile::{TempDir, tempdir};

use crate::program::ON_ROWS;

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

/// The names in a folder, and the contents of all files.
fn contents(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let bytes =
        |path: std::path::PathBuf| if path.is_dir() { Vec::new() } else { fs::read(path).unwrap() };
    entries.map(|entry| (entry.file_name(), bytes(entry.path()))).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn require_output_error(output: &Output) {
    let words = text(&output.stderr);
    assert_eq!(output.status.code(), Some(INPUT_OR_OUTPUT), "{words}");
    assert!(words.contains("error: ") && words.contains("cannot "), "{words}");
}

/// The data set verifies at every depth, and ends with one of these rows.
fn require_whole(folder: &Path, last: &[u64]) {
    let output = chomp().args(["check", "--heads"]).arg(folder).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let verdict = text(&output.stdout);
    let says = |last: &u64| verdict.starts_with(&format!("Verified: rows 0 to {last}, "));
    assert!(last.iter().any(says), "{verdict}");
}

/// Kills a number of runs of rows to `to` at random points within the length of an undisturbed one.
/// The next run resumes, with any number of threads, until one ends by itself; then they begin
/// anew.
fn kills_change_no_byte(kills: u64, to: u64, options: &[&str]) {
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
            .args(options)
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
    assert!(rows(to, folder.path()).args(options).output().unwrap().status.success());
    assert!(contents(folder.path()) == undisturbed, "a byte or a file differs");
    assert!(resumed > 0);
    println!(
        "{killed} runs killed in {:.0?}, {resumed} resumed from a checkpoint, {} ended by themselves",
        began.elapsed(),
        whole + 1
    );
}

/// So many rows that half of the words have to wait on disk.
#[test]
fn kills_change_no_byte_while_words_are_on_disk() {
    let folder = tempdir().unwrap();
    let words = folder.path().join("words");
    let memory = sweep::band::memory_besides_words(70_001, NonZero::new(3).unwrap())
        + sweep::checkpoints::least_words(70_001);
    let options = ["--spill", words.to_str().unwrap(), "--memory", &memory.to_string()];
    kills_change_no_byte(6, 70_000, &options);
    assert!(!words.exists());
}

#[test]
fn twenty_kills_change_no_byte() {
    kills_change_no_byte(20, 20_000, &[]);
}

#[test]
#[ignore = "minutes"]
fn two_hundred_kills_change_no_byte() {
    kills_change_no_byte(200, 30_000, &[]);
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
    fixtures::skip("`unshare --map-root-user --mount` and `mount -t tmpfs` are not permitted");
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
                assert!(said.contains("error: ") && said.contains("cannot "), "{said}");
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
    let warned = words.contains("could not be written") && words.contains("the run continues");
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

/// No file may be longer than a number of blocks of 512 bytes: writes become short, then fail.
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
        fixtures::skip("strace is not there, or not permitted");
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

/// A folder with the oldest checkpoint that a run of rows to `last` leaves when it is stopped, and
/// its words; and the name of the checkpoint.
fn a_checkpoint(last: u64) -> (TempDir, OsString) {
    let folder = tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path()).every(Duration::ZERO);
    let options = Options { threads: NonZero::new(2), ..Options::default() };
    // The first boundary is at row 1216. A checkpoint is written while the run continues.
    let is_there = || {
        let mut names =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.any(|name| name.to_str().unwrap().starts_with("checkpoint-"))
    };
    let visit = &mut |row: Record| {
        let is_enough = row.row() >= 1300 && is_there();
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    resumable_rows(last + 1, options, &checkpoints, None, visit).unwrap();
    let mut names = contents(folder.path()).into_keys();
    let oldest = names.next().unwrap();
    for newer in names.filter(|name| name != "words") {
        fs::remove_file(folder.path().join(newer)).unwrap();
    }
    (folder, oldest)
}

/// A copy of a folder.
fn copy(folder: &TempDir) -> TempDir {
    let copy = tempdir().unwrap();
    let copied =
        Command::new("cp").arg("-a").args([&folder.path().join("."), copy.path()]).status();
    assert!(copied.unwrap().success());
    copy
}

/// The bytes of a checkpoint without its hash, with one that fits.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    [bytes, blake3::hash(bytes).as_bytes()].concat()
}

/// The parts of a checkpoint: header, files, rows, corner and groups.
fn parts(bytes: &[u8]) -> [Range<usize>; 5] {
    let header = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let line: Vec<&str> = str::from_utf8(&bytes[..header]).unwrap().split_whitespace().collect();
    let rows = header + 24 * line.last().unwrap().parse::<usize>().unwrap();
    // The corner begins with the first number of its words.
    let row: u64 = line[3].parse().unwrap();
    let times_root_2 = |n: u64| (2 * n * n).isqrt();
    let anchor = row - 8 + times_root_2(row - 8) - 11 - times_root_2(row / 2 + 28);
    let floor = (anchor / 64 * 64).to_le_bytes();
    let corner = rows + bytes[rows..].windows(8).position(|bytes| bytes == floor).unwrap();
    let groups = corner + 8 + 7 * 4 * 8 * 8;
    [0..header, header..rows, rows..corner, corner..groups, groups..bytes.len()]
}

/// Runs on from checkpoints with one bit changed and a hash that fits, `flips` of them in all parts
/// of the file: each ends soon, in an error, in the right data set, or in one with the message that
/// it depends on the checkpoint.
fn flips_are_not_proved(flips: u64) {
    const LAST: u64 = 3000;
    let (begun, name) = a_checkpoint(LAST);
    let bytes = fs::read(begun.path().join(&name)).unwrap();
    let bytes = &bytes[..bytes.len() - blake3::OUT_LEN];
    let parts = parts(bytes);
    let right = contents(data_set_to(LAST).path());
    let [mut refused, mut wrong, mut unchanged] = [[0; 5]; 3];
    for (flip, part) in (0..flips).zip((0..5).cycle()) {
        let random = usize::try_from(record::column_weight(flip) >> 1).unwrap();
        let at = parts[part].start + random / 8 % parts[part].len();
        let mut forged = bytes.to_vec();
        forged[at] ^= 1 << (random % 8);
        let folder = copy(&begun);
        fs::write(folder.path().join(&name), sealed(&forged)).unwrap();
        let script = "ulimit -v 2000000; exec timeout -s KILL 20 \"$@\"";
        let output = Command::new("sh")
            .args(["-c", script, "sh"])
            .arg(chomp().get_program())
            .args(["rows", "--to", &LAST.to_string(), "--threads", "2", "--out"])
            .arg(folder.path())
            .output()
            .unwrap();
        let place = format!("byte {at}, bit {}: {}", random % 8, text(&output.stderr));
        let (code, words) = (output.status.code(), text(&output.stdout));
        let found = contents(folder.path());
        if code == Some(0) {
            let believed = words.contains("Proved, if the checkpoint at row")
                && words.contains("`chomp check --heads`");
            let same = right.iter().all(|(name, bytes)| found.get(name) == Some(bytes));
            assert!(same || believed, "wrong, and called proved: {place}{words}");
            if same { unchanged[part] += 1 } else { wrong[part] += 1 }
        } else {
            assert!(matches!(code, Some(1 | 3 | 4)), "exit code {code:?}: {place}");
            assert!(text(&output.stderr).contains("error: "), "{place}");
            assert!(!found.contains_key(Path::new("MANIFEST.ron").as_os_str()), "{place}");
            refused[part] += 1;
        }
    }
    println!(
        "header, files, rows, corner, groups: {refused:?} refused, {unchanged:?} right, {wrong:?} wrong but not called proved"
    );
}

#[test]
fn forty_flips_of_a_checkpoint_are_not_proved() {
    flips_are_not_proved(40);
}

#[test]
#[ignore = "a minute"]
fn four_hundred_flips_of_a_checkpoint_are_not_proved() {
    flips_are_not_proved(400);
}

/// Days of work, as far as a run can know: it ends with an error, and the file stays.
#[test]
fn a_checkpoint_that_cannot_be_read_is_an_input_error() {
    let folder = tempdir().unwrap();
    let newest = folder.path().join("checkpoint-0000001216.bin");
    for way in ["ln -s \"$1\" \"$1\"", "ln -s nowhere \"$1\"", "mkfifo \"$1\"", "mkdir \"$1\""] {
        let made = Command::new("sh").args(["-c", way, "sh"]).arg(&newest).status().unwrap();
        assert!(made.success());
        let output = Command::new("timeout")
            .args(["-s", "KILL", "10"])
            .arg(chomp().get_program())
            .args(["rows", "--to", "3000", "--out"])
            .arg(folder.path())
            .output()
            .unwrap();
        require_output_error(&output);
        let words = text(&output.stderr);
        assert!(words.contains("cannot read the checkpoint") && words.contains("move it away"));
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["checkpoint-0000001216.bin"], "{way}");
        fs::remove_file(&newest).or_else(|_| fs::remove_dir(&newest)).unwrap();
    }
}

/// A run to a smaller row in the folder of an interrupted run to a larger one.
#[test]
fn checkpoints_of_a_larger_run_stay() {
    let (folder, name) = a_checkpoint(6000);
    let row: u64 = name.to_str().unwrap()["checkpoint-".len()..][..10].parse().unwrap();
    let last = row + 500;
    let output = rows(last, folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let says =
        format!("Proved, if the checkpoint at row {row} that this run resumed from is right: ");
    assert!(text(&output.stdout).contains(&says), "{}", text(&output.stdout));
    let checkpoints = |folder: &Path| -> Vec<OsString> {
        let names = contents(folder).into_keys();
        names.filter(|name| name.to_str().unwrap().starts_with("checkpoint-")).collect()
    };
    let left = checkpoints(folder.path());
    assert!(!left.is_empty());
    require_whole(folder.path(), &[last]);
    // A run that finds its rows finished leaves them as well.
    let output = rows(last, folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(checkpoints(folder.path()), left);
    let output = rows(6000, folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("resuming from the checkpoint at row"));
    assert!(contents(folder.path()) == contents(data_set_to(6000).path()), "no leftovers");
}

/// A resumed run always checks the rows of its checkpoint. Rows to 8000 have cells on the exact
/// path, which is not told.
#[test]
fn internals_are_not_told() {
    let (folder, _) = a_checkpoint(8000);
    let told = text(&rows(8000, folder.path()).output().unwrap().stderr);
    assert!(told.contains("self-check: rows 0 to 8000 were read back and verified"), "{told}");
    assert!(!told.contains("U(from)") && !told.contains("exact path"), "{told}");
    let output = chomp().args(["f", "100000", "8000"]).output().unwrap();
    assert_eq!(text(&output.stdout), "104687\n");
    assert_eq!(text(&output.stderr), "");
}

/// A written file has changed: the run reports it, and writes no manifest.
#[test]
fn a_segment_changed_behind_the_back_of_a_run_is_an_output_error() {
    for removed in [false, true] {
        let folder = tempdir().unwrap();
        let mut command = rows(40_000, folder.path());
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let path = folder.path().join("rows-0000000-0009999.ron");
        while !path.exists() {
            thread::sleep(Duration::from_millis(1));
        }
        if removed {
            fs::remove_file(&path).unwrap();
        } else {
            let changed = fs::read_to_string(&path).unwrap().replacen("Finite", "finite", 1);
            fs::write(&path, changed).unwrap();
        }
        let output = child.wait_with_output().unwrap();
        let words = text(&output.stderr);
        assert_eq!(output.status.code(), Some(INPUT_OR_OUTPUT), "{words}");
        assert!(words.contains("rows-0000000-0009999.ron"), "{words}");
        assert!(!folder.path().join("MANIFEST.ron").exists());
    }
}

/// The one segment of rows 0 to 12.
const SEGMENT: &str = "rows-0000000-0000012.ron";
const MANIFEST: &str = "MANIFEST.ron";

fn rows_to_12(form: &[&str]) -> TempDir {
    let folder = tempdir().unwrap();
    assert!(rows(12, folder.path()).args(form).output().unwrap().status.success());
    folder
}

/// Another file, pipe, folder or link in the place of one of the data set.
fn in_place_of(name: &str, make: impl FnOnce(&Path)) -> TempDir {
    let folder = rows_to_12(&["--full"]);
    let path = folder.path().join(name);
    fs::remove_file(&path).unwrap();
    make(&path);
    folder
}

fn edit(path: &Path, change: impl FnOnce(&str) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let changed = change(&text);
    assert_ne!(changed, text);
    fs::write(path, changed).unwrap();
}

/// The segment has other content, and all hashes are right.
fn with_records(part: &str, forged: &str) -> TempDir {
    let folder = rows_to_12(&[]);
    let hash = |text: &str| blake3::hash(text.as_bytes()).to_string();
    let (mut before, mut after) = (String::new(), String::new());
    edit(&folder.path().join(SEGMENT), |text| {
        let body = &text[..text.rfind("End(").unwrap()];
        let changed = body.replacen(part, forged, 1);
        (before, after) = (hash(body), hash(&changed));
        format!("{changed}End(rows: 13, blake3: \"{after}\")\n")
    });
    edit(&folder.path().join(MANIFEST), |text| text.replace(&before, &after));
    folder
}

fn with_manifest(part: &str, forged: &str) -> TempDir {
    let folder = rows_to_12(&["--full"]);
    edit(&folder.path().join(MANIFEST), |text| text.replacen(part, forged, 1));
    folder
}

/// The segment is compressed, as the manifest says.
fn with_packed(pack: impl FnOnce(&[u8]) -> Vec<u8>) -> TempDir {
    let folder = with_manifest("\"),", "\", zstd: true),");
    let path = folder.path().join(SEGMENT);
    let packed = pack(&fs::read(&path).unwrap());
    fs::remove_file(path).unwrap();
    fs::write(folder.path().join(format!("{SEGMENT}.zst")), packed).unwrap();
    folder
}

/// Compresses `times` copies of the text into one frame.
fn frame(text: &[u8], times: u64, announced: bool) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_contentsize(announced).unwrap();
    let length = times * text.len() as u64;
    encoder.set_pledged_src_size(announced.then_some(length)).unwrap();
    (0..times).for_each(|_| encoder.write_all(text).unwrap());
    encoder.finish().unwrap()
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn sparse(path: &Path) {
    fs::File::create(path).unwrap().set_len(64 << 30).unwrap();
}

/// Folders that are no data sets, each in its own way.
fn bad_folders() -> Vec<(&'static str, TempDir)> {
    let zeros = |path: &Path| symlink("/dev/zero", path).unwrap();
    let folder = |path: &Path| fs::create_dir(path).unwrap();
    let circle = |path: &Path| symlink(path, path).unwrap();
    let write = |bytes: Vec<u8>| move |path: &Path| fs::write(path, bytes).unwrap();
    let whole = |text: &[u8]| frame(text, 1, true);
    let spaces = " ".repeat(100_000).into_bytes();
    let halves = |text: &[u8]| {
        let (before, after) = text.split_at(text.len() / 2);
        [whole(before), whole(after)].concat()
    };
    let skipped = [&0x184d_2a50_u32.to_le_bytes()[..], &6_u32.to_le_bytes(), b"hidden"].concat();
    let million = "9".repeat(1_000_000);
    let sequence = "\u{1b}[2K\u{1b}[1A\rVerified: rows 0 to 12\n\u{9b}2J";
    let escapes = "\\u{1b}[2K\\rVerified: rows 0 to 12\\n";
    vec![
        ("a pipe as manifest", in_place_of(MANIFEST, pipe)),
        ("a pipe as segment", in_place_of(SEGMENT, pipe)),
        ("a device as manifest", in_place_of(MANIFEST, zeros)),
        ("a device as segment", in_place_of(SEGMENT, zeros)),
        ("a folder as manifest", in_place_of(MANIFEST, folder)),
        ("a folder as segment", in_place_of(SEGMENT, folder)),
        ("a link to itself as manifest", in_place_of(MANIFEST, circle)),
        ("a link to itself as segment", in_place_of(SEGMENT, circle)),
        ("64 GiB of nothing as manifest", in_place_of(MANIFEST, sparse)),
        ("64 GiB of nothing as segment", in_place_of(SEGMENT, sparse)),
        ("a line of 100 MB", in_place_of(SEGMENT, write(vec![b'9'; 100_000_000]))),
        ("a million empty lines", in_place_of(SEGMENT, write(vec![b'\n'; 1_000_000]))),
        ("bytes that are no text", in_place_of(SEGMENT, write(vec![0xff; 1000]))),
        ("a million brackets", in_place_of(MANIFEST, write(vec![b'('; 1_000_000]))),
        ("two frames", with_packed(halves)),
        ("a skipped frame", with_packed(|text| [whole(text), skipped].concat())),
        ("plain text said to be packed", with_packed(<[u8]>::to_vec)),
        ("400 MB of spaces, announced", with_packed(|_| frame(&spaces, 4000, true))),
        ("400 MB of spaces", with_packed(|_| frame(&spaces, 4000, false))),
        (
            "a hash that moves the cursor",
            with_manifest("blake3: \"", &format!("blake3: \"{escapes}")),
        ),
        ("a field that moves the cursor", with_manifest("rows: 13", &format!("{sequence}: 13"))),
        (
            "a million digits in the manifest",
            with_manifest("rows: 13", &format!("rows: {million}")),
        ),
        ("rows next to 2^63", with_manifest("rows: 13", "rows: 9223372036854775807")),
        ("rows next to 2^64", with_manifest("rows: 13", "rows: 18446744073709551615")),
        ("a last row next to 2^63", with_manifest("last: 12", "last: 9223372036854775807")),
        (
            "a modulus of a million digits",
            with_records("modulus: \"1\"", &format!("modulus: \"{million}\"")),
        ),
        (
            "a modulus that moves the cursor",
            with_records("modulus: \"1\"", &format!("modulus: \"{escapes}\"")),
        ),
        (
            "a row that moves the cursor",
            with_records("Finite(row: 1,", &format!("{sequence}(row: 1,")),
        ),
        (
            "a field of a million letters",
            with_records("row: 1,", &format!("{}: 1,", million.replace('9', "r"))),
        ),
        (
            "a first next to 2^63",
            with_records("row: 1, first: 3", "row: 1, first: 9223372036854775807"),
        ),
        (
            "a row next to 2^63",
            with_records(
                "row: 1, first: 3",
                "row: 9223372036854775806, first: 9223372036854775807",
            ),
        ),
    ]
}

/// Data sets with records that are false, and of the largest numbers that a record can have.
fn false_data_sets() -> Vec<(&'static str, TempDir)> {
    let row_5 = "start: 7, values: [4], certificate: (from: 8, recurs: 9,";
    let late = "start: 4611686018427387904, values: [4], certificate: (from: 4611686018427387904, recurs: 4611686018427387905,";
    let latest = "start: 9223372036854775806, values: [4], certificate: (from: 9223372036854775806, recurs: 9223372036854775807,";
    let row_0 = r#"Periodic(row: 0, first: 1, start: 0, values: [1], certificate: (from: 0, recurs: 1, modulus: "1", filled: 1, above: []), head"#;
    vec![
        ("a start of 2^62", with_records(row_5, late)),
        ("a start next to 2^63", with_records(row_5, latest)),
        ("an end next to 2^63", with_records("last: 2,", "last: 9223372036854775807,")),
        (
            "a row 0 that ends at once",
            with_records(row_0, "Finite(row: 0, first: 0, last: 0, head"),
        ),
    ]
}

/// The readers of a data set, as they are typed; `@` is the data set, `=` a file to write, and
/// `ON_ROWS` the claims about rows.
const READING: [&str; 30] = [
    "check @",
    "check --heads @",
    "check --json @",
    "check --rows 1..5 @",
    "show 5 --data @",
    "show 5 --json --data @",
    "show 0 --latex --data @",
    "show 0..12 --full --data @",
    "f 1000 5 --data @",
    "f 9223372036854775807 9 --data @",
    "periods --data @",
    "periods --period 1 --data @",
    "query 1000 900 5 --data @",
    "query 5 3 0 --data @",
    "query 9223372036854775807 9223372036854775807 12 --data @",
    "seq A029901 --terms 3 --data @",
    "seq A029904 --terms 3 --data @",
    "stats --data @",
    "stats --json --data @",
    "export @",
    "export @ --format jsonl",
    "plot periods --data @ --out =",
    "plot table 5 --data @ --out =",
    "plot why 5 --data @ --out =",
    "plot strips --data @ --out =",
    "why 5 --data @",
    "why --data @",
    "seq new-periods --terms 1 --data @",
    "reproduce ON_ROWS --data @",
    "rows --to 12 --out @",
];

/// Twenty seconds of processor time, 300 MB of memory, and five minutes of wall time, which a busy
/// machine may need.
fn limited(typed: &str, data_set: &Path, out: &Path) -> Output {
    let argument = |word: &str| match word {
        "@" => data_set.as_os_str().to_owned(),
        "=" => out.join("figure.svg").into_os_string(),
        word => word.into(),
    };
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -t 20; ulimit -v 300000; exec \"$@\"", "sh"])
        .arg(chomp().get_program())
        .args(typed.replace("ON_ROWS", ON_ROWS).split(' ').map(argument))
        .env("MALLOC_ARENA_MAX", "1")
        .stdin(Stdio::null())
        .stdout(fs::File::create(out.join("stdout")).unwrap())
        .stderr(fs::File::create(out.join("stderr")).unwrap())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if began.elapsed() > Duration::from_secs(300) => {
                child.kill().unwrap();
                panic!("{typed} does not end");
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    let [stdout, stderr] = ["stdout", "stderr"].map(|name| fs::read(out.join(name)).unwrap());
    Output { status, stdout, stderr }
}

/// Folders and files may have any name that the system allows.
#[test]
fn names_are_shown_without_what_a_terminal_obeys() {
    let folder = tempdir().unwrap();
    let name = folder.path().join("rows\u{1b}[2K\r\nVerified: \u{202e}");
    let run = |typed: &str| {
        let argument = |word: &str| match word {
            "@" => name.clone(),
            "=" => name.join("x\u{1b}[2K.svg"),
            word => word.into(),
        };
        let output = chomp().args(typed.split(' ').map(argument)).output().unwrap();
        let all = text(&output.stdout) + &text(&output.stderr);
        let obeyed = |letter: char| letter.is_control() && letter != '\n' || letter == '\u{202e}';
        assert!(!all.contains(obeyed) && !all.contains("\nVerified: \\"), "{typed}: {all:?}");
        (output.status.code(), all)
    };
    let shown = r"rows\u{1b}[2K\r\nVerified: \u{202e}";
    for typed in ["check @", "show 5 --data @", "export @ --out nowhere/x.csv"] {
        let (code, all) = run(typed);
        assert!(code == Some(3) && all.contains(shown), "{typed}: {all}");
    }
    assert!(rows(12, &name).output().unwrap().status.success());
    for typed in ["stats --data @", "query 1000 900 5 --data @", "plot periods --data @ --out ="] {
        let (code, all) = run(typed);
        assert!(code == Some(0) && all.contains(shown), "{typed}: {all}");
    }
    // The typed path, in the usage error of clap.
    for (typed, shown) in [("\u{1b}[2K5", "\"\\u{1b}[2K5\""), ("\r\u{9b}2K5", "\"\\r\\u{9b}2K5\"")]
    {
        let output = chomp().args(["rows", "--to", typed]).output().unwrap();
        assert!(text(&output.stderr).contains(shown), "{}", text(&output.stderr));
    }
}

/// For any content of a folder, each reader gives a clear error in bounded time and memory.
#[test]
fn hostile_folders_end_every_reading_command() {
    let out = tempdir().unwrap();
    let run = |kind: &str, folder: &Path, typed: &str| {
        let output = limited(typed, folder, out.path());
        let (printed, words) = (text(&output.stdout), text(&output.stderr));
        let code = output.status.code();
        let control = |letter: char| letter.is_control() && letter != '\n';
        let all = format!("{kind}: {typed}: {}\n{words}{printed}", output.status);
        assert!(code.is_some_and(|code| code <= 4), "{all}");
        assert!(!all.contains(control) && all.len() < 100_000, "{all:?}");
        assert!(!words.to_lowercase().contains("memory"), "{all}");
        assert!(!words.contains("panicked"), "{all}");
        assert!(!printed.contains("Verified") || code == Some(0), "{all}");
        // One line, for any content of the folder.
        let errors = words.lines().filter(|line| line.starts_with("error: ")).count();
        assert_eq!(errors, usize::from(code != Some(0)), "{all}");
        assert!(!words.lines().any(|line| line.starts_with("Verified")), "{all}");
        code == Some(0)
    };
    for form in [&["--full"][..], &[]] {
        let good = rows_to_12(form);
        for typed in READING.iter().filter(|typed| form.is_empty() <= !typed.contains("table")) {
            let same = *typed != "rows --to 12 --out @" || form.is_empty();
            assert_eq!(run("a good one", good.path(), typed), same, "{typed}");
        }
    }
    // Each folder with every third reader, and each reader with every third folder.
    for (place, (kind, folder)) in bad_folders().into_iter().enumerate() {
        for typed in READING.iter().skip(place % 3).step_by(3) {
            assert!(!run(kind, folder.path(), typed), "{kind}: {typed} is done");
        }
    }
    for (kind, folder) in false_data_sets() {
        for typed in READING {
            // Depth tails assumes starts and ends.
            let done = run(kind, folder.path(), typed);
            assert!(!done || typed != "check --heads @", "{kind} is verified");
        }
    }
}
