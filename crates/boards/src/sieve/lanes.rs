//! Sets of lengths of row 1 within a block: lane i is the length `first + i`.

/// The number of lengths of row 1 that are found together. The positions do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Needs less memory.
    Of64,
    /// Faster for lengths of 1000 or more.
    Of128,
}

impl Width {
    /// The number of lengths.
    pub fn lengths(self) -> u16 {
        match self {
            Self::Of64 => 64,
            Self::Of128 => 128,
        }
    }
}

/// A set of `64·K` lanes, lane 0 in the lowest bit of the first word.
pub(super) type Lanes<const K: usize> = [u64; K];

/// The lanes from `from` to `end - 1`.
pub(super) fn range<const K: usize>(from: usize, end: usize) -> Lanes<K> {
    let below = |lane: usize, word: usize| match lane.saturating_sub(64 * word) {
        0 => 0,
        bits @ 1..64 => (1 << bits) - 1,
        _ => u64::MAX,
    };
    std::array::from_fn(|word| below(end, word) & !below(from, word))
}

/// The lanes in none of three sets; `None` if there are none.
#[inline]
pub(super) fn outside<const K: usize>(
    one: &Lanes<K>,
    other: &Lanes<K>,
    third: &Lanes<K>,
) -> Option<Lanes<K>> {
    let free: Lanes<K> = std::array::from_fn(|word| !(one[word] | other[word] | third[word]));
    (free.iter().fold(0, |any, word| any | word) != 0).then_some(free)
}

/// The least lane of a set that is not empty, and the set of it alone. There is no branch, because
/// the word of the lane cannot be predicted.
#[inline]
pub(super) fn least<const K: usize>(set: &Lanes<K>) -> (u16, Lanes<K>) {
    let (mut seen, mut lane) = (0, 0);
    let alone = set.map(|word| {
        let bit = if seen == 0 { word & word.wrapping_neg() } else { 0 };
        seen |= word;
        lane += if seen == 0 { 64 } else { bit.trailing_zeros() & 63 };
        bit
    });
    (u16::try_from(lane).expect("few words"), alone)
}

/// Puts the lanes of one set into another.
#[inline]
pub(super) fn unite<const K: usize>(set: &mut Lanes<K>, other: &Lanes<K>) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

/// Puts a lane into a set.
#[inline]
pub(super) fn insert<const K: usize>(set: &mut Lanes<K>, lane: usize) {
    set[lane / 64] |= 1 << (lane % 64);
}
