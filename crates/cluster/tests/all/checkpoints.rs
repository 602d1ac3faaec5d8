//! Checkpoints that ranks write: they are those of one machine, byte for byte, and any ranks can
//! resume from them, however the run has ended.

use crate::rows::on_one_machine;
use cluster::{
    rows::{Task, rows},
    transport::{Eagerness, Transport, Watched},
};

use crate::channels::{Channels, channels};
use driver::ErrorKind;
use record::Record;
use record::listeners::Done;
use std::{
    collections::BTreeMap,
    fs,
    num::NonZero,
    ops::ControlFlow,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use sweep::band::Options;
use sweep::checkpoints::{CheckpointEvent, Checkpoints, resumable_rows};
use tempfile::TempDir;

const PATIENT: Duration = Duration::from_secs(250);

fn options(threads: usize) -> Options {
    Options { threads: NonZero::new(threads), ..Options::default() }
}

/// The ranks of a run, and its end.
#[derive(Clone, Copy)]
struct Job {
    end: u64,
    ranks: usize,
    threads: usize,
    /// Rank 0 wants no more rows than this.
    most: usize,
}

/// The results of all ranks, from the newest checkpoint, if there is one, and the rows that rank 0
/// has seen. `transport` can change the transport of a rank.
fn by_ranks<T: Transport + Send>(
    job: Job,
    checkpoints: &Checkpoints<'_>,
    patience: Duration,
    transport: impl Fn(usize, Channels) -> T,
    is_interrupted: impl Fn(usize) -> bool + Sync,
) -> (Vec<Record>, Vec<Result<Done, driver::Error>>) {
    let Job { end, ranks, threads, most } = job;
    let seen = Mutex::new(Vec::new());
    let found = thread::scope(|scope| {
        let (seen, is_interrupted) = (&seen, &is_interrupted);
        let start = |(rank, channels)| {
            let ranks = transport(rank, channels);
            scope.spawn(move || {
                let is_interrupted = || is_interrupted(rank);
                let is_interrupted = &is_interrupted;
                let task = Task { end, options: options(threads), is_interrupted };
                let mut visit = |row| {
                    let mut seen = seen.lock().expect("nobody panics");
                    seen.push(row);
                    if seen.len() < most {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                };
                rows(task, checkpoints, Watched::new(ranks, patience), &mut visit)
            })
        };
        let started: Vec<_> = channels(ranks).into_iter().enumerate().map(start).collect();
        started.into_iter().map(|rank| rank.join().expect("no rank panics")).collect()
    });
    (seen.into_inner().expect("nobody panics"), found)
}

/// The same, if no rank fails.
fn by_healthy_ranks(job: Job, checkpoints: &Checkpoints<'_>) -> (Vec<Record>, Done) {
    let (rows, found) = by_ranks(job, checkpoints, PATIENT, |_, one| one, |_| false);
    let found: Vec<_> = found.into_iter().map(|found| found.expect("rows")).collect();
    (rows, found[0])
}

/// Keeps a copy of every checkpoint that is written, by its name, without its files of words.
fn kept(run: impl FnOnce(&Checkpoints<'_>)) -> BTreeMap<String, Vec<u8>> {
    let folder = TempDir::new().expect("a folder");
    let kept = Mutex::new(BTreeMap::new());
    let hear = |news: &CheckpointEvent| match news {
        CheckpointEvent::Written { file, .. } => {
            let name = file.file_name().expect("a name").to_string_lossy().into_owned();
            let bytes = fs::read(file).expect("it is there");
            kept.lock().expect("nobody panics").insert(name, without_files(&bytes));
        }
        other => panic!("{other}"),
    };
    let checkpoints = Checkpoints::new(folder.path()).every(Duration::ZERO).listener(&hear);
    run(&checkpoints);
    kept.into_inner().expect("nobody panics")
}

/// The bytes of a checkpoint without its files of words, which depend on the processes that share
/// the run and on their speed.
fn without_files(bytes: &[u8]) -> Vec<u8> {
    let (header, rest) = bytes.split_at(bytes.iter().position(|&byte| byte == b'\n').expect("it"));
    let (header, files) = str::from_utf8(header).expect("text").rsplit_once(' ').expect("fields");
    let files = 24 * files.parse::<usize>().expect("a number");
    [header.as_bytes(), &rest[1 + files..rest.len() - 32]].concat()
}

/// Ranks and one machine write the same checkpoints. How many, and at which rows, is a matter of
/// speed: runs are repeated until enough of them can be compared.
#[test]
fn ranks_write_the_checkpoints_of_one_machine() {
    let end = 8000;
    let (expected, whole) = on_one_machine(end);
    let mut of_one = BTreeMap::new();
    let (mut written, mut compared, mut tried) = (0, 0, 0);
    let jobs = [1, 2, 3, 4].map(|ranks| [(ranks, 1), (ranks, 2)]);
    for (ranks, threads) in [jobs; 20].concat().concat() {
        let job = Job { end, ranks, threads, most: usize::MAX };
        let of_ranks = kept(|checkpoints| {
            assert!(by_healthy_ranks(job, checkpoints) == (expected.clone(), whole));
        });
        written += of_ranks.len();
        for _ in 0..4 {
            of_one.extend(kept(|checkpoints| {
                let mut visit = |_: Record| ControlFlow::Continue(());
                resumable_rows(end, options(1), checkpoints, None, &mut visit).expect("rows");
            }));
        }
        for (name, bytes) in of_ranks {
            if let Some(expected) = of_one.get(&name) {
                assert!(bytes == *expected, "{name}, {ranks} ranks of {threads} threads");
                compared += 1;
            }
        }
        tried += 1;
        if tried >= jobs.len() * 2 && written > 9 && compared > 4 {
            return;
        }
    }
    panic!("{compared} of {written}");
}

/// If a checkpoint cannot be written, this is reported, and the run continues: the folder
/// disappears before a checkpoint, or while it is written.
#[test]
fn a_checkpoint_that_cannot_be_written_is_told() {
    let end = 8000;
    let expected = on_one_machine(end);
    for (ranks, threads) in [(1, 1), (2, 2), (4, 1)] {
        for is_gone_before in [true, false] {
            let job = Job { end, ranks, threads, most: usize::MAX };
            // A run can end before anything is reported.
            let has_told = (0..50).any(|_| {
                let (rows, told) = with_something_in_the_way(job, is_gone_before);
                assert!(rows == expected, "{ranks} ranks of {threads} threads");
                told.iter().any(|news| matches!(news, CheckpointEvent::Warning(_)))
            });
            assert!(has_told, "{ranks} ranks of {threads} threads");
        }
    }
}

/// The results of ranks if a file replaces the folder of checkpoints, after one has been written or
/// as soon as the folder exists; and the events.
fn with_something_in_the_way(
    job: Job,
    when_written: bool,
) -> ((Vec<Record>, Done), Vec<CheckpointEvent>) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("checkpoints");
    let (told, is_over) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let put_in_the_way = || {
        let _ = fs::remove_dir_all(&path);
        let _ = fs::write(&path, "in the way");
    };
    let hear = |news: &CheckpointEvent| {
        told.lock().expect("nobody panics").push(news.clone());
        if when_written {
            put_in_the_way();
        }
    };
    let words = TempDir::new().expect("a folder");
    let checkpoints = Checkpoints::new(&path).every(Duration::ZERO).listener(&hear);
    let checkpoints = checkpoints.spill(words.path(), 1 << 30);
    let found = thread::scope(|scope| {
        scope.spawn(|| {
            while !when_written && !is_over.load(Ordering::Relaxed) {
                if path.is_dir() {
                    put_in_the_way();
                }
                thread::sleep(Duration::from_micros(100));
            }
        });
        let found = by_healthy_ranks(job, &checkpoints);
        is_over.store(true, Ordering::Relaxed);
        found
    });
    (found, told.into_inner().expect("nobody panics"))
}

/// Pseudo-random numbers.
fn some_numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut count = 0;
    move |below| {
        count += 1;
        record::column_weight(1000 * seed + count) % below
    }
}

/// Successive runs that are stopped somewhere, each by another number of ranks or on one machine,
/// find the same rows.
#[test]
fn any_ranks_resume_from_checkpoints_of_ranks() {
    let end = 8000;
    let (expected, whole) = on_one_machine(end);
    let mut gone_on = 0;
    for seed in 0..6 {
        let mut number = some_numbers(seed);
        let folder = TempDir::new().expect("a folder");
        let words = folder.path().join("words");
        let mut most = 2000;
        loop {
            let checkpoints = Checkpoints::new(folder.path()).every(Duration::ZERO);
            // More or fewer words in memory. One rank can have them all there.
            let memory = [0, 30_000, 10_000_000][usize::try_from(number(3)).expect("small")];
            let is_alone = seed < 2;
            let checkpoints =
                if is_alone { checkpoints } else { checkpoints.spill(&words, memory) };
            let from = checkpoints.newest().expect("it can be read");
            gone_on += usize::from(from.is_some());
            let (rows, done) = if number(4) == 0 {
                let mut seen = Vec::new();
                let mut visit = |row| {
                    seen.push(row);
                    let goes_on = seen.len() < most;
                    if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                };
                let options = options(1 + usize::try_from(number(3)).expect("small"));
                let done = resumable_rows(end, options, &checkpoints, from, &mut visit);
                (seen, done.expect("rows"))
            } else {
                let [ranks, threads] =
                    [1 + number(4), 1 + number(2)].map(|n| usize::try_from(n).expect("small"));
                let ranks = if is_alone { 1 } else { ranks };
                by_healthy_ranks(Job { end, ranks, threads, most }, &checkpoints)
            };
            let seen = rows.len();
            assert!(seen == most.min(expected.len()) && rows[..] == expected[..seen]);
            if seen == expected.len() {
                assert_eq!(done, whole);
                checkpoints.remove(end).expect("they can go");
                checkpoints.remove_words().expect("they can go");
                assert!(!words.exists());
                break;
            }
            most += usize::try_from(1000 + number(3000)).expect("small");
        }
    }
    assert!(gone_on > 9, "{gone_on}");
}

/// A rank that neither sends nor receives from some moment on.
struct Mute<T> {
    transport: T,
    from: Option<Instant>,
}

impl<T> Mute<T> {
    fn is_mute(&self) -> bool {
        self.from.is_some_and(|from| Instant::now() >= from)
    }
}

impl<T: Transport> Transport for Mute<T> {
    fn rank(&self) -> usize {
        self.transport.rank()
    }

    fn ranks(&self) -> usize {
        self.transport.ranks()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        if !self.is_mute() {
            self.transport.send(to, message);
        }
    }

    fn receive(&mut self, wait: Duration, eagerness: Eagerness) -> Option<(usize, Vec<u8>)> {
        let received = self.transport.receive(wait, eagerness);
        received.filter(|_| !self.is_mute())
    }

    fn waker(&self) -> Arc<dyn Fn() + Send + Sync> {
        self.transport.waker()
    }

    fn under_way(&self) -> Option<(usize, Duration)> {
        self.transport.under_way()
    }

    fn close(&mut self) {
        self.transport.close();
    }
}

/// A rank vanishes at some moment. All others end soon, and name a rank; then another number of
/// ranks resumes.
#[test]
fn a_rank_that_vanishes_ends_the_run() {
    let end = 20_000;
    let (expected, whole) = on_one_machine(end);
    let patience = Duration::from_millis(400);
    let (mut failed, mut gone_on) = (0, 0);
    for seed in 0..4 {
        let mut number = some_numbers(seed);
        let folder = TempDir::new().expect("a folder");
        let checkpoints = Checkpoints::new(folder.path()).every(Duration::ZERO);
        let checkpoints = checkpoints.spill(folder.path().join("words"), 50_000 * (seed % 2));
        for _ in 0..4 {
            let from = checkpoints.newest().expect("it can be read");
            gone_on += usize::from(from.is_some());
            let ranks = usize::try_from(2 + number(3)).expect("small");
            let threads = usize::try_from(1 + number(2)).expect("small");
            let vanishes = usize::try_from(number(ranks as u64)).expect("small");
            let moment = Instant::now() + Duration::from_millis(number(600));
            let transport = |rank, transport| {
                let from = (rank == vanishes).then_some(moment);
                Mute { transport, from }
            };
            let job = Job { end, ranks, threads, most: usize::MAX };
            let begun = Instant::now();
            let (rows, found) = by_ranks(job, &checkpoints, patience, transport, |_| false);
            assert!(begun.elapsed() < PATIENT, "nobody waits for ever");
            assert!(rows[..] == expected[..rows.len()]);
            for error in found.iter().filter_map(|found| found.as_ref().err()) {
                assert_eq!(error.kind(), ErrorKind::Incomplete);
                assert!(error.to_string().contains("rank "), "{error}");
            }
            failed += usize::from(found.iter().all(Result::is_err));
        }
        let job = Job { end, ranks: 2, threads: 1, most: usize::MAX };
        assert!(by_healthy_ranks(job, &checkpoints) == (expected.clone(), whole));
    }
    assert!(failed > 1 && gone_on > 1, "{failed} runs have failed, {gone_on} have gone on");
}

/// If any rank must end, all end soon, and rank 0 has seen the rows found so far.
#[test]
fn a_rank_that_must_end_ends_all() {
    let end = 30_000;
    let (expected, _) = on_one_machine(end);
    let mut stopped = 0;
    for (asked, ranks, millis) in [(0, 1, 100), (0, 3, 150), (1, 2, 200), (2, 3, 120)] {
        let folder = TempDir::new().expect("a folder");
        let checkpoints = Checkpoints::new(folder.path().join("none"));
        let checkpoints = checkpoints.spill(folder.path().join("words"), 1 << 30);
        let job = Job { end, ranks, threads: 1, most: usize::MAX };
        let moment = Instant::now() + Duration::from_millis(millis);
        let is_interrupted = |rank| rank == asked && Instant::now() >= moment;
        let (rows, found) = by_ranks(job, &checkpoints, PATIENT, |_, one| one, is_interrupted);
        assert!(rows[..] == expected[..rows.len()]);
        for found in found {
            found.expect("nobody fails");
        }
        stopped += usize::from(rows.len() < expected.len());
    }
    assert!(stopped > 0);
}
