//! A growing set of naturals as bits. What lies past its end is not in it.

#[derive(Clone, Debug, Default)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

/// Word and bit of a member.
fn place(member: u32) -> (usize, u32) {
    ((member >> 6) as usize, member & 63)
}

impl BitSet {
    pub(crate) fn len_in_words(&self) -> usize {
        self.words.len()
    }

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

    /// Becomes the union of `offsets` and `{ p - q : p in values, p >= q }`.
    pub(crate) fn column(&mut self, offsets: &Self, values: &Self, q: u32) {
        let (skip, bit) = place(q);
        let values = values.words.get(skip..).unwrap_or_default();
        self.words.clear();
        self.words.extend_from_slice(&offsets.words);
        if self.words.len() < values.len() {
            self.words.resize(values.len(), 0);
        }
        for (word, pair) in self.words.iter_mut().zip(values.windows(2)) {
            if let [low, high] = pair {
                *word |= join(*low, *high, bit);
            }
        }
        let last = values.len().saturating_sub(1);
        if let (Some(word), Some(low)) = (self.words.get_mut(last), values.last()) {
            *word |= low >> bit;
        }
    }
}

/// 64 bits from bit `bit < 64` of the low word on.
fn join(low: u64, high: u64, bit: u32) -> u64 {
    low >> bit | (high << 1) << (bit ^ 63)
}

#[cfg(test)]
mod tests {
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
        for (q, offsets) in [(0, 0..1), (5, 100..300), (130, 5..2000), (640, 0..64), (999, 7..9)] {
            let offsets: BTreeSet<u32> = offsets.step_by(3).collect();
            let mut column = self::bits(&[3000].into());
            column.column(&self::bits(&offsets), &bits, q);
            for offset in 0..3100 {
                let expected = offsets.contains(&offset) || members.contains(&(q + offset));
                assert_eq!(column.word_at(offset) & 1 == 1, expected, "{offset} from {q} on");
            }
        }
    }
}
