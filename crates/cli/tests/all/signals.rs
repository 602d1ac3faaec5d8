//! A signal ends each kind of long work within a second.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::tempdir;

use crate::program::INCOMPLETE;

/// The work, the time until the signal, and the time that it may take to end: a debug build on a
/// busy machine is slow.
#[test]
fn a_signal_ends_long_work() {
    let folder = tempdir().unwrap();
    let antichain = (0..17).map(|name| format!("e{name}")).collect::<Vec<_>>().join("\n");
    std::fs::write(folder.path().join("antichain"), antichain).unwrap();
    for (arguments, seconds) in [
        ("family antichain --full", 3),
        ("board 14x14 --list", 1),
        ("positions --to 300 --check", 1),
        ("tail 60,50,40", 1),
        ("poset chains 3 8 8", 1),
        ("board 10x42", 1),
        ("grundy 14x14", 1),
    ] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("chomp"))
            .args(arguments.split(' '))
            .current_dir(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs(seconds));
        if child.try_wait().unwrap().is_some() {
            // A fast machine has finished.
            continue;
        }
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        kill_process(pid, Signal::TERM).unwrap();
        let began = Instant::now();
        let ended = loop {
            if let Some(ended) = child.try_wait().unwrap() {
                break ended;
            }
            if began.elapsed() > Duration::from_secs(3) {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("{arguments} does not end");
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        // Before the program listens, the signal ends it; and it may have finished meanwhile.
        let can_be = |code| [0, INCOMPLETE].contains(&code);
        assert!(ended.code().is_none_or(can_be), "{arguments}: {ended}");
    }
}
