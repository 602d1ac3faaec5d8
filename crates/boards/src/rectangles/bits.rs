//! A row of bits that grows at its end.

use std::iter;

/// Bits, the first 64 in the first word.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
    length: usize,
}

impl Bits {
    /// No bits, and room for this number of them.
    pub(super) fn with_capacity(bits: usize) -> Self {
        Self { words: Vec::with_capacity(bits.div_ceil(64)), length: 0 }
    }

    /// Appends zeros, but a one at place `set` among them.
    #[inline]
    pub(super) fn append(&mut self, zeros: usize, set: Option<usize>) {
        let start = self.length;
        self.length += zeros;
        while self.words.len() * 64 < self.length {
            self.words.push(0);
        }
        if let Some(place) = set {
            self.words[(start + place) / 64] |= 1 << ((start + place) % 64);
        }
    }

    pub(super) fn get(&self, place: usize) -> bool {
        self.words[place / 64] >> (place % 64) & 1 == 1
    }

    /// The places of the ones, in ascending order.
    pub(super) fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        (0..).step_by(64).zip(&self.words).flat_map(|(start, &word)| {
            let first = (word != 0).then_some(word);
            let left =
                iter::successors(first, |left| Some(left & (left - 1)).filter(|&left| left != 0));
            left.map(move |left| start + left.trailing_zeros() as usize)
        })
    }

    pub(super) fn count_ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}
