//! A growing set of naturals as bits. What lies past its end is not in it.

#[derive(Clone, Debug, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

/// Word and bit of a member.
fn place(member: u32) -> (usize, u32) {
    ((member >> 6) as usize, member & 63)
}

impl Bits {
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
