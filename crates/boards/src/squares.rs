//! All boards with a given number of squares, that is, all partitions of a number: OEIS A112470 to
//! A112473.
//!
//! P-positions are rare. So the table of all boards counts, for each P-position, one more winning
//! bite at every board that has a bite to it. A board at which smaller ones counted none is P.

use std::fmt;
use std::ops::Range;

use crate::ranks::before;

/// Of the boards with a given number of squares: how many are P, and how many have one winning bite
/// or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of squares.
    pub squares: u16,
    /// P-positions.
    pub p: u64,
    /// N-positions with one winning bite.
    pub unique: u64,
    /// N-positions with more than one winning bite.
    pub several: u64,
}

/// A sequence of the OEIS that counts boards by squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sequence {
    /// P-positions.
    A112470,
    /// N-positions.
    A112471,
    /// N-positions with one winning bite.
    A112472,
    /// N-positions with more than one.
    A112473,
}

impl Sequence {
    /// All of them, by number.
    pub const ALL: [Self; 4] = [Self::A112470, Self::A112471, Self::A112472, Self::A112473];

    /// The index of the first term, the boards that are counted, and the term.
    fn entry(self) -> (u16, &'static str, fn(&Counts) -> u64) {
        match self {
            Self::A112470 => (0, "that are P-positions", |of| of.p),
            Self::A112471 => (0, "that are N-positions, the empty one included", |of| {
                of.unique + of.several + u64::from(of.squares == 0)
            }),
            Self::A112472 => (1, "with one winning bite", |of| of.unique),
            Self::A112473 => (1, "with more than one winning bite", |of| of.several),
        }
    }

    /// The index of the first term, as in the OEIS.
    pub fn offset(self) -> u16 {
        self.entry().0
    }

    /// The meaning of a(n).
    pub fn definition(self) -> String {
        format!("the number of boards of n squares {}", self.entry().1)
    }

    /// The term of these counts; for no squares all counts are 0. The empty board is N: the other
    /// player has taken the poison.
    pub fn term(self, of: &Counts) -> u64 {
        self.entry().2(of)
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&format!("{self:?}"))
    }
}

/// The counts for 1, 2, ... squares up to some number of them.
///
/// With at most n squares this takes one byte for each partition of a number up to n, and time in
/// proportion to their winning bites.
///
/// ```
/// use boards::squares::{BySquares, Counts};
/// let of_6 = BySquares::up_to(6).last();
/// assert_eq!(of_6, Some(Counts { squares: 6, p: 0, unique: 10, several: 1 }));
/// ```
#[derive(Clone, Debug)]
pub struct BySquares {
    partitions: Partitions,
    /// For each number of squares, and each board by rank: 0, 1, or more winning bites.
    winning: Vec<Vec<u8>>,
    /// The boards with fewer squares are done.
    next: usize,
}

impl BySquares {
    /// The most squares: the counts of boards are known to fit in 64 bits.
    pub const MOST: u16 = 200;

    /// Boards of 1 to `most` squares, of [`BySquares::MOST`] if that is more.
    pub fn up_to(most: u16) -> Self {
        let most = usize::from(most.min(Self::MOST));
        let partitions = Partitions::up_to(most);
        let winning = (0..=most).map(|squares| vec![0; partitions.number(squares)]).collect();
        Self { partitions, winning, next: 1 }
    }

    /// The bytes that boards of up to `most` squares need; `u64::MAX` if there are more squares
    /// than [`BySquares::MOST`].
    pub fn memory(most: u16) -> u64 {
        if most > Self::MOST {
            return u64::MAX;
        }
        let partitions = Partitions::up_to(most.into());
        (0..=usize::from(most)).map(|squares| partitions.number(squares) as u64).sum()
    }

    /// Adds one to all boards with a bite that leaves this one.
    fn add_before(&mut self, mut board: Vec<u16>, squares: usize) {
        let most = self.winning.len() - 1;
        board.resize(board.len() + most - squares, 0);
        let longest = length(most);
        let grown = |squares, _, by: Range<u16>| {
            Some(squares + by.len()).filter(|&squares| squares <= most)
        };
        before(&mut board, longest, squares, &grown, &mut |rows, squares| {
            let winning = &mut self.winning[squares][self.partitions.rank(rows, squares)];
            *winning = winning.saturating_add(1);
        });
    }
}

impl Iterator for BySquares {
    type Item = Counts;

    fn next(&mut self) -> Option<Counts> {
        let squares = self.next;
        let winning = std::mem::take(self.winning.get_mut(squares)?);
        self.next += 1;
        let number = |has: fn(u8) -> bool| winning.iter().filter(|&&winning| has(winning)).count();
        let counts = Counts {
            squares: length(squares),
            p: number(|winning| winning == 0) as u64,
            unique: number(|winning| winning == 1) as u64,
            several: number(|winning| winning > 1) as u64,
        };
        for (rank, _) in winning.iter().enumerate().filter(|&(_, &winning)| winning == 0) {
            self.add_before(self.partitions.partition(rank, squares), squares);
        }
        Some(counts)
    }
}

fn length(squares: usize) -> u16 {
    u16::try_from(squares).expect("at most MOST")
}

/// Ranks of partitions of a number, in lexicographic order of the parts, the largest part first.
#[derive(Clone, Debug)]
struct Partitions {
    /// `of[k][n]`: partitions of n into parts of at most k.
    of: Vec<Vec<usize>>,
}

impl Partitions {
    fn up_to(most: usize) -> Self {
        let mut none = vec![0; most + 1];
        none[0] = 1;
        let mut of = vec![none];
        for part in 1..=most {
            let mut counts = of[part - 1].clone();
            for n in part..=most {
                counts[n] += counts[n - part];
            }
            of.push(counts);
        }
        Self { of }
    }

    fn number(&self, n: usize) -> usize {
        self.of[n][n]
    }

    /// The number of partitions of n before this one, which may end in zeros.
    fn rank(&self, parts: &[u16], n: usize) -> usize {
        let mut left = n;
        let before = parts.iter().map(|&part| part.into()).take_while(|&part: &usize| part > 0);
        let before = before.map(|part| {
            let smaller = self.of[part - 1][left];
            left -= part;
            smaller
        });
        before.sum()
    }

    /// The partition of n with this rank.
    fn partition(&self, mut rank: usize, n: usize) -> Vec<u16> {
        let (mut parts, mut left) = (Vec::new(), n);
        while left > 0 {
            let part = self.of.partition_point(|of| of[left] <= rank);
            rank -= self.of[part - 1][left];
            left -= part;
            parts.push(length(part));
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_ranked() {
        let partitions = Partitions::up_to(12);
        // OEIS A000041.
        let numbers = [1, 1, 2, 3, 5, 7, 11, 15, 22, 30, 42, 56, 77];
        for (n, number) in numbers.into_iter().enumerate() {
            assert_eq!(partitions.number(n), number);
            let all: Vec<_> = (0..number).map(|rank| partitions.partition(rank, n)).collect();
            assert!(all.is_sorted_by(|before, after| before < after));
            for (rank, parts) in all.iter().enumerate() {
                assert!(parts.is_sorted_by(|before, after| before >= after));
                assert_eq!(parts.iter().map(|&part| usize::from(part)).sum::<usize>(), n);
                assert_eq!(partitions.rank(parts, n), rank);
            }
        }
    }
}
