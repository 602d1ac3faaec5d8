//! The walk through the left halves of a part, by `proofs/boards.md`, 7.
//!
//! Left halves are visited in lexicographic order, as the leaves of a tree whose nodes are their
//! prefixes. A bite in the left half, or across the middle, leads to a left half that comes before.
//! So at each leaf the right halves that such bites block are known. The others are scanned in
//! lexicographic order: the first that is not blocked makes a P-position, and blocks all right
//! halves from which a bite leads to it.
//!
//! Bites across the middle begin at a one of the left half. The right halves that they block depend
//! on the letters before this one and on the number of ones from it on. So these right halves are
//! found once for each node that ends in a one, and each number of ones that can follow.

use std::ops::ControlFlow;

use super::parts::{Part, Parts};
use super::shape::{BLOCK, Shape};
use super::word::{self, Run, Runs, last_letters};
use crate::rectangles::{OnProgress, SolveError};

/// A set of right halves with the same number of zeros, by rank.
type Set = Vec<u64>;

/// Words of a block of a [`Set`].
const BLOCK_WORDS: usize = BLOCK / 64;

/// The right halves that are blocked by bites across the middle that begin in a node: a set for
/// each number of ones that follow the node in the left half.
pub(super) type Crossed = Vec<Set>;

/// Room for the nodes from the root to a leaf.
pub(super) fn room(shape: &Shape) -> Vec<Crossed> {
    let crossed =
        |depth| vec![vec![0; shape.blocks * BLOCK_WORDS]; (shape.left - depth) as usize + 1];
    (0..=shape.left).map(crossed).collect()
}

#[inline]
fn insert(set: &mut [u64], rank: usize) {
    set[rank / 64] |= 1 << (rank % 64);
}

/// Goes through the left halves of a part.
pub(super) struct Walker<'a> {
    shape: &'a Shape,
    parts: &'a Parts,
    on_progress: &'a OnProgress<'a>,
    number: u32,
    part: Part,
    blocked: Set,
}

impl<'a> Walker<'a> {
    /// Finds a part. Those that it needs are known.
    pub(super) fn walk(
        shape: &'a Shape,
        parts: &'a Parts,
        number: u32,
        room: &mut [Crossed],
        on_progress: &'a OnProgress<'a>,
    ) -> Result<Part, SolveError> {
        let blocked = vec![0; shape.blocks * BLOCK_WORDS];
        let mut walker =
            Self { shape, parts, on_progress, number, part: Part::new(shape), blocked };
        let (root, mut room) = room.split_first_mut().expect("room for the root");
        for set in root.iter_mut() {
            set.fill(0);
        }
        let mut crossed = &*root;
        for depth in 0..shape.numbered {
            let (own, deeper) = room.split_first_mut().expect("room for each depth");
            let rest = shape.numbered - depth - 1;
            if number >> rest & 1 == 1 {
                let ones = last_letters(number, rest).count_ones();
                walker.cross(number >> rest >> 1, depth, crossed, own, ones..=ones + shape.rest());
                crossed = own;
            }
            room = deeper;
        }
        walker.descend(number, shape.numbered, crossed, room)?;
        walker.part.ranks.shrink_to_fit();
        Ok(walker.part)
    }

    /// All left halves that begin with a node of this number of letters.
    fn descend(
        &mut self,
        node: u32,
        depth: u32,
        crossed: &Crossed,
        room: &mut [Crossed],
    ) -> Result<(), SolveError> {
        if depth == self.shape.left {
            return self.leaf(node, &crossed[0]);
        }
        let (own, deeper) = room.split_first_mut().expect("room for each depth");
        self.descend(node << 1, depth + 1, crossed, deeper)?;
        self.cross(node, depth, crossed, own, 0..=self.shape.left - depth - 1);
        self.descend(node << 1 | 1, depth + 1, own, deeper)
    }

    /// The right halves that bites across the middle block after a node followed by a one, for
    /// these numbers of further ones: those `crossed` at the node, and those that bites beginning
    /// at this one block.
    fn cross(
        &self,
        node: u32,
        depth: u32,
        crossed: &Crossed,
        own: &mut Crossed,
        following: std::ops::RangeInclusive<u32>,
    ) {
        let to_come = self.shape.left - depth;
        for ones in following.map(|ones| ones + 1) {
            let Some(class) = self.shape.class(node, to_come, ones) else { continue };
            let used = self.shape.right_halves(class).len().div_ceil(64);
            let set = &mut own[ones as usize - 1][..used];
            set.copy_from_slice(&crossed[ones as usize][..used]);
            for kept in 0..ones {
                self.block_across(node << to_come, to_come, ones, kept, set);
            }
        }
    }

    /// Takes the bites that leave `kept` of the `ones` after a node, and adds the right halves that
    /// they block. The node is given with zeros after it. In the left half these bites leave the
    /// node, zeros, and the `kept` ones. If `kept` is not 0, they leave only ones in their part of
    /// the right half.
    fn block_across(
        &self,
        zeros_after_node: u32,
        to_come: u32,
        ones: u32,
        kept: u32,
        set: &mut [u64],
    ) {
        let Shape { binomials, shares, right, .. } = self.shape;
        let left_half = zeros_after_node | !(!0 << kept);
        // Each one that leaves the left half is a zero that comes from the right half.
        let moved = ones - kept;
        let Some(class) = self.shape.class(left_half, 0, 0) else { return };
        let right_halves = self.shape.right_halves(class);
        let from = match kept {
            0 => 0,
            // The right halves that begin with this number of ones are the last ones.
            _ => right_halves.len() - binomials.words(right - moved, class) as usize,
        };
        debug_assert!(kept < to_come, "a bite leaves a zero");
        for (block, ranks) in self.found(left_half) {
            for rank in ranks.iter().map(|&rank| block * BLOCK + usize::from(rank)) {
                let run = Run::first(right_halves[rank], *right, class);
                if rank < from || run.ones < moved {
                    continue;
                }
                let others = rank - shares.of(run.factors(0))[0] as usize;
                for &share in shares.of(run.factors(moved)) {
                    insert(set, others + share as usize);
                }
            }
        }
    }

    /// The P-positions of a left half that comes before.
    fn found(&self, word: u32) -> impl Iterator<Item = (usize, &[u16])> {
        self.parts.of(word, self.shape, Some((self.number, &self.part)))
    }

    /// A left half, with the right halves that bites across the middle block.
    fn leaf(&mut self, word: u32, crossed: &[u64]) -> Result<(), SolveError> {
        let Some(class) = self.shape.class(word, 0, 0) else {
            (0..self.shape.blocks).for_each(|_| self.part.end_block());
            return Ok(());
        };
        let size = self.shape.right_halves(class).len();
        let mut blocked = std::mem::take(&mut self.blocked);
        begin(&mut blocked, crossed, size);
        if self.is_first_of_empty_board(word) {
            // The empty board is no position, and nobody wins by leaving it.
            insert(&mut blocked, 0);
        }
        for left in word::bites(word) {
            for (block, ranks) in self.found(left) {
                unite(&mut blocked, block, ranks);
            }
        }
        self.scan(&mut blocked, class);
        self.blocked = blocked;
        match (self.on_progress)(size as u64) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(SolveError::Stopped),
        }
    }

    /// Whether this is the left half of the empty board, whose word is sorted.
    fn is_first_of_empty_board(&self, word: u32) -> bool {
        let ones = self.shape.columns.saturating_sub(self.shape.right);
        word == !(!0 << ones)
    }

    /// Finds the right halves that make P-positions.
    fn scan(&mut self, blocked: &mut [u64], class: u32) {
        for (block, words) in (0..self.shape.blocks).map(|block| (block, block * BLOCK_WORDS)) {
            for word in words..words + BLOCK_WORDS {
                while blocked[word] != !0 {
                    let rank = word * 64 + blocked[word].trailing_ones() as usize;
                    let in_block = u16::try_from(rank - block * BLOCK).expect("less than 2^16");
                    self.part.ranks.push(in_block);
                    insert(blocked, rank);
                    self.block_right(blocked, class, rank);
                }
            }
            self.part.end_block();
        }
    }

    /// Marks the right halves from which a bite leads to this one as blocked.
    #[inline]
    fn block_right(&self, blocked: &mut [u64], class: u32, rank: usize) {
        let Shape { shares, right, .. } = self.shape;
        for run in Runs::of(self.shape.right_halves(class)[rank], *right) {
            let factors = shares.of(run.factors(0));
            let others = rank - factors[0] as usize;
            for &share in &factors[1..] {
                insert(blocked, others + share as usize);
            }
        }
    }
}

/// Begins with the right halves that bites across the middle block, of this number of right halves.
/// All ranks past them count as blocked.
fn begin(blocked: &mut [u64], crossed: &[u64], size: usize) {
    let used = size.div_ceil(64);
    blocked[..used].copy_from_slice(&crossed[..used]);
    blocked[used..].fill(!0);
    if !size.is_multiple_of(64) {
        blocked[used - 1] |= !0 << (size % 64);
    }
}

/// Inserts these ranks of a block.
#[inline]
fn unite(blocked: &mut [u64], block: usize, ranks: &[u16]) {
    let (blocks, _) = blocked.as_chunks_mut::<BLOCK_WORDS>();
    let words = &mut blocks[block];
    for &rank in ranks {
        words[usize::from(rank) / 64] |= 1 << (rank % 64);
    }
}
