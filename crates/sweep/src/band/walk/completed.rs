//! Words that have become complete while their groups pass through the lanes.
//!
//! A group itself is left alone until it leaves the lanes, or the exact path needs it, since it is
//! far from what the lanes use. Then it takes these.

use super::climb::{PLACES, place};
use crate::band::{schedule::BANDS, simd::Eight, units::GroupIndex};

/// Words that become complete in a block, at most: one in 8 bands.
const WORDS: usize = BANDS / 8;

/// The words of the groups in the lanes, in the order in which they have become complete.
#[derive(Clone, Debug)]
pub(super) struct Completed {
    words: Vec<[Eight; WORDS]>,
    counts: [usize; PLACES],
}

impl Completed {
    pub(super) fn new() -> Self {
        Self { words: vec![[Eight::ZERO; WORDS]; PLACES], counts: [0; PLACES] }
    }

    /// One more word of group `g`.
    #[inline(always)]
    pub(super) fn push(&mut self, g: GroupIndex, word: Eight) {
        let count = &mut self.counts[place(g)];
        self.words[place(g)][*count] = word;
        *count += 1;
    }

    /// Those of group `g`, which has them now.
    #[inline(always)]
    pub(super) fn take(&mut self, g: GroupIndex) -> &[Eight] {
        let count = std::mem::take(&mut self.counts[place(g)]);
        &self.words[place(g)][..count]
    }
}
