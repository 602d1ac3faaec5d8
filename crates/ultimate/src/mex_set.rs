//! Finite sets of naturals by their mex and the members above it.

use smallvec::SmallVec;

use crate::NatSet;

/// A finite set of naturals: all less than its mex, and some above it. Only those above take
/// memory, and mostly they are few.
///
/// ```
/// use ultimate::{MexSet, NatSet};
/// let set = MexSet::from(&NatSet::from([0, 1, 2, 4, 6]));
/// assert_eq!((set.mex(), set.above()), (3, vec![4, 6]));
/// assert_eq!(set, MexSet::new(3, [0b101, 0].into_iter().collect()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MexSet {
    mex: u64,
    // Bit i of word k is the number mex + 1 + 64k + i. The last word is not 0.
    above: SmallVec<[u64; 1]>,
}

impl MexSet {
    /// The set with this mex, and these members above it: bit i of word k is `mex + 1 + 64k + i`.
    /// Words at the end may be 0.
    #[inline]
    pub fn new(mex: u64, mut above: SmallVec<[u64; 1]>) -> Self {
        while above.last() == Some(&0) {
            above.pop();
        }
        Self { mex, above }
    }

    /// The members of a set that are not less than `first`, each less by `first`; its members from
    /// there to `first + mex` are known. O(W).
    #[inline]
    pub fn of_part(set: &NatSet, first: u64, mex: u64) -> Self {
        let begin = first + mex + 1;
        let end = set.max().map_or(0, |largest| largest + 1);
        let words = end.saturating_sub(begin).div_ceil(64);
        Self::new(mex, (0..words).map(|k| set.word_from(begin + 64 * k)).collect())
    }

    /// The least natural that is not a member.
    #[inline]
    pub fn mex(&self) -> u64 {
        self.mex
    }

    /// The members above the mex, ascending.
    pub fn above(&self) -> Vec<u64> {
        let words = (self.mex + 1..).step_by(64).zip(&self.above);
        let bits = words.flat_map(|(first, word)| (first..).zip((0..64).map(move |i| word >> i)));
        bits.filter(|(_, bit)| bit & 1 == 1).map(|(member, _)| member).collect()
    }
}

impl From<&NatSet> for MexSet {
    fn from(set: &NatSet) -> Self {
        Self::of_part(set, 0, set.mex())
    }
}
