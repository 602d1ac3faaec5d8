//! Boundary words, the effect of bites on them, and ranks of words with a given number of zeros, in
//! lexicographic order.
//!
//! The boundary of a board leads from the bottom of column 1 to the end of row 1 of the rectangle:
//! a 0 is a step up, along the end of a row; a 1 is a step to the right, along the bottom of a
//! column. A square is a 1 and a later 0: its column and its row. A bite at this square sorts the
//! factor from the one to the other, zeros first (`proofs/boards.md`, 7).
//!
//! The rank of a word is a sum over its ones: at each of them, the number of words with a zero
//! there that agree with it before, and have as many zeros in all. So a factor adds to the rank an
//! amount that depends on the factor, and on the number of letters and of zeros after it: its
//! *share* (`proofs/boards.md`, 7). If a factor is replaced by another one with as many letters
//! and zeros, or the number of zeros before it changes, the shares of all other factors stay.
//!
//! [`Shares`] holds the shares of all factors. It is made once for a rectangle, before any thread
//! begins, and does not change. Factors with as many letters and zeros, and as many after them, are
//! a *kind*, and their shares are a list in the order of the factors. A list is made of two that
//! are there: a first letter 0 adds nothing to the shares of factors with a letter less, and a
//! first letter 1 adds the same number to all.
//!
//! *Example: 8 × 10.* A word has 8 zeros and 10 ones, and a half has 9 letters. The right half
//! `011 001011` has 4 zeros. Its ones in places 2, 3 and 6 have 7, 6 and 3 letters after them, and
//! 3, 3 and 1 zeros among these; its last two ones have no zeros after them. So its rank among the
//! 126 words with 4 zeros is `C(7,2) + C(6,2) + C(3,0) = 21 + 15 + 1 = 37`. Its first three letters
//! have the share 36, the other letters the share 1. The factors of this kind are 011, 101 and 110,
//! with the shares 36, 71 and 91. A bite that sorts the first letters of `101 001011` or
//! `110 001011` leads to the right half. So if it makes a P-position, these two are blocked: their
//! ranks are 37 - 36 + 71 = 72 and 37 - 36 + 91 = 92. No word is built for that.

use std::iter;
use std::ops::Range;

use game::Board;

use crate::ranks::binomial;

/// The number of zeros of a word.
#[inline]
pub(super) fn zeros(word: u32, letters: u32) -> u32 {
    letters - word.count_ones()
}

/// Words have at most this number of letters. Their first letter is in the highest place.
pub(super) const MOST_LETTERS: u32 = 26;

/// The lowest `letters` letters of a word.
#[inline]
pub(super) fn last_letters(word: u32, letters: u32) -> u32 {
    word & !(!0 << letters)
}

/// The boundary word of a board in a rectangle that it fits into, with this number of columns. It
/// begins with a zero for each row that the board lacks.
pub(super) fn word_of(board: &Board, columns: u32) -> u64 {
    let mut word = 0_u64;
    let mut length = 0;
    for &row in board.rows().iter().rev() {
        let longer = u32::from(row) - length;
        word = ((word << longer) | ((1 << longer) - 1)) << 1;
        length += longer;
    }
    let rest = columns - length;
    word << rest | ((1 << rest) - 1)
}

/// The board with this boundary word; the word of the empty board has none.
pub(super) fn board_of(word: u64, rows: u32, columns: u32) -> Option<Board> {
    let mut length = 0;
    let mut lengths = Vec::new();
    for place in (0..rows + columns).rev() {
        if word >> place & 1 == 1 {
            length += 1;
        } else {
            lengths.push(length);
        }
    }
    lengths.reverse();
    Board::new(lengths).ok()
}

/// The words that the bites of a word leave.
pub(super) fn bites(word: u32) -> impl Iterator<Item = u32> {
    let letter = move |place: u32| word >> place & 1;
    let firsts = (0..u32::BITS).rev().filter(move |&first| letter(first) == 1);
    firsts.flat_map(move |first| {
        let lasts = (0..first).rev().scan(1, move |ones, last| {
            *ones += letter(last);
            Some((last, *ones))
        });
        lasts.filter(move |&(last, _)| letter(last) == 0).map(move |(last, ones)| {
            let before = (word >> first >> 1) << 1 << (first - last);
            (before | ((1 << ones) - 1)) << last | last_letters(word, last)
        })
    })
}

/// A factor of a word and its place, or all factors of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Factor {
    /// Its number of letters.
    pub(super) letters: u32,
    /// The number of zeros among these.
    pub(super) zeros: u32,
    /// The number of letters after it.
    pub(super) after: u32,
    /// The number of zeros among these.
    pub(super) zeros_after: u32,
}

/// The longest sorted factor that a word begins with.
#[inline]
pub(super) fn first_sorted(word: u32, letters: u32, all_zeros: u32) -> Factor {
    let aligned = word.checked_shl(u32::BITS - letters).unwrap_or(0);
    let zeros = aligned.leading_zeros().min(letters);
    let ones = aligned.checked_shl(zeros).unwrap_or(0).leading_ones();
    let (after, zeros_after) = (letters - zeros - ones, all_zeros - zeros);
    Factor { letters: zeros + ones, zeros, after, zeros_after }
}

/// The longest sorted factors of a word that have both letters, the last of them first.
#[inline]
pub(super) fn sorted_factors(word: u32, letters: u32) -> impl Iterator<Item = Factor> {
    let (mut rest, mut after, mut zeros_after) = (word, 0, 0);
    iter::from_fn(move || {
        loop {
            let ones = rest.trailing_ones();
            let zeros = (rest >> ones).trailing_zeros().min(letters - after - ones);
            if zeros == 0 {
                return None;
            }
            let factor = Factor { letters: zeros + ones, zeros, after, zeros_after };
            rest = (rest >> ones).checked_shr(zeros).unwrap_or(0);
            after += zeros + ones;
            zeros_after += zeros;
            if ones > 0 {
                return Some(factor);
            }
        }
    })
}

/// The shares of all factors.
#[derive(Debug)]
pub(super) struct Shares {
    /// One more than the number of letters.
    side: usize,
    /// For each kind of factors, where its list begins in `lists`, and its length.
    places: Vec<(u32, u32)>,
    lists: Vec<u32>,
}

impl Shares {
    /// For words with this number of letters, at most `rows` zeros and at most `columns` ones.
    pub(super) fn new(letters: u32, rows: u32, columns: u32) -> Self {
        let side = letters as usize + 1;
        let mut shares = Self { side, places: vec![(0, 0); side.pow(4)], lists: Vec::new() };
        let pairs = |of: u32| (0..=of).flat_map(|all| (0..=all).map(move |zeros| (all, zeros)));
        for (own, zeros) in pairs(letters) {
            for (after, zeros_after) in pairs(letters - own) {
                let all_zeros = zeros + zeros_after;
                if all_zeros <= rows && own + after - all_zeros <= columns {
                    shares.add(Factor { letters: own, zeros, after, zeros_after });
                }
            }
        }
        shares
    }

    /// Adds the shares of these factors. They begin with a zero, which adds nothing, or with a
    /// one; and then the ranks of words with one letter less are known.
    fn add(&mut self, factors: Factor) {
        let Factor { letters, zeros, after, zeros_after } = factors;
        let start = self.lists.len();
        if letters == 0 {
            self.lists.push(0);
        }
        if zeros > 0 {
            let rest = Factor { letters: letters - 1, zeros: zeros - 1, ..factors };
            self.lists.extend_from_within(self.place(rest));
        }
        if letters > zeros {
            let first = match zeros + zeros_after {
                0 => 0,
                all => binomial((letters - 1 + after).into(), (all - 1).into()),
            };
            let first = u32::try_from(first).expect("at most C(25, 12)");
            for place in self.place(Factor { letters: letters - 1, ..factors }) {
                self.lists.push(self.lists[place] + first);
            }
        }
        let index = self.index(factors);
        let number = |length: usize| u32::try_from(length).expect("at most 8 · 2^26 shares");
        self.places[index] = (number(start), number(self.lists.len() - start));
    }

    #[inline]
    fn index(&self, Factor { letters, zeros, after, zeros_after }: Factor) -> usize {
        let digits = [letters, zeros, after, zeros_after];
        digits.into_iter().fold(0, |index, digit| index * self.side + digit as usize)
    }

    #[inline]
    fn place(&self, factors: Factor) -> Range<usize> {
        let (start, count) = self.places[self.index(factors)];
        start as usize..start as usize + count as usize
    }

    /// The shares of these factors in lexicographic order. The first factor is sorted.
    #[inline]
    pub(super) fn of(&self, factors: Factor) -> &[u32] {
        &self.lists[self.place(factors)]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The number of words before this one that have as many letters and zeros.
    fn rank(word: u32) -> u32 {
        let before = (0..word).filter(|before| before.count_ones() == word.count_ones());
        u32::try_from(before.count()).unwrap()
    }

    /// The example of this module, counted by hand.
    #[test]
    fn a_right_half_of_8_by_10() {
        let shares = Shares::new(9, 8, 10);
        assert_eq!([0b0_1100_1011, 0b1_0100_1011, 0b1_1000_1011].map(rank), [37, 72, 92]);
        let kind = Factor { letters: 3, zeros: 1, after: 6, zeros_after: 3 };
        assert_eq!(shares.of(kind), [36, 71, 91]);
    }

    /// Every factor of every word, against the sorted factor with the same letters: the ranks
    /// differ by the shares.
    #[test]
    fn shares_are_differences_of_ranks() {
        const LETTERS: u32 = 8;
        let shares = Shares::new(LETTERS, LETTERS, LETTERS);
        for word in 0..1_u32 << LETTERS {
            for letters in 0..=LETTERS {
                for after in 0..=LETTERS - letters {
                    let low = word & ((1 << after) - 1);
                    let high = word >> after >> letters;
                    let zeros_after = zeros(low, after);
                    let kind = |zeros| Factor { letters, zeros, after, zeros_after };
                    let sorted = |zeros: u32| high << letters | ((1 << (letters - zeros)) - 1);
                    let mut seen = vec![0; letters as usize + 1];
                    for factor in 0..1_u32 << letters {
                        let of = zeros(factor, letters);
                        let place = seen[of as usize];
                        seen[of as usize] += 1;
                        let rank = |word: u32| rank(word << after | low);
                        let own = rank(high << letters | factor);
                        let list = shares.of(kind(of));
                        assert_eq!(own - rank(sorted(of)), list[place] - list[0]);
                    }
                }
            }
        }
    }

    /// All words of 3 × 4: a bite of the board leaves the board of the sorted word.
    #[test]
    fn bites_of_words_are_bites_of_boards() {
        const ROWS: u32 = 3;
        const COLUMNS: u32 = 4;
        let words = (0..1_u32 << (ROWS + COLUMNS)).filter(|word| word.count_ones() == COLUMNS);
        let mut boards = BTreeSet::new();
        for word in words {
            let Some(here) = board_of(word.into(), ROWS, COLUMNS) else {
                assert_eq!((word, bites(word).count()), (0b1111, 0));
                continue;
            };
            assert_eq!(word_of(&here, COLUMNS), u64::from(word));
            let left: BTreeSet<_> = here.bites().map(|(_, left)| Some(left)).collect();
            // The rules of the word know no poison: one bite more leaves nothing.
            let sorted: Vec<_> =
                bites(word).map(|left| board_of(left.into(), ROWS, COLUMNS)).collect();
            assert_eq!(sorted.len(), left.len() + 1, "{here}");
            let expected: BTreeSet<_> = left.into_iter().chain([None]).collect();
            assert_eq!(sorted.into_iter().collect::<BTreeSet<_>>(), expected, "{here}");
            boards.insert(here);
        }
        assert_eq!(boards.len(), 34);
    }

    #[test]
    fn runs_are_the_longest_sorted_factors() {
        let factor =
            |letters, zeros, after, zeros_after| Factor { letters, zeros, after, zeros_after };
        let factors = |word, letters| sorted_factors(word, letters).collect::<Vec<_>>();
        assert_eq!(factors(0b1_1010_0110, 9), [factor(4, 2, 1, 1), factor(2, 1, 5, 3)]);
        assert_eq!(factors(0b000, 3), []);
        assert_eq!(factors(0b111, 3), []);
        assert_eq!(factors(0, 0), []);
        assert_eq!(first_sorted(0b0_0110, 5, 3), factor(4, 2, 1, 1));
        assert_eq!(first_sorted(0b110, 3, 1), factor(2, 0, 1, 1));
        assert_eq!(first_sorted(0, 4, 4), factor(4, 4, 0, 0));
        assert_eq!(first_sorted(0, 0, 0), factor(0, 0, 0, 0));
    }
}
