//! `chomp positions`. Expected values come from the OEIS, from published counts, from plain search,
//! from marks, and from the library's rows of tails.

use std::fs;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::time::Duration;

use boards::lengths::Lengths;
use game::Board;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};
use serde_json::Value;
use tempfile::tempdir;

use crate::program::{INCOMPLETE, INPUT_OR_OUTPUT, USAGE, chomp, stdout, workspace};

fn by_marks(rows: u16, to: u16) -> Vec<Vec<u16>> {
    let lengths = Lengths::of(rows, to, &|_| ControlFlow::Continue(()));
    lengths.expect("few boards").p_positions().collect()
}

fn rows_of_csv(text: &str) -> Vec<Vec<u16>> {
    let row =
        |line: &str| line.split(',').map(|number| number.parse().expect("a number")).collect();
    text.lines().skip(1).map(row).collect()
}

#[test]
fn the_table_has_the_published_counts() {
    let published = fixtures::numbers::<2>("four-rows.tsv");
    let [to, count] = published[0];
    let printed = stdout(chomp(&format!("positions --to {to} --threads 2")).assert());
    let line = format!("P-positions with 4 rows and a <= {to}: {count}.\nblake3 ");
    assert!(printed.contains(&line), "{printed}");
    let table = stdout(chomp("positions --to 100 --tsv --at 10,20,50,100").assert());
    let counts: Vec<&str> =
        table.lines().skip(1).filter_map(|line| line.split('\t').nth(1)).collect();
    let expected = [10, 20, 50, 100].map(|to| by_marks(4, to).len().to_string());
    assert_eq!(counts, expected);
}

/// Threads and memory change nothing, and neither does --check.
#[test]
fn the_hash_is_always_the_same() {
    let hash = |arguments: &str| {
        let printed = stdout(chomp(&format!("positions {arguments} --json")).assert());
        let found: Value = serde_json::from_str(&printed).expect("JSON");
        found["blake3"].as_str().expect("a hash").to_owned()
    };
    for (run, others) in [
        ("--to 200", ["--threads 1", "--threads 7", "--memory 32MB", "--check"]),
        ("--to 60 --rows 5", ["--threads 1", "--threads 7", "--memory 32MB", "--check"]),
        ("--to 300 --rows 3", ["--threads 1", "--threads 7", "--memory 32MB", "--check"]),
    ] {
        let expected = hash(run);
        for other in others {
            assert_eq!(hash(&format!("{run} {other}")), expected, "{run} {other}");
        }
    }
}

#[test]
fn positions_are_written_in_order() {
    let folder = tempdir().unwrap();
    let expected = by_marks(4, 60);
    let csv = folder.path().join("four.csv");
    let printed = stdout(chomp("positions --to 60 --out").arg(&csv).assert());
    assert!(printed.contains("a <= 60"), "{printed}");
    let text = fs::read_to_string(&csv).unwrap();
    assert!(text.starts_with("a,b,c,d\n1,0,0,0\n2,1,0,0\n"), "{text}");
    assert_eq!(rows_of_csv(&text), expected);
    let some = stdout(chomp("positions --to 60 --from 41 --out -").assert());
    let expected: Vec<_> = expected.into_iter().filter(|lengths| lengths[0] >= 41).collect();
    assert_eq!(rows_of_csv(&some), expected);
    let lines = stdout(chomp("positions --to 60 --from 41 --out - --format jsonl").assert());
    let objects: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), expected.len());
    for (object, lengths) in objects.iter().zip(&expected) {
        for (name, length) in ["a", "b", "c", "d"].into_iter().zip(lengths) {
            assert_eq!(object[name], *length, "{object}");
        }
    }
}

/// The lengths of games are those of all boards of a rectangle.
#[test]
fn lengths_are_written_beside_positions() {
    let all = Lengths::of(3, 40, &|_| ControlFlow::Continue(())).expect("few boards");
    let length = |rows: &[u16]| all.of_board(&Board::new(rows.to_vec()).unwrap()).unwrap();
    for (arguments, is_asked) in [
        ("--lengths 40", (|_| true) as fn(&[u16]) -> bool),
        ("--lengths 5 --from 20", |rows| rows[2] <= 5 && rows[0] >= 20),
    ] {
        let text =
            stdout(chomp(&format!("positions --rows 3 --to 40 --out - {arguments}")).assert());
        assert!(text.starts_with("a,b,c,length\n"), "{text}");
        let asked = all.p_positions().filter(|rows| is_asked(rows));
        let expected: Vec<_> = asked.map(|rows| [&rows[..], &[length(&rows)]].concat()).collect();
        assert_eq!(rows_of_csv(&text), expected, "{arguments}");
    }
}

#[test]
fn the_sequence_is_that_of_the_oeis() {
    let terms = stdout(chomp("seq A395126 --terms 5000").assert());
    let expected = fs::read_to_string(workspace("testdata/oeis/A395126.txt")).unwrap();
    assert!(terms.starts_with(&expected), "{terms}");
    let positions = by_marks(4, 60);
    let lines: Vec<String> =
        (1..=5000).zip(&positions).map(|(n, lengths)| format!("{n} {}\n", lengths[3])).collect();
    assert_eq!(terms, lines.concat());
    assert_eq!(stdout(chomp("seq a395126 --terms 1").assert()), "1 0\n");
    let committed = fs::read_to_string(workspace("outputs/b395126.txt")).unwrap();
    assert!(committed.starts_with(&terms));
    assert_eq!(committed.lines().count(), 10_000);
}

/// A companion of A395126: the numbers of positions by a, and the draft of an entry.
#[test]
fn positions_are_counted_by_length() {
    let positions = by_marks(4, 60);
    let number = |a: u16| positions.iter().filter(|lengths| lengths[0] == a).count();
    let expected: Vec<String> = (1..=60).map(|a| format!("{a} {}\n", number(a))).collect();
    assert_eq!(stdout(chomp("seq four-row-counts --terms 60").assert()), expected.concat());
    let entry = stdout(chomp("seq four-row-counts --terms 60 --oeis").assert());
    let first: Vec<String> = (1..=9).map(|a| number(a).to_string()).collect();
    assert!(entry.contains(&format!("%S A000000 {}", first.join(","))), "{entry}");
    assert!(entry.contains("four rows") || entry.contains("(n,b,c,d)"), "{entry}");
    assert!(entry.contains("A395126") && !entry.contains("bottom row r"), "{entry}");
}

/// The check compares with other ways, and says so.
#[test]
fn a_check_says_what_it_has_compared() {
    let printed = stdout(chomp("positions --to 150 --check").assert());
    for words in ["all with a <= 106, by marks", "c <= 12, by the rows of tails", "by the rules"] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
}

/// The families from a list by marks: a is LOW if (a,x,x,x), x < a, is a P-position, and then x is
/// the bound. Medians are tested in `ledger`.
#[test]
fn the_table_of_families_is_that_of_marks() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("families.tsv");
    stdout(chomp("positions --to 100 --at 60,100 --families").arg(&file).assert());
    let text = fs::read_to_string(&file).unwrap();
    let positions = by_marks(4, 100);
    let is_left = |lengths: &&Vec<u16>| {
        lengths[1] < lengths[0] && lengths[1] == lengths[2] && lengths[2] == lengths[3]
    };
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let names = lines.next().expect("names");
    for to in [60, 100] {
        let fields = lines.next().expect("a line for each length");
        assert_eq!(fields.len(), names.len());
        let low: Vec<_> =
            positions.iter().filter(is_left).filter(|lengths| lengths[0] <= to).collect();
        let last = low.last().expect("some are LOW");
        let bound = format!("{:.6}", f64::from(last[3]) / f64::from(last[0]));
        let numbers =
            [to, u16::try_from(low.len()).unwrap(), to - u16::try_from(low.len()).unwrap()];
        assert_eq!(fields[..3], numbers.map(|number| number.to_string()));
        assert_eq!(fields.last(), Some(&bound.as_str()));
    }
    assert!(lines.next().is_none());
    chomp("positions --to 30 --rows 5 --families")
        .arg(&file)
        .assert()
        .code(USAGE)
        .stderr(contains("--families are of four rows"));
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "nothing is written");
}

#[test]
fn a_run_resumes_from_its_state() {
    let folder = tempdir().unwrap();
    let expected = stdout(chomp("positions --to 400 --tsv").assert());
    let run = |to: u16| {
        let mut command = chomp(&format!("positions --to {to} --tsv --keep"));
        command.arg(folder.path().join("run"));
        command
    };
    // A complete run leaves nothing.
    assert_eq!(stdout(run(400).assert()), expected);
    assert!(!folder.path().join("run").exists());
    // The library makes a state as an interrupted run leaves it: after the block in which it was
    // asked to stop.
    let state = folder.path().join("run/positions-4.state");
    let stop = std::sync::atomic::AtomicBool::new(true);
    let begun = driver::PositionsRun {
        folder: Some(folder.path().join("run")),
        every: Duration::ZERO,
        ..driver::PositionsRun::new(4, 300)
    };
    let stopped = begun.find(&stop, |_| std::ops::ControlFlow::Continue(()));
    let stopped = stopped.unwrap_err();
    assert_eq!(stopped.kind(), driver::ErrorKind::Incomplete);
    assert!(stopped.to_string().ends_with("the same command resumes at a = 128"), "{stopped}");
    let whole = fs::read(&state).unwrap();
    // A longer run may resume from it, a shorter one or one with other rows may not.
    run(100).assert().code(INPUT_OR_OUTPUT).stderr(contains("goes to a = 127 at least"));
    for (place, words) in [
        (0, "it is no state of this version"),
        (whole.len() / 2, "its hash does not fit"),
        (whole.len() - 1, "its hash does not fit"),
    ] {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        fs::write(&state, &damaged).unwrap();
        let refused = run(400).assert().code(INPUT_OR_OUTPUT);
        refused.stderr(contains(words).and(contains("remove it to begin again")));
        assert_eq!(fs::read(&state).unwrap(), damaged, "it stays");
    }
    for length in [0, 20, whole.len() - 1] {
        fs::write(&state, &whole[..length]).unwrap();
        run(400).assert().code(INPUT_OR_OUTPUT);
    }
    fs::write(&state, &whole).unwrap();
    fs::rename(&state, folder.path().join("run/positions-5.state")).unwrap();
    let mut other = chomp("positions --rows 5 --to 140 --keep");
    let other = other.arg(folder.path().join("run")).assert();
    other.code(INPUT_OR_OUTPUT).stderr(contains("another number of rows"));
    fs::rename(folder.path().join("run/positions-5.state"), &state).unwrap();
    let resumed = run(400).assert().success().stderr(contains("resuming at a = 128"));
    assert_eq!(String::from_utf8(resumed.get_output().stdout.clone()).unwrap(), expected);
    assert!(!state.exists());

    // What is believed is said, and what can be tested is tested: a flipped bit with a good hash.
    let hashed = |body: &[u8]| [body, blake3::hash(body).as_bytes()].concat();
    let body = &whole[..whole.len() - 32];
    fs::create_dir_all(state.parent().unwrap()).unwrap();
    let first_layer = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let bits = first_layer + 127 * 40;
    let places = [first_layer, first_layer + 20, bits, bits + 100];
    let random = (1..=8).map(|step| bits + (body.len() - bits) * step / 9);
    for place in places.into_iter().chain(random) {
        let mut flipped = body.to_vec();
        flipped[place] ^= 1 << (place % 8);
        fs::write(&state, hashed(&flipped)).unwrap();
        let refused = run(400).assert().code(INPUT_OR_OUTPUT).stdout("");
        refused.stderr(contains("contradicts itself or the rules"));
    }
    let longer = [body, &[0]].concat();
    fs::write(&state, hashed(&longer)).unwrap();
    run(400).assert().code(INPUT_OR_OUTPUT);
    fs::write(&state, &whole).unwrap();
    let hash = blake3::hash(body).to_hex();
    let mut as_text = chomp("positions --to 150 --keep");
    let believed = as_text.arg(state.parent().unwrap()).assert().success();
    believed.stdout(
        contains("Believed, not proved: the P-positions with a <= 127")
            .and(contains(hash.as_str())),
    );
    fs::create_dir_all(state.parent().unwrap()).unwrap();
    fs::write(&state, &whole).unwrap();
    let mut as_json = chomp("positions --to 150 --json --keep");
    let printed = stdout(as_json.arg(state.parent().unwrap()).assert());
    let object: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(object["state"]["last"], 127);
    assert_eq!(object["state"]["blake3"], hash.as_str());
}

/// A file of 20 KB is all that the disk has: the message says that the state is lost.
#[cfg(unix)]
#[test]
fn an_interrupted_run_says_that_its_state_is_lost() {
    let folder = tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin("chomp");
    let mut child = std::process::Command::new("sh")
        .arg("-c")
        .arg("ulimit -f 20; exec \"$0\" positions --to 3000 --threads 1 --progress json --keep \"$1\"")
        .arg(program)
        .arg(folder.path().join("run"))
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut report = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("\"unit\":\"column\"") {
        line.clear();
        assert_ne!(report.read_line(&mut line).unwrap(), 0, "no progress is reported");
    }
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut report, &mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(INCOMPLETE));
    assert!(rest.contains("the run ends without it") && !rest.contains("continues"), "{rest}");
    assert!(!rest.contains("holds the state"), "{rest}");
}

/// Ctrl-C: the state is kept, and the same command resumes.
#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_its_state() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = tempdir().unwrap();
    let state = folder.path().join("run");
    // Interrupts the run once it has reported this.
    let interrupt_after = |words: &str| {
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("chomp"))
            .args(["positions", "--to", "3000", "--threads", "1", "--progress", "json", "--state"])
            .arg(&state)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut report = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains(words) {
            line.clear();
            assert_ne!(report.read_line(&mut line).unwrap(), 0, "{words} is not reported");
        }
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        kill_process(pid, Signal::INT).unwrap();
        std::io::copy(&mut report, &mut std::io::sink()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(INCOMPLETE));
        assert!(state.join("positions-4.state").exists());
    };
    interrupt_after("\"unit\":\"column\"");
    interrupt_after("resuming at a = ");
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (arguments, words) in [
        ("positions --rows 2 --to 9", "2 is not in 3..=26"),
        ("positions --rows 27 --to 9", "27 is not in 3..=26"),
        ("positions --to 0", "0 is not in 1..=65534"),
        ("positions --to 65535", "65535 is not in 1..=65534"),
        ("positions --to 60000", "P-positions of 4 rows up to 60000 squares need about"),
        ("positions --to 1000 --memory 10MB", "and 10 MB are allowed"),
        ("positions --to 9 --out positions.txt", "choose a --format"),
        ("positions --to 9 --out - --format parquet", r#".write_parquet("rows.parquet")"#),
        ("positions --to 9 --out positions.parquet", r#".write_parquet("rows.parquet")"#),
        ("positions --to 9 --from 10 --out -", "--from 10 is more than --to 9"),
        ("seq A395126 --data nowhere", "leave out --data"),
    ] {
        let refused = chomp(arguments).assert().code(USAGE);
        refused.stdout("").stderr(starts_with("error: ").and(contains(words)));
    }
}
