//! The words of a group that the low windows of a block's bands will reach.

use crate::band::geometry::LIFT;
use crate::band::schedule::BLOCK;
use crate::band::simd::{Eight, Lanes};
use crate::band::words::MARGIN;
use crate::units::{Number, index};

/// The words that the low windows of a block's bands touch, with the [`MARGIN`] above them.
pub(super) const WORDS: usize = 22;

const _: () = assert!(BLOCK * LIFT + MARGIN <= 64 * (WORDS as u64 - 1));

/// The stored words from the first one above the low window with which a group joined the block:
/// all complete words that the block will read (5.2). A bit means *free of (C)*.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    words: [Eight; WORDS],
    /// The number of places that are known.
    places: u64,
    /// The index of the first word, and its first number.
    first: usize,
    start: u64,
    /// The number of places from its first number to the end of the low window.
    skew: u64,
}

impl Reach {
    /// Nothing is known.
    pub(crate) const NONE: Self =
        Self { words: [Eight::ZERO; WORDS], places: 0, first: 0, start: 0, skew: 0 };

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.places = 0;
    }

    /// Begins with stored word `first`, whose first number is `start`; the low window ends at the
    /// number `end` in this word. Returns the place for the words.
    #[inline(always)]
    pub(super) fn begin(&mut self, first: usize, start: u64, end: u64) -> &mut [Eight; WORDS] {
        (self.first, self.start, self.skew) = (first, start, end - start);
        &mut self.words
    }

    /// Sets the number of words that are known.
    #[inline(always)]
    pub(super) fn set_words(&mut self, words: usize) {
        self.places = 64 * words as u64;
    }

    /// The known words end before this one.
    #[inline(always)]
    pub(super) fn end(&self) -> usize {
        self.first + index(self.places / 64)
    }

    /// Adds a word at the end. Returns whether there was room for it.
    pub(super) fn push(&mut self, word: &Eight) -> bool {
        let place = self.words.get_mut(index(self.places / 64));
        place.map(|place| (*place, self.places) = (*word, self.places + 64)).is_some()
    }

    /// Whether the [`LIFT`] numbers are known that begin `offset` places above the low window with
    /// which the group joined.
    #[inline(always)]
    pub(crate) fn knows(&self, offset: u64) -> bool {
        self.skew + offset + LIFT <= self.places
    }

    /// The numbers from `offset` places above that window on. The first [`LIFT`] of them are valid.
    #[inline(always)]
    pub(crate) fn at<L: Lanes>(&self, offset: u64) -> L {
        let offset = self.skew + offset;
        let (word, shift) = (index(offset / 64), (offset % 64) as u32);
        let [low, high] = [word, word + 1].map(|word| L::load(&self.words[word]));
        low.shr_pair(high, shift)
    }

    /// A stored word, if it is known.
    #[inline(always)]
    pub(super) fn word(&self, word: usize) -> Option<&Eight> {
        let known = index(self.places / 64);
        let at = word.checked_sub(self.first)?;
        self.words[..known].get(at)
    }

    /// Blocks `p` in the column of `lane`. Returns whether its word is known.
    pub(super) fn block(&mut self, lane: usize, Number(p): Number) -> bool {
        let is_known = (self.start..self.start + self.places).contains(&p);
        if is_known {
            let places = p - self.start;
            self.words[index(places / 64)].0[lane] &= !(1 << (places % 64));
        }
        is_known
    }
}
