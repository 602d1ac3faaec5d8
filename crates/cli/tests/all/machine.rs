//! The environment of the program: ignored signals, limits on time, threads and memory, and outputs
//! that are no regular files.

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::{TempDir, tempdir};

const USAGE: i32 = 2;
const INPUT_OR_OUTPUT: i32 = 3;
const INTERRUPTED: i32 = 4;

/// The program, run by a shell after this.
fn chomp_after(script: &str, arguments: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{script}; exec \"$@\""), "sh"]);
    command.arg(assert_cmd::cargo::cargo_bin!("chomp")).args(arguments.split_whitespace());
    command
}

fn chomp(arguments: &str) -> Command {
    chomp_after(":", arguments)
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

/// A run of a second or more that has written a checkpoint, and so catches signals.
fn run_under_way(script: &str, folder: &Path) -> Child {
    let mut command = chomp_after(script, "rows --to 60000 --checkpoint 0s --out");
    let child = command.arg(folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    let is_checkpoint =
        |name: std::ffi::OsString| name.to_string_lossy().starts_with("checkpoint-");
    while !fs::read_dir(folder).unwrap().any(|entry| is_checkpoint(entry.unwrap().file_name())) {
        assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint is written");
        thread::sleep(Duration::from_millis(1));
    }
    child
}

#[test]
fn what_is_ignored_stays_ignored() {
    for signal in ["HUP", "INT", "TERM"] {
        let ignored = format!("trap '' {signal}");
        // The tests may have been started to ignore it.
        let caught = format!("set -- env --default-signal={signal} \"$@\"");
        for (script, code) in [(ignored, 0), (caught, INTERRUPTED)] {
            let folder = tempdir().unwrap();
            let child = run_under_way(&script, folder.path());
            // If it were not ignored, the second one would end the run at once.
            for _ in 0..if code == 0 { 2 } else { 1 } {
                let mut kill = Command::new("kill");
                kill.args(["-s", signal, &child.id().to_string()]);
                assert!(kill.status().unwrap().success());
                thread::sleep(Duration::from_millis(5));
            }
            let output = child.wait_with_output().unwrap();
            let words = text(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{script}, {signal}: {words}");
            assert_eq!(
                folder.path().join("MANIFEST.ron").exists(),
                code == 0 || words.contains("extends")
            );
        }
    }
}

#[test]
fn a_limit_on_processor_time_is_an_interrupt() {
    let folder = tempdir().unwrap();
    let mut command = chomp_after("ulimit -S -t 1", "rows --to 20000 --engine literal --out");
    let words = messages(command.arg(folder.path()), INTERRUPTED);
    assert!(words.contains("the limit on processor time (ulimit -t) is reached"), "{words}");
    assert!(words.contains("the same command extends them"), "{words}");
    messages(chomp("check").arg(folder.path()), 0);
}

#[test]
fn an_interrupt_leaves_nothing_of_levels() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("levels");
    let mut command = chomp_after("ulimit -S -t 1", "grundy --levels 0..6 --to 6000 --out");
    let words = messages(command.arg(&path), INTERRUPTED);
    assert!(words.contains("interrupted; the folder is as it was before"), "{words}");
    assert!(!path.exists());
}

#[test]
fn an_interrupt_of_the_verification_says_what_is_written() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("levels");
    let caught = "set -- env --default-signal=TERM \"$@\"";
    let mut command = chomp_after(caught, "grundy --levels 0..2 --to 2000 --out");
    command.arg(&path).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let began = Instant::now();
    while !path.join("MANIFEST.ron").exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "nothing is written");
        thread::sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let (words, path) = (text(&output.stderr), path.display());
    assert_eq!(output.status.code(), Some(INTERRUPTED), "{words}");
    let said = format!(
        "interrupted; {path} holds levels 0 to 2, rows 0 to 2000, written but not verified; `chomp \
         check {path}` verifies them"
    );
    assert!(words.contains(&said), "{words}");
    messages(&mut chomp(&format!("check {path}")), 0);
}

/// Runs the program as a user with a limit on threads. `None`, loudly, where that is not
/// possible.
fn with_threads(most: u32, program: &Path, arguments: &str, folder: &Path) -> Option<Output> {
    // Of the user that runs the tests, all processes count; root is not bound, and becomes another.
    let script = format!("ulimit -p {most} 2> /dev/null || ulimit -u {most}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh"]).arg(program).args(arguments.split_whitespace());
    command.current_dir(folder);
    if rustix::process::getuid().is_root() {
        command.uid(54_321).gid(54_321);
    }
    let output = command.output();
    if output.is_err() {
        fixtures::skip("root cannot become another user here");
    }
    output.ok()
}

#[test]
fn threads_that_cannot_be_created_are_an_error_before_the_work() {
    let folder = data_set();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    // In a place where the other user can run it. Another process writes it: a concurrent test may
    // inherit the open file, which is then busy.
    let program = folder.path().join("chomp");
    let mut install = Command::new("install");
    install.args(["-m", "755"]).arg(assert_cmd::cargo::cargo_bin!("chomp")).arg(&program);
    assert!(install.status().unwrap().success());
    let files = count(folder.path());
    for (most, arguments, problem) in [
        (1, "periods --to 3000 --threads 1", "the sweep cannot have 1 threads here"),
        (1, "periods --to 3000 --threads 4", "the sweep cannot have 4 threads here"),
        (3, "periods --to 3000 --threads 4", "the sweep cannot have 4 threads here"),
        (1, "show 2000", "the sweep cannot have"),
        (1, "rows --to 100 --out new", "the self-check cannot have its thread"),
        (2, "rows --to 3000 --threads 2 --out new", "cannot have"),
        (3, "rows --to 3000 --threads 2 --out new", "cannot have"),
    ] {
        let Some(output) = with_threads(most, &program, arguments, folder.path()) else { return };
        let words = text(&output.stderr);
        assert_eq!(output.status.code(), Some(USAGE), "{arguments}: {words}");
        assert!(words.contains(problem) && words.contains("ulimit -u"), "{words}");
        assert_eq!(count(folder.path()), files, "no folder is left");
    }
    // One thread is enough to verify, only slower; and to compute what needs no others.
    for arguments in ["check .", "check . --heads", "show 300"] {
        let output = with_threads(1, &program, arguments, folder.path()).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments}: {}", text(&output.stderr));
    }
}

#[test]
fn limits_on_memory_are_known_before_the_work() {
    /// The advice if the threads need the space.
    const FEWER: &str = " or fewer threads (--threads)";
    let folder = tempdir().unwrap();
    for (limit, arguments, threads) in [
        ("-v 300000", "rows --to 10000 --full --out new/rows", ""),
        ("-v 300000", "rows --to 10000 --full --engine literal --out new/rows", ""),
        ("-v 60000", "rows --to 10000 --engine literal --out new/rows", ""),
        ("-v 60000", "periods --to 3000 --threads 2", FEWER),
        ("-v 90000", "seq A029899 --terms 40000", ""),
        ("-v 90000", "plot strips --out new.svg", FEWER),
        ("-v 90000", "stats --to 3000 --cells", FEWER),
        ("-v 90000", "show 3000", FEWER),
        ("-v 90000", "query 9000 3100 3000", FEWER),
        ("-d 40000", "rows --to 60000 --out new/rows", ""),
        ("-d 40000", "rows --to 10000 --full --out new/rows", ""),
    ] {
        let mut command = chomp_after(&format!("ulimit -c 0; ulimit {limit}"), arguments);
        let words = messages(command.current_dir(&folder), USAGE);
        let named = format!("its limit (ulimit {})", &limit[..2]);
        let advice = format!("; choose a smaller row{threads}\n");
        assert!(words.contains(&named) && words.contains(&advice), "{words}");
        assert_eq!(count(folder.path()), 0, "{arguments} leaves a folder");
    }
    for (limit, arguments) in [
        ("-v 1000000", "rows --to 3000 --full"),
        ("-v 1000000", "rows --to 1000 --engine literal"),
        ("-d 200000", "rows --to 10000 --threads 2"),
    ] {
        let folder = tempdir().unwrap();
        let mut command = chomp_after(&format!("ulimit {limit}"), arguments);
        messages(command.arg("--out").arg(folder.path()), 0);
    }
}

/// Words wait on disk where memory is short, unless too little is left for the rest.
#[test]
fn words_wait_on_disk_where_memory_is_short() {
    let folder = tempdir().unwrap();
    let run = |limit: &str, arguments: &str, code| {
        let mut command = chomp_after(&format!("ulimit -c 0; ulimit {limit}"), arguments);
        messages(command.current_dir(&folder), code)
    };
    let (rows, more) = ("rows --to 100000 --threads 2", "rows --to 150000 --threads 2");
    let limited = format!("{rows} --memory 55M");
    let words = run("-v 460000", more, USAGE);
    let advice = "left of its limit (ulimit -v); choose a smaller row or fewer threads";
    assert!(words.contains(advice), "{words}");
    for (limit, arguments) in [
        ("-v 90000", rows),
        ("-d 50000", rows),
        ("-d 50000", &limited),
        ("-d 72000", "rows --to 100000 --full"),
        ("-d 72000", "rows --to 100000 --engine literal"),
        ("-d 72000", "periods --to 100000 --threads 2"),
    ] {
        let words = run(limit, arguments, USAGE);
        assert!(words.contains("; choose a smaller row"), "{words}");
    }
    assert_eq!(count(folder.path()), 0, "no folder is left");
    let words = run("-d 72000", &format!("{rows} --out own"), 0);
    assert!(words.contains("of disk in own/words"), "{words}");
    run("-d 72000", &format!("{limited} --spill words --out other"), 0);
    run("-v 460000", &format!("{more} --memory 70M"), 0);
    assert!(!folder.path().join("own/words").exists() && !folder.path().join("words").exists());
}

/// The estimate for a family: less memory is refused, and so much is enough.
#[test]
fn families_need_no_more_than_is_said() {
    let run = |kilobytes: u64, arguments: &str| {
        chomp_after(&format!("ulimit -c 0; ulimit -d {kilobytes}"), arguments)
    };
    for arguments in [
        "grundy --levels 0..2 --to 1000000",
        "tail --parts 2 --to 150 --tsv",
        "query 9999 9999 150 150",
        "show 150,150",
    ] {
        let words = messages(&mut run(120_000, arguments), USAGE);
        let advice = "; choose a smaller tail, row or level\n";
        assert!(!words.contains("the rest of") && words.contains(advice), "{words}");
    }
    for arguments in [
        "tail --parts 60 --to 2",
        "tail --parts 8 --to 6",
        "tail --parts 3 --to 25 --full",
        "grundy --levels 0..3 --to 800",
        "grundy --levels 0..40 --to 30",
        "query 999 999 40 40",
    ] {
        let words = messages(&mut run(20_000, arguments), USAGE);
        let said = words.split("rows of levels and tails may need about ").nth(1).unwrap();
        let megabytes: u64 = said.split(' ').next().unwrap().parse().unwrap();
        // The number includes the memory that the program has before, which counts once more.
        messages(&mut run(1000 * megabytes + 16_000, arguments), 0);
    }
}

/// A device, a FIFO and a link stay as they are, and their targets get the output.
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

    // A chain of links, each relative to its folder, to a file that does not exist at first.
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

    // The file of standard output is appended to, not replaced.
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
    let mut command = chomp_after("ulimit -f 1", "plot row 500 --out row.svg");
    let words = messages(command.current_dir(&folder), INPUT_OR_OUTPUT);
    assert!(words.contains("cannot write row.svg: File too large"), "{words}");
    assert_eq!(count(folder.path()), 1, "nothing else is left there");
}

/// A folder that a run is writing to has no data set yet, or the one from before.
#[test]
fn check_says_that_a_run_is_writing() {
    let folder = tempdir().unwrap();
    let mut child = run_under_way(":", folder.path());
    let words = messages(chomp("check").arg(folder.path()), INPUT_OR_OUTPUT);
    assert!(words.contains("there is no data set in"), "{words}");
    assert!(words.contains("a run is writing there now: wait for its end, or stop it"), "{words}");
    let words = messages(chomp("show 5 --data").arg(folder.path()), INPUT_OR_OUTPUT);
    assert!(words.contains("a run is writing there now"), "{words}");
    child.kill().unwrap();
    child.wait().unwrap();
    let words = messages(chomp("check").arg(folder.path()), INPUT_OR_OUTPUT);
    assert!(!words.contains("a run is writing"), "{words}");

    let folder = data_set();
    assert_eq!(messages(chomp("check").arg(folder.path()), 0), "");
    let mut child = run_under_way(":", folder.path());
    let words = messages(chomp("check").arg(folder.path()), 0);
    assert!(words.contains("what was checked is the data set from before it"), "{words}");
    child.kill().unwrap();
    child.wait().unwrap();
}
