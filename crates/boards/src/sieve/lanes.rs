//! Sets of lengths of row 1 within a block: lane i is the length `first + i`.

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

/// The least lane in none of three sets.
#[inline]
pub(super) fn least_outside<const K: usize>(
    one: &Lanes<K>,
    other: &Lanes<K>,
    third: &Lanes<K>,
) -> Option<usize> {
    let free: Lanes<K> = std::array::from_fn(|word| !(one[word] | other[word] | third[word]));
    if free.iter().fold(0, |any, word| any | word) == 0 {
        return None;
    }
    let before = free.iter().take_while(|&&word| word == 0).count();
    Some(64 * before + free[before.min(K - 1)].trailing_zeros() as usize)
}

/// Puts a lane into a set.
#[inline]
pub(super) fn insert<const K: usize>(set: &mut Lanes<K>, lane: usize) {
    set[lane / 64] |= 1 << (lane % 64);
}
