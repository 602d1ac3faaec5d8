//! What the low windows of a block's bands will come to in a group, put together once.

use super::windows::Group;
use crate::band::{
    below::Context,
    schedule::BLOCK,
    simd::{Eight, Lanes},
};
use crate::units::{Number, index};

/// Places that the low anchor climbs from band to band, at most.
const LIFT: u64 = 20;

/// Words that the low windows of a block's bands touch.
const WORDS: usize = 9;

const _: () = assert!(BLOCK * LIFT <= 64 * (WORDS as u64 - 1));

/// The numbers from the end of a group's low window on, as the group knew them when it joined the
/// block, as far as it had them in the table of old rows or in complete stored words (5.2). A bit
/// says *free of (C)*.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    words: [Eight; WORDS],
    /// The first of them.
    first: u64,
    /// So many places are known.
    places: u64,
}

impl Reach {
    /// Nothing is known.
    pub(crate) const NONE: Self = Self { words: [Eight::ZERO; WORDS], first: 0, places: 0 };

    /// Nothing is known any more.
    pub(crate) fn clear(&mut self) {
        self.places = 0;
    }

    /// What `group` knows.
    #[inline(always)]
    pub(crate) fn fill<L: Lanes>(&mut self, group: &Group, context: Context) {
        let words = group.final_words().min(WORDS);
        self.first = group.low_anchor().0 + 64;
        self.places = 64 * words as u64;
        for (word, p) in self.words[..words].iter_mut().zip((self.first..).step_by(64)) {
            group.fresh::<L>(p, context).store(word);
        }
    }

    /// Whether the [`LIFT`] numbers are known that begin so many places up.
    #[inline(always)]
    pub(crate) fn knows(&self, offset: u64) -> bool {
        offset + LIFT <= self.places
    }

    /// The numbers that begin so many places up.
    #[inline(always)]
    pub(crate) fn at<L: Lanes>(&self, offset: u64) -> L {
        let (word, shift) = (index(offset / 64), (offset % 64) as u32);
        let [low, high] = [word, word + 1].map(|word| L::load(&self.words[word]));
        low.shr_pair(high, shift)
    }

    /// Blocks `p` in the column of `lane`.
    pub(crate) fn block(&mut self, lane: usize, Number(p): Number) {
        if (self.first..self.first + self.places).contains(&p) {
            let places = p - self.first;
            self.words[index(places / 64)].0[lane] &= !(1 << (places % 64));
        }
    }
}
