//! The schedule: which band meets which group when. It knows nothing of their content.
//!
//! A run is divided into blocks of bands, which the workers compute in turn. A block moves along
//! the columns in slots: in slot `s` its band `k` meets group `s - k`, one slot after the band
//! below it. So the tiles of a slot do not depend on each other, and the tiles of eight bands, an
//! octet, are computed at the same time.
//!
//! ```text
//! slot        band 0       band 1       band 2
//!   s       group s
//!   s + 1   group s + 1  group s
//!   s + 2   group s + 2  group s + 1  group s        then group s leaves, if band 2 is the last
//! ```

use super::geometry::{first_tile, last_tile};
use crate::units::{BandIndex, BlockIndex, GroupIndex};
use std::ops::Range;

/// The first band; the pointer engine computes the rows below.
pub const FIRST_BAND: BandIndex = BandIndex(128);

/// Bands in a block: one for each bit of a word, and few enough that their groups stay in the
/// cache.
pub(crate) const BANDS: usize = 64;

/// The number of bands in a block.
pub const BLOCK: u64 = BANDS as u64;

/// Bands of a block that meet their groups side by side, one in each lane of a vector.
pub(crate) const OCTET: usize = 8;

/// The block of a band.
pub fn block_of(b: BandIndex) -> BlockIndex {
    BlockIndex(if b < FIRST_BAND { 0 } else { (b - FIRST_BAND) / BLOCK + 1 })
}

/// The last band of a block, unless the run ends before it.
pub fn last_band(n: BlockIndex) -> BandIndex {
    FIRST_BAND + BLOCK * n.0 - 1
}

/// The blocks of worker `number` of `workers`, in a run of these bands.
///
/// # Panics
/// If there are too many workers for the numbers of blocks.
pub fn blocks_of(
    number: u64,
    workers: u64,
    bands: Range<BandIndex>,
) -> impl Iterator<Item = Range<BandIndex>> {
    let step = usize::try_from(BLOCK * workers).expect("few workers");
    let firsts = (bands.start + BLOCK * number).up_to(bands.end).step_by(step);
    firsts.map(move |first| first..bands.end.min(first + BLOCK))
}

/// The number of groups by which the block below is ahead when the block that begins with band
/// `first` starts. Without this headway, the block would wait in every slot.
pub(crate) fn headway(first: BandIndex, workers: u64) -> u64 {
    (last_tile(first) - first_tile(first)) / (2 * workers)
}

/// The group that band `k` of a block meets in a slot.
#[inline(always)]
pub(crate) fn group(slot: u64, k: usize) -> GroupIndex {
    GroupIndex(slot - k as u64)
}

/// The slots of a block. Its bands start and finish in their order.
#[derive(Clone, Debug)]
pub struct Schedule {
    bands: Range<BandIndex>,
    /// The numbers of the bands that have started and not finished.
    under_way: Range<usize>,
    /// The group past the last that the first of them meets.
    last: GroupIndex,
}

impl Schedule {
    /// The schedule before the first of these bands starts.
    pub fn new(bands: Range<BandIndex>) -> Self {
        let last = last_tile(bands.start);
        Self { bands, under_way: 0..0, last }
    }

    /// The bands that have started and not finished, by their numbers in the block.
    pub fn under_way(&self) -> Range<usize> {
        self.under_way.clone()
    }

    /// The slot in which band `k` starts.
    fn start_slot(&self, k: usize) -> u64 {
        first_tile(self.bands.start + k as u64).0 + k as u64
    }

    /// The slot in which the first band starts.
    pub fn first_slot(&self) -> u64 {
        self.start_slot(0)
    }

    /// The band that starts next.
    pub(crate) fn next_band(&self) -> BandIndex {
        self.bands.start + self.under_way.end as u64
    }

    /// If a band starts in this slot: the end of the groups that it needs.
    pub fn starting(&self, slot: u64) -> Option<GroupIndex> {
        let starts = !self.all_started() && self.start_slot(self.under_way.end) == slot;
        starts.then(|| first_tile(self.next_band()))
    }

    /// The next band has started.
    pub fn start(&mut self) {
        self.under_way.end += 1;
    }

    /// The end of the groups that the tiles of this slot need.
    pub fn needed(&self, slot: u64) -> GroupIndex {
        let first = &self.under_way;
        if first.is_empty() { GroupIndex(0) } else { (group(slot, first.start) + 1).min(self.last) }
    }

    /// Whether the first band under way has no more tiles from this slot on.
    pub fn finishing(&self, slot: u64) -> bool {
        !self.under_way.is_empty() && group(slot, self.under_way.start) == self.last
    }

    /// The first band under way has finished.
    pub fn finish(&mut self) {
        self.under_way.start += 1;
        self.last = last_tile(self.bands.start + self.under_way.start as u64);
    }

    /// Whether all bands have started.
    pub fn all_started(&self) -> bool {
        self.next_band() == self.bands.end
    }

    /// Whether all bands have finished.
    pub fn all_finished(&self) -> bool {
        self.bands.start + self.under_way.start as u64 == self.bands.end
    }

    /// The end of the groups that have met all bands after this slot.
    pub fn released(&self, slot: u64) -> GroupIndex {
        if self.all_finished() {
            GroupIndex(u64::MAX)
        } else if self.all_started() {
            group(slot, self.under_way.end - 1) + 1
        } else {
            GroupIndex(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Goes through a block. Returns the slot in which each band, by its number, meets each group.
    fn walk(bands: Range<BandIndex>) -> BTreeMap<(usize, GroupIndex), u64> {
        let mut schedule = Schedule::new(bands.clone());
        let mut met = BTreeMap::new();
        let (mut have, mut gone) = (GroupIndex(0), GroupIndex(0));
        for slot in schedule.first_slot().. {
            if let Some(needed) = schedule.starting(slot) {
                have = have.max(needed);
                schedule.start();
            }
            if schedule.finishing(slot) {
                schedule.finish();
            }
            have = have.max(schedule.needed(slot));
            for k in schedule.under_way() {
                let g = group(slot, k);
                assert!(g >= gone, "band {k} needs group {g:?}, which has left");
                assert!(g < have, "band {k} needs group {g:?}, which has not come");
                assert_eq!(met.insert((k, g), slot), None);
            }
            let released = schedule.released(slot);
            assert!(released >= gone, "no group comes back");
            gone = released;
            if schedule.all_finished() {
                break;
            }
        }
        met
    }

    #[test]
    fn every_band_meets_its_groups_after_the_band_below() {
        for (first, count) in [(128, 1), (128, 2), (128, 64), (192, 64), (1000, 24), (3001, 7)] {
            let first = BandIndex(first);
            let met = walk(first..first + count);
            let mut expected = 0;
            for (k, b) in first.up_to(first + count).enumerate() {
                for g in first_tile(b).up_to(last_tile(b)) {
                    let slot = met[&(k, g)];
                    expected += 1;
                    if k > 0 && g < last_tile(b - 1) {
                        assert!(met[&(k - 1, g)] < slot, "{b:?} meets group {g:?}");
                    }
                }
            }
            assert_eq!(met.len(), expected, "no band meets any other group");
        }
    }

    #[test]
    fn every_band_is_in_one_block() {
        for workers in 1..5 {
            let blocks = |n| blocks_of(n, workers, BandIndex(128)..BandIndex(999));
            let mut bands: Vec<u64> = (0..workers)
                .flat_map(blocks)
                .flat_map(|block| block.start.0..block.end.0)
                .collect();
            assert!(!bands.is_sorted() || workers == 1);
            bands.sort_unstable();
            assert_eq!(bands, (128..999).collect::<Vec<_>>());
        }
        // Between two blocks of a worker there is one block of each other worker.
        let bands = BandIndex(128)..BandIndex(850);
        let firsts: Vec<u64> = blocks_of(1, 3, bands).map(|block| block.start.0).collect();
        assert_eq!(firsts, [128 + 64, 128 + 64 + 192, 128 + 64 + 384, 128 + 64 + 576]);
    }
}
