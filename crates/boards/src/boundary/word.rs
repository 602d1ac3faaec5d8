//! Boundary words, and the effect of bites on them.
//!
//! The boundary of a board leads from the bottom of column 1 to the end of row 1 of the rectangle:
//! a 0 is a step up, along the end of a row; a 1 is a step to the right, along the bottom of a
//! column. A square is a 1 and a later 0: its column and its row. A bite at this square sorts the
//! factor from the one to the other, zeros first (`proofs/boards.md`, 7).

use game::Board;

use super::ranks::Factors;

/// The lowest `letters` letters of a word.
#[inline]
pub(super) fn last_letters(word: u32, letters: u32) -> u32 {
    word & !(!0 << letters)
}

/// The boundary word of a board in a rectangle that it fits into, with this number of columns. It
/// begins with a zero for each row that the board lacks.
pub(super) fn of_board(board: &Board, columns: u32) -> u64 {
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
pub(super) fn board(word: u64, rows: u32, columns: u32) -> Option<Board> {
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

/// A sorted factor of a word, zeros before ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SortedFactor {
    pub(super) zeros: u32,
    pub(super) ones: u32,
    /// The number of letters after it.
    pub(super) after: u32,
    /// The number of zeros among these.
    pub(super) zeros_after: u32,
}

impl SortedFactor {
    /// The longest one that a word begins with.
    #[inline]
    pub(super) fn first(word: u32, letters: u32, all_zeros: u32) -> Self {
        let aligned = word.checked_shl(u32::BITS - letters).unwrap_or(0);
        let zeros = aligned.leading_zeros().min(letters);
        let ones = aligned.checked_shl(zeros).unwrap_or(0).leading_ones();
        Self { zeros, ones, after: letters - zeros - ones, zeros_after: all_zeros - zeros }
    }

    /// The factors that could be in its place with this number of zeros more, and as many ones
    /// fewer.
    #[inline]
    pub(super) fn factors(self, more_zeros: u32) -> Factors {
        let Self { zeros, ones, after, zeros_after } = self;
        Factors { letters: zeros + ones, zeros: zeros + more_zeros, after, zeros_after }
    }
}

/// The longest sorted factors of a word that have both letters, the last of them first.
#[derive(Clone, Debug)]
pub(super) struct SortedFactors {
    /// The letters before those that were looked at.
    rest: u32,
    letters: u32,
    after: u32,
    zeros_after: u32,
}

impl SortedFactors {
    #[inline]
    pub(super) fn of(word: u32, letters: u32) -> Self {
        Self { rest: word, letters, after: 0, zeros_after: 0 }
    }
}

impl Iterator for SortedFactors {
    type Item = SortedFactor;

    #[inline]
    fn next(&mut self) -> Option<SortedFactor> {
        loop {
            let ones = self.rest.trailing_ones();
            let rest = self.rest >> ones;
            let zeros = rest.trailing_zeros().min(self.letters - ones);
            if zeros == 0 {
                return None;
            }
            let factor =
                SortedFactor { zeros, ones, after: self.after, zeros_after: self.zeros_after };
            self.rest = rest.checked_shr(zeros).unwrap_or(0);
            self.letters -= zeros + ones;
            self.after += zeros + ones;
            self.zeros_after += zeros;
            if ones > 0 {
                return Some(factor);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// All words of 3 × 4: a bite of the board leaves the board of the sorted word.
    #[test]
    fn bites_of_words_are_bites_of_boards() {
        const ROWS: u32 = 3;
        const COLUMNS: u32 = 4;
        let words = (0..1_u32 << (ROWS + COLUMNS)).filter(|word| word.count_ones() == COLUMNS);
        let mut boards = BTreeSet::new();
        for word in words {
            let Some(here) = board(word.into(), ROWS, COLUMNS) else {
                assert_eq!((word, bites(word).count()), (0b1111, 0));
                continue;
            };
            assert_eq!(of_board(&here, COLUMNS), u64::from(word));
            let left: BTreeSet<_> = here.bites().map(|(_, left)| Some(left)).collect();
            // The rules of the word know no poison: one bite more leaves nothing.
            let sorted: Vec<_> =
                bites(word).map(|left| board(left.into(), ROWS, COLUMNS)).collect();
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
            |zeros, ones, after, zeros_after| SortedFactor { zeros, ones, after, zeros_after };
        let factors = |word, letters| SortedFactors::of(word, letters).collect::<Vec<_>>();
        assert_eq!(factors(0b1_1010_0110, 9), [factor(2, 2, 1, 1), factor(1, 1, 5, 3)]);
        assert_eq!(factors(0b000, 3), []);
        assert_eq!(factors(0b111, 3), []);
        assert_eq!(factors(0, 0), []);
        assert_eq!(SortedFactor::first(0b0_0110, 5, 3), factor(2, 2, 1, 1));
        assert_eq!(SortedFactor::first(0b110, 3, 1), factor(0, 2, 1, 1));
        assert_eq!(SortedFactor::first(0, 4, 4), factor(4, 0, 0, 0));
        assert_eq!(SortedFactor::first(0, 0, 0), factor(0, 0, 0, 0));
    }
}
