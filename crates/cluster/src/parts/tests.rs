//! Messages of a real run, unchanged and changed.

use super::group::{MOST_BYTES, receive, send};
use super::wire::{FAILED, GROUPS, SAVE};
use crate::rows::{Task, rows};
use crate::transport::{Eagerness, Transport, WIRE_FORMAT, Waker, Watched};
use record::Record;
use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use sweep::band::parts::{Group, GroupIndex, GroupPosition, last_band};
use sweep::band::pipeline::{BandIndex, BlockIndex, Decoder, Eight, Frame};
use sweep::band::{Options, Windows};
use twox_hash::XxHash3_64;
use words::Checkpoints;

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

    fn close(self) {}
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
        (5, 16_395_261_076_741_942_880),
        "messages have changed: raise WIRE_FORMAT, and write it and their hash here"
    );
}

fn frame(end: u64, windows: Windows) -> Frame {
    Frame { windows, bands: BandIndex(end.div_ceil(8)) }
}

/// The groups of a run, each with its bytes.
fn groups(end: u64, windows: Windows) -> Vec<(Group, Vec<u8>)> {
    let messages = messages(end, windows);
    let mut groups = Vec::new();
    for message in messages.iter().filter(|message| message[0] == GROUPS) {
        let mut source = Decoder(&message[1..]);
        while !source.0.is_empty() {
            let (mut group, before) = (Group::NONE, source.0);
            receive(&mut group, &mut source, frame(end, windows)).unwrap();
            groups.push((group, before[..before.len() - source.0.len()].to_vec()));
        }
    }
    groups
}

/// Groups survive encoding and decoding, into places with other content. Truncated, they are
/// refused.
fn come_back(groups: &[Group], frame: Frame) -> BTreeSet<usize> {
    let mut lengths = BTreeSet::new();
    for (i, group) in groups.iter().enumerate() {
        let mut bytes = vec![0xAA; 5];
        send(group, &mut bytes);
        let bytes = &bytes[5..];
        lengths.insert(bytes.len());
        let (mut place, mut source) = (groups[(7 * i) % groups.len()].clone(), Decoder(bytes));
        receive(&mut place, &mut source, frame).unwrap();
        assert_eq!(format!("{place:?}"), format!("{group:?}"));
        assert!(source.0.is_empty());
        for length in (0..bytes.len()).step_by(3 + i % 50) {
            let (mut place, mut source) = (Group::NONE, Decoder(&bytes[..length]));
            assert!(receive(&mut place, &mut source, frame).is_err());
        }
    }
    lengths
}

/// Groups with each number of words, and groups with exceptions.
#[test]
fn sent_groups_come_back() {
    let frame = frame(4000, Windows::default());
    let (mut groups, sent): (Vec<_>, Vec<_>) = groups(4000, frame.windows).into_iter().unzip();
    let lengths = come_back(&groups, frame);
    let usual = [MOST_BYTES - 128, MOST_BYTES - 64, MOST_BYTES];
    assert!(usual.iter().all(|length| lengths.contains(length)), "{lengths:?}");
    assert!(sent.iter().all(|bytes| lengths.contains(&bytes.len())));
    for group in &mut groups {
        let [low, high, ..] = (group.low_anchor().0 + 100).to_le_bytes();
        // No number that is free, and one that is blocked, in lane 3: seven bits a byte.
        let exceptions = [0, 1, 3, low | 0x80, high << 1 | low >> 7];
        group.restore_exceptions(&mut Decoder(&exceptions[..])).unwrap();
    }
    assert!(come_back(&groups, frame).iter().all(|length| !usual.contains(length)));
}

/// Any bytes are a group or are refused.
#[test]
fn arbitrary_groups_are_received_or_refused() {
    let frame = Frame { windows: Windows::default(), bands: Frame::MOST_BANDS };
    let mut received = 0;
    for seed in 0..20_000u64 {
        let words = (100 * seed..100 * (seed + 1)).map(record::column_weight);
        let mut bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        // Every other one has a head that is possible.
        if seed % 2 == 0 {
            let block = 1 + u32::try_from(seed).unwrap() * 50;
            let band = 127 + 64 * block;
            let numbers = [band + band / 4, band, block - block / 8, band / 10];
            bytes[..16].copy_from_slice(numbers.map(u32::to_le_bytes).as_flattened());
            bytes[16] &= 1;
        }
        let mut place = Group::NONE;
        received += u64::from(receive(&mut place, &mut Decoder(bytes.as_slice()), frame).is_ok());
    }
    assert!((1_000..15_000).contains(&received), "{received}");
}

/// A group that is new in block 3 and carries as many words as its windows allow: how many, and its
/// bytes.
fn sent_group(frame: Frame, g: u64) -> (usize, Vec<u8>) {
    let (n, band) = (BlockIndex(3), last_band(BlockIndex(3)));
    let mut group = Group::NONE;
    group.windows = Eight([7 | u64::MAX << 40; 8]);
    let at = GroupPosition { index: GroupIndex(g), band, made: n, first_word: 5 };
    group.place(at, frame.windows);
    let tried = (0..3).rev().map(|carries| {
        group.carried = [Eight::ZERO; 2];
        group.carried[..carries].fill(Eight::ONES);
        let mut bytes = Vec::new();
        send(&group, &mut bytes);
        (carries, bytes)
    });
    let is_possible =
        |bytes: &[u8]| receive(&mut Group::NONE.clone(), &mut Decoder(bytes), frame).is_ok();
    tried.into_iter().find(|(_, bytes)| is_possible(bytes)).unwrap()
}

/// A head that does not fit its words, or the place of its group, is refused.
#[test]
fn heads_that_do_not_fit_are_refused() {
    let frame = Frame { windows: Windows::default(), bands: BandIndex(500) };
    let received = |bytes: &[u8]| {
        let mut source = Decoder(bytes);
        let result = receive(&mut Group::NONE.clone(), &mut source, frame);
        result.map(|()| source.0.len())
    };
    let mut seen = [false; 3];
    for g in 330..440 {
        let (carries, bytes) = sent_group(frame, g);
        seen[carries] = true;
        assert_eq!(received(&bytes).unwrap(), 0, "{g}: {carries}");
        let forged = |at: usize, number: u32, more: usize| {
            let mut bytes = [&bytes[..], &vec![0xFF; more]].concat();
            if at == 16 {
                bytes[at] = u8::try_from(number).unwrap();
            } else {
                bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
            }
            assert!(received(&bytes).is_err(), "{g}: {carries}, {number} at {at}");
        };
        let band = 127 + 64 * 3;
        // More words than it can carry, all of which follow; and unknown bits.
        for more in carries + 1..4 {
            forged(16, u32::try_from(more).unwrap(), 64 * (more - carries));
        }
        for bit in 3..8 {
            forged(16, u32::from(bytes[16]) | 1 << bit, 200);
        }
        // Too far right, of a band within a block, made later, or with words that do not exist yet.
        forged(0, 600, 0);
        forged(4, band - 1, 0);
        forged(4, band + 1, 0);
        forged(8, 4, 0);
        forged(8, u32::MAX, 0);
        forged(12, band / 8, 0);
        forged(12, u32::MAX, 0);
        // A band of block 1 has made it: it begins with a word of that block, at most.
        let mut old = bytes.clone();
        old[8] = 1;
        assert!(received(&old).is_ok());
        old[12] = 191 / 8;
        assert!(received(&old).is_err());
    }
    assert_eq!(seen, [true; 3]);
}

/// Exceptions that are said to follow, and are none, are refused.
#[test]
fn groups_that_contradict_themselves_are_refused() {
    let frame = Frame { windows: Windows::default(), bands: BandIndex(500) };
    let (_, mut bytes) = sent_group(frame, 400);
    let is_received =
        |bytes: &[u8]| receive(&mut Group::NONE.clone(), &mut Decoder(bytes), frame).is_ok();
    assert!(is_received(&bytes));
    bytes[16] |= 4;
    // One free number, 100, in lane 2, and none that is blocked; then none at all.
    assert!(is_received(&[&bytes[..], &[1, 2, 100, 0]].concat()));
    assert!(!is_received(&[&bytes[..], &[0, 0]].concat()));
}
