//! A rectangle, its words and their halves.

use std::iter;
use std::ops::Range;

use super::ranks::{Binomials, MOST_LETTERS, Shares, zeros};
use crate::SolveError;
use crate::rectangles::require_squares;

/// Ranks are cut into blocks, in which 16 bits tell them apart.
pub(super) const BLOCK: usize = 1 << 16;

/// The letters of a left half and of a right half.
pub(super) fn lengths(rows: u16, columns: u16) -> (u32, u32) {
    let letters = u32::from(rows) + u32::from(columns);
    (letters / 2, letters.div_ceil(2))
}

/// A rectangle with the tables that depend on nothing else.
#[derive(Debug)]
pub(super) struct Halves {
    pub(super) rows: u32,
    pub(super) columns: u32,
    /// The letters of a left half.
    pub(super) left: u32,
    /// The letters of a right half: as many, or one more.
    pub(super) right: u32,
    /// The letters of a left half that number its part.
    pub(super) numbered: u32,
    pub(super) binomials: Binomials,
    pub(super) shares: Shares,
    /// The right halves with each number of zeros, in lexicographic order.
    pub(super) words: Vec<Vec<u32>>,
    /// Blocks of ranks for the largest of these classes.
    pub(super) blocks: usize,
    /// The lists of a part whose number has this number of ones: where those of each left half
    /// begin, a list for each block of its class. At the end, where the last ones end.
    lists: Vec<Vec<u32>>,
}

impl Halves {
    pub(super) fn new(rows: u16, columns: u16) -> Result<Self, SolveError> {
        let (left, right) = lengths(rows, columns);
        require_squares(rows, columns)?;
        if right > MOST_LETTERS {
            return Err(SolveError::TooLarge { rows, columns });
        }
        let (rows, columns) = (rows.into(), columns.into());
        let binomials = Binomials::up_to(right);
        let shares = Shares::new(&binomials, right, rows, columns);
        let mut words = vec![Vec::new(); right as usize + 1];
        for word in 0..1_u32 << right {
            let zeros = zeros(word, right);
            if zeros <= rows && right - zeros <= columns {
                words[zeros as usize].push(word);
            }
        }
        let blocks = words.iter().map(Vec::len).max().unwrap_or(0).div_ceil(BLOCK);
        let numbered = left / 2;
        let blocks_of = |ones: u32| {
            let class = class(rows, columns, left, ones);
            let size = class.map_or(0, |class| words[class as usize].len());
            u32::try_from(size.div_ceil(BLOCK)).expect("few blocks")
        };
        let lists = |ones: u32| {
            let of_halves = (0..1_u32 << (left - numbered)).scan(0, |end, rest| {
                *end += blocks_of(ones + rest.count_ones());
                Some(*end)
            });
            iter::once(0).chain(of_halves).collect()
        };
        let lists = (0..=numbered).map(lists).collect();
        Ok(Self { rows, columns, left, right, numbered, binomials, shares, words, blocks, lists })
    }

    /// The lists of a left half in a part, by its letters after the number of the part.
    #[inline]
    pub(super) fn lists(&self, part: u32, rest: u32) -> Range<usize> {
        let lists = &self.lists[part.count_ones() as usize];
        lists[rest as usize] as usize..lists[rest as usize + 1] as usize
    }

    /// The number of lists of a part.
    pub(super) fn lists_of(&self, part: u32) -> usize {
        self.lists(part, !(!0 << self.rest())).end
    }

    /// The number of zeros in the right halves of a left half, or of a prefix with this number of
    /// letters to come and of ones among them; `None` if there are more zeros or ones than the
    /// rectangle has rows or columns.
    #[inline]
    pub(super) fn class(&self, prefix: u32, to_come: u32, ones_to_come: u32) -> Option<u32> {
        debug_assert!(ones_to_come <= to_come && prefix >> (self.left - to_come) == 0);
        class(self.rows, self.columns, self.left, prefix.count_ones() + ones_to_come)
    }

    /// The right halves with this number of zeros.
    #[inline]
    pub(super) fn right_halves(&self, class: u32) -> &[u32] {
        &self.words[class as usize]
    }

    /// The letters of a left half after those that number its part.
    pub(super) fn rest(&self) -> u32 {
        self.left - self.numbered
    }

    /// The numbers of all parts that have words.
    pub(super) fn parts(&self) -> impl Iterator<Item = u32> + '_ {
        (0..1 << self.numbered).filter(|&part| self.has_part(part))
    }

    fn has_part(&self, part: u32) -> bool {
        part.count_ones() <= self.columns && zeros(part, self.numbered) <= self.rows
    }

    /// The parts one step before this one, which it needs. All other parts that it needs come
    /// before these.
    pub(super) fn needs(&self, part: u32) -> impl Iterator<Item = u32> + '_ {
        let last = (part & 1 == 1).then_some(part ^ 1);
        let is_one_zero = move |&place: &u32| part >> place & 0b11 == 0b10;
        let swapped =
            (0..self.numbered).filter(is_one_zero).map(move |place| part ^ (0b11 << place));
        last.into_iter().chain(swapped).filter(|&part| self.has_part(part))
    }

    /// The number of positions in a part, with the empty board.
    pub(super) fn positions_of(&self, part: u32) -> u64 {
        let rest = self.rest();
        let of_ones = |ones| {
            let class = self.class(part, rest, ones)?;
            let left_halves = u64::from(self.binomials.words(rest, rest - ones));
            Some(left_halves * self.right_halves(class).len() as u64)
        };
        (0..=rest).filter_map(of_ones).sum()
    }
}

/// The number of zeros in the right halves of left halves with `left` letters and this number of
/// ones; `None` if these have more zeros or ones than the rectangle has rows or columns.
#[inline]
fn class(rows: u32, columns: u32, left: u32, ones: u32) -> Option<u32> {
    if ones <= columns { rows.checked_sub(left - ones) } else { None }
}
