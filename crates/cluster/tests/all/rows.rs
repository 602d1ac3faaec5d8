//! Rows by several ranks, against the engine on one machine.

use cluster::rows::{Task, help, rows};
use cluster::transport::Watched;

use crate::channels::{channels, counting};
use driver::ErrorKind;
use record::Record;
use record::listeners::Done;
use std::sync::{Arc, atomic::Ordering};
use std::{fs, num::NonZero, ops::ControlFlow, path::Path, thread, time::Duration};
use sweep::band::parts::{BandIndex, FIRST_BAND, LANES};
use sweep::band::parts::{blocks_of, first_tile, last_tile};
use sweep::band::{self, Kernel, Options, Windows};
use sweep::checkpoints::{Checkpoint, Checkpoints, resumable_rows};
use tempfile::TempDir;

const PATIENT: Duration = Duration::from_secs(30);

fn options(threads: usize) -> Options {
    Options { threads: NonZero::new(threads), ..Options::default() }
}

/// A folder without checkpoints, and with a folder for words.
pub(super) fn checkpoints() -> (TempDir, Checkpoints<'static>) {
    let folder = TempDir::new().expect("a folder");
    let checkpoints = with_words(&folder.path().join("none"), folder.path());
    (folder, checkpoints)
}

fn with_words(checkpoints: &Path, folder: &Path) -> Checkpoints<'static> {
    Checkpoints::new(checkpoints).spill(folder.join("words"), 1 << 30)
}

/// Rows below `end`, without interruption.
pub(super) fn task(end: u64, options: Options) -> Task<'static> {
    Task { end, options, is_interrupted: &|| false }
}

pub(super) fn on_one_machine(end: u64) -> (Vec<Record>, Done) {
    let mut found = Vec::new();
    let mut visit = |row| {
        found.push(row);
        ControlFlow::Continue(())
    };
    let done = band::rows(end, options(1), &mut visit).expect("rows");
    (found, done)
}

/// The result of rank 0, if all ranks are threads of this process.
fn by_ranks(end: u64, ranks: usize, threads: usize, most: usize) -> (Vec<Record>, Done) {
    counted(end, ranks, threads, most).0
}

/// The same, with the bytes of all messages.
fn counted(end: u64, ranks: usize, threads: usize, most: usize) -> ((Vec<Record>, Done), u64) {
    let (_folder, checkpoints) = checkpoints();
    with_checkpoints(&checkpoints, end, ranks, threads, most)
}

/// The same, from the newest checkpoint in a folder, if there is one.
fn from_checkpoint(
    folder: &Path,
    end: u64,
    ranks: usize,
    threads: usize,
    most: usize,
) -> ((Vec<Record>, Done), u64) {
    with_checkpoints(&with_words(folder, folder), end, ranks, threads, most)
}

/// The same, from the newest of these checkpoints, with their settings for words on disk.
fn with_checkpoints(
    checkpoints: &Checkpoints,
    end: u64,
    ranks: usize,
    threads: usize,
    most: usize,
) -> ((Vec<Record>, Done), u64) {
    let bytes = Arc::default();
    let found = thread::scope(|scope| {
        let mut transports = counting(ranks, &bytes).into_iter();
        let first = Watched::new(transports.next().expect("a rank"), PATIENT);
        for other in transports {
            scope.spawn(move || {
                let other = Watched::new(other, PATIENT);
                help(task(end, options(threads)), checkpoints, other).expect("it helps");
            });
        }
        let mut found = Vec::new();
        let mut visit = |row| {
            found.push(row);
            if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let done = rows(task(end, options(threads)), checkpoints, first, &mut visit).expect("rows");
        (found, done)
    });
    (found, bytes.load(Ordering::Relaxed))
}

#[test]
fn any_number_of_ranks_finds_the_same_rows() {
    let end = 8000;
    let expected = on_one_machine(end);
    assert_eq!(expected.0.len(), 8000);
    for (ranks, threads) in [(1, 1), (1, 2), (2, 1), (3, 1), (4, 1), (2, 2), (3, 2), (4, 2)] {
        let found = by_ranks(end, ranks, threads, usize::MAX);
        assert!(found == expected, "{ranks} ranks of {threads} threads");
    }
}

/// Few rows, fewer blocks than workers, ends within a band and a block.
#[test]
fn any_end_is_possible() {
    for end in [0, 1, 1000, 1024, 1025, 1216, 1217, 2000, 5003] {
        let expected = on_one_machine(end);
        for (ranks, threads) in [(2, 1), (3, 2)] {
            assert!(by_ranks(end, ranks, threads, usize::MAX) == expected, "{end}: {ranks} ranks");
        }
    }
}

/// When the visitor wants no more rows, all ranks leave.
#[test]
fn a_visitor_ends_all_ranks() {
    let (expected, _) = on_one_machine(8000);
    for most in [1, 1000, 1025, 5000, 7999] {
        let (found, _) = by_ranks(8000, 3, 2, most);
        assert!(found == expected[..most], "{most}");
    }
}

/// The rest of an error about options, from those of rank 0 on.
fn other_rank(first: &str) -> String {
    format!(", and rank 0 has {first}")
}

/// All ranks name a rank with other options, before any row.
#[test]
fn a_rank_with_other_options_is_named() {
    let (_folder, checkpoints) = &checkpoints();
    let given = (20_000, options(1));
    let windows = Windows::new(30, 30, 8).expect("places");
    assert_ne!(windows, Windows::default());
    let with_windows = Options { windows, ..options(1) };
    for (other, its, first) in [
        ((20_001, options(1)), "rows below 20001", "rows below 20000"),
        ((20_000, options(2)), "2 threads", "1 threads"),
        ((20_000, with_windows), "Windows { below_low: 30, ", "Windows { below_low: "),
    ] {
        for different in 0..3 {
            thread::scope(|scope| {
                let rank = |(rank, transport)| {
                    scope.spawn(move || {
                        let (end, options) = if rank == different { other } else { given };
                        let mut visit =
                            |_: Record| -> ControlFlow<()> { panic!("a row is visited") };
                        let ranks = Watched::new(transport, PATIENT);
                        rows(task(end, options), checkpoints, ranks, &mut visit)
                            .expect_err("they do not fit")
                    })
                };
                let all: Vec<_> = channels(3).into_iter().enumerate().map(rank).collect();
                for error in all.into_iter().map(|rank| rank.join().expect("no panic")) {
                    // If rank 0 is different, all others differ from it.
                    let (named, its, first) =
                        if different == 0 { (1, first, its) } else { (different, its, first) };
                    let begin = format!("rank {named} has {its}");
                    let error = error.to_string();
                    assert!(
                        error.starts_with(&begin) && error.contains(&other_rank(first)),
                        "{error}"
                    );
                }
            });
        }
    }
}

/// Kernels can differ.
#[test]
fn ranks_of_other_kernels_find_the_same_rows() {
    let (_folder, checkpoints) = &checkpoints();
    let end = 8000;
    let expected = on_one_machine(end);
    thread::scope(|scope| {
        let [first, second] = channels(2).try_into().expect("two");
        let (first, portable) =
            (Watched::new(first, PATIENT), Options { kernel: Kernel::Portable, ..options(1) });
        scope.spawn(move || {
            let second = Watched::new(second, PATIENT);
            help(task(end, portable), checkpoints, second).expect("it helps");
        });
        let mut found = Vec::new();
        let mut visit = |row| {
            found.push(row);
            ControlFlow::Continue(())
        };
        let done = rows(task(end, options(1)), checkpoints, first, &mut visit).expect("rows");
        assert!((found, done) == expected);
    });
}

/// Windows that are too narrow, or in the wrong place: groups have exceptions, and all ranks count
/// the tiles of the exact path.
#[test]
fn groups_with_exceptions_go_from_rank_to_rank() {
    let (_folder, checkpoints) = &checkpoints();
    for (below_low, below_high, guard) in [(11, 7, 12), (3, 7, 0), (11, 12, 0), (4, 2, 9)] {
        let windows = Windows::new(below_low, below_high, guard).expect("places");
        let end = 4000;
        let mut expected = Vec::new();
        let mut visit = |row| {
            expected.push(row);
            ControlFlow::Continue(())
        };
        let done = band::rows(end, Options { windows, ..options(1) }, &mut visit).expect("rows");
        assert!(done.fallbacks > 10);
        for (ranks, threads) in [(2, 1), (3, 1), (2, 2)] {
            let found = thread::scope(|scope| {
                let options = Options { windows, ..options(threads) };
                let mut transports = channels(ranks).into_iter();
                let first = Watched::new(transports.next().expect("a rank"), PATIENT);
                for other in transports {
                    let help =
                        move || help(task(end, options), checkpoints, Watched::new(other, PATIENT));
                    scope.spawn(help);
                }
                let mut found = Vec::new();
                let mut visit = |row| {
                    found.push(row);
                    ControlFlow::Continue(())
                };
                let task = task(end, options);
                let done = rows(task, checkpoints, first, &mut visit).expect("rows");
                (found, done)
            });
            assert!((&found.0, found.1) == (&expected, done), "{windows:?}: {ranks} {threads}");
        }
    }
}

/// If a worker fails, all ranks stop and report why.
#[test]
fn an_engine_that_stops_stops_all_ranks() {
    let (_folder, checkpoints) = &checkpoints();
    let windows = Windows::new(40, 40, 0).expect("places");
    let mut nobody = |_: Record| ControlFlow::Continue(());
    let why = band::rows(7000, Options { windows, ..options(1) }, &mut nobody);
    let why = why.expect_err("the windows do not fit").to_string();
    for (ranks, threads) in [(1, 2), (2, 1), (3, 2)] {
        thread::scope(|scope| {
            let rank = |transport| {
                scope.spawn(move || {
                    let task = task(7000, Options { windows, ..options(threads) });
                    let mut nobody = |_: Record| ControlFlow::Continue(());
                    let ranks = Watched::new(transport, PATIENT);
                    rows(task, checkpoints, ranks, &mut nobody).expect_err("it stops")
                })
            };
            let all: Vec<_> = channels(ranks).into_iter().map(rank).collect();
            for error in all.into_iter().map(|rank| rank.join().expect("no panic").to_string()) {
                assert!(error.ends_with(&why), "{error}, not {why}");
            }
        });
    }
}

/// Messages take about as many bytes as docs/CLUSTER.md says.
#[test]
fn ranks_send_as_many_bytes_as_documented() {
    let end = 20_000;
    let (_, whole) = on_one_machine(end);
    let blocks: Vec<_> = blocks_of(0, 1, FIRST_BAND..BandIndex(end / LANES)).collect();
    let met = blocks.iter().map(|bands| last_tile(bands.end - 1) - first_tile(bands.start));
    let groups: u64 = met.sum();
    for (ranks, threads) in [(2, 1), (3, 1), (4, 1), (2, 2)] {
        let ((_, done), bytes) = counted(end, ranks, threads, usize::MAX);
        assert_eq!(done, whole);
        let corners = 2600 * blocks.len() as u64;
        let most = (338 * groups + corners) / threads as u64 + 28 * end * (ranks as u64 - 1);
        // A lower bound as well: missing messages would be an error.
        assert!((most / 2..most * 11 / 10).contains(&bytes), "{bytes}, not {most}");
    }
}

/// The words of a run take R²/48 bytes, if all files are kept for its first checkpoint.
#[test]
fn words_take_as_many_bytes_as_documented() {
    let (end, folder) = (40_000, TempDir::new().expect("a folder"));
    let words = folder.path().join("words");
    let with = |interval| Checkpoints::new(folder.path()).every(interval).spill(&words, 0);
    leave_one_of(&with(Duration::ZERO), end, 3000);
    with_checkpoints(&with(Duration::MAX), end, 2, 1, usize::MAX);
    let files = fs::read_dir(words).expect("it stays").map(|file| file.expect("a file"));
    let bytes: u64 = files.map(|file| file.metadata().expect("it is there").len()).sum();
    let square = end * end / 48;
    assert!((9 * square / 10..11 * square / 10).contains(&bytes), "{bytes}, not {square}");
}

/// Leaves the newest checkpoint of a run to before `end` that was stopped after `stop` rows.
pub(super) fn leave_checkpoint(folder: &Path, end: u64, stop: u64) -> u64 {
    leave_one_of(&Checkpoints::new(folder).every(Duration::ZERO), end, stop)
}

fn leave_one_of(checkpoints: &Checkpoints, end: u64, stop: u64) -> u64 {
    loop {
        let from = checkpoints.newest().expect("it can be read");
        if let Some(from) = from.as_ref().filter(|from| from.row() + 2000 > stop) {
            return from.row();
        }
        let mut visit = |row: Record| {
            if row.row() < stop { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        resumable_rows(end, options(2), checkpoints, from, &mut visit).expect("rows");
    }
}

/// Any number of ranks completes a run that one machine has begun.
#[test]
fn ranks_resume_from_a_checkpoint() {
    let end = 8000;
    let expected = on_one_machine(end);
    for stop in [3000, 5000, 7500] {
        let folder = TempDir::new().expect("a folder");
        let row = leave_checkpoint(folder.path(), end, stop);
        assert!(row > 1024);
        for (ranks, threads) in [(1, 2), (2, 1), (3, 1), (3, 2), (4, 1)] {
            let (found, bytes) = from_checkpoint(folder.path(), end, ranks, threads, usize::MAX);
            assert!(found == expected, "row {row}, {ranks} ranks of {threads}");
            // They have not started again. If little was done before, they can still send more:
            // other blocks are on other ranks.
            let anew = counted(end, ranks, threads, usize::MAX).1;
            assert!(ranks == 1 || row < end / 3 || bytes < anew, "row {row}: {bytes}, {anew}");
        }
    }
}

/// A rank that does not see the checkpoint is named.
#[test]
fn a_rank_without_the_checkpoint_is_named() {
    let folder = TempDir::new().expect("a folder");
    let row = leave_checkpoint(folder.path(), 6000, 4000);
    thread::scope(|scope| {
        let rank = |(rank, transport)| {
            let checkpoints = if rank == 1 { Path::new("no folder") } else { folder.path() };
            let checkpoints = with_words(checkpoints, folder.path());
            scope.spawn(move || {
                let ranks = Watched::new(transport, PATIENT);
                help(task(6000, options(1)), &checkpoints, ranks)
            })
        };
        let all: Vec<_> = channels(3).into_iter().enumerate().map(rank).collect();
        for found in all.into_iter().map(|rank| rank.join().expect("no panic")) {
            let error = found.expect_err("it is refused");
            assert_eq!(error.kind(), ErrorKind::Usage);
            let expected = format!(
                "rank 1 has no checkpoint{}",
                other_rank(&format!("a checkpoint at row {row}, of a run to before 6000"))
            );
            assert!(error.to_string().starts_with(&expected), "{error}");
        }
    });
}

/// All ranks name a rank that sees another folder of words than rank 0, or none. Nothing is left.
#[test]
fn ranks_without_the_folder_of_words_are_named() {
    let [here, elsewhere] = [(); 2].map(|()| TempDir::new().expect("a folder"));
    let ends = |folders: [&Path; 3]| {
        thread::scope(|scope| {
            let rank = |(transport, folder): (_, &Path)| {
                let checkpoints = Checkpoints::new("no folder").spill(folder.join("words"), 0);
                scope.spawn(move || {
                    let ranks = Watched::new(transport, PATIENT);
                    help(task(6000, options(1)), &checkpoints, ranks).expect_err("it is refused")
                })
            };
            let all: Vec<_> = channels(3).into_iter().zip(folders).map(rank).collect();
            all.into_iter().map(|rank| rank.join().expect("no panic")).collect::<Vec<_>>()
        })
    };
    let (here, elsewhere) = (here.path(), elsewhere.path());
    for error in ends([here, elsewhere, here]) {
        let begin = "rank 1 has no folder for words that rank 0 has";
        let (error, first) = (error.to_string(), other_rank("a folder for words with the mark "));
        assert!(error.starts_with(begin) && error.contains(&first), "{error}");
    }
    // A folder that another run has left there.
    fs::create_dir(elsewhere.join("words")).expect("it can be made");
    let owner = "words of the run in /here\nmark: 1-2\n";
    fs::write(elsewhere.join("words/owner.txt"), owner).expect("it can be written");
    for error in ends([here, here, elsewhere]) {
        let expected = "rank 2 has a folder for words with the mark 1-2, and ";
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    assert!(!here.join("words").exists());
}

/// With few words in memory, the rows are the same, and the files are removed.
#[test]
fn words_on_disk_change_no_row() {
    let end = 12_000;
    let expected = on_one_machine(end);
    for (ranks, threads, memory) in
        [(1, 1, 0), (1, 2, 100_000), (2, 1, 0), (2, 2, 50_000), (3, 1, 20_000), (3, 2, 0)]
    {
        let folder = TempDir::new().expect("a folder");
        let words = folder.path().join("words");
        let checkpoints = Checkpoints::new(folder.path().join("rows")).spill(&words, memory);
        let (found, _) = with_checkpoints(&checkpoints, end, ranks, threads, usize::MAX);
        assert!(found == expected, "{ranks} ranks of {threads} threads");
        assert!(!words.exists());
    }
}

/// From a checkpoint of one machine with words on disk, any number of ranks resumes, and then one
/// machine again.
#[test]
fn ranks_resume_with_words_on_disk() {
    let end = 12_000;
    let expected = on_one_machine(end);
    let folder = TempDir::new().expect("a folder");
    let (rows, words) = (folder.path().join("rows"), folder.path().join("words"));
    let with = |memory| Checkpoints::new(&rows).every(Duration::MAX).spill(&words, memory);
    let row = leave_one_of(&with(20_000).every(Duration::ZERO), end, 7000);
    for (ranks, threads, memory) in [(1, 2, 0), (2, 1, 0), (3, 2, 10_000_000), (4, 1, 20_000)] {
        let (found, bytes) = with_checkpoints(&with(memory), end, ranks, threads, usize::MAX);
        assert!(found == expected, "row {row}, {ranks} ranks of {threads}");
        // They have not started again.
        let anew = counted(end, ranks, threads, usize::MAX).1;
        assert!(ranks == 1 || bytes < anew, "row {row}: {bytes}, {anew}");
    }
    // Without the folder all ranks fail, with the reason.
    let mut refused = channels(1).into_iter().map(|one| {
        help(task(end, options(1)), &Checkpoints::new(&rows), Watched::new(one, PATIENT))
    });
    let error = refused.next().expect("a rank").expect_err("there are no words");
    assert!(error.to_string().contains("the folder of that run"), "{error}");
    let from = with(0).newest().expect("it can be read");
    assert_eq!(from.as_ref().map(Checkpoint::row), Some(row));
    let mut found = Vec::new();
    let mut visit = |row| {
        found.push(row);
        ControlFlow::Continue(())
    };
    resumable_rows(end, options(1), &with(0), from, &mut visit).expect("rows");
    assert!(found == expected.0);
    with(0).remove(end).expect("they can go");
    with(0).remove_words().expect("they can go");
    assert!(!words.exists());
}
