//! Messages of a real run, unchanged and changed.

use super::buffers::Buffer;
use super::exchange::{Eagerness, Exchange, Part, Waker};
use super::group::{MOST_BYTES, receive, send};
use super::part::part_of_rows;
use super::wire::{GROUPS, WIRE_FORMAT};
use bytes::Bytes;
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

/// One of two parts, each a thread, which keeps a copy of its messages.
struct Recorded<'a> {
    to: Sender<Option<Bytes>>,
    own: Sender<Option<Bytes>>,
    come: Receiver<Option<Bytes>>,
    sent: &'a Mutex<BTreeSet<Vec<u8>>>,
}

impl Exchange for Recorded<'_> {
    fn send(&mut self, _: usize, _: u64, message: Buffer) -> Result<(), String> {
        self.sent.lock().unwrap().insert(message.to_vec());
        let _ = self.to.send(Some(message.into()));
        Ok(())
    }

    fn receive(&mut self, wait: Duration, _: Eagerness) -> Result<Option<Bytes>, String> {
        Ok(self.come.recv_timeout(wait).ok().flatten())
    }

    fn waker(&self) -> Waker {
        let own = self.own.clone();
        Arc::new(move || {
            let _ = own.send(None);
        })
    }

    fn on_the_way(&self) -> u64 {
        0
    }
}

/// The bytes of all messages of a run in two parts.
fn messages(end: u64, windows: Windows) -> BTreeSet<Vec<u8>> {
    let sent = Mutex::new(BTreeSet::new());
    let ends = [channel(), channel()];
    let senders: Vec<_> = ends.iter().map(|(sender, _)| sender.clone()).collect();
    thread::scope(|scope| {
        for (number, (own, come)) in ends.into_iter().enumerate() {
            let mut exchange = Recorded { to: senders[1 - number].clone(), own, come, sent: &sent };
            scope.spawn(move || {
                let threads = NonZero::new(1);
                let options = Options { threads, windows, ..Options::default() };
                let nowhere = Checkpoints::new("no folder");
                let mut visit = |_: Record| ControlFlow::Continue(());
                let part = Part { number, parts: 2 };
                part_of_rows(end, options, part, &mut exchange, &nowhere, None, &mut visit)
                    .unwrap();
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
    assert_eq!(kinds, (0..8).filter(|&kind| kind != 5).collect());
    let hash = XxHash3_64::oneshot(&messages.into_iter().collect::<Vec<_>>().concat());
    assert_eq!(
        (WIRE_FORMAT, hash),
        (4, 870_306_392_622_458_686),
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
        let end = send(group, &mut bytes, 5);
        let bytes = &bytes[5..end];
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
        let end = send(&group, &mut bytes, 0);
        bytes.truncate(end);
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
