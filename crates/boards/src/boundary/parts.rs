//! The P-positions of a rectangle, in parts.
//!
//! A P-position is a left half, and the rank of its right half among the right halves with as many
//! zeros. A *part* has the P-positions whose left halves begin with the same letters; these letters
//! are its number.

use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

use thiserror::Error;

use super::halves::{BLOCK, Halves};
use super::word::last_letters;

/// Called with the number of each part that is found, and its bytes. `Break` stops the solver.
pub type OnPart<'a> = dyn Fn(u32, &[u8]) -> ControlFlow<()> + Sync + 'a;

/// For each left half of a part, the ranks of right halves, in ascending order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// For each left half in lexicographic order, and for each block of its right halves: where its
    /// ranks begin. At the end, where the last ones end.
    pub(super) starts: Vec<u32>,
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
        for rest in 0..1 << halves.rest() {
            let class = halves.class(part << halves.rest() | rest, 0, 0);
            let size = class.map_or(0, |class| halves.right_halves(class).len());
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

/// All parts that are known.
#[derive(Debug)]
pub(super) struct Parts(Vec<OnceLock<Part>>);

impl Parts {
    pub(super) fn none(halves: &Halves) -> Self {
        Self((0..1 << halves.numbered).map(|_| OnceLock::new()).collect())
    }

    pub(super) fn get(&self, part: u32) -> Option<&Part> {
        self.0[part as usize].get()
    }

    /// A part that is known stays as it is.
    pub(super) fn set(&self, part: u32, found: Part) {
        self.0[part as usize].get_or_init(|| found);
    }

    /// The P-positions of a left half, whose part is known or is `own`: for each block, the ranks
    /// in it.
    #[inline]
    pub(super) fn of<'a>(
        &'a self,
        word: u32,
        halves: &Halves,
        own: Option<(u32, &'a Part)>,
    ) -> impl Iterator<Item = (usize, &'a [u16])> {
        let part = word >> halves.rest();
        let found = match own {
            Some((number, own)) if number == part => own,
            _ => self.get(part).expect("it was found before"),
        };
        found.ranks(halves.lists(part, last_letters(word, halves.rest())))
    }

    pub(super) fn p_count(&self) -> u64 {
        self.0.iter().filter_map(OnceLock::get).map(|part| part.ranks.len() as u64).sum()
    }
}
