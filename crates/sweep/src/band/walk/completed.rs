//! Words that have become complete while their groups pass through the lanes.
//!
//! The group itself is not in the cache. It takes these words when it leaves the lanes, or when the
//! exact path needs it.

use super::climb::{PLACES, place};
use crate::band::{schedule::BANDS, simd::Eight, units::GroupIndex};

/// The most words of a group that become complete in a block: one in 8 bands.
const WORDS: usize = BANDS / 8;

/// Words of the groups in the lanes, in the order in which they have become complete.
#[derive(Clone, Debug)]
pub(super) struct Completed {
    words: Vec<[Eight; WORDS]>,
    counts: [usize; PLACES],
}

impl Completed {
    pub(super) fn new() -> Self {
        Self { words: vec![[Eight::ZERO; WORDS]; PLACES], counts: [0; PLACES] }
    }

    /// Adds a word of group `g`.
    #[inline(always)]
    pub(super) fn push(&mut self, g: GroupIndex, word: Eight) {
        let count = &mut self.counts[place(g)];
        self.words[place(g)][*count] = word;
        *count += 1;
    }

    /// Takes the words of group `g`.
    #[inline(always)]
    pub(super) fn take(&mut self, g: GroupIndex) -> &[Eight] {
        let count = std::mem::take(&mut self.counts[place(g)]);
        &self.words[place(g)][..count]
    }
}
