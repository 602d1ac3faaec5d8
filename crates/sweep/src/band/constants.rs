//! Constants of a run, which all workers share: tables, and the block that reads a word.

use super::geometry::{Frame, LOW, SHIFT, fall, last_tile};
use super::schedule::{block_of, last_band};
use crate::units::{BandIndex, BlockIndex, GroupIndex, LANES, index};
use record::column_weight;

/// Constants of a run.
#[derive(Debug)]
pub(crate) struct Constants {
    pub(crate) frame: Frame,
    pub(crate) routes: Routes,
    /// `fall(g)`, by descending `g`, down to 0.
    falls: Vec<u64>,
    /// `column_weight(8 g + j)`, for each `j` by descending `g`, down to 0.
    weights: [Vec<u64>; 8],
    /// Sum of `q * column_weight(q)` over `q < 8 g`, by `g`.
    moments: Vec<u64>,
}

impl Constants {
    /// For a run of the bands before `bands`, which is at most the end of the frame.
    pub(crate) fn new(frame: Frame, bands: BandIndex, routes: Routes) -> Self {
        // The lanes of finished bands are up to eight groups ahead.
        let groups = last_tile(bands) + 2 + LANES;
        let descending = || (0..groups.0).rev().map(GroupIndex);
        let falls: Vec<u64> = descending().map(fall).collect();
        let mut shifts = falls.iter().zip(&falls[1..]).map(|(fall, before)| fall - before);
        let is_near = |shift| (SHIFT - 1..=SHIFT).contains(&shift);
        assert!(shifts.all(is_near), "the anchors move by 5 or 6 places (5.2)");
        let weight = |j| descending().map(|g| column_weight(g.first_column().0 + j)).collect();
        let weights = [0, 1, 2, 3, 4, 5, 6, 7].map(weight);
        let mut moment = 0u64;
        let mut moments = vec![0];
        for q in 0..groups.first_column().0 {
            moment = moment.wrapping_add(q.wrapping_mul(column_weight(q)));
            if (q + 1).is_multiple_of(LANES) {
                moments.push(moment);
            }
        }
        Self { frame, routes, falls, weights, moments }
    }

    /// The place of group `g` in the tables.
    #[inline(always)]
    fn at(&self, g: GroupIndex) -> usize {
        self.falls.len() - 1 - index(g.0)
    }

    /// The falls of group `g` and of the seven to its left, descending.
    #[inline(always)]
    pub(crate) fn falls(&self, g: GroupIndex) -> &[u64; 8] {
        eight(&self.falls, self.at(g))
    }

    /// The number of places by which the anchors move from the group on the left to group `g`.
    pub(crate) fn shift(&self, g: GroupIndex) -> u32 {
        let [fall, before, ..] = self.falls(g);
        u32::try_from(fall - before).expect("5 or 6")
    }

    /// The weights of columns `0..8` of the same groups.
    #[inline(always)]
    pub(crate) fn weights(&self, g: GroupIndex) -> [&[u64; 8]; 8] {
        let at = self.at(g);
        // A closure would not be inlined.
        macro_rules! of {
            ($($j:literal)*) => { [$(eight(&self.weights[$j], at)),*] };
        }
        of!(0 1 2 3 4 5 6 7)
    }

    /// The sum of `q * column_weight(q)` over the columns of the groups from `first` to before
    /// `last`.
    pub(crate) fn moment(&self, first: GroupIndex, last: GroupIndex) -> u64 {
        self.moments[index(last.0)].wrapping_sub(self.moments[index(first.0)])
    }
}

/// Eight entries of a table. The end of the range is the same for all tables, so the compiler
/// checks it once.
#[inline(always)]
fn eight(table: &[u64], at: usize) -> &[u64; 8] {
    let entries = table.get(at..at + 8).and_then(<[u64]>::first_chunk);
    entries.expect("no band meets the first groups")
}

/// The number of places above the low windows of its last band to which a block knows the words of
/// a group.
pub(crate) const MARGIN: u64 = 64;

/// The number of places from the low anchors of its last band on of which it knows the words.
pub const KNOWN: u64 = LOW + MARGIN;

/// The block that reads a word of a group.
///
/// Word `w` holds the numbers from `origin + 64 w` on. Block n reads those words that begin less
/// than `KNOWN` places above the low anchor of its last band, and that no block before reads.
#[derive(Debug)]
pub struct Routes {
    /// The end of the numbers that block n reads, counted from `origin`, plus twice `origin`: as
    /// `origin` rises, a low anchor falls by as much.
    ends: Vec<u64>,
}

impl Routes {
    /// For a run with this frame.
    pub fn new(frame: Frame) -> Self {
        let end = |n| {
            let b = last_band(n);
            let below_high = b.first_row().0 - frame.windows.ascent(b);
            frame.windows.rise(b) + KNOWN - below_high
        };
        let last = block_of(BandIndex(frame.bands.0.saturating_sub(1)));
        Self { ends: BlockIndex(0).up_to(last + 1).map(end).collect() }
    }

    /// Block `n`, and those before it, read the words of a group before this one.
    #[inline(always)]
    pub(crate) fn read_end(&self, n: BlockIndex, origin: u64) -> usize {
        index(self.ends[index(n.0)].saturating_sub(2 * origin).div_ceil(64))
    }

    /// The block that reads a word of a group, if it is in this run. The search begins at `near`.
    #[inline]
    pub fn reader(&self, origin: u64, word: usize, near: BlockIndex) -> Option<BlockIndex> {
        let at = 64 * word as u64 + 2 * origin;
        let mut n = index(near.0).min(self.ends.len());
        while n > 0 && at < self.ends[n - 1] {
            n -= 1;
        }
        while n < self.ends.len() {
            if at < self.ends[n] {
                return Some(BlockIndex(n as u64));
            }
            n += 1;
        }
        None
    }
}

/// The stored words of any group that are complete after `band` end before this one.
#[inline(always)]
pub fn complete_end(band: BandIndex) -> usize {
    index(band.first_row().0 / 64)
}

/// The block that stores a word, if it receives the group from the block below: the block in which
/// the next word becomes complete.
pub(crate) fn source(word: usize) -> BlockIndex {
    block_of(BandIndex(8 * (word as u64 + 2)))
}

/// Block `n`, or a block before it, stores the words of a group before this one.
pub fn source_end(n: BlockIndex) -> usize {
    complete_end(last_band(n)) - 1
}
