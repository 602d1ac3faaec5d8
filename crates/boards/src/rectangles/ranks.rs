//! The rank of a tuple: the number of tuples before it in lexicographic order.
//!
//! Tuples here are of natural numbers, each at most the one before. There are `C(a - 1 + k, k)`
//! tuples of k numbers less than a. They come before the tuples that begin with a. So a table of
//! the tuples of numbers up to a is the beginning of each table for larger numbers.

/// The counts, for tuples of up to this number of members.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    /// `below[k][a]`: tuples of k numbers, all less than a.
    below: Vec<Vec<usize>>,
}

impl Ranks {
    /// For tuples of up to `longest` numbers, none more than `largest`. The caller ensures that
    /// they fit in memory.
    pub(super) fn new(longest: usize, largest: u16) -> Self {
        let ends = usize::from(largest) + 2;
        // Of no numbers there is one tuple.
        let mut below = vec![vec![1; ends]];
        for _ in 0..longest {
            let shorter = below.last().expect("begun with one");
            // A tuple of numbers less than a + 1 begins with a or has numbers less than a.
            let counts = (0..ends).scan(0, |sum, a| {
                let before = *sum;
                *sum += shorter[(a + 1).min(ends - 1)];
                Some(before)
            });
            let counts = counts.collect();
            below.push(counts);
        }
        Self { below }
    }

    /// The number of tuples of k numbers less than a.
    #[inline]
    pub(super) fn below(&self, k: usize, a: u16) -> usize {
        self.below[k][usize::from(a)]
    }

    /// The number of tuples of k numbers up to a.
    pub(super) fn up_to(&self, k: usize, a: u16) -> usize {
        self.below(k, a + 1)
    }

    /// The number of tuples of the same length before this one.
    pub(super) fn rank(&self, tuple: &[u16]) -> usize {
        (1..=tuple.len()).rev().zip(tuple).map(|(k, &a)| self.below(k, a)).sum()
    }

    /// The tuple of k numbers with this rank.
    pub(super) fn tuple(&self, mut rank: usize, k: usize) -> Vec<u16> {
        let number = |k: usize| {
            // The first number is the largest for which not too many tuples come before.
            let first = self.below[k].partition_point(|&before| before <= rank) - 1;
            rank -= self.below[k][first];
            u16::try_from(first).expect("no more than the largest number")
        };
        (1..=k).rev().map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_are_ranked_in_lexicographic_order() {
        const LARGEST: u16 = 5;
        let ranks = Ranks::new(4, LARGEST);
        for k in 0..=4 {
            let mut tuples = vec![Vec::new()];
            for _ in 0..k {
                let longer = |tuple: &Vec<u16>| {
                    let tuple = tuple.clone();
                    let last = tuple.last().copied().unwrap_or(LARGEST);
                    (0..=last).map(move |next| [tuple.clone(), vec![next]].concat())
                };
                tuples = tuples.iter().flat_map(longer).collect();
            }
            assert_eq!(ranks.up_to(k, LARGEST), tuples.len());
            for (rank, tuple) in tuples.iter().enumerate() {
                assert_eq!(ranks.rank(tuple), rank);
                assert_eq!(&ranks.tuple(rank, k), tuple);
            }
        }
    }
}
