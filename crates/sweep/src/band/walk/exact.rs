//! The exact path: one row through one column at a time, without assumptions about the windows.
//!
//! It computes the last cells of rows, and the tiles that fail a check of the kernel. Two lists
//! hold the numbers that the windows cannot hold (proofs/sweep.md, section 5).

use crate::band::below::Context;
use crate::band::geometry::{Anchors, HIGH, LOW, joined, lane, low_bits, members, top_bits};
use crate::band::group::{Group, GroupInBlock};
use crate::band::simd::{HIGH_PLACES, LOW_PART};
use crate::certify::StateWords;
use crate::hypothesis::Hypothesis;
use crate::units::{ColumnIndex, Number, index};
use smallvec::smallvec;
use std::collections::BTreeSet;

/// Numbers of a row that its windows cannot hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowExceptions {
    /// Row-free, between the two windows.
    between: BTreeSet<u64>,
    /// Values of the row below the low or above the high window.
    taken: BTreeSet<u64>,
}

impl RowExceptions {
    pub(crate) fn is_empty(&self) -> bool {
        self.between.is_empty() && self.taken.is_empty()
    }
}

/// A row in a group of columns: its row-free numbers.
///
/// They are: below the low window, the numbers that are no diagonal value; the bits of the low
/// window; `between`; the bits of the high window; and all numbers above that, except for `taken`.
#[derive(Clone, Debug)]
pub(crate) struct ExactRow {
    pub(crate) windows: u64,
    pub(crate) anchors: Anchors,
    pub(crate) exceptions: RowExceptions,
}

impl ExactRow {
    /// A row given by the words from `floor` on, where `floor` is not above the low window: their
    /// bits are row-free, no number below them is, and all numbers above them are.
    pub(crate) fn gather(anchors: Anchors, floor: u64, words: &[u64]) -> Self {
        let end = floor + 64 * words.len() as u64;
        let free = |p: u64| {
            let bit = p - floor;
            let word = |at: u64| words.get(index(at)).copied().unwrap_or(u64::MAX);
            let (low, high) = (word(bit / 64), word(bit / 64 + 1));
            low >> (bit % 64) | high << 1 << (63 - bit % 64)
        };
        let mut exceptions = RowExceptions::default();
        for p in (anchors.low_end()..anchors.high).step_by(64) {
            let word = free(p) & low_bits(bits(anchors.high - p));
            exceptions.between.extend(members(p, word));
        }
        for p in (anchors.high_end()..end).step_by(64) {
            exceptions.taken.extend(members(p, !free(p)));
        }
        let windows = joined(free(anchors.low), free(anchors.high));
        Self { windows, anchors, exceptions }
    }

    /// Moves the windows to the next group, `shift` lower and higher; `q` is its first column that
    /// the row will meet.
    pub(crate) fn next_group(&mut self, q: ColumnIndex, shift: u32, context: Context) {
        let ColumnIndex(q) = q;
        let anchors = self.anchors.moved(shift);
        let between = &mut self.exceptions.between;
        let inside = self.anchors.members(self.windows);
        between.extend(inside.filter(|p| (anchors.low_end()..anchors.high).contains(p)));
        between.retain(|&p| p >= q);
        let low = context.diagonals.free(Number(anchors.low)) & low_bits(shift);
        let moved = joined(self.windows << shift, self.windows >> LOW >> shift);
        let mut windows = moved | low | top_bits(shift);
        self.exceptions.taken.retain(|&p| {
            let bit = anchors.bit(p);
            windows &= !bit;
            bit == 0 && p >= q
        });
        (self.anchors, self.windows) = (anchors, windows);
    }

    /// Decides the cell in column `q`, and enters its value in the row and in the column. If the
    /// column does not keep enough words, returns the hypothesis that fails.
    pub(crate) fn cell(
        &mut self,
        q: ColumnIndex,
        held: &mut GroupInBlock,
        context: Context,
    ) -> Result<Number, Hypothesis> {
        let p = match self.window_value(q, held.group()) {
            Some(p) => p,
            None => self.search(q, held, context)?,
        };
        self.take(p);
        held.block(lane(q), p);
        Ok(p)
    }

    /// The value, if the windows alone decide it: the least number that they share, if no number
    /// below the low window is free in the column, and, for a number of the high window, none
    /// between the windows is free in the row.
    fn window_value(&self, q: ColumnIndex, group: &Group) -> Option<Number> {
        if group.free_below(lane(q)).next().is_some() {
            return None;
        }
        let both = self.shared(q, group)?;
        let decides = both & LOW_PART != 0 || self.exceptions.between.is_empty();
        self.anchors.members(both).next().filter(|_| decides).map(Number)
    }

    /// The numbers of the windows, from column `q` on, that are free in the row and in that column;
    /// `None` if the windows of the group are elsewhere.
    fn shared(&self, q: ColumnIndex, group: &Group) -> Option<u64> {
        let both = self.windows & group.windows.0[lane(q)] & !self.below(q);
        (self.anchors == group.anchors).then_some(both)
    }

    /// The places of the low window that are below column `q`.
    fn below(&self, ColumnIndex(q): ColumnIndex) -> u64 {
        low_bits(bits(q.saturating_sub(self.anchors.low))) & LOW_PART
    }

    /// The least row-free `p >= q` that is free in the column, by trying every candidate.
    #[cold]
    fn search(
        &self,
        q: ColumnIndex,
        held: &GroupInBlock,
        context: Context,
    ) -> Result<Number, Hypothesis> {
        let (lane, ColumnIndex(q)) = (lane(q), q);
        let is_free_below = |p| {
            (q..self.anchors.low).contains(&p)
                && context.diagonals.is_free(Number(p))
                && !self.exceptions.taken.contains(&p)
        };
        if let Some(p) = held.group().free_below(lane).find(|&p| is_free_below(p)) {
            return Ok(Number(p));
        }
        let windows = self.shared(ColumnIndex(q), held.group()).unwrap_or(self.windows);
        let row_free = members(self.anchors.low, windows & LOW_PART)
            .chain(self.exceptions.between.iter().copied())
            .chain(members(self.anchors.high, windows >> LOW))
            .chain((self.anchors.high_end()..).filter(|p| !self.exceptions.taken.contains(p)));
        for p in row_free.filter(|&p| p >= q).map(Number) {
            if held.is_free(lane, p, context)? {
                return Ok(p);
            }
        }
        unreachable!("a column blocks finitely many")
    }

    /// Blocks a value of the row.
    pub(crate) fn take(&mut self, Number(p): Number) {
        let bit = self.anchors.bit(p);
        if bit != 0 {
            self.windows &= !bit;
        } else if (self.anchors.low_end()..self.anchors.high).contains(&p) {
            self.exceptions.between.remove(&p);
        } else {
            self.exceptions.taken.insert(p);
        }
    }

    /// Whether a number of the low window, or below it, is row-free in column `q`.
    pub(crate) fn has_low(&self, q: ColumnIndex, context: Context) -> bool {
        self.windows & LOW_PART & !self.below(q) != 0
            || (q.0..self.anchors.low).any(|p| {
                context.diagonals.is_free(Number(p)) && !self.exceptions.taken.contains(&p)
            })
    }

    /// The most consecutive blocked numbers between the windows.
    pub(crate) fn gap(&self) -> u64 {
        let (mut least, mut most) = (self.anchors.low_end(), 0);
        for &free in self.exceptions.between.iter().chain([&self.anchors.high]) {
            most = most.max(free - least);
            least = free + 1;
        }
        most
    }

    /// The least number above the low window that is row-free in column `q`, and the blocked
    /// numbers above it: bit `i` of the words is the number `i + 1` places higher.
    pub(crate) fn upper_part(&self, ColumnIndex(q): ColumnIndex) -> (Number, StateWords) {
        let high = self.windows >> LOW;
        if self.exceptions.is_empty() && high != 0 {
            let least = high.trailing_zeros();
            let blocked = high ^ low_bits(HIGH_PLACES);
            return (
                Number(self.anchors.high + u64::from(least)),
                smallvec![blocked >> least >> 1],
            );
        }
        let RowExceptions { between, taken } = &self.exceptions;
        let is_free = |p: u64| match p.checked_sub(self.anchors.high) {
            None => between.contains(&p),
            Some(bit @ 0..HIGH) => high >> bit & 1 == 1,
            Some(_) => !taken.contains(&p),
        };
        let first = q.max(self.anchors.low_end());
        let least = (first..).find(|&p| is_free(p)).expect("it blocks finitely many");
        let end = taken.last().map_or(0, |last| last + 1).max(self.anchors.high_end());
        let mut words: StateWords = smallvec![0; index((end.saturating_sub(least)).div_ceil(64))];
        for p in (least + 1..end).filter(|&p| !is_free(p)) {
            words[index((p - least - 1) / 64)] |= 1 << ((p - least - 1) % 64);
        }
        (Number(least), words)
    }
}

/// A number of places in a word, at most all.
fn bits(n: u64) -> u32 {
    u32::try_from(n.min(64)).expect("at most 64")
}
