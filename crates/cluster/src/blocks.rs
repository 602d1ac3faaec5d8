//! The blocks of a run: the steps of each, and the words that it stores. They follow from the
//! schedule and the geometry; no row is computed.
//!
//! *Blocks.* The rows of each block, its tiles, and the order in which its slots need groups of the
//! block below and pass them on ([`Block::steps`]).
//!
//! *Words.* The words that a block stores for each later one. Word `w` of group `g` is stored by
//! the block of band `8 (w + 2)`, in which the next word is complete, or by the block that
//! activates the group, if that is later. It is read by the first block whose last band has
//! `low + 128 > origin(g) + 64 w` (proofs/sweep.md, 4.1). If the same block does both, the word is
//! not stored.
//!
//! Blocks are numbered from 1 on. Block 0 is everything below them; it stores words, too.
//!
//! ```
//! use cluster::blocks::RunGeometry;
//!
//! let run = RunGeometry::new(100_000);
//! let stored: u64 = run.blocks().map(|m| run.words_of(m)).sum();
//! // R²/6 bits in all, except words that the block which completes them also reads.
//! let ratio = 512.0 * stored as f64 / (100_000f64.powi(2) / 6.0);
//! assert!((0.9..1.0).contains(&ratio));
//! ```

use std::ops::{Range, RangeInclusive};
use sweep::band::{
    Windows,
    pipeline::{
        self, BLOCK, BandIndex, BlockIndex, FIRST_BAND, GroupIndex, LANES, MARGIN, RowIndex,
        Schedule, fall, first_tile, highest_base_offset, last_band, last_tile, reach, source_end,
    },
};

/// Rows of a block; the last one of a run may have fewer.
pub const BLOCK_ROWS: u64 = LANES * BLOCK;

/// A run of all rows below some row, with default windows.
#[derive(Clone, Copy, Debug)]
pub struct RunGeometry {
    windows: Windows,
    bands: BandIndex,
}

impl RunGeometry {
    /// The run of the rows below `end`.
    #[must_use]
    pub fn new(end: u64) -> Self {
        Self { windows: Windows::default(), bands: BandIndex(end.div_ceil(LANES)) }
    }

    /// The numbers of its blocks, 1 to [`Self::last_block`].
    #[must_use]
    pub fn blocks(&self) -> RangeInclusive<u64> {
        1..=self.last_block()
    }

    /// The number of its last block, which is the number of blocks.
    #[must_use]
    pub fn last_block(&self) -> u64 {
        self.bands.0.saturating_sub(FIRST_BAND.0).div_ceil(BLOCK)
    }

    /// The block of this number.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn block(&self, number: u64) -> Block {
        assert!((1..=self.last_block()).contains(&number), "a block of the run");
        let first = last_band(BlockIndex(number - 1)) + 1;
        Block { bands: first..self.bands.min(first + BLOCK) }
    }

    /// The words that block `source` stores for others, by word, then by ascending group and
    /// reader: a few hundred transfers at row 10^5, and proportionally more at higher rows.
    ///
    /// Cost: O(number of transfers).
    pub fn transfers(&self, source: u64) -> impl Iterator<Item = Transfer> {
        self.released(source).into_iter().flat_map(move |Released { word, groups }| {
            let mut from = groups.start;
            let mut reader = self.first_reader(source, word, from);
            std::iter::from_fn(move || {
                let end = groups.end.min(read_before(self.windows, reader, word));
                let groups = from..end;
                from = end;
                reader += 1;
                (!groups.is_empty()).then(|| Transfer { reader: reader - 1, word, groups })
            })
        })
    }

    /// The number of words that block `source` stores for others.
    ///
    /// Cost: O(log end).
    #[must_use]
    pub fn words_of(&self, source: u64) -> u64 {
        self.released(source).iter().map(|released| length(&released.groups)).sum()
    }

    /// The number of words that wait for blocks after `block` when all blocks up to it have
    /// finished.
    ///
    /// Cost: O(block · log end), a microsecond for each of some `block / 16` words.
    #[must_use]
    pub fn waiting_after(&self, block: u64) -> u64 {
        let activated = self.activated_before(block);
        let waiting = |word| {
            let end = self.end_of(word).min(activated);
            end.saturating_sub(read_before(self.windows, block, word))
        };
        // Those that wait are consecutive.
        let words = (0..words_end(block)).rev();
        words.map(waiting).skip_while(|&n| n == 0).take_while(|&n| n > 0).sum()
    }

    /// The words that a block releases and a later block reads.
    fn released(&self, source: u64) -> Vec<Released> {
        let below = source.checked_sub(1);
        let own = below.map_or(0, words_end)..words_end(source);
        // The block that activates a group can be later than the one that would have released its
        // word.
        let late = own.start.saturating_sub(3)..own.start;
        let activated = self.activated_before(source);
        let before = below.map_or(0, |below| self.activated_before(below));
        let of = |word, groups: Range<u64>| {
            let start = groups.start.max(read_before(self.windows, source, word));
            let end = groups.end.min(self.end_of(word));
            (start < end).then_some(Released { word, groups: start..end })
        };
        let late = late.filter_map(|word| of(word, before..activated));
        late.chain(own.filter_map(|word| of(word, 0..activated))).collect()
    }

    /// Word `word` exists and has a reader in the groups before this one, and in no other.
    fn end_of(&self, word: u64) -> u64 {
        let read = read_before(self.windows, self.last_block(), word);
        let (mut start, mut end) = (first_tile(FIRST_BAND).0, read);
        while start < end {
            let middle = start.midpoint(end);
            if self.first_word(GroupIndex(middle)) <= word {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        start
    }

    /// The groups before this one are activated when a block has finished.
    fn activated_before(&self, block: u64) -> u64 {
        reach((last_band(BlockIndex(block)) + 1).min(self.bands).first_row() - 1).0
    }

    /// The first block after `source` that reads word `word` of group `group`.
    fn first_reader(&self, source: u64, word: u64, group: u64) -> u64 {
        let (mut start, mut end) = (source + 1, self.last_block());
        while start < end {
            let middle = start.midpoint(end);
            if read_before(self.windows, middle, word) <= group {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        start
    }

    /// The first stored word of a group. The table of old rows has the numbers below.
    fn first_word(&self, g: GroupIndex) -> u64 {
        let row = activating_row(g);
        let band = BandIndex::of_row(row).max(FIRST_BAND - 1);
        let highest_base = g.first_column().number(highest_base_offset(row));
        let base = highest_base.min(self.windows.high(band, g) - 64);
        base.0.saturating_sub(self.windows.origin(g)) / 64
    }
}

/// Word `word` of these groups, which a block has released.
struct Released {
    word: u64,
    groups: Range<u64>,
}

/// Words of consecutive groups that one block stores for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The block that will read them.
    pub reader: u64,
    /// The number of the word, in each of the groups.
    pub word: u64,
    /// The groups.
    pub groups: Range<u64>,
}

/// The blocks up to `block` store the words before this one.
fn words_end(block: u64) -> u64 {
    source_end(BlockIndex(block)) as u64
}

/// Block `reader` or one below it reads word `word` of the groups before this one, and of no other.
fn read_before(windows: Windows, reader: u64, word: u64) -> u64 {
    let [_, below_high, _] = windows.parameters();
    let rise = windows.rise(last_band(BlockIndex(reader)));
    // rise + 64 + MARGIN > 2 fall(g) - below_high + 64 word, and fall(g) is the root of 32 g²,
    // rounded down.
    let twice = (rise + 64 + MARGIN + below_high).saturating_sub(64 * word);
    let past = twice.div_ceil(2);
    if past == 0 { 0 } else { ((past * past - 1) / 32).isqrt() + 1 }
}

/// The first row that reaches a group.
fn activating_row(g: GroupIndex) -> RowIndex {
    // About 8 g / √2, as rows reach a little past √2 r.
    let (mut start, mut end) = (fall(g).saturating_sub(64), fall(g));
    debug_assert!(reach(RowIndex(start)) <= g && reach(RowIndex(end)) > g);
    while start < end {
        let middle = start.midpoint(end);
        if reach(RowIndex(middle)) <= g {
            start = middle + 1;
        } else {
            end = middle;
        }
    }
    RowIndex(start)
}

fn length(range: &Range<u64>) -> u64 {
    range.end - range.start
}

/// A block of a run.
#[derive(Clone, Debug)]
pub struct Block {
    bands: Range<BandIndex>,
}

impl Block {
    /// Its rows. In the last block of a run some can be past the end of the run.
    #[must_use]
    pub fn rows(&self) -> Range<u64> {
        self.bands.start.first_row().0..self.bands.end.first_row().0
    }

    /// The groups that its bands meet in tiles.
    #[must_use]
    pub fn groups(&self) -> Range<u64> {
        first_tile(self.bands.start).0..last_tile(self.bands.end - 1).0
    }

    /// The number of groups by which the block below is ahead when this one starts, in a run of
    /// this many workers.
    #[must_use]
    pub fn headway(&self, workers: u64) -> u64 {
        pipeline::headway(self.bands.start, workers)
    }

    /// Its slots, in order.
    #[must_use]
    pub fn steps(&self) -> Steps {
        let (bands, schedule) = (self.bands.clone(), Schedule::new(self.bands.clone()));
        Steps { slot: schedule.first_slot(), bands, schedule, done: false }
    }
}

/// The slots of a block, in order, some of them at a time.
#[derive(Clone, Debug)]
pub struct Steps {
    bands: Range<BandIndex>,
    schedule: Schedule,
    slot: u64,
    done: bool,
}

/// Consecutive slots of a block with the same bands. A band starts or finishes only in the first
/// of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of slots.
    pub slots: u64,
    /// Tiles in each slot.
    pub tiles: u64,
    /// A band starts.
    pub starts: bool,
    /// All bands have now started, so the next block can start.
    pub has_started: bool,
    /// A band finishes. The block below must have finished before.
    pub finishes: bool,
    /// The first slot needs the groups before this one; each following slot needs one more.
    pub needs: u64,
    /// After the last slot, the groups before this one have left; all groups if `None`.
    pub passes: Option<u64>,
}

impl Steps {
    /// The next slots: at most `most`, and at least one.
    pub fn next(&mut self, most: u64) -> Option<Step> {
        if self.done {
            return None;
        }
        let (schedule, first) = (&mut self.schedule, self.slot);
        let mut needs = GroupIndex(0);
        let (mut starts, mut finishes) = (false, false);
        if let Some(needed) = schedule.starting(first) {
            needs = needed;
            schedule.start();
            starts = true;
        }
        let has_started = starts && schedule.all_started();
        if schedule.finishing(first) {
            schedule.finish();
            finishes = true;
        }
        let needs = needs.max(schedule.needed(first)).0;
        let tiles = schedule.under_way().len() as u64;
        let slots = most.clamp(1, alike(&self.bands, schedule, first));
        let passes = schedule.released(first + slots - 1);
        self.slot += slots;
        self.done = schedule.all_finished();
        let passes = (!self.done).then_some(passes.0);
        Some(Step { slots, tiles, starts, has_started, finishes, needs, passes })
    }
}

/// The number of slots from this one on that have the same bands under way; at least one.
fn alike(bands: &Range<BandIndex>, schedule: &Schedule, slot: u64) -> u64 {
    let under_way = schedule.under_way();
    let slot_of = |group: GroupIndex, k: usize| group.0 + k as u64;
    let band = |k: usize| bands.start + k as u64;
    let (first, next) = (under_way.start, under_way.end);
    let finish = (!under_way.is_empty()).then(|| slot_of(last_tile(band(first)), first));
    let start = (!schedule.all_started()).then(|| slot_of(first_tile(band(next)), next));
    let until = finish.into_iter().chain(start).min().unwrap_or(slot + 1);
    until.saturating_sub(slot).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use sweep::band::pipeline::{Frame, Routes, block_of, index};

    /// Every word of every group, one by one: its reader by the routes of the engine, and the block
    /// that stores it, by the band that completes it.
    fn one_by_one(run: &RunGeometry) -> BTreeMap<(u64, u64, u64), u64> {
        let windows = run.windows;
        let routes = Routes::new(Frame { windows, bands: run.bands });
        let mut posted = BTreeMap::new();
        for g in (first_tile(FIRST_BAND).0..reach(run.bands.first_row()).0).map(GroupIndex) {
            let row = (0..u64::MAX).map(RowIndex).find(|&r| reach(r) > g);
            let row = row.expect("rows reach every group");
            let activated = BandIndex::of_row(row);
            let band = activated.max(FIRST_BAND - 1);
            let highest = 8 * g.0 + highest_base_offset(row);
            let origin = windows.origin(g);
            let first_word = (highest.min(windows.high(band, g).0 - 64) - origin) / 64;
            for word in first_word.. {
                let released = BandIndex(8 * (word + 2));
                if released >= run.bands || released + 8 > BandIndex(g.0) {
                    break;
                }
                let source = block_of(released.max(activated));
                let reader = routes.reader(origin, index(word), BlockIndex(0));
                if let Some(reader) = reader.filter(|&reader| reader > source) {
                    *posted.entry((source.0, reader.0, word)).or_default() += 1;
                }
            }
        }
        posted
    }

    #[test]
    fn transfers_are_what_a_plain_loop_counts() {
        for end in [1024 + 512, 3000, 5001, 12_000, 20_000] {
            let run = RunGeometry::new(end);
            let mut posts = BTreeMap::new();
            for source in 0..=run.last_block() {
                for Transfer { reader, word, groups } in run.transfers(source) {
                    assert!(source < reader && reader <= run.last_block());
                    let before = posts.insert((source, reader, word), length(&groups));
                    assert_eq!(before, None, "groups that one block reads are consecutive");
                }
                let all: u64 = run.transfers(source).map(|post| length(&post.groups)).sum();
                assert_eq!(run.words_of(source), all);
            }
            assert_eq!(posts, one_by_one(&run), "rows to {end}");
            for block in 0..=run.last_block() {
                let waits =
                    |&(source, reader, _): &(u64, u64, u64)| source <= block && block < reader;
                let waiting: u64 = posts.iter().filter(|(key, _)| waits(key)).map(|(_, n)| n).sum();
                assert_eq!(run.waiting_after(block), waiting, "after block {block} to {end}");
            }
        }
    }

    /// Steps of several slots say the same as steps of one slot.
    #[test]
    fn steps_combine_equal_slots() {
        let run = RunGeometry::new(40_000);
        for block in [1, 2, 50, run.last_block()].map(|number| run.block(number)) {
            let (mut steps, mut slots) = (block.steps(), block.steps());
            let mut tiles = 0;
            while let Some(step) = steps.next(u64::MAX) {
                for i in 0..step.slots {
                    let slot = slots.next(1).expect("as many slots");
                    assert_eq!(
                        (slot.slots, slot.tiles, slot.needs),
                        (1, step.tiles, step.needs + i)
                    );
                    assert!(i == 0 || !(slot.starts || slot.finishes));
                    assert!(i + 1 < step.slots || slot.passes == step.passes);
                    tiles += slot.tiles;
                }
            }
            assert!(slots.next(1).is_none());
            let bands = block.bands.start.up_to(block.bands.end);
            let expected: u64 = bands.map(|b| last_tile(b) - first_tile(b)).sum();
            assert_eq!(tiles, expected);
        }
    }
}
