//! The exact path: one row through one column at a time, without assumptions about the windows.
//!
//! It computes the last cells of rows, and the tiles that fail a check of the kernel. Two lists
//! hold the numbers that the windows cannot hold (proofs/sweep.md, section 5).

use crate::band::below::Context;
use crate::band::geometry::{lane, low_bits, members, top_bits};
use crate::band::group::{Group, Held};
use crate::certify::StateWords;
use crate::hypothesis::Hypothesis;
use crate::units::{ColumnIndex, Number, index};
use smallvec::smallvec;

/// Numbers of a row that its windows cannot hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowExceptions {
    /// Row-free, between the two windows. Ascending.
    between: Vec<u64>,
    /// Values of the row below the low or above the high window.
    taken: Vec<u64>,
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
    pub(crate) low: u64,
    pub(crate) high: u64,
    pub(crate) low_anchor: u64,
    pub(crate) high_anchor: u64,
    pub(crate) exceptions: RowExceptions,
}

impl ExactRow {
    /// A row given by the words from `floor` on, where `floor` is not above the low window: their
    /// bits are row-free, no number below them is, and all numbers above them are.
    pub(crate) fn gather(low_anchor: u64, high_anchor: u64, floor: u64, words: &[u64]) -> Self {
        let end = floor + 64 * words.len() as u64;
        let free = |p: u64| {
            let bit = p - floor;
            let word = |at: u64| words.get(index(at)).copied().unwrap_or(u64::MAX);
            let (low, high) = (word(bit / 64), word(bit / 64 + 1));
            low >> (bit % 64) | high << 1 << (63 - bit % 64)
        };
        let mut exceptions = RowExceptions::default();
        for p in (low_anchor + 64..high_anchor).step_by(64) {
            let word = free(p) & low_bits(bits(high_anchor - p));
            exceptions.between.extend(members(p, word));
        }
        for p in (high_anchor + 64..end).step_by(64) {
            exceptions.taken.extend(members(p, !free(p)));
        }
        let (low, high) = (free(low_anchor), free(high_anchor));
        Self { low, high, low_anchor, high_anchor, exceptions }
    }

    /// Moves the windows to the next group, `shift` lower and higher; `q` is its first column that
    /// the row will meet.
    pub(crate) fn next_group(&mut self, q: ColumnIndex, shift: u32, context: Context) {
        let ColumnIndex(q) = q;
        let between = &mut self.exceptions.between;
        between.extend(members(self.low_anchor, self.low & top_bits(shift)));
        between.extend(members(self.high_anchor, self.high & low_bits(shift)));
        between.retain(|&p| p >= q);
        between.sort_unstable();
        self.low_anchor -= u64::from(shift);
        self.high_anchor += u64::from(shift);
        self.low =
            self.low << shift | context.diagonals.free(Number(self.low_anchor)) & low_bits(shift);
        self.high = self.high >> shift | top_bits(shift);
        for p in std::mem::take(&mut self.exceptions.taken) {
            if (self.low_anchor..self.low_anchor + 64).contains(&p) {
                self.low &= !(1 << (p - self.low_anchor));
            } else if (self.high_anchor..self.high_anchor + 64).contains(&p) {
                self.high &= !(1 << (p - self.high_anchor));
            } else if p >= q {
                self.exceptions.taken.push(p);
            }
        }
    }

    /// Decides the cell in column `q`, and enters its value in the row and in the column. If the
    /// column does not keep enough words, returns the hypothesis that fails.
    pub(crate) fn cell(
        &mut self,
        q: ColumnIndex,
        held: &mut Held,
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

    /// The value, if the windows alone decide it.
    fn window_value(&self, q: ColumnIndex, group: &Group) -> Option<Number> {
        let decides = self.exceptions.is_empty()
            && !group.has_exceptions()
            && self.low_anchor == group.low_anchor().0;
        if !decides {
            return None;
        }
        let below_q = bits(q.0.saturating_sub(self.low_anchor));
        let low = self.low & group.low.0[lane(q)] & !low_bits(below_q);
        if low != 0 {
            return Some(Number(self.low_anchor + u64::from(low.trailing_zeros())));
        }
        let high = self.high & group.high.0[lane(q)];
        (high != 0).then(|| Number(self.high_anchor + u64::from(high.trailing_zeros())))
    }

    /// The least row-free `p >= q` that is free in the column, by trying every candidate.
    #[cold]
    fn search(&self, q: ColumnIndex, held: &Held, context: Context) -> Result<Number, Hypothesis> {
        let (lane, ColumnIndex(q)) = (lane(q), q);
        let below =
            held.group().free_below(lane).filter(|&p| p >= q && p < self.low_anchor).filter(|p| {
                context.diagonals.is_free(Number(*p)) && !self.exceptions.taken.contains(p)
            });
        if let Some(p) = below.min() {
            return Ok(Number(p));
        }
        let top = self.high_anchor + 64;
        let row_free = members(self.low_anchor, self.low)
            .chain(self.exceptions.between.iter().copied())
            .chain(members(self.high_anchor, self.high))
            .chain((top..).filter(|p| !self.exceptions.taken.contains(p)));
        for p in row_free.filter(|&p| p >= q).map(Number) {
            if held.is_free(lane, p, context)? {
                return Ok(p);
            }
        }
        unreachable!("a column blocks finitely many")
    }

    /// Blocks a value of the row.
    pub(crate) fn take(&mut self, Number(p): Number) {
        if p < self.low_anchor {
            self.exceptions.taken.push(p);
        } else if p < self.low_anchor + 64 {
            self.low &= !(1 << (p - self.low_anchor));
        } else if p < self.high_anchor {
            self.exceptions.between.retain(|&between| between != p);
        } else if p < self.high_anchor + 64 {
            self.high &= !(1 << (p - self.high_anchor));
        } else {
            self.exceptions.taken.push(p);
        }
    }

    /// Whether a number of the low window, or below it, is row-free in column `q`.
    pub(crate) fn has_low(&self, ColumnIndex(q): ColumnIndex, context: Context) -> bool {
        let below_q = bits(q.saturating_sub(self.low_anchor));
        self.low & !low_bits(below_q) != 0
            || (q..self.low_anchor).any(|p| {
                context.diagonals.is_free(Number(p)) && !self.exceptions.taken.contains(&p)
            })
    }

    /// The number of consecutive blocked numbers just above the low window.
    pub(crate) fn gap(&self) -> u64 {
        let above = self.exceptions.between.first().copied().unwrap_or(self.high_anchor);
        above - self.low_anchor - 64
    }

    /// The least number above the low window that is row-free in column `q`, and the blocked
    /// numbers above it: bit `i` of the words is the number `i + 1` places higher.
    pub(crate) fn upper_part(&self, ColumnIndex(q): ColumnIndex) -> (Number, StateWords) {
        if self.exceptions.is_empty() && self.high != 0 {
            let least = self.high.trailing_zeros();
            return (
                Number(self.high_anchor + u64::from(least)),
                smallvec![!self.high >> least >> 1],
            );
        }
        let RowExceptions { between, taken } = &self.exceptions;
        let is_free = |p: u64| match p.checked_sub(self.high_anchor) {
            None => between.contains(&p),
            Some(bit @ 0..64) => self.high >> bit & 1 == 1,
            Some(_) => !taken.contains(&p),
        };
        let first = q.max(self.low_anchor + 64);
        let least = (first..).find(|&p| is_free(p)).expect("it blocks finitely many");
        let end = taken.iter().fold(self.high_anchor + 64, |end, &p| end.max(p + 1));
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
