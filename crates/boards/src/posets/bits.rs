//! Sets of elements, a bit each.

use crate::ones::ones;
use std::array;

/// A set of numbers below `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    pub(super) const EMPTY: Self = Self([0; W]);

    pub(super) fn of(members: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self::EMPTY;
        for member in members {
            set.insert(member);
        }
        set
    }

    pub(super) fn insert(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    pub(super) fn has(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 == 1
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        Self(array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(super) fn without(&self, other: &Self) -> Self {
        Self(array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        (0..W).any(|word| self.0[word] & other.0[word] != 0)
    }

    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The members in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        ones(self.0)
    }
}
