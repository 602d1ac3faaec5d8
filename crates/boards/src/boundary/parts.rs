//! A rectangle, its words and their halves; and its P-positions, in parts.
//!
//! A P-position is a left half, and the rank of its right half among the right halves with as many
//! zeros. A *part* has the P-positions whose left halves begin with the same letters; these letters
//! are its number.

use std::iter;
use std::ops::Range;
use std::sync::OnceLock;

use thiserror::Error;

use super::words::{MOST_LETTERS, Shares, last_letters, zeros};
use crate::SolveError;
use crate::ranks::binomial;
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
    pub(super) shares: Shares,
    /// The right halves of the left halves with each number of ones, in lexicographic order.
    words: Vec<Vec<u32>>,
    /// Blocks of ranks for the longest of these lists.
    pub(super) blocks: usize,
    /// The lists of a part whose number has this number of ones: where those of each left half
    /// begin, a list for each block of its right halves. At the end, where the last ones end.
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
        let shares = Shares::new(right, rows, columns);
        let mut words: Vec<Vec<u32>> = vec![Vec::new(); left as usize + 1];
        for word in 0..1_u32 << right {
            let ones = columns.checked_sub(word.count_ones());
            if let Some(list) = ones.and_then(|ones| words.get_mut(ones as usize)) {
                list.push(word);
            }
        }
        let blocks = words.iter().map(Vec::len).max().unwrap_or(0).div_ceil(BLOCK);
        let (numbered, lists) = (left / 2, Vec::new());
        let mut halves =
            Self { rows, columns, left, right, numbered, shares, words, blocks, lists };
        let lists = |ones: u32| {
            let of_halves = (0..1_u32 << halves.rest()).scan(0, |end, rest| {
                let blocks = halves.right_halves(ones + rest.count_ones()).len().div_ceil(BLOCK);
                *end += u32::try_from(blocks).expect("few blocks");
                Some(*end)
            });
            iter::once(0).chain(of_halves).collect()
        };
        halves.lists = (0..=numbered).map(lists).collect();
        Ok(halves)
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

    /// The right halves of a left half with this number of ones; none if it has more zeros or ones
    /// than the rectangle has rows or columns.
    #[inline]
    pub(super) fn right_halves(&self, ones: u32) -> &[u32] {
        &self.words[ones as usize]
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
        let of_ones = |ones: u32| {
            let right_halves = self.right_halves(part.count_ones() + ones).len();
            binomial(self.rest().into(), ones.into()) * right_halves as u64
        };
        (0..=self.rest()).map(of_ones).sum()
    }
}

/// Called with the number of each part that is found, and its bytes.
pub type OnPart<'a> = dyn Fn(u32, &[u8]) + Sync + 'a;

/// For each left half of a part, the ranks of right halves, in ascending order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// For each left half in lexicographic order, and for each block of its right halves: where its
    /// ranks begin. At the end, where the last ones end.
    starts: Vec<u32>,
    /// The ranks in their blocks.
    pub(super) ranks: Vec<u16>,
}

/// Why bytes are not a part.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PartError(String);

impl Part {
    /// A part without left halves yet.
    pub(super) fn new(halves: &Halves, part: u32) -> Self {
        let mut starts = Vec::with_capacity(halves.lists_of(part) + 1);
        starts.push(0);
        Self { starts, ranks: Vec::new() }
    }

    /// Ends the list of a block.
    pub(super) fn end_block(&mut self) {
        self.starts.push(self.ranks.len().try_into().expect("fewer P-positions than 2^32"));
    }

    /// These lists of a left half: each block that has ranks.
    #[inline]
    fn ranks(&self, lists: Range<usize>) -> impl Iterator<Item = (usize, &[u16])> {
        let starts = self.starts[lists.start..=lists.end].windows(2).enumerate();
        starts
            .filter(|(_, bounds)| bounds[0] < bounds[1])
            .map(|(block, bounds)| (block, &self.ranks[bounds[0] as usize..bounds[1] as usize]))
    }

    /// As numbers with the lowest byte first: where the lists begin, in four bytes each, and then
    /// the ranks, in two.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let starts = self.starts.iter().flat_map(|start| start.to_le_bytes());
        starts.chain(self.ranks.iter().flat_map(|rank| rank.to_le_bytes())).collect()
    }

    /// The part with these bytes.
    pub(super) fn read(halves: &Halves, part: u32, bytes: &[u8]) -> Result<Self, PartError> {
        if !halves.parts().any(|there| there == part) {
            return Err(PartError(format!("there is no part {part}")));
        }
        let lists = halves.lists_of(part);
        let of_starts = 4 * (lists + 1);
        let length = |expected: usize| {
            let found = bytes.len();
            PartError(format!("it has {found} bytes, and its lists need {expected}"))
        };
        let (starts, ranks) = bytes.split_at_checked(of_starts).ok_or(length(of_starts))?;
        let starts: Vec<_> = starts.as_chunks().0.iter().copied().map(u32::from_le_bytes).collect();
        let (pairs, odd) = ranks.as_chunks();
        if pairs.len() != starts[lists] as usize || !odd.is_empty() {
            return Err(length(of_starts + 2 * starts[lists] as usize));
        }
        let ranks = pairs.iter().copied().map(u16::from_le_bytes).collect();
        let read = Self { starts, ranks };
        read.require_lists(halves, part)?;
        Ok(read)
    }

    fn require_lists(&self, halves: &Halves, part: u32) -> Result<(), PartError> {
        let no_start =
            |list| PartError(format!("list {list} does not begin where the one before it ends"));
        if self.starts[0] != 0 {
            return Err(no_start(0));
        }
        for rest in 0..1_u32 << halves.rest() {
            let size = halves.right_halves(part.count_ones() + rest.count_ones()).len();
            for (block, list) in halves.lists(part, rest).enumerate() {
                let (from, to) = (self.starts[list] as usize, self.starts[list + 1] as usize);
                let ranks = self.ranks.get(from..to).ok_or_else(|| no_start(list + 1))?;
                let end = size - block * BLOCK;
                let fits = ranks.last().is_none_or(|&last| usize::from(last) < end);
                if !fits || !ranks.is_sorted_by(|one, next| one < next) {
                    return Err(PartError(format!(
                        "list {list} is not in ascending order, or has more than there is"
                    )));
                }
            }
        }
        Ok(())
    }
}

/// The P-positions of a rectangle, as far as they are known.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) halves: Halves,
    /// By number.
    known: Vec<OnceLock<Part>>,
}

impl Parts {
    pub(super) fn none(halves: Halves) -> Self {
        let known = (0..1 << halves.numbered).map(|_| OnceLock::new()).collect();
        Self { halves, known }
    }

    pub(super) fn get(&self, part: u32) -> Option<&Part> {
        self.known[part as usize].get()
    }

    /// A part that is known stays as it is.
    pub(super) fn set(&self, part: u32, found: Part) {
        self.known[part as usize].get_or_init(|| found);
    }

    /// The P-positions of a left half, whose part is known or is `own`: for each block, the ranks
    /// in it.
    #[inline]
    pub(super) fn of<'a>(
        &'a self,
        word: u32,
        own: Option<(u32, &'a Part)>,
    ) -> impl Iterator<Item = (usize, &'a [u16])> {
        let halves = &self.halves;
        let part = word >> halves.rest();
        let found = match own {
            Some((number, own)) if number == part => own,
            _ => self.get(part).expect("it was found before"),
        };
        found.ranks(halves.lists(part, last_letters(word, halves.rest())))
    }

    pub(super) fn p_count(&self) -> u64 {
        self.known.iter().filter_map(OnceLock::get).map(|part| part.ranks.len() as u64).sum()
    }
}
