//! Sets of naturals as bits.

#[derive(Clone, Debug, Default)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

/// Word and bit of a member.
fn place(member: u32) -> (usize, u32) {
    ((member >> 6) as usize, member & 63)
}

impl BitSet {
    /// Makes the set empty, and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
    }

    /// Every member is less than this.
    pub(crate) fn end(&self) -> u32 {
        u32::try_from(self.words.len().saturating_mul(64)).unwrap_or(u32::MAX)
    }

    pub(crate) fn insert(&mut self, member: u32) {
        let (word, bit) = place(member);
        if self.words.len() <= word {
            self.words.resize(word.saturating_add(1), 0);
        }
        if let Some(word) = self.words.get_mut(word) {
            *word |= 1 << bit;
        }
    }

    /// The 64 members from `first` on, the least in the lowest bit.
    pub(crate) fn word_at(&self, first: u32) -> u64 {
        let (word, bit) = place(first);
        match self.words.get(word..) {
            Some([low, high, ..]) => join(*low, *high, bit),
            Some([low]) => low >> bit,
            _ => 0,
        }
    }

    /// The least natural from `first` on that is not a member.
    pub(crate) fn next_free(&self, mut first: u32) -> u32 {
        loop {
            let taken = self.word_at(first).trailing_ones();
            first = first.saturating_add(taken);
            if taken < u64::BITS {
                return first;
            }
        }
    }

    /// Removes the members from `first` on, a multiple of 64, from the set that the bits of `bytes`
    /// are, up to its end. The lowest bit of the first byte is `first`.
    pub(crate) fn remove_from(&self, first: u32, bytes: &mut [u8]) {
        let words = self.words.get(place(first).0..).unwrap_or_default();
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
            remove(*word, bytes);
        }
    }

    /// Removes `{ member + shift }` from the set that the bits of `bytes` are, up to its end.
    pub(crate) fn remove_shifted(&self, shift: u32, bytes: &mut [u8]) {
        let (skip, bit) = place(shift);
        let mut below = 0;
        let words = self.words.iter().chain([&0]);
        for (bytes, &word) in bytes.chunks_exact_mut(8).skip(skip).zip(words) {
            remove(word << bit | (below >> 1) >> (bit ^ 63), bytes);
            below = word;
        }
    }
}

/// Removes members from the set that the bits of eight bytes are.
fn remove(members: u64, bytes: &mut [u8]) {
    if let Some(bytes) = bytes.first_chunk_mut() {
        *bytes = (u64::from_le_bytes(*bytes) & !members).to_le_bytes();
    }
}

/// 64 bits from bit `bit < 64` of the low word on.
fn join(low: u64, high: u64, bit: u32) -> u64 {
    low >> bit | (high << 1) << (bit ^ 63)
}

#[cfg(test)]
mod bit_set_tests {
    use super::*;
    use std::collections::BTreeSet;

    fn bits(members: &BTreeSet<u32>) -> BitSet {
        let mut bits = BitSet::default();
        for &member in members {
            bits.insert(member);
        }
        bits
    }

    #[test]
    fn bits_are_the_set_they_were_made_of() {
        let members: BTreeSet<u32> =
            (0..200).chain(256..384).chain((400..1000).filter(|k| k * k % 7 < 3)).collect();
        let bits = bits(&members);
        for first in 0..1100 {
            assert_eq!(Some(bits.next_free(first)), (first..1101).find(|k| !members.contains(k)));
            for place in 0..64 {
                let is_member = members.contains(&(first + place));
                assert_eq!(bits.word_at(first) >> place & 1 == 1, is_member, "{first} + {place}");
            }
        }
        for (shift, first) in [(0, 0), (5, 64), (63, 128), (64, 640), (79, 960), (300, 2048)] {
            let mut bytes = vec![u8::MAX; 140 * 8 + 3];
            bits.remove_from(first, &mut bytes);
            let others = self::bits(&(5..2000).step_by(3).collect());
            others.remove_shifted(shift, &mut bytes);
            for place in 0..140 * 64 {
                let expected = members.contains(&(first + place))
                    || (shift + 5..shift + 2000).step_by(3).any(|other| other == place);
                let byte = bytes[place as usize / 8];
                assert_eq!(byte >> (place % 8) & 1 == 0, expected, "{place}, {shift}, {first}");
            }
        }
    }
}
