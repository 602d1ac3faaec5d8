//! Messages of a real run, unchanged and changed.

// Groups are boxed because they move from block to block.
#![allow(clippy::vec_box)]

use super::exchange::{FAILED, GROUPS, SAVE, add_groups, decode_groups};
use crate::rows::{Task, rows};
use crate::transport::{Eagerness, Transport, WIRE_FORMAT, Waker, Watched};
use record::Record;
use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use sweep::band::parts::{BLOCK, BandIndex, FIRST_BAND, Group, GroupPool, first_tile};
use sweep::band::{Options, Windows};
use sweep::checkpoints::Checkpoints;
use twox_hash::XxHash3_64;

/// One of two ranks, each a thread, which keeps a copy of its messages for the engine.
struct Recorded<'a> {
    rank: usize,
    to: Sender<Option<Vec<u8>>>,
    own: Sender<Option<Vec<u8>>>,
    come: Receiver<Option<Vec<u8>>>,
    sent: &'a Mutex<BTreeSet<Vec<u8>>>,
}

impl Transport for Recorded<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        2
    }

    fn send(&mut self, _: usize, message: Vec<u8>) {
        // Without their number and the kind that the transport adds; and the others have marks and
        // times.
        if let Some(content) = message.strip_suffix(&[1]).filter(|_| message[0] < SAVE) {
            self.sent.lock().unwrap().insert(content[..content.len() - 4].to_vec());
        }
        let _ = self.to.send(Some(message));
    }

    fn receive(&mut self, wait: Duration, _: Eagerness) -> Option<(usize, Vec<u8>)> {
        let message = self.come.recv_timeout(wait).ok().flatten()?;
        Some((1 - self.rank, message))
    }

    fn waker(&self) -> Waker {
        let own = self.own.clone();
        Arc::new(move || {
            let _ = own.send(None);
        })
    }

    fn under_way(&self) -> Option<(usize, Duration)> {
        None
    }

    fn close(&mut self) {}
}

/// The bytes of all messages of a run in two parts.
fn messages(end: u64, windows: Windows) -> BTreeSet<Vec<u8>> {
    let (sent, folder) = (Mutex::new(BTreeSet::new()), tempfile::TempDir::new().unwrap());
    let checkpoints = Checkpoints::new("no folder").spill(folder.path(), 0);
    let (ends, checkpoints) = ([channel(), channel()], &checkpoints);
    let senders: Vec<_> = ends.iter().map(|(sender, _)| sender.clone()).collect();
    thread::scope(|scope| {
        for (rank, (own, come)) in ends.into_iter().enumerate() {
            let to = senders[1 - rank].clone();
            let ranks = Recorded { rank, to, own, come, sent: &sent };
            scope.spawn(move || {
                let threads = NonZero::new(1);
                let options = Options { threads, windows, ..Options::default() };
                let mut visit = |_: Record| ControlFlow::Continue(());
                let task = Task { end, options, is_interrupted: &|| false };
                let ranks = Watched::new(ranks, Duration::from_secs(30));
                rows(task, checkpoints, ranks, &mut visit).unwrap();
            });
        }
    });
    sent.into_inner().unwrap()
}

/// A change of the messages needs a new version: the test knows the hash of the current one.
#[test]
fn messages_are_those_of_the_wire_format() {
    let messages = messages(4000, Windows::default());
    let kinds: BTreeSet<u8> = messages.iter().map(|message| message[0]).collect();
    assert_eq!(kinds, (0..SAVE).filter(|&kind| kind != FAILED).collect());
    let hash = XxHash3_64::oneshot(&messages.into_iter().collect::<Vec<_>>().concat());
    assert_eq!(
        (WIRE_FORMAT, hash),
        (9, 284_837_687_892_516_945),
        "messages have changed: raise WIRE_FORMAT, and write it and their hash here"
    );
}

/// The groups of a message, for this block.
fn decoded(
    message: &[u8],
    block: &Range<BandIndex>,
    windows: Windows,
) -> std::io::Result<Vec<Box<Group>>> {
    let first = message[1..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let come = first.saturating_sub((first_tile(block.start) - 1).0);
    decode_groups(&message[1..], block, come, &GroupPool::default(), windows)
}

/// The messages of groups of a run, each with its block.
fn messages_of_groups(end: u64, windows: Windows) -> Vec<(Vec<u8>, Range<BandIndex>)> {
    let blocks = (1..end / 512).map(|n| FIRST_BAND + BLOCK * n).map(|start| start..start + BLOCK);
    let groups = messages(end, windows).into_iter().filter(|message| message[0] == GROUPS);
    let with_block = |message: Vec<u8>| {
        let block = blocks.clone().find(|block| decoded(&message, block, windows).is_ok());
        let block = block.expect("a block takes the message");
        (message, block)
    };
    groups.map(with_block).collect()
}

/// Groups survive encoding and decoding, with exceptions and without. Truncated, they are refused.
#[test]
fn sent_groups_come_back() {
    let with_exceptions = Windows::new(11, 7, 12).unwrap();
    for (windows, least_exceptions) in [(Windows::default(), 0), (with_exceptions, 2)] {
        let messages = messages_of_groups(4000, windows);
        assert!(messages.len() > 4);
        let mut exceptions = 0;
        for (message, block) in messages {
            let groups = decoded(&message, &block, windows).unwrap();
            let mut again = Vec::new();
            add_groups(&mut again, &groups);
            assert!(again == message);
            let least = 9 + groups.len() * (8 + Group::LEAST_BYTES);
            exceptions += usize::from(message.len() > least);
            for cut in [1, 7, 100, Group::LEAST_BYTES - 1] {
                let cut = &message[..message.len() - cut];
                assert!(decoded(cut, &block, windows).is_err(), "{}", cut.len());
            }
        }
        assert!(exceptions > least_exceptions);
    }
}

/// Groups that are not the next ones, and groups with words that do not exist yet, are refused.
#[test]
fn groups_in_impossible_places_are_refused() {
    let windows = Windows::default();
    for (message, block) in messages_of_groups(4000, windows) {
        let first = u64::from_le_bytes(*message[1..].first_chunk().unwrap());
        let come = first - (first_tile(block.start) - 1).0;
        for other in [come + 1, come + 1000] {
            let spare = GroupPool::default();
            assert!(decode_groups(&message[1..], &block, other, &spare, windows).is_err());
        }
        // Made later, or with a first word that no block has completed.
        for (at, number) in [(9, 1000), (9, u64::MAX), (17, block.start.0 / 8), (17, u64::MAX)] {
            let mut forged = message.clone();
            forged[at..at + 8].copy_from_slice(&number.to_le_bytes());
            assert!(decoded(&forged, &block, windows).is_err(), "{number} at {at}");
        }
    }
}

/// Any bytes are groups or are refused.
#[test]
fn arbitrary_groups_are_received_or_refused() {
    let start = FIRST_BAND + 100 * BLOCK;
    let (block, mut received) = (start..start + BLOCK, 0);
    for seed in 0..20_000u64 {
        let words = (100 * seed..100 * (seed + 1)).map(record::column_weight);
        let mut message = vec![GROUPS];
        message.extend((first_tile(start).0 + seed % 900).to_le_bytes());
        // Every other one has a head that is possible.
        if seed % 2 == 0 {
            message.extend((seed % 100).to_le_bytes());
            message.extend((seed % 70).to_le_bytes());
            message.extend(words.take(40).flat_map(u64::to_le_bytes));
            message.extend([0; 2]);
        } else {
            message.extend(words.flat_map(u64::to_le_bytes));
        }
        received += u64::from(decoded(&message, &block, Windows::default()).is_ok());
    }
    assert!((1_000..15_000).contains(&received), "{received}");
}
