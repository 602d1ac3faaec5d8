//! The blocks of a run: the groups that each meets, and the number of words that it stores for
//! later ones. They follow from the geometry; no row is computed.
//!
//! Word `w` of group `g` is stored by the block of band `8 (w + 2)`, in which the next word is
//! complete, or by the block that activates the group, if that is later. It is read by the first
//! block whose last band has `low + 104 > origin(g) + 64 w` (proofs/sweep.md, 4.1). If the same
//! block does both, the word is not stored.
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
use sweep::band::Windows;
use sweep::band::parts::{
    BLOCK, GroupIndex, KNOWN, fall, first_tile, headway, highest_base_offset, last_band, last_tile,
    reach, source_end,
};
use sweep::band::pipeline::{BandIndex, BlockIndex, FIRST_BAND, LANES, RowIndex};

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

    /// The number of words that block `source` stores for others.
    ///
    /// Cost: O(log end).
    #[must_use]
    pub fn words_of(&self, source: u64) -> u64 {
        let below = source.checked_sub(1);
        let own = below.map_or(0, words_end)..words_end(source);
        // The block that activates a group can be later than the one that would have released its
        // word.
        let late = own.start.saturating_sub(3)..own.start;
        let activated = self.activated_before(source);
        let before = below.map_or(0, |below| self.activated_before(below));
        // Of the groups from `first` on, those that this block releases and a later block reads.
        let of = |word, first: u64| {
            let start = first.max(read_before(self.windows, source, word));
            activated.min(self.end_of(word)).saturating_sub(start)
        };
        late.map(|word| of(word, before)).chain(own.map(|word| of(word, 0))).sum()
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

    /// The first stored word of a group. The table of old rows has the numbers below.
    fn first_word(&self, g: GroupIndex) -> u64 {
        let row = activating_row(g);
        let band = BandIndex::of_row(row).max(FIRST_BAND - 1);
        let highest_base = g.first_column().number(highest_base_offset(row));
        let base = highest_base.min(self.windows.high(band, g) - 64);
        base.0.saturating_sub(self.windows.origin(g)) / 64
    }
}

/// The blocks up to `block` store the words before this one.
fn words_end(block: u64) -> u64 {
    source_end(BlockIndex(block)) as u64
}

/// Block `reader` or one below it reads word `word` of the groups before this one, and of no other.
fn read_before(windows: Windows, reader: u64, word: u64) -> u64 {
    let [_, below_high, _] = windows.parameters();
    let rise = windows.rise(last_band(BlockIndex(reader)));
    // rise + KNOWN > 2 fall(g) - below_high + 64 word, and fall(g) is the root of 32 g²,
    // rounded down.
    let twice = (rise + KNOWN + below_high).saturating_sub(64 * word);
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

/// A block of a run.
#[derive(Clone, Debug)]
pub struct Block {
    bands: Range<BandIndex>,
}

impl Block {
    /// The groups that its bands meet in tiles.
    #[must_use]
    pub fn groups(&self) -> Range<u64> {
        first_tile(self.bands.start).0..last_tile(self.bands.end - 1).0
    }

    /// The number of groups by which the block below is ahead when this one starts, in a run of
    /// this many workers.
    #[must_use]
    pub fn headway(&self, workers: u64) -> u64 {
        headway(self.bands.start, workers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use sweep::band::parts::Routes;
    use sweep::band::pipeline::{Frame, block_of, index};

    /// The words from each block to each reader, counted one by one: the reader by the routes of
    /// the engine, and the block that stores a word by the band that completes it.
    fn one_by_one(run: &RunGeometry) -> BTreeMap<(u64, u64), u64> {
        let windows = run.windows;
        let routes = Routes::new(Frame { windows, bands: run.bands });
        let mut stored = BTreeMap::new();
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
                    *stored.entry((source.0, reader.0)).or_default() += 1;
                }
            }
        }
        stored
    }

    #[test]
    fn words_are_those_of_a_plain_loop() {
        for end in [1024 + 512, 3000, 5001, 12_000, 20_000] {
            let run = RunGeometry::new(end);
            let stored = one_by_one(&run);
            for block in 0..=run.last_block() {
                let count = |is_counted: &dyn Fn(u64, u64) -> bool| -> u64 {
                    let counted = stored.iter().filter(|((from, to), _)| is_counted(*from, *to));
                    counted.map(|(_, words)| words).sum()
                };
                let own = count(&|source, _| source == block);
                assert_eq!(run.words_of(block), own, "of block {block} to {end}");
                let waiting = count(&|source, reader| source <= block && block < reader);
                assert_eq!(run.waiting_after(block), waiting, "after block {block} to {end}");
            }
        }
    }
}
