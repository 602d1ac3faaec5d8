//! Eight consecutive bands side by side: their rows, and the columns of the groups that they meet.
//!
//! A group that lane `k` has met in a slot meets lane `k + 1` in the next one. So a vector with one
//! column of each group moves one lane up, and its windows follow the lines (proofs/sweep.md, 5.2).
//! The group itself is updated when it leaves the lanes, or when the exact path needs it.

use super::exact::{ExactRow, RowExceptions};
use super::lane_words::EnteringWords;
use super::tile::{Columns, LaneAnchors, OctetRows};
use crate::band::below::{Diagonals, Seen};
use crate::band::constants::Constants;
use crate::band::geometry::{Anchors, Windows, first_tile, last_tile};
use crate::band::group::Masks;
use crate::band::schedule::OCTET;
use crate::band::simd::{Eight, LOW_PART, LOW_PLACES, Register};
use crate::units::{BandIndex, GroupIndex, LANES, Number, RowIndex};

/// Eight consecutive rows without their masks, which are in an [`Octet`].
#[derive(Clone, Debug)]
pub(super) struct Band {
    pub(super) index: BandIndex,
    windows: Windows,
    /// The number of places by which the low anchors lie above the low anchors of the band below.
    pub(super) lift: u32,
    /// Its tiles are in the groups from this one to before `last_tile`.
    pub(super) first_tile: GroupIndex,
    pub(super) last_tile: GroupIndex,
    pub(super) diagonal: [Number; 8],
    /// The numbers that the windows of each row cannot hold.
    pub(super) exceptions: [RowExceptions; 8],
}

impl Band {
    /// Band `b`.
    pub(super) fn new(b: BandIndex, shared: &Constants) -> Self {
        let windows = shared.frame.windows;
        Self {
            index: b,
            windows,
            lift: windows.lift(b),
            first_tile: first_tile(b),
            last_tile: last_tile(b),
            diagonal: [Number(0); 8],
            exceptions: Default::default(),
        }
    }

    pub(super) fn row(&self, i: usize) -> RowIndex {
        self.index.first_row() + i as u64
    }

    /// The anchors of its windows in group `g`.
    pub(super) fn anchors(&self, g: GroupIndex) -> Anchors {
        self.windows.anchors(self.index, g)
    }

    pub(super) fn has_exceptions(&self) -> bool {
        !self.exceptions.iter().all(RowExceptions::is_empty)
    }
}

/// The rows of eight consecutive bands: lane `k` is band `k`. Each meets a group one slot after the
/// band below it.
#[derive(Clone, Debug, Default)]
pub(super) struct Octet {
    /// The parts of the anchors that belong to the bands.
    rises: Eight,
    ascents: Eight,
    /// How the windows of the groups rise.
    pub(super) rise: Rise,
    /// The lane in which words of the groups become complete.
    pub(super) completing: usize,
    /// The low anchors of the last tiles, or of the first ones before these.
    pub(super) low_anchor: Eight,
    /// The diagonal values near the low anchors.
    seen: Seen,
    /// Not 0 in the lanes of bands with exceptions.
    pub(super) exceptions: Eight,
    /// The rows and columns after the last tile.
    pub(super) rows: Box<OctetRows>,
    pub(super) columns: Box<OctetColumns>,
    /// The rows and columns that the current tile produces.
    pub(super) next: Box<OctetRows>,
    pub(super) next_columns: Box<OctetColumns>,
}

impl Octet {
    /// Octet `octet` of the block that begins with band `first`.
    pub(super) fn new(
        octet: usize,
        first: BandIndex,
        entering: &EnteringWords,
        shared: &Constants,
    ) -> Self {
        let windows = shared.frame.windows;
        let numbers: [usize; OCTET] = std::array::from_fn(|lane| octet * OCTET + lane);
        let bands = numbers.map(|k| first + k as u64);
        let lift = bands.map(|b| u64::from(windows.lift(b)));
        let rise = Rise {
            lift: Eight(lift),
            places: Eight(std::array::from_fn(|lane| {
                64 - lift[lane] - entering.bit(numbers[lane])
            })),
            band: Eight(numbers.map(|k| 1 << k)),
        };
        let completes = |b: &BandIndex| b.0.is_multiple_of(LANES);
        Self {
            rises: Eight(bands.map(|b| windows.rise(b))),
            ascents: Eight(bands.map(|b| windows.ascent(b))),
            rise,
            completing: bands.iter().position(completes).expect("one of eight"),
            ..Self::default()
        }
    }

    /// The band of `lane` is about to meet its first group.
    pub(super) fn begin(&mut self, lane: usize, band: &Band) {
        self.seen = Seen::default();
        self.look_for_exceptions(lane, band);
    }

    /// Records whether the band of `lane` has exceptions.
    pub(super) fn look_for_exceptions(&mut self, lane: usize, band: &Band) {
        self.exceptions.0[lane] = u64::from(band.has_exceptions());
    }

    /// Moves to groups with these falls. Returns the anchors of the tiles, and the places that must
    /// be blocked when they leave the low windows of the groups.
    #[inline(always)]
    pub(super) fn next_anchors<R: Register>(
        &mut self,
        falls: &[u64; 8],
        guard: u32,
        diagonals: &Diagonals,
    ) -> (LaneAnchors, Eight) {
        let mut leaving = Eight::ZERO;
        let mut anchors = LaneAnchors { guard, ..LaneAnchors::default() };
        // Lanes that are not in use hold arbitrary numbers.
        for at in (0..8).step_by(R::LANES) {
            let fall = R::load(falls, at);
            let low = R::load(&self.rises.0, at).sub(fall);
            low.store(&mut anchors.low, at);
            R::load(&self.ascents.0, at).add(fall).store(&mut anchors.high, at);
            R::load(&self.low_anchor.0, at).sub(low).store(&mut anchors.shift, at);
        }
        self.seen.follow(&anchors.low, diagonals);
        for at in (0..8).step_by(R::LANES) {
            let ones = R::splat(u64::MAX);
            let lift = R::load(&self.rise.lift.0, at);
            let seen = self.seen.below::<R>(R::load(&anchors.low.0, at).sub(lift), at);
            seen.and(ones.shl_each(lift).xor(ones)).store(&mut leaving, at);
            let shift = R::load(&anchors.shift.0, at);
            let bits = ones.shl_each(shift).xor(ones);
            seen.shr_each(lift).and(bits).store(&mut anchors.entering, at);
        }
        self.low_anchor = anchors.low;
        (anchors, leaving)
    }

    /// The anchors of the last tile in `lane`.
    pub(super) fn anchors(&self, lane: usize) -> Anchors {
        let low = self.low_anchor.0[lane];
        Anchors { low, high: self.ascents.0[lane] + self.rises.0[lane] - low }
    }

    /// The rows and columns that the tiles have produced become current.
    #[inline(always)]
    pub(super) fn swap(&mut self) {
        std::mem::swap(&mut self.rows, &mut self.next);
        std::mem::swap(&mut self.columns, &mut self.next_columns);
    }

    /// Row `i` of the band of `lane` after group `g`, for the exact path.
    pub(super) fn exact_row(&self, lane: usize, i: usize, band: &Band, g: GroupIndex) -> ExactRow {
        ExactRow {
            windows: self.rows.windows[i].0[lane],
            anchors: band.anchors(g),
            exceptions: band.exceptions[i].clone(),
        }
    }
}

impl OctetRows {
    /// Takes row `i` of the band of `lane` from the exact path; its exceptions go to the band.
    pub(super) fn set_exact(
        &mut self,
        lane: usize,
        i: usize,
        row: ExactRow,
        sum: u64,
        exceptions: &mut RowExceptions,
    ) {
        self.windows[i].0[lane] = row.windows;
        self.sum[i].0[lane] = sum;
        *exceptions = row.exceptions;
    }
}

/// The columns of the groups in the lanes of an octet, as the bands of these lanes have left them:
/// vector `i` has lane `i` of each group.
#[derive(Clone, Debug, Default)]
pub(super) struct OctetColumns {
    pub(super) windows: Columns,
    /// The partial words.
    partial: [Eight; 8],
    /// The bands of the block for which a group is not ready: bit `k` is band `k`.
    unready: Eight,
}

/// How the windows of the groups rise as they meet the bands of an octet.
#[derive(Clone, Debug, Default)]
pub(super) struct Rise {
    /// The distance by which the low windows rise.
    pub(super) lift: Eight,
    /// The number of places by which a word must be shifted to the left, so that the bits that
    /// enter the low windows become its topmost ones (see `Register::place_each`).
    pub(super) places: Eight,
    /// The bit of the band among the bits of the block.
    pub(super) band: Eight,
}

impl OctetColumns {
    /// The group in `lane`.
    #[inline(always)]
    pub(super) fn masks(&self, lane: usize) -> Masks {
        let mut masks = Masks { windows: Eight::ZERO, partial: self.partial(lane) };
        for i in 0..8 {
            masks.windows.0[i] = self.windows[i].0[lane];
        }
        masks
    }

    /// Its partial word, which can just have become complete.
    #[inline(always)]
    pub(super) fn partial(&self, lane: usize) -> Eight {
        let mut partial = Eight::ZERO;
        for i in 0..8 {
            partial.0[i] = self.partial[i].0[lane];
        }
        partial
    }

    /// Puts a group in `lane`.
    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, masks: &Masks, unready: u64) {
        for i in 0..8 {
            self.windows[i].0[lane] = masks.windows.0[i];
            self.partial[i].0[lane] = masks.partial.0[i];
        }
        self.unready.0[lane] = unready;
    }

    /// Sets the bands for which the group in `lane` is not ready.
    pub(super) fn set_unready(&mut self, lane: usize, unready: u64) {
        self.unready.0[lane] = unready;
    }

    /// Takes the bands for which groups are not ready, one lane up. Returns lanes that are not 0
    /// where the group is not ready for the band of the lane.
    #[inline(always)]
    pub(super) fn take_unready<R: Register>(
        &mut self,
        before: &Self,
        below: &Self,
        rise: &Rise,
    ) -> Eight {
        let mut found = Eight::ZERO;
        for at in (0..8).step_by(R::LANES) {
            let unready = R::above(below.unready.0[7], &before.unready, at);
            unready.store(&mut self.unready, at);
            unready.and(R::load(&rise.band.0, at)).store(&mut found, at);
        }
        found
    }

    /// Takes the columns from `before`, one lane up, and raises their windows for the bands of
    /// these lanes; `below` is the octet below. `words` has the places that enter the low windows,
    /// where they will be, one column in each. Places in `leaving` must be blocked when they leave;
    /// returns lanes that are not 0 where one is free (V5).
    #[inline(always)]
    pub(super) fn raise<R: Register>(
        &mut self,
        (before, below): (&Self, &Self),
        rise: &Rise,
        words: &[Eight; 8],
        leaving: &Eight,
    ) -> Eight {
        let mut faults = Eight::ZERO;
        let (low_part, highest) = (R::splat(LOW_PART), R::splat(0xFF << 56));
        for at in (0..8).step_by(R::LANES) {
            // They are less than 64; the compiler then drops its checks.
            let less = R::splat(63);
            let lift = R::load(&rise.lift.0, at).and(less);
            let entering = low_part.shr_each(lift).xor(low_part);
            let leaving = R::load(&leaving.0, at);
            let mut fault = R::splat(0);
            for (i, word) in words.iter().enumerate() {
                let old = R::above(below.windows[i].0[7], &before.windows[i], at);
                fault = fault.with(old, leaving);
                let risen = low_part.select(old.shr_each(lift), old.shr(8));
                let word = R::load(&word.0, at);
                entering.select(word, risen).or(highest).store(&mut self.windows[i], at);
                let partial = R::above(below.partial[i].0[7], &before.partial[i], at);
                // The lowest 8 places of the high window become the topmost ones of the word.
                let lowest = old.shl(56 - LOW_PLACES);
                partial.shr(8).with(lowest, highest).store(&mut self.partial[i], at);
            }
            fault.store(&mut faults, at);
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::band::geometry::{HIGH, LOW, members};
    use crate::band::simd::{Kernel, OnLanes};
    use record::column_weight;
    use std::collections::BTreeSet;

    /// The anchors.
    const FIRST: u64 = 1000;
    const SECOND: u64 = 2000;

    fn random(seed: u64) -> [Eight; 8] {
        let word = |at| column_weight(seed << 8 | at) >> 1 & column_weight(seed << 9 | at);
        std::array::from_fn(|i| Eight(std::array::from_fn(|lane| word((8 * i + lane) as u64))))
    }

    fn passing(seed: u64) -> OctetColumns {
        OctetColumns {
            windows: random(seed),
            partial: random(seed + 2),
            unready: random(seed + 3)[0],
        }
    }

    /// The numbers of one column, of group `lane`.
    fn numbers(passing: &OctetColumns, i: usize, lane: usize) -> (BTreeSet<u64>, BTreeSet<u64>) {
        let OctetColumns { windows, partial, .. } = passing;
        let below = members(SECOND - 64, partial[i].0[lane]);
        let word = windows[i].0[lane];
        let low = members(FIRST, word & LOW_PART).collect();
        (low, below.chain(members(SECOND, word >> LOW)).collect())
    }

    struct Raising<'a> {
        before: (&'a OctetColumns, &'a OctetColumns),
        rise: &'a Rise,
        words: &'a [Eight; 8],
        leaving: &'a Eight,
        after: &'a mut OctetColumns,
        found: &'a mut [Eight; 2],
    }

    impl OnLanes for Raising<'_> {
        #[inline(always)]
        fn run<R: Register>(self) {
            let Self { before, rise, words, leaving, after, found } = self;
            found[0] = after.take_unready::<R>(before.0, before.1, rise);
            found[1] = after.raise::<R>(before, rise, words, leaving);
        }
    }

    /// Compares every kernel of the machine with sets of numbers, as the windows rise.
    #[test]
    fn windows_rise_over_numbers() {
        let kernels = Kernel::NAMED.iter().filter_map(|kernel| kernel.detect().ok());
        let (mut left, mut stayed) = (0, 0);
        for (kernel, seed) in kernels.flat_map(|kernel| (0..50).map(move |seed| (kernel, seed))) {
            let (before, below) = (passing(100 * seed), passing(100 * seed + 10));
            let lanes = |f: fn(u64) -> u64| Eight(std::array::from_fn(|lane| f(lane as u64)));
            let rise = Rise {
                lift: lanes(|lane| 19 + lane % 2),
                places: Eight::ZERO,
                band: lanes(|lane| 1 << (8 + lane)),
            };
            let words = random(100 * seed + 20);
            let leaving = Eight(std::array::from_fn(|lane| 1 << ((lane as u64 + seed) % 19)));
            let (mut after, mut found) = (OctetColumns::default(), [Eight::ZERO; 2]);
            kernel.run(Raising {
                before: (&before, &below),
                rise: &rise,
                words: &words,
                leaving: &leaving,
                after: &mut after,
                found: &mut found,
            });
            for lane in 0..8 {
                let (from, at) = if lane == 0 { (&below, 7) } else { (&before, lane - 1) };
                let unready = from.unready.0[at];
                assert_eq!(after.unready.0[lane], unready);
                assert_eq!(found[0].0[lane] != 0, unready >> (8 + lane) & 1 == 1);
                let lift = rise.lift.0[lane];
                let mut leaves = false;
                for (i, word) in words.iter().enumerate() {
                    let (mut low, mut high) = numbers(from, i, at);
                    leaves |= members(FIRST, leaving.0[lane]).any(|p| low.contains(&p));
                    low.retain(|&p| p >= FIRST + lift);
                    // At the upper end of the low window.
                    let entering = word.0[lane] << HIGH >> (64 - lift);
                    low.extend(members(FIRST + LOW, entering));
                    high.retain(|&p| p >= SECOND - 56);
                    high.extend(SECOND + HIGH..SECOND + HIGH + 8);
                    let (found_low, found_high) = numbers(&after, i, lane);
                    let up = |set: BTreeSet<u64>, by| set.into_iter().map(|p| p + by).collect();
                    assert_eq!(low, up(found_low, lift), "{kernel:?} {seed} {lane} {i}");
                    assert_eq!(high, up(found_high, 8), "{kernel:?} {seed} {lane} {i}");
                }
                assert_eq!(found[1].0[lane] != 0, leaves, "{kernel:?} {seed} {lane}");
                if leaves { left += 1 } else { stayed += 1 }
            }
            // A group can be taken out of one lane and put into another.
            let masks = after.masks(3);
            after.set(6, &masks, 5);
            assert_eq!(after.unready.0[6], 5);
            for i in 0..8 {
                assert_eq!(numbers(&after, i, 6), numbers(&after, i, 3));
                assert_eq!(masks.windows.0[i], after.windows[i].0[6]);
                assert_eq!(after.partial(3).0[i], after.partial[i].0[6]);
            }
        }
        assert!(left > 50 && stayed > 50, "{left} {stayed}");
    }
}
