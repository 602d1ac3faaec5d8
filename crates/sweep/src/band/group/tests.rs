//! Tests of single groups.

use super::{Group, GroupInBlock, GroupPosition};
use crate::band::below::{Context, Diagonals, OldRows};
use crate::band::codec::Decoder;
use crate::band::constants::Routes;
use crate::band::geometry::{Frame, HIGH, LOW, Windows, joined, lane};
use crate::band::schedule::{block_of, last_band};
use crate::band::simd::{Eight, LOW_PART};
use crate::band::words::{Inbox, Outbox, Store};
use crate::certify::Repeating;
use crate::hypothesis::Hypothesis;
use crate::units::{BandIndex, BlockIndex, GroupIndex, Number, RowIndex, index};
use record::column_weight;

/// A group with exceptions on both sides survives encoding and decoding.
#[test]
fn groups_come_back() {
    let (old, diagonals) = (OldRows::new(), Diagonals::new());
    let frame = Frame { windows: Windows::default(), bands: BandIndex(500) };
    let context = Context { frame, old: &old, diagonals: &diagonals };
    let (routes, memory) = (Routes::new(frame), Store::in_memory(BlockIndex(1)));
    let g = GroupIndex(215);
    let highest_base = g.first_column().number(60);
    let mut held = GroupInBlock::build(g, BandIndex(143), highest_base, frame.windows, |p| {
        Eight([0x5A5A << (p.0 % 40); 8])
    });
    for band in BandIndex(144).up_to(last_band(BlockIndex(1)) + 1) {
        let (low, high) = (held.group().low_anchor(), held.group().anchors.high);
        held.block(3, low + 150 + (band - BandIndex(144)));
        held.block(5, Number(high + 170));
        held.advance(lift(frame, band), context);
    }
    let mut outbox = Outbox::new(BlockIndex(1), 1, &memory, &routes);
    let group = held.leave(BlockIndex(1), &routes, &mut outbox).unwrap();
    assert!(group.has_exceptions() && group.free_below(0).next().is_some());
    assert!(!group.carries(BlockIndex(1), &routes).is_empty());
    let mut bytes = Vec::new();
    group.save(&mut bytes);
    let restore = |bytes: &[u8]| {
        let mut source = Decoder(bytes);
        let made = BandIndex(143);
        let at = GroupPosition::new((g, group.band), made, highest_base, frame.windows);
        let mut back = Group::default();
        let restored = back.restore(&mut source, at, frame.windows);
        (restored.map(|()| back), source.0.len())
    };
    let (back, rest) = restore(&bytes);
    let mut again = Vec::new();
    back.unwrap().save(&mut again);
    assert_eq!((&bytes, rest), (&again, 0));
    assert!(bytes.len() >= Group::LEAST_BYTES);
    for length in 0..bytes.len() {
        assert!(restore(&bytes[..length]).0.is_err());
    }
}

/// Blocks all numbers of the low window.
fn clear_low(group: &mut Group) {
    group.windows.0.iter_mut().for_each(|word| *word &= !LOW_PART);
}

/// The rise of the low windows to this band.
fn lift(frame: Frame, band: BandIndex) -> u32 {
    u32::try_from(frame.windows.rise(band) - frame.windows.rise(band - 1)).unwrap()
}

/// A group that meets the corner: its words agree with the group, or V11 fails.
#[test]
fn words_of_the_corner() {
    let old = OldRows::new();
    let frame = Frame { windows: Windows::default(), bands: BandIndex(500) };
    let (g, band) = (GroupIndex(135), BandIndex(127));
    let free = |p: Number| {
        Eight(std::array::from_fn(|lane| 0x0123_4567_89AB_CDEF << (p.0 % 7 + lane as u64)))
    };
    let group = || GroupInBlock::build(g, band, g.first_column().number(60), frame.windows, free);
    let (low, end) = (group().group().low_anchor(), group().group().end());
    let mut diagonals = Diagonals::new();
    diagonals.add(low + 4);
    let context = Context { frame, old: &old, diagonals: &diagonals };

    // The words agree with the group, wherever they begin.
    for floor in (low - 70).up_to(low) {
        let mut group = group();
        group.group_mut().free_below_window(2, low - 1);
        group.block(3, low + 100);
        group.block(5, end + 1);
        let words = group.wide(floor, context).unwrap();
        for (lane, p) in (0..8).flat_map(|lane| floor.up_to(floor + 256).map(move |p| (lane, p))) {
            let word = words[index((p - floor) / 64)].0[lane];
            let is_free = word >> ((p - floor) % 64) & 1 == 1;
            assert_eq!(group.is_free(lane, p, context), Ok(is_free), "{floor:?} {lane} {p:?}");
        }
    }

    // A free number below the words, in the low window or below it, unless it is a diagonal value.
    let lowest = |bits: u64| {
        let mut group = group();
        group.group_mut().windows.0.iter_mut().for_each(|word| {
            *word = joined(*word << 10 | bits, *word >> LOW);
        });
        group
    };
    assert_eq!(lowest(1 << 4).wide(low + 10, context).map(drop), Ok(()));
    assert_eq!(lowest(1 << 5).wide(low + 5, context).map(drop), Ok(()));
    assert_eq!(lowest(1 << 5).wide(low + 6, context), Err(Hypothesis::Corner));
    for (p, expected) in
        [(low + 1, Ok(())), (low, Err(Hypothesis::Corner)), (low - 65, Err(Hypothesis::Corner))]
    {
        let mut group = group();
        clear_low(group.group_mut());
        group.group_mut().anchors.low += 2;
        group.group_mut().free_below_window(1, p);
        assert_eq!(group.wide(low + 1, context).map(drop), expected, "{p:?}");
    }

    // A blocked number above the words, or a high window that reaches above them.
    let mut group_above = group();
    group_above.block(0, low + 190);
    assert_eq!(group_above.wide(low - 65, context).map(drop), Ok(()));
    assert_eq!(group_above.wide(low - 66, context), Err(Hypothesis::Corner));
    assert_eq!(group().wide(end - 257, context), Err(Hypothesis::Corner));
    // Numbers that only the table of old rows has.
    let table = GroupInBlock::build(g + 20, band + 1, Number(u64::MAX), frame.windows, free);
    assert_eq!(table.wide(table.group().low_anchor(), context), Err(Hypothesis::LeastValues));
}

/// A new group needs a low window that begins at its columns. Values of old rows above its high
/// window are blocked, too.
#[test]
fn groups_are_activated() {
    let diagonals = Diagonals::new();
    let frame = Frame { windows: Windows::default(), bands: BandIndex(500) };
    let largest = |value: u64| {
        let mut old = OldRows::new();
        old.add(Some(Repeating::new(0, vec![value])));
        old
    };
    let activate = |g, old: &OldRows| {
        let context = Context { frame, old, diagonals: &diagonals };
        GroupInBlock::activate(g, BandIndex(200), RowIndex(1600), context)
    };
    let g = GroupIndex(290);
    assert!(!activate(g, &OldRows::new()).unwrap().group().has_exceptions());
    for far in [270, 320].map(GroupIndex) {
        let refused = activate(far, &OldRows::new()).map(drop);
        assert_eq!(refused, Err(Hypothesis::NothingBelow));
    }
    let top = frame.windows.high(BandIndex(200), g) + (HIGH - 1);
    let highest = (g.first_column() + 7).offset(top);
    for (value, count) in [(highest, 0), (highest + 1, 1), (highest + 8, 8), (highest + 200, 8)] {
        let old = largest(value);
        let held = activate(g, &old).unwrap();
        let blocked = held.group().exceptions.as_ref().map_or(0, |list| list.blocked.len());
        assert_eq!(blocked, count);
        let context = Context { frame, old: &old, diagonals: &diagonals };
        for q in g.first_column().up_to((g + 1).first_column()) {
            let lane = lane(q);
            assert_eq!(held.is_free(lane, q.number(value), context), Ok(false));
            assert_eq!(held.is_free(lane, q.number(value) + 1, context), Ok(true));
        }
    }
}

/// As the low windows rise through several blocks, the group reads the right words from the
/// storage. Numbers that are blocked meanwhile stay blocked. For numbers further up, the group
/// reports V4, or is right.
#[test]
fn words_come_from_the_storage() {
    let (old, diagonals) = (OldRows::new(), Diagonals::new());
    let frame = Frame { windows: Windows::default(), bands: BandIndex(3000) };
    let context = Context { frame, old: &old, diagonals: &diagonals };
    let (routes, memory) = (Routes::new(frame), Store::in_memory(BlockIndex(1)));
    let free = |p: Number| {
        Eight(std::array::from_fn(|lane| {
            let word = |p: u64| {
                0x9E37_79B9_7F4A_7C15_u64.rotate_left(((p / 64 + lane as u64) % 64) as u32)
            };
            let shift = (p.0 % 64) as u32;
            word(p.0) >> shift | word(p.0 + 64).checked_shl(64 - shift).unwrap_or(0)
        }))
    };
    let (mut known, mut unknown, mut from_storage) = (0, 0, 0);
    for g in (900..1400).step_by(170).map(GroupIndex) {
        let first = BandIndex(g.0 * 3 / 4);
        let highest_base = g.first_column().number(60);
        let mut held = GroupInBlock::build(g, first, highest_base, frame.windows, free);
        let mut blocked = Vec::new();
        for band in (first + 1).up_to(BandIndex(3000)) {
            let group = held.group();
            let (from, end) = (group.anchors.low_end(), group.anchors.high);
            if from + 200 > end {
                break;
            }
            if block_of(band) > block_of(band - 1) {
                let n = block_of(band - 1);
                let mut outbox = Outbox::new(n, 1, &memory, &routes);
                let group = held.leave(n, &routes, &mut outbox).unwrap();
                outbox.close().unwrap();
                from_storage += group.waiting(n, &routes).filter(|way| way.0 == n + 1).count();
                let mut inbox = Inbox::new(n + 1, &memory);
                held = GroupInBlock::default();
                held.join::<u64>(group, n + 1, &routes, &mut inbox, context);
                assert!(inbox.is_empty().unwrap());
            }
            // Numbers that the next band will read, one of them blocked just now.
            let p = Number(from + band.0 % 150);
            if p.0 >= held.group().base {
                held.block(index(p.0 % 8), p);
                blocked.push((index(p.0 % 8), p));
            }
            for p in (from..end).map(Number) {
                let lane = index((p.0 + band.0) % 8);
                let expected = free(p).0[lane] & 1 == 1 && !blocked.contains(&(lane, p));
                let found = held.is_free(lane, p, context);
                if p.0 >= held.group().base && p.0 < held.group().origin + 64 * (first.0 / 8) {
                    match found {
                        Ok(found) => assert_eq!(found, expected, "{g:?} {band:?} {lane} {p:?}"),
                        Err(hypothesis) => assert_eq!(hypothesis, Hypothesis::WordsAtHand),
                    }
                }
                let near = p.0 < from + 64;
                assert!(found.is_ok() || !near, "{g:?} {band:?} {lane} {p:?}");
                if found.is_ok() { known += 1 } else { unknown += 1 }
            }
            // No free number leaves the window, so that the exact path is not needed.
            clear_low(held.group_mut());
            held.advance(lift(frame, band), context);
        }
    }
    assert!(
        known > 100_000 && unknown > 100_000 && from_storage > 100,
        "{known} {unknown} {from_storage}"
    );
}

/// A reach agrees with the group, wherever its words begin and however few there are; and numbers
/// blocked later are blocked in both.
#[test]
fn reaches_know_what_groups_read() {
    let (old, diagonals) = (OldRows::new(), Diagonals::new());
    let (mut known, mut unknown, mut shifts) = (0, 0, [false; 64]);
    let cases = (207..285).step_by(11).flat_map(|g| (0..=40).map(move |below_low| (g, below_low)));
    for (g, below_low) in cases {
        let (g, n) = (GroupIndex(g), BlockIndex(1));
        let windows = Windows::new(below_low, 7, 0).unwrap();
        let frame = Frame { windows, bands: BandIndex(10_000) };
        let context = Context { frame, old: &old, diagonals: &diagonals };
        let (routes, memory) = (Routes::new(frame), Store::in_memory(BlockIndex(1)));
        let mut held =
            GroupInBlock::build(g, last_band(n), g.first_column().number(60), frame.windows, |p| {
                Eight(std::array::from_fn(|lane| {
                    0x9E37_79B9_7F4A_7C15_u64.rotate_left(((p.0 / 64 + lane as u64) % 64) as u32)
                }))
            });
        let group = held.group();
        shifts[index((group.anchors.low - group.origin) % 64)] = true;
        let (from, base) = (group.anchors.low_end(), group.base);
        assert!(!held.ahead.knows(0));
        let mut outbox = Outbox::new(n, 1, &memory, &routes);
        let group = held.leave(n, &routes, &mut outbox).unwrap();
        outbox.close().unwrap();
        held.join::<u64>(group, n + 1, &routes, &mut Inbox::new(n + 1, &memory), context);
        for round in 0..2 {
            for offset in (0..470).step_by(19) {
                if !held.ahead.knows(offset) {
                    unknown += 1;
                    continue;
                }
                let words = held.ahead.at::<u64>(offset).0;
                for (lane, i) in (0..8).flat_map(|lane| (0..20).map(move |i| (lane, i))) {
                    let read = held.is_free(lane, Number(from + offset + i), context);
                    // The table of old rows has the numbers below. It is empty here.
                    if from + offset + i >= base {
                        let free = words[lane] >> i & 1 == 1;
                        assert_eq!(read, Ok(free), "round {round}, group {g:?}, {offset} + {i}");
                        known += 1;
                    }
                }
            }
            for p in (from..from + 300).step_by(7).map(Number) {
                if p.0 >= base {
                    held.block(index(p.0 % 8), p);
                }
            }
        }
    }
    assert!(known > 50_000 && unknown > 100, "{known} {unknown}");
    assert!(shifts.iter().all(|&seen| seen), "words begin everywhere");
}

/// The reach of a group made in a block agrees with the group, and takes words that become
/// complete.
#[test]
fn reaches_of_new_groups_grow() {
    let (old, diagonals) = (OldRows::new(), Diagonals::new());
    let (mut compared, mut longer) = (0, 0);
    for (g, after) in [(900, 5), (760, 40), (680, 9), (905, 0), (700, 1)] {
        let (g, below) = (GroupIndex(g), last_band(BlockIndex(8)));
        let frame = Frame { windows: Windows::default(), bands: BandIndex(10_000) };
        let context = Context { frame, old: &old, diagonals: &diagonals };
        let made = below + 1 + after;
        let mut held =
            GroupInBlock::build(g, made, g.first_column().number(60), frame.windows, |p| {
                Eight(std::array::from_fn(|lane| column_weight(p.0 / 64 * 8 + lane as u64)))
            });
        held.begin_words_ahead(below, context);
        for band in (made + 1).up_to(below + 60) {
            let low = held.group().anchors.low;
            let offset = low - (frame.windows.low(below, g).0);
            if held.ahead.knows(offset) {
                let words = held.ahead.at::<u64>(offset).0;
                // The table of old rows has the numbers below.
                let known = held.group().base.saturating_sub(low + LOW)..20;
                for (lane, i) in (0..8).flat_map(|lane| known.clone().map(move |i| (lane, i))) {
                    let free = held.is_free(lane, Number(low + LOW + i), context);
                    assert_eq!(free, Ok(words[lane] >> i & 1 == 1), "{g:?} {band:?} {lane} {i}");
                    compared += 1;
                }
            }
            clear_low(held.group_mut());
            held.advance(lift(frame, band), context);
            let end = held.ahead.end();
            if held.extend_words_ahead() {
                assert!(held.ahead.end() > end);
                longer += 1;
            }
            assert!(!held.extend_words_ahead(), "there is nothing more");
        }
    }
    assert!(compared > 20_000 && longer > 10, "{compared} {longer}");
}
