//! Groups by themselves.

use super::{Group, Reach};
use crate::{
    band::{
        below::{Context, Diagonals, OldRows},
        codec::Source,
        geometry::{Frame, Windows},
        simd::{Eight, Lanes, Portable},
        stored::Pool,
        units::{BandIndex, GroupIndex},
    },
    hypothesis::Hypothesis,
    repeating::Repeating,
    units::{Number, RowIndex, index},
};

/// A group with exceptions on both sides, and words that have been passed, comes back.
#[test]
fn groups_come_back() {
    let (old, diagonals) = (OldRows::new(), Diagonals::new());
    let pool = &Pool::default();
    for bands in [500, 168].map(BandIndex) {
        let frame = Frame { windows: Windows::default(), bands };
        let context = Context { frame, pool, old: &old, diagonals: &diagonals };
        let g = GroupIndex(150);
        let highest_base = g.first_column().number(60);
        let mut group = Group::build(g, BandIndex(127), highest_base, frame, pool, |p| {
            Eight([0x5A5A << (p.0 % 40); 8])
        });
        for step in 0..40 {
            group.block(3, group.low_anchor() + 150 + step);
            group.block(5, Number(group.high_anchor + 70 + step));
            let rise = |band| frame.windows.rise(band);
            let lift =
                u32::try_from(rise(BandIndex(128 + step)) - rise(BandIndex(127 + step))).unwrap();
            group.advance::<Portable>(lift, context);
        }
        group.shrink(pool);
        assert!(group.has_exceptions() && group.free_below(0).next().is_some());
        let mut bytes = Vec::new();
        group.save(&mut bytes);
        let mut source = Source(bytes.as_slice());
        let back = Group::restore(
            &mut source,
            (g, group.band),
            (BandIndex(127), highest_base),
            frame,
            pool,
        )
        .unwrap();
        assert!(source.0.is_empty());
        let mut again = Vec::new();
        back.save(&mut again);
        assert_eq!(bytes, again);
        for lane in 0..8 {
            for p in (g + 1).first_column().number(0).up_to(group.end() + 136) {
                assert_eq!(
                    group.is_free(lane, p, context),
                    back.is_free(lane, p, context),
                    "{p:?}"
                );
            }
        }
        for length in 0..bytes.len() {
            let mut source = Source(&bytes[..length]);
            let back = Group::restore(
                &mut source,
                (g, group.band),
                (BandIndex(127), highest_base),
                frame,
                pool,
            );
            assert!(back.is_err());
        }
    }
}

/// A group that meets the corner: what its words must hold, they hold, or V11 fails.
#[test]
fn words_of_the_corner() {
    let (old, pool) = (OldRows::new(), &Pool::default());
    let frame = Frame { windows: Windows::default(), bands: BandIndex(500) };
    let (g, band) = (GroupIndex(135), BandIndex(127));
    let free = |p: Number| {
        Eight(std::array::from_fn(|lane| 0x0123_4567_89AB_CDEF << (p.0 % 7 + lane as u64)))
    };
    let group = || Group::build(g, band, g.first_column().number(60), frame, pool, free);
    let (low, end) = (group().low_anchor(), group().end());
    let mut diagonals = Diagonals::new();
    diagonals.add(low + 4);
    let context = Context { frame, pool, old: &old, diagonals: &diagonals };

    // What is told is what there is, wherever the words begin.
    for floor in (low - 70).up_to(low) {
        let mut group = group();
        group.free_below_window(2, low - 1);
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
        group.low.0.iter_mut().for_each(|word| *word = *word << 10 | bits);
        group
    };
    assert_eq!(lowest(1 << 4).wide(low + 10, context).map(drop), Ok(()));
    assert_eq!(lowest(1 << 5).wide(low + 5, context).map(drop), Ok(()));
    assert_eq!(lowest(1 << 5).wide(low + 6, context), Err(Hypothesis::Corner));
    for (p, expected) in
        [(low + 1, Ok(())), (low, Err(Hypothesis::Corner)), (low - 65, Err(Hypothesis::Corner))]
    {
        let mut group = group();
        group.low = Eight::ZERO;
        group.low_anchor += 2;
        group.free_below_window(1, p);
        assert_eq!(group.wide(low + 1, context).map(drop), expected, "{p:?}");
    }

    // A blocked number above the words, or a high window that reaches above them.
    let mut group_above = group();
    group_above.block(0, low + 190);
    assert_eq!(group_above.wide(low - 65, context).map(drop), Ok(()));
    assert_eq!(group_above.wide(low - 66, context), Err(Hypothesis::Corner));
    assert_eq!(group().wide(end - 257, context), Err(Hypothesis::Corner));
    // Numbers that only the table of old rows tells.
    let table = Group::build(g + 1, band + 1, Number(u64::MAX), frame, pool, free);
    assert_eq!(table.wide(table.low_anchor(), context), Err(Hypothesis::LeastValues));
}

/// A new group is what the old rows say, if its windows hold what these do not.
#[test]
fn groups_that_cannot_be_activated() {
    let (diagonals, pool) = (Diagonals::new(), &Pool::default());
    let frame = Frame { windows: Windows::default(), bands: BandIndex(500) };
    let largest = |value: u64| {
        let mut old = OldRows::new();
        old.add(Some(Repeating::new(0, vec![value])));
        old
    };
    let activate = |g, old: &OldRows| {
        let context = Context { frame, pool, old, diagonals: &diagonals };
        Group::activate(g, BandIndex(200), RowIndex(1600), context).map(drop)
    };
    let g = GroupIndex(290);
    assert_eq!(activate(g, &OldRows::new()), Ok(()));
    for far in [270, 320].map(GroupIndex) {
        assert_eq!(activate(far, &OldRows::new()), Err(Hypothesis::NothingBelow));
    }
    let top = frame.windows.high(BandIndex(200), g) + 63;
    let highest = (g.first_column() + 7).offset(top);
    assert_eq!(activate(g, &largest(highest)), Ok(()));
    assert_eq!(activate(g, &largest(highest + 1)), Err(Hypothesis::OldRows));
}

/// What the bands of a run will read is kept, and asking for more is an error (V4).
#[test]
fn words_that_are_not_kept() {
    let (old, diagonals) = (OldRows::new(), Diagonals::new());
    let pool = &Pool::default();
    let g = GroupIndex(150);
    let highest_base = g.first_column().number(60);
    let [mut whole, mut cut] = [10_000, 135].map(|bands| {
        let frame = Frame { windows: Windows::default(), bands: BandIndex(bands) };
        let group = Group::build(g, BandIndex(127), highest_base, frame, pool, |p| {
            Eight([0x5A5A << (p.0 % 40); 8])
        });
        (group, Context { frame, pool, old: &old, diagonals: &diagonals })
    });
    let mut forgotten = 0;
    for band in 128..180 {
        for (group, context) in [&mut whole, &mut cut] {
            group.block(3, Number(group.high_anchor + 5));
            group.block(4, group.low_anchor() + 200);
            // Here the low window stays where it is, as words beyond its reach are pushed.
            let [low, high] = group.raised(0, Portable::splat(0)).map(|lanes| Eight(lanes.words()));
            group.settle::<Portable>(0, &low, &high, pool);
            assert_eq!(group.band, BandIndex(band));
            assert_ne!(group.wide(group.low_anchor(), *context), Err(Hypothesis::KeptWords));
        }
        for (lane, p) in
            (0..8).flat_map(|lane| (0..2500).map(move |p| (lane, g.first_column().number(p))))
        {
            let expected = whole.0.is_free(lane, p, whole.1);
            let found = cut.0.is_free(lane, p, cut.1);
            assert!(found == expected || found == Err(Hypothesis::KeptWords), "{p:?}");
            if found.is_err() {
                forgotten += 1;
                assert!(p > cut.0.low_anchor() + 256);
            }
        }
    }
    assert!(forgotten > 0);
}

/// What a reach knows is what the group reads, wherever its words begin and however few of them are
/// kept; and what is blocked later is blocked in both.
#[test]
fn reaches_know_what_groups_read() {
    let (old, diagonals) = (OldRows::new(), Diagonals::new());
    let pool = &Pool::default();
    let (mut known, mut unknown, mut shifts) = (0, 0, [false; 64]);
    let cases = (207..285).step_by(11).flat_map(|g| (0..=40).map(move |below_low| (g, below_low)));
    for ((g, below_low), bands) in
        cases.flat_map(|case| [10_000, 202, 208].map(|bands| (case, bands)))
    {
        let g = GroupIndex(g);
        let windows = Windows::new(below_low, 20, 0).unwrap();
        let frame = Frame { windows, bands: BandIndex(bands) };
        let context = Context { frame, pool, old: &old, diagonals: &diagonals };
        let mut group =
            Group::build(g, BandIndex(199), g.first_column().number(60), frame, pool, |p| {
                Eight(std::array::from_fn(|lane| {
                    0x9E37_79B9_7F4A_7C15_u64.rotate_left(((p.0 / 64 + lane as u64) % 64) as u32)
                }))
            });
        shifts[index((group.low_anchor - group.origin) % 64)] = true;
        let mut reach = Reach::NONE;
        assert!(!reach.knows(0));
        reach.fill::<Portable>(&group, context);
        let from = group.low_anchor + 64;
        for round in 0..2 {
            for offset in (0..480).step_by(19) {
                if !reach.knows(offset) {
                    unknown += 1;
                    continue;
                }
                let words = reach.at::<Portable>(offset).words();
                for (lane, i) in (0..8).flat_map(|lane| (0..20).map(move |i| (lane, i))) {
                    let read = group.is_free(lane, Number(from + offset + i), context);
                    // Below, the table of old rows speaks, which is empty here.
                    if from + offset + i >= group.base + 64 {
                        let free = words[lane] >> i & 1 == 1;
                        assert_eq!(read, Ok(free), "round {round}, group {g:?}, {offset} + {i}");
                        known += 1;
                    }
                }
            }
            if !reach.knows(300) {
                break;
            }
            for p in (from..from + 300).step_by(7).map(Number) {
                if p.0 >= group.base + 64 {
                    group.block(index(p.0 % 8), p);
                    reach.block(index(p.0 % 8), p);
                }
            }
        }
    }
    assert!(known > 100_000 && unknown > 100, "{known} {unknown}");
    assert!(shifts.iter().all(|&seen| seen), "words begin everywhere");
}
