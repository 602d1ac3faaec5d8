//! Checkpoints that ranks write: those of one machine, byte for byte; anyone goes on from them,
//! whenever and however the ranks have ended.

use cluster::{
    rows::{Found, RowsError, Task, rows},
    transport::{Channels, Transport, Watched, channels},
};
use record::RowRecord;
use std::{
    collections::BTreeMap,
    fs,
    num::NonZero,
    ops::ControlFlow,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use sweep::{
    band::{self, CheckpointNews, Checkpoints, Options},
    error::SweepError,
    sink::Done,
};
use tempfile::TempDir;

const PATIENT: Duration = Duration::from_secs(250);

fn options(threads: usize) -> Options {
    Options { threads: NonZero::new(threads).expect("some"), ..Options::default() }
}

fn on_one_machine(end: u64) -> (Vec<RowRecord>, Done) {
    let mut found = Vec::new();
    let mut visit = |row| {
        found.push(row);
        ControlFlow::Continue(())
    };
    let done = band::rows(end, options(1), &mut visit).expect("rows");
    (found, done)
}

/// What ranks are, and when they end.
#[derive(Clone, Copy)]
struct Job {
    end: u64,
    ranks: usize,
    threads: usize,
    /// Rank 0 wants no more rows than this.
    most: usize,
}

/// What all ranks find, from the newest checkpoint, if there is one; with the rows that rank 0 has
/// seen. `transport` may change how a rank talks.
fn by_ranks<T: Transport + Send>(
    job: Job,
    checkpoints: &Checkpoints<'_>,
    patience: Duration,
    transport: impl Fn(usize, Channels) -> T,
    is_interrupted: impl Fn(usize) -> bool + Sync,
) -> (Vec<RowRecord>, Vec<Result<Found, RowsError>>) {
    let Job { end, ranks, threads, most } = job;
    let seen = Mutex::new(Vec::new());
    let found = thread::scope(|scope| {
        let (seen, is_interrupted) = (&seen, &is_interrupted);
        let start = |(rank, channels)| {
            let ranks = transport(rank, channels);
            scope.spawn(move || {
                let is_interrupted = || is_interrupted(rank);
                let is_interrupted = &is_interrupted;
                let task = Task { end, options: options(threads), checkpoints, is_interrupted };
                let mut visit = |row| {
                    let mut seen = seen.lock().expect("nobody panics");
                    seen.push(row);
                    if seen.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                };
                rows(task, Watched::new(ranks, patience), &mut visit)
            })
        };
        let started: Vec<_> = channels(ranks).into_iter().enumerate().map(start).collect();
        started.into_iter().map(|rank| rank.join().expect("no rank panics")).collect()
    });
    (seen.into_inner().expect("nobody panics"), found)
}

/// The same, by ranks of which none goes missing.
fn by_healthy_ranks(job: Job, checkpoints: &Checkpoints<'_>) -> (Vec<RowRecord>, Done) {
    let (rows, found) = by_ranks(job, checkpoints, PATIENT, |_, one| one, |_| false);
    let found: Vec<_> = found.into_iter().map(|found| found.expect("rows")).collect();
    (rows, found[0].done)
}

/// Keeps a copy of every checkpoint that is written, by its row.
fn kept(
    folder: &TempDir,
    run: impl FnOnce(&Checkpoints<'_>),
) -> BTreeMap<String, Vec<u8>> {
    let kept = Mutex::new(BTreeMap::new());
    let hear = |news: &CheckpointNews| match news {
        CheckpointNews::Written { file, .. } => {
            let name = file.file_name().expect("a name").to_string_lossy().into_owned();
            let bytes = fs::read(file).expect("it is there");
            kept.lock().expect("nobody panics").insert(name, bytes);
        }
        other => panic!("{other}"),
    };
    run(&Checkpoints::new(folder.path()).every(Duration::ZERO).heard_by(&hear));
    kept.into_inner().expect("nobody panics")
}

/// Ranks write what one machine writes, and what they have written is what one machine would have
/// written there.
#[test]
fn ranks_write_the_checkpoints_of_one_machine() {
    let end = 12_000;
    let (expected, whole) = on_one_machine(end);
    let mut of_one = BTreeMap::new();
    let mut compared = 0;
    for (ranks, threads) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2)] {
        let folder = TempDir::new().expect("a folder");
        let job = Job { end, ranks, threads, most: usize::MAX };
        let of_ranks = kept(&folder, |checkpoints| {
            assert!(by_healthy_ranks(job, checkpoints) == (expected.clone(), whole));
        });
        assert!(of_ranks.len() > 1, "{ranks} ranks of {threads} threads");
        for _ in 0..4 {
            let folder = TempDir::new().expect("a folder");
            of_one.extend(kept(&folder, |checkpoints| {
                let mut visit = |_: RowRecord| ControlFlow::Continue(());
                band::resumable_rows(end, options(1), checkpoints, None, &mut visit).expect("rows");
            }));
        }
        for (name, bytes) in of_ranks {
            if let Some(expected) = of_one.get(&name) {
                assert!(bytes == *expected, "{name}, {ranks} ranks of {threads} threads");
                compared += 1;
            }
        }
    }
    eprintln!("compared {compared}");
    assert!(compared >= 8, "{compared}");
}
