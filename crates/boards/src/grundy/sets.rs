//! Sets of Grundy values, as bits.

/// The bits of a word.
const BITS: usize = 64;

/// Sets of numbers up to a bound, the same for all of them.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    words: Vec<u64>,
    /// The words of one set.
    each: usize,
}

impl Sets {
    /// This number of empty sets.
    pub(super) fn none(sets: usize, bound: usize) -> Self {
        let each = words(bound);
        Self { words: vec![0; sets * each], each }
    }

    pub(super) fn get(&self, set: usize) -> &[u64] {
        &self.words[set * self.each..][..self.each]
    }

    pub(super) fn get_mut(&mut self, set: usize) -> &mut [u64] {
        &mut self.words[set * self.each..][..self.each]
    }
}

/// The words of a set of numbers up to a bound.
pub(super) fn words(bound: usize) -> usize {
    bound / BITS + 1
}

/// Copies a set. The sets may have different sizes; a number that only one has room for is not in
/// it.
pub(super) fn copy(from: &[u64], to: &mut [u64]) {
    let common = from.len().min(to.len());
    to[..common].copy_from_slice(&from[..common]);
    to[common..].fill(0);
}

pub(super) fn insert(set: &mut [u64], value: usize) {
    set[value / BITS] |= 1 << (value % BITS);
}

/// The least number in none of three sets, which have the same words. The first of them has all
/// numbers of the words before `from`.
pub(super) fn mex(sets: [&[u64]; 3], from: usize) -> usize {
    let [a, b, c] = sets.map(|set| &set[from..]);
    let (chunks, _) = a.as_chunks::<8>();
    let full = chunks.iter().zip(b.as_chunks().0).zip(c.as_chunks().0).take_while(|((a, b), c)| {
        let [a, b, c]: [&[u64; 8]; 3] = [a, b, c];
        let all = (0..8).fold(u64::MAX, |all, word| all & (a[word] | b[word] | c[word]));
        all == u64::MAX
    });
    let begin = 8 * full.count();
    let words = a[begin..].iter().zip(&b[begin..]).zip(&c[begin..]).map(|((a, b), c)| a | b | c);
    for (word, union) in (from + begin..).zip(words) {
        if union != u64::MAX {
            return word * BITS + union.trailing_ones() as usize;
        }
    }
    unreachable!("a position has fewer options than the sets have room for")
}

/// The number of full words at the beginning of a set. The first `known` words are full.
pub(super) fn full_words(set: &[u64], known: usize) -> usize {
    known + set[known..].iter().take_while(|&&word| word == u64::MAX).count()
}
