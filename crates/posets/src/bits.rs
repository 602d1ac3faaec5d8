//! Sets of elements, a bit each.

use std::{array, iter};

/// A set of numbers below `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    pub(crate) const EMPTY: Self = Self([0; W]);

    pub(crate) fn of(members: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self::EMPTY;
        for member in members {
            set.insert(member);
        }
        set
    }

    pub(crate) fn insert(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    pub(crate) fn has(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 == 1
    }

    pub(crate) fn and(&self, other: &Self) -> Self {
        Self(array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(crate) fn without(&self, other: &Self) -> Self {
        Self(array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    pub(crate) fn meets(&self, other: &Self) -> bool {
        (0..W).any(|word| self.0[word] & other.0[word] != 0)
    }

    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The members in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        (0..).step_by(64).zip(self.0).flat_map(|(start, word)| {
            let first = (word != 0).then_some(word);
            let left =
                iter::successors(first, |left| Some(left & (left - 1)).filter(|&left| left != 0));
            left.map(move |left| start + left.trailing_zeros() as usize)
        })
    }
}
