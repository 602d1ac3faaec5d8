//! The columns of a group: the p that they leave free for the current row; and the p that
//! settled rows block, in every column.

use record::{Periodic, Record, column_weight};

use crate::certificate::value;
use crate::sets::BitSet;

/// Rows that have ended, or repeat their values.
pub(super) struct Settled<'a> {
    /// The offsets of the rows of period 1.
    pub(super) constant: BitSet,
    /// The rows of longer periods.
    pub(super) longer: Vec<&'a Periodic>,
    /// The diagonal values of all rows, and 0.
    pub(super) diagonal: BitSet,
}

impl<'a> Settled<'a> {
    pub(super) fn none() -> Self {
        let mut diagonal = BitSet::default();
        diagonal.insert(0);
        Self { constant: BitSet::default(), longer: Vec::new(), diagonal }
    }

    /// Adds a row with the diagonal value `first`.
    pub(super) fn add(&mut self, record: &'a Record, first: u32) {
        self.diagonal.insert(first);
        let Some(periodic) = record.periodic() else { return };
        match *periodic.values {
            [offset] => self.constant.insert(u32::try_from(offset).unwrap_or(u32::MAX)),
            _ => self.longer.push(periodic),
        }
    }

    /// The 64-bit words of a column.
    pub(super) fn words(&self) -> u64 {
        u64::from(self.constant.end().max(self.diagonal.end())).div_ceil(64)
    }
}

/// The p that are blocked in column q, as bits: 0, the diagonal values and the values of the rows
/// below the current row (fact 8(a)). It has the p up to the end of its bytes, past all that rows
/// take (fact 8(e)).
pub(super) struct Column<'f> {
    pub(super) q: u32,
    /// A byte, not past the byte of q. The p from its first one to q (exclusive) count as blocked,
    /// and the bytes before it mean nothing.
    pub(super) floor: u32,
    /// For each p whether it is free: bit `p mod 8` of byte `p / 8`.
    free: &'f mut [u8],
    /// No p from q to this byte (exclusive) is free.
    filled: u32,
    weight: u64,
}

/// The bits of a byte.
pub(super) const BITS: u32 = u8::BITS;

/// The columns of a group.
pub(super) struct Columns<'f> {
    pub(super) all: Vec<Column<'f>>,
    /// In none of them is a p free from the column's q to this byte (exclusive).
    pub(super) filled: u32,
}

impl<'f> Columns<'f> {
    /// The columns from q on, this number of them, before the first row that is not settled. Their
    /// bytes are used again for the next group.
    pub(super) fn new(q: u32, count: u32, settled: &Settled, bytes: &'f mut Vec<u8>) -> Self {
        // By Corollary 1a every p is at most 2q + 1, and by fact 8(e) words end 128 past it.
        let end = q.saturating_add(count).saturating_mul(2).saturating_add(192);
        // Neighbouring columns differ in their addresses modulo 4096, so the bytes of one p are in
        // different sets of the cache.
        let stride = byte_of(end).next_multiple_of(4096).saturating_add(192);
        bytes.resize(stride.saturating_mul(count as usize), 0);
        let columns = (q..).zip(bytes.chunks_exact_mut(stride));
        let columns = columns.map(|(column, free)| Column::new(column, q / BITS, free, settled));
        Self { all: columns.collect(), filled: 0 }
    }

    /// Whether in none of the columns a p from its q to the byte `end` (exclusive) is free.
    pub(super) fn are_filled_to(&mut self, end: u32) -> bool {
        if self.filled < end {
            let filled = self.all.iter_mut().map(Column::fill);
            self.filled = filled.min().unwrap_or(0);
        }
        self.filled >= end
    }
}

impl<'f> Column<'f> {
    /// Column q, before the first row that is not settled. `floor` is a byte, and not past q.
    pub(super) fn new(q: u32, floor: u32, free: &'f mut [u8], settled: &Settled) -> Self {
        let mut column =
            Self { q, floor, free, filled: q / BITS, weight: column_weight(u64::from(q)) };
        let first = (floor & !7).saturating_mul(BITS);
        let bytes = column.free.get_mut(byte_of(first)..).unwrap_or_default();
        bytes.fill(u8::MAX);
        settled.diagonal.remove_from(first, bytes);
        settled.constant.remove_shifted(q.saturating_sub(first), bytes);
        (floor.saturating_mul(BITS)..q).for_each(|p| column.block(p));
        for periodic in &settled.longer {
            column.block_value(periodic);
        }
        column
    }

    /// The part of a fingerprint that p contributes in this column.
    #[inline]
    pub(super) fn weighted(&self, p: u32) -> u64 {
        self.weight.wrapping_mul(u64::from(p.wrapping_sub(self.q)))
    }

    /// Takes the least free p of `low`, whose bits stand for the p from byte `base` on, or else of
    /// `high`, from byte `hi` on, past `low`. Returns its bit in each of the two words. `None` if
    /// there is none, or if a word passes the end.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop over the columns keeps words in registers")]
    pub(super) fn take(&mut self, base: u32, low: u64, hi: u32, high: u64) -> Option<(u64, u64)> {
        let free = &mut *self.free;
        let (free_low, free_high) = (word_at(free, base)?, word_at(free, hi)?);
        let (low, high) = (low & free_low, high & free_high);
        // All ones or nothing: a branch on it would be mispredicted half the time.
        let if_high = u64::from(low == 0).wrapping_neg();
        let (low, high) = (low & low.wrapping_neg(), high & high.wrapping_neg() & if_high);
        if low | high == 0 {
            return None;
        }
        set_word(free, base, free_low ^ low);
        set_word(free, hi, free_high ^ high);
        Some((low, high))
    }

    /// Whether no p from q to the byte `end` (exclusive) is free.
    pub(super) fn is_filled_to(&mut self, end: u32) -> bool {
        self.filled >= end || self.fill() >= end
    }

    /// A byte to which no p from q on is free: the byte of the least free p, but near the end.
    pub(super) fn fill(&mut self) -> u32 {
        while word_at(self.free, self.filled) == Some(0) {
            self.filled = self.filled.saturating_add(8);
        }
        let next = word_at(self.free, self.filled).unwrap_or(1);
        self.filled = self.filled.saturating_add(next.trailing_zeros() / BITS);
        self.filled
    }

    /// The least p from `first` on that is free. `first` is at least q.
    pub(super) fn next_free(&self, first: u32) -> u32 {
        let mut byte = first / BITS;
        let mut free = self.free_at(byte) >> (first % BITS) << (first % BITS);
        while free == 0 {
            byte = byte.saturating_add(8);
            free = self.free_at(byte);
        }
        byte.saturating_mul(BITS).saturating_add(free.trailing_zeros())
    }

    /// The 64 p from a byte on that are free. All are free near the end, where by fact 8(e) rows
    /// block none.
    fn free_at(&self, byte: u32) -> u64 {
        word_at(self.free, byte).unwrap_or(u64::MAX)
    }

    /// By fact 8(e) the column has all p that rows block.
    #[inline]
    pub(super) fn block(&mut self, p: u32) {
        debug_assert!(byte_of(p) < self.free.len(), "{p} is past the end of column {}", self.q);
        if let Some(byte) = self.free.get_mut(byte_of(p)) {
            *byte &= !(1 << (p & 7));
        }
    }

    /// Blocks the value of a row that is certified. All its offsets are at most r + 1, far below
    /// 2^32.
    pub(super) fn block_value(&mut self, periodic: &Periodic) {
        let offset = u32::try_from(value(periodic, u64::from(self.q))).unwrap_or(u32::MAX);
        self.block(self.q.saturating_add(offset));
    }
}

/// The bits of the eight bytes from one on, the least in the lowest bit of the first byte.
#[inline]
fn word_at(bytes: &[u8], first: u32) -> Option<u64> {
    let bytes = bytes.get(first as usize..(first as usize).wrapping_add(8))?;
    bytes.try_into().ok().map(u64::from_le_bytes)
}

#[inline]
fn set_word(bytes: &mut [u8], first: u32, word: u64) {
    if let Some(bytes) = bytes.get_mut(first as usize..(first as usize).wrapping_add(8)) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
}

fn byte_of(p: u32) -> usize {
    (p >> 3) as usize
}
