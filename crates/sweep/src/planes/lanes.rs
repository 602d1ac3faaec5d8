//! Words as lanes of planes, and planes as words.

/// One bit for each of `64 W` lanes.
pub(super) type Plane<const W: usize> = [u64; W];

pub(super) fn has<const W: usize>(plane: &Plane<W>, lane: usize) -> bool {
    plane[lane / 64] >> (lane % 64) & 1 == 1
}

pub(super) fn set<const W: usize>(plane: &mut Plane<W>, lane: usize, bit: bool) {
    let word = &mut plane[lane / 64];
    *word = *word & !(1 << (lane % 64)) | u64::from(bit) << (lane % 64);
}

/// Every bit, one lane higher.
#[inline]
pub(super) fn above<const W: usize>(plane: &Plane<W>) -> Plane<W> {
    std::array::from_fn(|k| plane[k] << 1 | if k > 0 { plane[k - 1] >> 63 } else { 0 })
}

/// The lanes that are in any of the planes.
#[inline]
pub(super) fn union<'a, const W: usize>(planes: impl Iterator<Item = &'a Plane<W>>) -> Plane<W> {
    planes.fold([0; W], |any, plane| std::array::from_fn(|k| any[k] | plane[k]))
}

/// For each lane the word whose bit `n` is the lane's bit in plane `n`.
pub(super) fn words<const W: usize>(planes: &[Plane<W>; 64]) -> Vec<u64> {
    (0..W).flat_map(|k| transposed(planes.map(|plane| plane[k]))).collect()
}

/// The inverse of [`words`].
pub(super) fn planes<const W: usize>(words: &[u64]) -> [Plane<W>; 64] {
    let mut planes = [[0; W]; 64];
    for (k, lanes) in words.as_chunks().0.iter().enumerate() {
        for (plane, word) in planes.iter_mut().zip(transposed(*lanes)) {
            plane[k] = word;
        }
    }
    planes
}

/// Bit `j` of word `i` becomes bit `i` of word `j`: squares of 32 x 32 bits are exchanged, then of
/// 16 x 16, and so on.
fn transposed(mut words: [u64; 64]) -> [u64; 64] {
    let (mut half, mut mask) = (32, u64::MAX >> 32);
    while half > 0 {
        for i in (0..64).filter(|i| i & half == 0) {
            let exchanged = (words[i] >> half ^ words[i + half]) & mask;
            words[i] ^= exchanged << half;
            words[i + half] ^= exchanged;
        }
        half /= 2;
        mask ^= mask << half;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::column_weight;

    #[test]
    fn lanes_become_words_and_words_lanes() {
        let before: [Plane<2>; 64] =
            std::array::from_fn(|n| [column_weight(n as u64), column_weight(64 + n as u64)]);
        let words = words(&before);
        for (lane, word) in words.iter().enumerate() {
            for (n, plane) in before.iter().enumerate() {
                assert_eq!(word >> n & 1 == 1, has(plane, lane));
            }
        }
        assert_eq!(planes(&words), before);
    }
}
