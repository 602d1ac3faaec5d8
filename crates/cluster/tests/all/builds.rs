//! Ranks of different builds detect it before anything else, and no rank waits for ever.

use crate::rows::{leave_checkpoint, task};
use cluster::{
    rows::help,
    transport::{Eagerness, Transport, Watched},
};

use crate::channels::{Channels, channels};
use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};
use sweep::band::Options;
use sweep::checkpoints::Checkpoints;
use tempfile::TempDir;

const PATIENT: Duration = Duration::from_secs(30);

/// The first message of another build.
const FIRST: &[u8] = b"wire format 99, chomp-mpi 9.9 (commit 0123)\x01\x01";

/// A sign of life, the options that older builds sent first, and the message of a rank that leaves.
const BEAT: &[u8] = &[0];
const OPTIONS: &[u8] = b"program 0.1.0\nrows below 6000\n1 threads\x01\x01";
const LEAVE: &[u8] = &[2];

/// A rank of another build, which sends these messages to all others. When all have left, returns
/// the first message of each.
fn other_build(mut transport: Channels, messages: &[&[u8]]) -> Vec<Vec<u8>> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    for to in (0..ranks).filter(|&to| to != rank) {
        for message in messages {
            transport.send(to, message.to_vec());
        }
    }
    let (mut first, mut have_left) = (vec![Vec::new(); ranks], 0);
    let until = Instant::now() + PATIENT;
    while have_left + 1 < ranks {
        assert!(Instant::now() < until, "the others leave");
        let received = transport.receive(Duration::from_millis(100), Eagerness::Often);
        let Some((from, message)) = received else { continue };
        have_left += usize::from(message.last() == Some(&2));
        if first[from].is_empty() {
            first[from] = message;
        }
    }
    first.remove(rank);
    first
}

/// The errors of ranks, if one of them has another build and sends these messages.
fn said(
    ranks: usize,
    (other, messages): (usize, &[&[u8]]),
    patience: Duration,
    folder: &Path,
) -> Vec<String> {
    thread::scope(|scope| {
        let rank = |(rank, transport)| {
            scope.spawn(move || {
                if rank == other {
                    for first in other_build(transport, messages) {
                        assert!(first.starts_with(b"wire format ") && first.ends_with(&[1, 1]));
                    }
                    return None;
                }
                let ranks = Watched::new(transport, patience);
                let end = help(task(6000, Options::default()), &Checkpoints::new(folder), ranks);
                Some(end.expect_err("they are different").to_string())
            })
        };
        let all: Vec<_> = channels(ranks).into_iter().enumerate().map(rank).collect();
        all.into_iter().filter_map(|rank| rank.join().expect("no panic")).collect()
    })
}

#[test]
fn a_rank_of_another_build_is_named_by_all() {
    let newer: &[&[u8]] = &[FIRST, BEAT, b"whatever it sends", LEAVE];
    let older: &[&[u8]] = &[BEAT, OPTIONS, LEAVE];
    let at_once: &[&[u8]] = &[OPTIONS, LEAVE];
    for (messages, its) in [
        (newer, "wire format 99, chomp-mpi 9.9 (commit 0123)"),
        (older, "an older build"),
        (at_once, "an older build"),
    ] {
        for (ranks, other) in [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)] {
            let begin = Instant::now();
            let said = said(ranks, (other, messages), PATIENT, Path::new("no folder"));
            assert!(begin.elapsed() < PATIENT / 2, "nobody waits");
            assert_eq!(said.len(), ranks - 1);
            // If rank 0 is different, all others differ from it.
            let named = if other == 0 { 1 } else { other };
            for said in said {
                let begin = format!("rank {named} is of another build than rank 0: it has ");
                assert!(said.starts_with(&begin) && said.contains(its), "{said}");
                assert!(
                    said.contains("(commit ") && said.ends_with("the same binary on all machines")
                );
            }
        }
    }
}

/// The ranks do not wait for one that does not leave.
#[test]
fn a_rank_of_another_build_need_not_leave() {
    let patience = Duration::from_millis(400);
    let begin = Instant::now();
    let said = said(2, (1, &[FIRST, BEAT]), patience, Path::new("no folder"));
    assert!(begin.elapsed() < PATIENT / 2, "nobody waits for ever");
    assert!(said[0].starts_with("rank 1 is of another build"), "{said:?}");
}

/// Rank 0 does not open checkpoints: a damaged one is not renamed.
#[test]
fn builds_are_compared_before_checkpoints() {
    let folder = TempDir::new().expect("a folder");
    leave_checkpoint(folder.path(), 6000, 4000);
    let files = || {
        let entries = fs::read_dir(folder.path()).expect("a folder");
        let paths = entries.map(|entry| entry.expect("a file").path());
        let mut files: Vec<_> = paths.filter(|path| path.is_file()).collect();
        files.sort();
        files
    };
    let before = files();
    assert!(!before.is_empty());
    for file in &before {
        fs::write(file, "damaged").expect("it can be written");
    }
    for messages in [&[FIRST, LEAVE], &[OPTIONS, LEAVE]] {
        let said = said(2, (1, messages), PATIENT, folder.path());
        assert!(said[0].starts_with("rank 1 is of another build"), "{said:?}");
        assert_eq!(files(), before);
    }
}
