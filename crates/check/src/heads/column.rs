//! One column: the p that it blocks for the row at hand.

use record::{Periodic, column_weight};

use super::settled::Settled;
use crate::certificate::value;

/// The p that are blocked in column q, as bits: 0, the diagonal values and the values of the rows
/// below the row at hand (fact 8(a)).
#[derive(Default)]
pub(super) struct Column {
    q: u32,
    /// Bit p is meaningful for `p >= floor`. The p from `floor` to q (exclusive) count as blocked.
    floor: u32,
    /// For each p whether it is free: bit `p mod 8` of byte `p / 8`. All are free past the end.
    free: Vec<u8>,
    /// No p from q to this one (exclusive) is free. Only [`Column::is_filled_to`] makes it larger.
    filled: u32,
    weight: u64,
}

impl Column {
    /// Column q, before the first row that is not settled. `floor` is a multiple of 8, and at most
    /// q.
    pub(super) fn prepare(&mut self, q: u32, floor: u32, settled: &Settled) {
        (self.q, self.floor, self.filled) = (q, floor, q);
        self.weight = column_weight(u64::from(q));
        let first = floor & !63;
        // By Corollary 1a every p is at most 2q + 1, and by fact 8(e) words end 128 past it.
        let end = q.saturating_mul(2).saturating_add(192);
        self.free.resize(byte_of(first), 0);
        self.free.resize(byte_of(end), u8::MAX);
        let (_, bytes) = self.free.split_at_mut(byte_of(first));
        settled.diagonal.remove_from(first, bytes);
        settled.constant.remove_shifted(q.saturating_sub(first), bytes);
        (floor..q).for_each(|p| self.block(p));
        for periodic in &settled.longer {
            self.block_value(periodic);
        }
    }

    pub(super) fn q(&self) -> u32 {
        self.q
    }

    pub(super) fn floor(&self) -> u32 {
        self.floor
    }

    /// The part of a fingerprint that p contributes in this column.
    #[inline]
    pub(super) fn weighted(&self, p: u32) -> u64 {
        self.weight.wrapping_mul(u64::from(p.wrapping_sub(self.q)))
    }

    /// The 64 p from `first` on that are free, the least in the lowest bit. `first` is a multiple
    /// of 8, and at least `floor`.
    #[inline]
    pub(super) fn free_at(&self, first: u32) -> u64 {
        match self.free.get(byte_of(first)..).and_then(<[u8]>::first_chunk) {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => self.free_at_end(first),
        }
    }

    /// The same where fewer than eight bytes are left.
    #[cold]
    fn free_at_end(&self, first: u32) -> u64 {
        let bytes = self.free.get(byte_of(first)..).unwrap_or_default();
        bytes.iter().rev().fold(u64::MAX, |free, byte| free << 8 | u64::from(*byte))
    }

    /// Whether no p from q to `end` (exclusive) is free.
    #[inline]
    pub(super) fn is_filled_to(&mut self, end: u32) -> bool {
        self.filled >= end || self.fill_to(end)
    }

    #[inline(never)]
    fn fill_to(&mut self, end: u32) -> bool {
        self.filled = self.next_free(self.filled);
        self.filled >= end
    }

    /// The least p from `first` on that is free. `first` is at least q.
    pub(super) fn next_free(&self, first: u32) -> u32 {
        let mut place = first & !7;
        let mut free = self.free_at(place) >> (first & 7) << (first & 7);
        while free == 0 {
            place = place.saturating_add(u64::BITS);
            free = self.free_at(place);
        }
        place.saturating_add(free.trailing_zeros())
    }

    #[inline]
    pub(super) fn block(&mut self, p: u32) {
        match self.free.get_mut(byte_of(p)) {
            Some(byte) => *byte &= !(1 << (p & 7)),
            None => self.block_past_end(p),
        }
    }

    #[cold]
    fn block_past_end(&mut self, p: u32) {
        self.free.resize(byte_of(p).saturating_add(1), u8::MAX);
        self.block(p);
    }

    /// Blocks the value of a row that is certified. All its offsets are at most r + 1, far below
    /// 2^32.
    pub(super) fn block_value(&mut self, periodic: &Periodic) {
        let offset = u32::try_from(value(periodic, u64::from(self.q))).unwrap_or(u32::MAX);
        self.block(self.q.saturating_add(offset));
    }
}

fn byte_of(p: u32) -> usize {
    (p >> 3) as usize
}
