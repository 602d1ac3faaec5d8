//! The block that reads a word.

use crate::band::geometry::{Frame, LOW};
use crate::band::schedule::{block_of, last_band};
use crate::band::units::{BandIndex, BlockIndex};
use crate::units::index;

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
