//! Files of others stay as they are; endless input and input that would block are refused at once.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use tempfile::{TempDir, tempdir};

const USAGE: i32 = 2;
const INPUT_OR_OUTPUT: i32 = 3;
const INTERRUPTED: i32 = 4;

/// The program in a folder, with these arguments.
fn chomp(folder: &TempDir, arguments: &str) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::cargo_bin("chomp").unwrap();
    command.current_dir(folder).args(arguments.split_whitespace());
    command.timeout(Duration::from_secs(60));
    command
}

fn run(folder: &TempDir, arguments: &str) -> Assert {
    chomp(folder, arguments).assert()
}

/// Everything in a folder: names, and the bytes of regular files.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            found.extend(contents(&entry.path()));
        }
        found.insert(entry.path(), kind.is_file().then(|| fs::read(entry.path()).unwrap()));
    }
    found
}

/// A folder with data sets of both formats, `rows` and `levels`, and an unfinished run, `begun`.
fn data_sets() -> TempDir {
    let folder = tempdir().unwrap();
    run(&folder, "rows --to 20 --out rows").success();
    run(&folder, "grundy --levels 0..2 --to 20 --out levels").success();
    fs::create_dir(folder.path().join("begun")).unwrap();
    let segment = "rows-0000000-0000020.ron";
    fs::copy(folder.path().join("rows").join(segment), folder.path().join("begun").join(segment))
        .unwrap();
    fs::write(folder.path().join("begun/checkpoint-0000001216.bin"), "unreadable").unwrap();
    folder
}

#[test]
fn no_command_writes_over_a_data_set() {
    let folder = data_sets();
    symlink("levels/MANIFEST.ron", folder.path().join("link.svg")).unwrap();
    symlink("levels", folder.path().join("to-levels")).unwrap();
    let before = contents(folder.path());
    for file in [
        "rows/MANIFEST.ron",
        "rows/rows-0000000-0000020.ron",
        "levels/MANIFEST.ron",
        "levels/rows-0000000-0000062.ron",
        "levels/rows-0000063-0000099.ron.zst",
        "to-levels/MANIFEST.ron",
        "link.svg",
        "begun/MANIFEST.ron",
        "begun/checkpoint-0000001216.bin",
        "begun/rows.csv",
        "words-0000058.bin",
        "owner.txt",
    ] {
        for command in [
            "export rows --format csv --out",
            "plot row 5 --out",
            "plot strips --to 20 --out - --tsv",
        ] {
            let words = contains("write another file");
            run(&folder, &format!("{command} {file}")).code(USAGE).stdout("").stderr(words);
        }
    }
    run(&folder, "man --out begun").code(USAGE).stderr(contains("unfinished data set"));
    run(&folder, "rows --to 20 --out levels").code(INPUT_OR_OUTPUT);
    run(&folder, "rows --to 20 --full --out levels").code(INPUT_OR_OUTPUT);
    run(&folder, "grundy --levels 0..2 --to 20 --out rows").code(INPUT_OR_OUTPUT);
    run(&folder, "tail 4 3 --out rows").code(INPUT_OR_OUTPUT);
    run(&folder, "tail 4 3 --out levels").code(INPUT_OR_OUTPUT);
    run(&folder, "grundy --levels 0..2 --to 20 --out begun").code(INPUT_OR_OUTPUT);
    assert_eq!(contents(folder.path()), before);
    run(&folder, "export rows --out rows/rows.csv").success();
    run(&folder, "man --out rows").success();
    run(&folder, "rows --to 30 --out rows").success();
    run(&folder, "rows --to 30 --out begun").success();
}

/// Whatever the name of the file: its own, that of a link, standard input, or standard output.
#[test]
fn no_command_writes_over_its_own_input() {
    let folder = data_sets();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("crown"), "a < x\nb < y\n").unwrap();
    fs::write(path("edges"), "a b\nb c\n").unwrap();
    fs::write(path("position"), "7 5 3\n").unwrap();
    for (file, name) in [
        ("crown", "crown"),
        ("edges", "edges"),
        ("rows/MANIFEST.ron", "manifest"),
        ("rows/rows-0000000-0000020.ron", "segment"),
    ] {
        fs::hard_link(path(file), path(&format!("{name}.hard"))).unwrap();
        symlink(file, path(&format!("{name}.link"))).unwrap();
    }
    let before = contents(folder.path());
    let refused = |arguments: &str, input: &str, output: Option<&str>| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("chomp"));
        command.current_dir(&folder).args(arguments.split(' '));
        if !input.is_empty() {
            command.stdin(fs::File::open(path(input)).unwrap());
        }
        if let Some(output) = output {
            command.stdout(fs::OpenOptions::new().append(true).open(path(output)).unwrap());
        }
        let output = command.output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        let code = output.status.code().unwrap();
        assert!(matches!(code, USAGE | INPUT_OR_OUTPUT), "{arguments}: {code}: {words}");
        assert!(words.contains("the same command "), "{arguments}: {words}");
        assert!(contents(folder.path()) == before, "{arguments} changes a file");
    };
    for file in ["crown", "crown.hard", "crown.link", "rows/../crown", "/dev/stdin"] {
        refused(&format!("poset crown --dot {file}"), "crown", None);
        refused(&format!("poset - --dot {file}"), "crown", None);
    }
    refused("poset graph edges --dot edges.hard", "", None);
    for file in ["manifest.hard", "segment.hard"] {
        refused(&format!("export rows --format csv --out {file}"), "", None);
        refused(&format!("plot periods --data rows --out {file}"), "", None);
        refused(&format!("plot strips --data rows --out - --tsv {file}"), "", None);
    }
    refused("plot strips --to 20 --out new.svg --tsv rows/../new.svg", "", None);
    refused("plot strips --to 20 --out crown --tsv crown.link", "", None);
    for (arguments, input) in
        [("query --from position", ""), ("query --from -", "position"), ("play", "position")]
    {
        refused(arguments, input, Some("position"));
    }
    refused("poset crown.hard", "", Some("crown"));
    refused("export rows", "", Some("manifest.hard"));
    run(&folder, "poset crown --dot crown.dot").success();
}

#[test]
fn words_are_not_kept_among_rows_by_whatever_path() {
    let folder = tempdir().unwrap();
    symlink("out", folder.path().join("link")).unwrap();
    for (out, spill) in
        [("out", "out"), ("out", "out/other"), ("out", "x/../out/other"), ("./y/../out", "out")]
    {
        let refused = run(&folder, &format!("rows --to 9 --out {out} --spill {spill}"));
        refused.code(USAGE).stderr(contains("in the folder of the data set"));
        assert_eq!(contents(folder.path()).len(), 1, "{spill}");
    }
    run(&folder, "rows --to 9 --out out").success();
    let refused = run(&folder, "rows --to 20 --out out --spill link/other");
    refused.code(USAGE).stderr(contains("in the folder of the data set"));
    run(&folder, "rows --to 20 --out out --spill words").success();
    let refused = run(&folder, "rows --to 20 --out other --spill out");
    refused.code(USAGE).stderr(contains("in the folder of the data set"));
}

/// A run that has nothing to compute leaves the words of others, and says so.
#[test]
fn a_run_with_nothing_to_do_removes_nothing() {
    let folder = tempdir().unwrap();
    run(&folder, "rows --to 20 --out out").success();
    let us = folder.path().join("us");
    fs::create_dir(&us).unwrap();
    for name in ["words-5.bin", "words-0000005.bin"] {
        fs::write(us.join(name), "thesis").unwrap();
    }
    let before = contents(folder.path());
    let held = run(&folder, "rows --to 20 --out out --spill us").success();
    held.stderr(contains("the words in us are left there: us: it has files of words"));
    run(&folder, "rows --to 3000 --out new --spill us")
        .code(INPUT_OR_OUTPUT)
        .stderr(contains("no owner.txt names their run"));
    assert_eq!(contents(folder.path()), before);
}

/// A run that keeps most of its words on disk.
const SPILLING: &str = "rows --to 70000 --threads 2 --memory 42M --checkpoint 0s --out out --spill";

/// Has it killed when it has written two checkpoints or more.
fn killed(folder: &TempDir) {
    let program = assert_cmd::cargo::cargo_bin!("chomp");
    let mut command = Command::new(program);
    command.current_dir(folder).args(SPILLING.split_whitespace()).arg("words");
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while checkpoints(folder).len() < 2 {
        assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint is written");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn checkpoints(folder: &TempDir) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder.path().join("out")) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_one =
        |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("checkpoint-");
    let mut found: Vec<_> = paths.filter(is_one).collect();
    found.sort();
    found
}

/// A missing folder is not a damaged one. After the run was resumed and killed again, either
/// checkpoint will do.
#[test]
fn a_mistyped_folder_of_words_changes_nothing() {
    let folder = tempdir().unwrap();
    killed(&folder);
    let before = contents(folder.path());
    run(&folder, &format!("{SPILLING} wrods"))
        .code(INPUT_OR_OUTPUT)
        .stderr(contains("is wrods the folder of that run, and is its disk mounted?"));
    assert_eq!(contents(folder.path()), before);
    killed(&folder);
    let newest = checkpoints(&folder).pop().unwrap();
    let mut bytes = fs::read(&newest).unwrap();
    bytes[1000] ^= 1;
    fs::write(&newest, bytes).unwrap();
    let resumed = run(&folder, &format!("{SPILLING} words")).success();
    resumed.stderr(contains("is damaged").and(contains("resuming from the checkpoint at row")));
    assert!(!folder.path().join("words").exists());
    run(&folder, "rows --to 70000 --out expected").success();
    let manifest = |name: &str| fs::read(folder.path().join(name).join("MANIFEST.ron")).unwrap();
    assert_eq!(manifest("out"), manifest("expected"));
}

/// A run whose words are all damaged begins again, but not while it may be a copy of another run.
/// Refused, it changes nothing.
#[test]
fn a_refused_run_leaves_damaged_checkpoints() {
    let folder = tempdir().unwrap();
    killed(&folder);
    let path = |name: &str| folder.path().join(name);
    assert!(Command::new("cp").arg("-a").args([path("out"), path("copy")]).status().is_ok());
    fs::remove_dir_all(path("out")).unwrap();
    fs::rename(path("copy"), path("out")).unwrap();
    for entry in fs::read_dir(path("words")).unwrap().map(Result::unwrap) {
        let mut bytes = fs::read(entry.path()).unwrap();
        let middle = bytes.len() / 2;
        if entry.file_name() != "owner.txt" && middle > 0 {
            bytes[middle] ^= 1;
            fs::write(entry.path(), bytes).unwrap();
        }
    }
    let before = contents(folder.path());
    let refused = run(&folder, &format!("{SPILLING} words")).code(INPUT_OR_OUTPUT);
    let newest = checkpoints(&folder).pop().unwrap();
    refused.stderr(
        contains(newest.file_name().unwrap().to_str().unwrap())
            .and(contains("is damaged (words/words-"))
            .and(contains("it has not been changed"))
            .and(contains("that folder is another one now, for example a copy")),
    );
    assert_eq!(contents(folder.path()), before);
    let owner = fs::read_to_string(path("words/owner.txt")).unwrap();
    let owner = owner.split("folder of the run: ").next().unwrap();
    fs::write(path("words/owner.txt"), owner).unwrap();
    let begun = run(&folder, &format!("{SPILLING} words")).success();
    begun.stderr(contains(".damaged, and the run resumes from the one before it, or starts again"));
}

/// The program does not block on input, nor read endlessly.
#[test]
fn pipes_and_devices_are_refused_at_once() {
    let folder = tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for file in ["pipe", "/dev/zero"] {
        for command in ["query --from", "poset"] {
            let refused = run(&folder, &format!("{command} {file}"));
            refused.code(INPUT_OR_OUTPUT).stderr(contains("neither a regular file"));
        }
        for name in ["words-0000003.bin", "owner.txt"] {
            let words = tempdir().unwrap();
            symlink(folder.path().join(file), words.path().join(name)).unwrap();
            let mut command = chomp(&folder, "rows --to 3000 --out out --spill");
            let refused = command.arg(words.path()).assert();
            refused.code(INPUT_OR_OUTPUT).stderr(contains("not a regular file"));
            assert!(!folder.path().join("out").exists(), "nothing is left");
        }
    }
    let endless = Stdio::from(fs::File::open("/dev/zero").unwrap());
    let mut play = Command::new(assert_cmd::cargo::cargo_bin!("chomp"));
    let output = play.args(["play", "3x4"]).stdin(endless).output().unwrap();
    assert_eq!(output.status.code(), Some(INPUT_OR_OUTPUT));
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.contains("a line is longer than 65536 bytes"), "{words}");
}

/// The system kills at the hard limit: before that, the run keeps what it has found.
#[test]
fn a_hard_limit_on_processor_time_is_an_interrupt() {
    let folder = tempdir().unwrap();
    let limited = |seconds: u64, arguments: &str| {
        let mut command = assert_cmd::Command::new("sh");
        let script = format!("ulimit -c 0; ulimit -t {seconds}; exec \"$@\"");
        command.current_dir(&folder).args(["-c", &script, "sh"]);
        command.arg(assert_cmd::cargo::cargo_bin!("chomp")).args(arguments.split_whitespace());
        command.assert()
    };
    let ended = limited(2, "rows --to 20000 --engine literal --out out").code(INTERRUPTED);
    ended.stderr(contains("the limit on processor time (ulimit -t) is reached"));
    run(&folder, "check out").success();
    let told = limited(1, "rows --to 9 --out short").success();
    told.stderr(contains("use `ulimit -S -t` instead"));
}

/// The budget of a run is not its need.
#[test]
fn memory_that_may_be_had_need_not_be_there() {
    let folder = tempdir().unwrap();
    let all = u64::MAX;
    run(&folder, &format!("rows --to 3000 --out out --spill words --memory {all}")).success();
    assert!(!folder.path().join("words").exists());
}

/// A sparse file of this length, which begins with these words.
fn sparse(path: &Path, begins: &str, gigabytes: u64) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, begins).unwrap();
    fs::File::options().write(true).open(path).unwrap().set_len(gigabytes << 30).unwrap();
}

/// No state is longer than its first line allows.
#[test]
fn a_state_of_any_length_is_refused_at_once() {
    let folder = tempdir().unwrap();
    run(&folder, "rows --to 200 --out rows").success();
    for (file, line, command) in [
        ("kept/heads-120.checkpoint", "chomp-check 2 column 120", "check rows --heads --keep kept"),
        (
            "state/positions-4.state",
            "chomp-positions 2 rows 4 next 128",
            "positions --to 300 --keep state",
        ),
        ("parts/part-0003", "chomp-part 2 of 9x9 number 3", "board --openings 9 --keep parts"),
    ] {
        sparse(&folder.path().join(file), &format!("{line}\n"), 64);
        let refused = run(&folder, command).code(INPUT_OR_OUTPUT);
        refused.stderr(contains(file).and(contains("has 68719476736 bytes, and may have at most")));
    }
}

/// A link that leads nowhere is no missing file: what it led to may come back.
#[test]
fn a_state_that_is_a_dangling_link_is_refused() {
    let folder = tempdir().unwrap();
    run(&folder, "rows --to 200 --out rows").success();
    for (file, command) in [
        ("kept/heads-120.checkpoint", "check rows --heads --keep kept"),
        ("state/positions-4.state", "positions --to 300 --keep state"),
        ("parts/part-0003", "board --openings 9 --keep parts"),
    ] {
        let link = folder.path().join(file);
        fs::create_dir(link.parent().unwrap()).unwrap();
        symlink("nowhere", &link).unwrap();
        let refused = run(&folder, command).code(INPUT_OR_OUTPUT);
        refused.stderr(contains(file).and(contains("it is a link to a file that does not exist")));
        assert!(link.is_symlink());
    }
}

/// What is in the place of a folder is said in words. The older names of --keep do the same.
#[test]
fn a_file_in_the_place_of_a_folder_is_named() {
    let folder = tempdir().unwrap();
    run(&folder, "rows --to 200 --out rows").success();
    fs::write(folder.path().join("file"), "").unwrap();
    symlink("nowhere", folder.path().join("link")).unwrap();
    for command in [
        "check rows --heads --keep",
        "positions --to 300 --keep",
        "board --openings 9 --keep",
        "check rows --heads --checkpoints",
        "positions --to 300 --state",
        "board --openings 9 --resume",
        "rows --to 3000 --out new --spill",
        "man --out",
    ] {
        for name in ["file", "link"] {
            let refused = run(&folder, &format!("{command} {name}")).code(INPUT_OR_OUTPUT);
            refused.stderr(
                contains(name)
                    .and(contains("it is there, and is no folder"))
                    .and(contains("os error").not()),
            );
        }
    }
}

/// Waits until the program has opened this file, interrupts it, and waits for its end.
#[cfg(target_os = "linux")]
fn interrupted_while_it_reads(folder: &TempDir, command: &str, file: &Path) {
    use rustix::process::{Pid, Signal, kill_process};

    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("chomp"))
        .current_dir(folder)
        .args(command.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let file = file.canonicalize().unwrap();
    let has_opened = || {
        let handles = fs::read_dir(format!("/proc/{}/fd", child.id())).into_iter().flatten();
        handles.flatten().any(|handle| fs::read_link(handle.path()).is_ok_and(|to| to == file))
    };
    let began = Instant::now();
    while !has_opened() {
        assert!(began.elapsed() < Duration::from_secs(60), "{command} does not read");
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let asked = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if asked.elapsed() > Duration::from_secs(10) => {
                child.kill().unwrap();
                panic!("{command} hears no signal");
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    assert_eq!(status.code(), Some(INTERRUPTED), "{command}");
}

/// Files as long as their names or first lines allow, with minutes to read.
#[cfg(target_os = "linux")]
#[test]
fn a_long_file_is_left_at_a_signal() {
    let folder = tempdir().unwrap();
    run(&folder, "rows --to 200 --out rows").success();
    for (file, line, command) in [
        (
            "kept/heads-1000000.checkpoint",
            "chomp-check 2 column 1000000\n",
            "check rows --heads --keep kept",
        ),
        ("out/checkpoint-2000000000.bin", "", "rows --to 30000 --out out"),
    ] {
        let path = folder.path().join(file);
        sparse(&path, line, 300);
        interrupted_while_it_reads(&folder, command, &path);
        fs::remove_file(path).unwrap();
    }
}
