//! Ranks of tuples: how many come before one in lexicographic order.
//!
//! The tuples are of numbers that never grow. Those of k numbers, all less than a, are
//! `C(a - 1 + k, k)`. So many come before the tuples that begin with a, whatever the largest number
//! is: a table of tuples of numbers at most a is the beginning of one of tuples with larger ones.

/// The counts, for tuples of up to this number of members.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    /// `below[k][a]`: tuples of k numbers, all less than a.
    below: Vec<Vec<usize>>,
}

impl Ranks {
    /// For tuples of up to `longest` numbers, none more than `largest`. The caller has made sure
    /// that there are no more of them than fit in memory.
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

    /// How many tuples of k numbers have all of them less than a.
    #[inline]
    pub(super) fn below(&self, k: usize, a: u16) -> usize {
        self.below[k][usize::from(a)]
    }

    /// How many tuples of k numbers have none more than a.
    pub(super) fn up_to(&self, k: usize, a: u16) -> usize {
        self.below(k, a + 1)
    }

    /// How many tuples of as many numbers come before this one.
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
