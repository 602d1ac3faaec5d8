//! The walk through all positions of three rows, block by block; and sets of Grundy values.
//!
//! A *block* is some consecutive lengths. All positions with p, q and r in one block each are a
//! *tile*, which is walked with q in the outer loop and p in the inner one, so that every bite
//! leads to an earlier position. A *walker* goes through all tiles with its own block of q, and
//! keeps the values that the bites in the bottom row reach. A *slice* has the values that the bites
//! in the middle row reach, for one block of r; the walkers of the [`ring`] take it one after the
//! other. The values that the bites in the top row reach are kept for one walker and one slice.

use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::{ControlFlow, RangeInclusive};

use crate::threads::{Turn, ring};
use crate::{OnProgress, SolveError, insert, report};

/// The lengths of a block.
const BLOCK: usize = 8;

/// Pairs of them.
const PAIRS: usize = BLOCK * BLOCK;

/// The number of blocks of the lengths from 0 to this one.
pub(super) fn blocks(longest: usize) -> usize {
    longest / BLOCK + 1
}

/// The lengths of a block. The last ones may be longer than the longest row.
fn lengths(block: usize, longest: usize) -> RangeInclusive<usize> {
    block * BLOCK..=last(block).min(longest)
}

/// The last length of a block.
fn last(block: usize) -> usize {
    block * BLOCK + BLOCK - 1
}

/// The place of a pair of lengths in their blocks.
fn pair(one: usize, other: usize) -> usize {
    one % BLOCK * BLOCK + other % BLOCK
}

/// The largest number of bytes of a walk.
pub(super) fn memory(longest: usize, threads: NonZero<usize>) -> u64 {
    let (blocks, walkers) = (blocks(longest) as u64, threads.get() as u64);
    let (block, pairs) = (BLOCK as u64, PAIRS as u64);
    let last = |block: u64| last(0) as u64 + block * BLOCK as u64;
    let sum_of_last = |first: u64, end: u64| (end - first) * (last(first) + last(end - 1)) / 2;
    // Of this number of sets, which have this number of bits together.
    let bytes = |sets: u64, bits: u64| bits / 8 + 8 * sets;
    let middle = |q: u64| {
        let (rows, columns) = (q + 1, blocks - q);
        let bits = 2 * sum_of_last(q, blocks) * rows + sum_of_last(0, rows) * columns;
        pairs * bytes(rows * columns, bits)
    };
    // Different walkers are at different q. Each drops its sets before the next allocates them.
    let middle = (0..blocks).map(middle).max().unwrap_or(0);
    let longest = last(blocks - 1);
    let diagonals = blocks * block * bytes(1, 3 * longest);
    let bottom = pairs * bytes(blocks, 3 * sum_of_last(0, blocks));
    let top = pairs * bytes(1, 3 * longest);
    middle + 2 * diagonals + walkers * (bottom + top)
}

/// Walks through all positions with `p <= longest`, and calls `visit` with each and its value, as
/// soon as both `q` and `r` are done for all shorter top rows. Those with p = q = r come in order.
pub(super) fn walk(
    longest: usize,
    threads: NonZero<usize>,
    on_progress: &OnProgress,
    tell: &(impl Fn([usize; 3], u32) -> ControlFlow<()> + Sync),
) -> Result<(), SolveError> {
    let walk = |(): &mut (), turn: &Turn<_>| follow(longest, turn, on_progress, tell);
    ring(blocks(longest), threads, || (), walk).map(drop)
}

/// A walker sends slices, and with its last one the edge.
type Message = (Slice, Option<Edge>);

/// One walker.
fn follow(
    longest: usize,
    turn: &Turn<Message>,
    on_progress: &OnProgress,
    tell: &impl Fn([usize; 3], u32) -> ControlFlow<()>,
) -> Result<(), SolveError> {
    let block = turn.walker;
    let bound = |p: usize| last(p) + 2 * last(block);
    let bottom = (block..blocks(longest)).map(|p| Sets::none(PAIRS, bound(p))).collect();
    let mut walker = BlockWalker { block, longest, bottom, tell };
    let mut edge = None;
    for r in 0..block {
        let (mut slice, last) = turn.take()?;
        edge = last;
        // Top rows as short as the middle rows of the walker before.
        slice.middle.pop_front();
        walker.walk(r, &mut slice, None)?;
        turn.hand_on((slice, None))?;
        report(on_progress, 1)?;
    }
    let mut edge = edge.unwrap_or_else(|| Edge {
        columns: (0..blocks(longest)).map(|p| Sets::none(BLOCK, 3 * last(p))).collect(),
        corner: Sets::none(1, 3 * longest),
    });
    // No walker has taken this slice yet.
    let bound = |p: usize| 2 * last(p) + last(block);
    let middle = (block..blocks(longest)).map(|p| Sets::none(PAIRS, bound(p))).collect();
    let mut slice = Slice { middle, diagonal: Sets::none(BLOCK, 3 * longest) };
    walker.walk(block, &mut slice, Some(&mut edge))?;
    turn.hand_on((slice, Some(edge)))?;
    report(on_progress, 1)
}

/// The values that the bites in the middle row reach, for one block of r.
struct Slice {
    /// For each block of p from the block of q on, and for each p and r: the values of
    /// `(p,q',min(r,q'))` for all q' that are done.
    middle: VecDeque<Sets>,
    /// For each r: the values of `(p',p',min(r,p'))` for all p' that are done.
    diagonal: Sets,
}

/// The values where q = r, with which new slices begin.
struct Edge {
    /// Of each block of p, for each p: the values of `(p,q',q')` for all q' that are done.
    columns: Vec<Sets>,
    /// The values of `(p',p',p')` for all p' that are done.
    corner: Sets,
}

/// Goes through all positions with q in one block.
struct BlockWalker<'a, T> {
    block: usize,
    longest: usize,
    /// Of each block of p from this one on, for each p and q: the values of `(p,q,r')` for all r'
    /// that are done.
    bottom: Vec<Sets>,
    tell: &'a T,
}

impl<T: Fn([usize; 3], u32) -> ControlFlow<()>> BlockWalker<'_, T> {
    /// Takes one slice, which is new if there is an edge.
    fn walk(
        &mut self,
        r_block: usize,
        slice: &mut Slice,
        mut edge: Option<&mut Edge>,
    ) -> Result<(), SolveError> {
        let mut top = Top { sets: Sets::none(PAIRS, 3 * self.longest), full: [0; PAIRS] };
        for p_block in self.block..blocks(self.longest) {
            for q in lengths(self.block, self.longest) {
                for r in lengths(r_block, q) {
                    let edge = edge.as_deref_mut().filter(|_| q == r);
                    if p_block == self.block {
                        top.begin(q, r, slice, edge.as_deref());
                    }
                    self.go([p_block, q, r], &mut top, slice, edge)?;
                }
            }
        }
        Ok(())
    }

    /// Goes through the top rows of one block. There is an edge if q = r.
    fn go(
        &mut self,
        [p_block, q, r]: [usize; 3],
        top: &mut Top,
        slice: &mut Slice,
        mut edge: Option<&mut Edge>,
    ) -> Result<(), SolveError> {
        let (top, full) = top.get_mut(q, r);
        let ahead = p_block - self.block;
        for p in lengths(p_block, self.longest).filter(|&p| p >= q.max(1)) {
            let middle = slice.middle[ahead].get_mut(pair(p, r));
            let bottom = self.bottom[ahead].get_mut(pair(p, q));
            if let Some(edge) = &edge {
                copy(edge.columns[p_block].get(p % BLOCK), middle);
            }
            let words = words(p + q + r);
            let value = mex([&top[..words], &middle[..words], &bottom[..words]], *full);
            for set in [&mut *top, middle, bottom] {
                insert(set, value);
            }
            *full = full_words(top, *full);
            if p == q {
                insert(slice.diagonal.get_mut(r % BLOCK), value);
            }
            if let Some(edge) = &mut edge {
                insert(edge.columns[p_block].get_mut(p % BLOCK), value);
                if p == q {
                    insert(edge.corner.get_mut(0), value);
                }
            }
            let value = u32::try_from(value).expect("less than 3n");
            if (self.tell)([p, q, r], value).is_break() {
                return Err(SolveError::Stopped);
            }
        }
        Ok(())
    }
}

/// For each q and r of two blocks: the values of `(p',min(q,p'),min(r,p'))` for all p' that are
/// done, and how many words of that set are full.
struct Top {
    sets: Sets,
    full: [usize; PAIRS],
}

impl Top {
    fn get_mut(&mut self, q: usize, r: usize) -> (&mut [u64], &mut usize) {
        let pair = pair(q, r);
        (self.sets.get_mut(pair), &mut self.full[pair])
    }

    /// Enters what top rows less than q long give. There is an edge if q = r.
    fn begin(&mut self, q: usize, r: usize, slice: &mut Slice, edge: Option<&Edge>) {
        let shorter = slice.diagonal.get_mut(r % BLOCK);
        if let Some(edge) = edge {
            copy(edge.corner.get(0), shorter);
        }
        let (top, full) = self.get_mut(q, r);
        copy(shorter, top);
        *full = full_words(top, 0);
    }
}

/// The bits of a word.
const BITS: usize = 64;

/// Sets of numbers up to a bound, the same for all of them.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    words: Vec<u64>,
    /// The words of one set.
    each: usize,
}

impl Sets {
    /// This number of empty sets.
    pub(super) fn none(sets: usize, bound: usize) -> Self {
        let each = words(bound);
        Self { words: vec![0; sets * each], each }
    }

    pub(super) fn get(&self, set: usize) -> &[u64] {
        &self.words[set * self.each..][..self.each]
    }

    pub(super) fn get_mut(&mut self, set: usize) -> &mut [u64] {
        &mut self.words[set * self.each..][..self.each]
    }

    /// The sets from this one on.
    pub(super) fn rest_mut(&mut self, set: usize) -> impl Iterator<Item = &mut [u64]> {
        self.words[set * self.each..].chunks_exact_mut(self.each)
    }
}

/// The words of a set of numbers up to a bound.
pub(super) fn words(bound: usize) -> usize {
    bound / BITS + 1
}

/// Copies a set. The sets may have different sizes; a number that only one has room for is not in
/// it.
fn copy(from: &[u64], to: &mut [u64]) {
    let common = from.len().min(to.len());
    to[..common].copy_from_slice(&from[..common]);
    to[common..].fill(0);
}

/// The least number in none of three sets, which have the same words. The first of them has all
/// numbers of the words before `from`.
pub(super) fn mex(sets: [&[u64]; 3], from: usize) -> usize {
    let [a, b, c] = sets.map(|set| &set[from..]);
    let (chunks, _) = a.as_chunks::<8>();
    let full = chunks.iter().zip(b.as_chunks().0).zip(c.as_chunks().0).take_while(|((a, b), c)| {
        let [a, b, c]: [&[u64; 8]; 3] = [a, b, c];
        let all = (0..8).fold(u64::MAX, |all, word| all & (a[word] | b[word] | c[word]));
        all == u64::MAX
    });
    let begin = 8 * full.count();
    let words = a[begin..].iter().zip(&b[begin..]).zip(&c[begin..]).map(|((a, b), c)| a | b | c);
    for (word, union) in (from + begin..).zip(words) {
        if union != u64::MAX {
            return word * BITS + union.trailing_ones() as usize;
        }
    }
    unreachable!("a position has fewer options than the sets have room for")
}

/// The number of full words at the beginning of a set. The first `known` words are full.
fn full_words(set: &[u64], known: usize) -> usize {
    known + set[known..].iter().take_while(|&&word| word == u64::MAX).count()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use game::{Board, ThreeRows};

    use super::super::within::Table;
    use super::*;

    /// Every position, against the table of all boards within a board.
    #[test]
    fn all_values_are_those_of_the_table() {
        let around = Board::rectangle(3, 100).expect("a board");
        let table = Table::of(&around, &|_| ControlFlow::Continue(())).expect("a small board");
        let value = |position| table.value(&Board::try_from(position).expect("short rows"));
        for (longest, threads) in [(0, 1), (1, 3), (7, 2), (8, 2), (30, 1), (57, 3), (100, 2)] {
            let threads = NonZero::new(threads).expect("not 0");
            let found = Mutex::new(Vec::new());
            let tell = |lengths: [usize; 3], value: u32| {
                let [p, q, r] = lengths.map(|length| length as u64);
                let position = ThreeRows::new(p, q, r).expect("a position");
                found.lock().expect("nobody panics").push((position, u64::from(value)));
                ControlFlow::Continue(())
            };
            walk(longest, threads, &|_| ControlFlow::Continue(()), &tell).expect("not stopped");
            let mut found = found.into_inner().expect("nobody panics");
            found.sort_unstable();
            let expected = ThreeRows::up_to(longest as u64)
                .map(|position| (position, value(position).expect("it is within").into()));
            assert!(expected.eq(found), "{longest}");
        }
    }
}
