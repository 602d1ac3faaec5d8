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

use super::parts::{BLOCK, Halves, Part, Parts};
use super::words::{Factor, bites, first_sorted, last_letters, sorted_factors, zeros};
use crate::{OnProgress, SolveError, insert, report};

/// A set of right halves with the same number of zeros, by rank.
type Set = Vec<u64>;

/// Words of a block of a [`Set`].
const BLOCK_WORDS: usize = BLOCK / 64;

/// The right halves that are blocked by bites across the middle that begin in a node: a set for
/// each number of ones that follow the node in the left half.
pub(super) type Crossed = Vec<Set>;

/// Room for the nodes from the root to a leaf.
pub(super) fn room(halves: &Halves) -> Vec<Crossed> {
    let crossed =
        |letters| vec![vec![0; halves.blocks * BLOCK_WORDS]; (halves.left - letters) as usize + 1];
    (0..=halves.left).map(crossed).collect()
}

/// Goes through the left halves of a part.
pub(super) struct PartWalker<'a> {
    halves: &'a Halves,
    parts: &'a Parts,
    on_progress: &'a OnProgress<'a>,
    number: u32,
    part: Part,
    blocked: Set,
}

impl<'a> PartWalker<'a> {
    /// Finds a part. Those that it needs are known.
    pub(super) fn walk(
        parts: &'a Parts,
        number: u32,
        room: &mut [Crossed],
        on_progress: &'a OnProgress<'a>,
    ) -> Result<Part, SolveError> {
        let halves = &parts.halves;
        let blocked = vec![0; halves.blocks * BLOCK_WORDS];
        let mut walker =
            Self { halves, parts, on_progress, number, part: Part::new(halves, number), blocked };
        // Nothing is blocked at the root.
        let (root, room) = room.split_first_mut().expect("room for the root");
        walker.descend(0, 0, root, room)?;
        walker.part.ranks.shrink_to_fit();
        Ok(walker.part)
    }

    /// All left halves of the part that begin with a node of this number of letters.
    fn descend(
        &mut self,
        node: u32,
        letters: u32,
        crossed: &Crossed,
        room: &mut [Crossed],
    ) -> Result<(), SolveError> {
        if letters == self.halves.left {
            return self.leaf(node, &crossed[0]);
        }
        let (own, deeper) = room.split_first_mut().expect("room for each node");
        let after = self.halves.numbered.checked_sub(letters + 1);
        let may_be = |letter| after.is_none_or(|after| self.number >> after & 1 == letter);
        let [zero, one] = [0, 1].map(may_be);
        if zero {
            self.descend(node << 1, letters + 1, crossed, deeper)?;
        }
        if one {
            self.cross(node, letters, crossed, own);
            self.descend(node << 1 | 1, letters + 1, own, deeper)?;
        }
        Ok(())
    }

    /// The right halves that bites across the middle block after a node followed by a one, for each
    /// number of further ones: those `crossed` at the node, and those that bites beginning at this
    /// one block.
    fn cross(&self, node: u32, letters: u32, crossed: &Crossed, own: &mut Crossed) {
        let to_come = self.halves.left - letters;
        // Of these letters, those that number the part are given.
        let given = self.halves.numbered.saturating_sub(letters + 1);
        let given_ones = last_letters(self.number, given).count_ones();
        for ones in given_ones + 1..=given_ones + to_come - given {
            let size = self.halves.right_halves(node.count_ones() + ones).len();
            if size == 0 {
                continue;
            }
            let set = &mut own[ones as usize - 1][..size.div_ceil(64)];
            set.copy_from_slice(&crossed[ones as usize][..size.div_ceil(64)]);
            for kept in 0..ones {
                self.block_across(node << to_come, ones, kept, set);
            }
        }
    }

    /// Takes the bites that leave `kept` of the `ones` after a node, and adds the right halves that
    /// they block. The node is given with zeros after it. In the left half these bites leave the
    /// node, zeros, and the `kept` ones. If `kept` is not 0, they leave only ones in their part of
    /// the right half.
    fn block_across(&self, zeros_after_node: u32, ones: u32, kept: u32, set: &mut [u64]) {
        let Halves { shares, right, .. } = self.halves;
        let left_half = zeros_after_node | !(!0 << kept);
        // Each one that leaves the left half is a zero that comes from the right half.
        let moved = ones - kept;
        let right_halves = self.halves.right_halves(left_half.count_ones());
        let Some(all_zeros) = right_halves.first().map(|&word| zeros(word, *right)) else { return };
        for (block, ranks) in self.found(left_half) {
            for rank in ranks.iter().map(|&rank| block * BLOCK + usize::from(rank)) {
                let factor = first_sorted(right_halves[rank], *right, all_zeros);
                if kept > 0 && factor.zeros > 0 || factor.letters - factor.zeros < moved {
                    continue;
                }
                let others = rank - shares.of(factor)[0] as usize;
                for &share in shares.of(Factor { zeros: factor.zeros + moved, ..factor }) {
                    insert(set, others + share as usize);
                }
            }
        }
    }

    /// The P-positions of a left half that comes before.
    fn found(&self, word: u32) -> impl Iterator<Item = (usize, &[u16])> {
        self.parts.of(word, Some((self.number, &self.part)))
    }

    /// A left half, with the right halves that bites across the middle block.
    fn leaf(&mut self, word: u32, crossed: &[u64]) -> Result<(), SolveError> {
        let right_halves = self.halves.right_halves(word.count_ones());
        let size = right_halves.len();
        if size == 0 {
            return Ok(());
        }
        let mut blocked = std::mem::take(&mut self.blocked);
        let blocks = size.div_ceil(BLOCK);
        begin(&mut blocked[..blocks * BLOCK_WORDS], crossed, size);
        let ones_of_empty_board = self.halves.columns.saturating_sub(self.halves.right);
        if word == !(!0 << ones_of_empty_board) {
            // The empty board is no position, and nobody wins by leaving it. Its word is sorted.
            insert(&mut blocked, 0);
        }
        for left in bites(word) {
            for (block, ranks) in self.found(left) {
                unite(&mut blocked, block, ranks);
            }
        }
        self.scan(&mut blocked, right_halves, blocks);
        self.blocked = blocked;
        report(self.on_progress, size as u64)
    }

    /// Finds the right halves that make P-positions, among these blocks.
    fn scan(&mut self, blocked: &mut [u64], right_halves: &[u32], blocks: usize) {
        for (block, words) in (0..blocks).map(|block| (block, block * BLOCK_WORDS)) {
            for word in words..words + BLOCK_WORDS {
                while blocked[word] != !0 {
                    let rank = word * 64 + blocked[word].trailing_ones() as usize;
                    let in_block = u16::try_from(rank - block * BLOCK).expect("less than 2^16");
                    self.part.ranks.push(in_block);
                    insert(blocked, rank);
                    self.block_right(blocked, right_halves[rank], rank);
                }
            }
            self.part.end_block();
        }
    }

    /// Marks the right halves from which a bite leads to this one as blocked.
    #[inline]
    fn block_right(&self, blocked: &mut [u64], right_half: u32, rank: usize) {
        let Halves { shares, right, .. } = self.halves;
        for factor in sorted_factors(right_half, *right) {
            let factors = shares.of(factor);
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
