//! Sets of row lengths, as the bits of a few machine words.

/// A set of lengths from 0 to some largest one, which the type may exceed.
pub(super) trait Lengths: Copy + Send {
    /// No length.
    const NONE: Self;
    /// All lengths.
    const ALL: Self;
    fn insert(&mut self, length: u16);

    fn union(self, other: Self) -> Self;

    /// The least length from `from` on that is not in the set; larger than any length that fits if
    /// all of them are.
    fn least_missing(self, from: u16) -> u32;
}

macro_rules! one_word {
    ($word:ty) => {
        impl Lengths for $word {
            const NONE: Self = 0;
            const ALL: Self = !0;

            #[inline]
            fn insert(&mut self, length: u16) {
                *self |= 1 << length;
            }

            #[inline]
            fn union(self, other: Self) -> Self {
                self | other
            }

            #[inline]
            fn least_missing(self, from: u16) -> u32 {
                (!self & (!0 << from)).trailing_zeros()
            }
        }
    };
}

one_word!(u16);
one_word!(u32);
one_word!(u64);

impl<const K: usize> Lengths for [u64; K] {
    const NONE: Self = [0; K];
    const ALL: Self = [!0; K];

    fn insert(&mut self, length: u16) {
        self[usize::from(length / 64)] |= 1 << (length % 64);
    }

    fn union(mut self, other: Self) -> Self {
        self.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
        self
    }

    fn least_missing(self, from: u16) -> u32 {
        let mut passed = from % 64;
        for (before, word) in (0..).step_by(64).zip(self).skip(usize::from(from / 64)) {
            let missing = word.least_missing(passed);
            if missing < u64::BITS {
                return before + missing;
            }
            passed = 0;
        }
        u32::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds_what_a_list_has<L: Lengths>() {
        let most = u16::try_from(8 * size_of::<L>()).unwrap();
        for step in 1..12 {
            let mut set = L::NONE;
            let mut list = vec![false; most.into()];
            for length in (0..most).filter(|length| length * length % 13 >= step || *length > 40) {
                set.insert(length);
                list[usize::from(length)] = true;
            }
            for from in 0..most {
                let missing = (from..most).find(|&length| !list[usize::from(length)]);
                let found = set.least_missing(from);
                match missing {
                    Some(length) => assert_eq!(found, u32::from(length)),
                    None => assert!(found >= u32::from(most)),
                }
            }
        }
        assert!(L::ALL.least_missing(0) >= u32::from(most));
        assert_eq!(L::NONE.least_missing(5), 5);
    }

    #[test]
    fn sets_of_every_width() {
        finds_what_a_list_has::<u16>();
        finds_what_a_list_has::<u32>();
        finds_what_a_list_has::<u64>();
        finds_what_a_list_has::<[u64; 4]>();
    }
}
