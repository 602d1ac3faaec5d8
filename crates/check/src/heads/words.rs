//! The p that a row leaves free, near the interval of those that it blocks.

use super::column::Column;
use super::diagonal::Diagonal;

/// Two words of p, for a row with the set D of diagonal values below it, that has taken the set T.
/// H1 to H5 are the invariants of fact 8, and hold for the p from the row's next column on.
#[derive(Clone, Copy)]
pub(super) struct Words {
    /// No p of T is less (H1). A multiple of 8, at most `hi`.
    pub(super) base: u32,
    /// The p from `base` on that are in neither D nor T (H2). From `base + 64` to before `hi` there
    /// are none (H3).
    pub(super) low: u64,
    /// A multiple of 8.
    pub(super) hi: u32,
    /// The p from `hi` to `hi + 63` that are not in T, nor, of those that were in the word when the
    /// row began, in D (H4). From `hi + 64` on none is in T (H5).
    pub(super) high: u64,
}

impl Words {
    /// Of a row that has taken nothing, from `floor` on, a multiple of 8.
    pub(super) fn empty(floor: u32) -> Self {
        Self { base: floor, low: 0, hi: floor, high: u64::MAX }
    }

    /// Of a row that has taken its diagonal value only.
    pub(super) fn begin(first: u32, row: u32, diagonal: &Diagonal) -> Self {
        let base = (first & !7).saturating_sub(u64::BITS - 8);
        let hi = base.saturating_add(u64::BITS);
        let low = diagonal.left_for(row, base, u64::BITS);
        let taken = 1_u64.checked_shl(first.saturating_sub(base)).unwrap_or(0);
        Self { base, low: low & !taken, hi, high: diagonal.left_for(row, hi, u64::BITS) }
    }

    /// Takes the least p from q on that neither the column nor D nor T blocks. `None` if the words
    /// do not show it. All numbers are less than 2^32 (fact 8(e)).
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "the loop over the columns keeps the words in registers"
    )]
    pub(super) fn take(&mut self, column: &mut Column) -> Option<u32> {
        if !column.is_filled_to(self.base) {
            return None;
        }
        let (low, high) =
            (self.low & column.free_at(self.base), self.high & column.free_at(self.hi));
        // All ones or nothing: a branch on it would be mispredicted half the time.
        let if_high = u64::from(low == 0).wrapping_neg();
        let (low, high) = (low & low.wrapping_neg(), high & high.wrapping_neg() & if_high);
        if low | high == 0 {
            return None;
        }
        let start = if low == 0 { self.hi } else { self.base };
        self.low ^= low;
        self.high ^= high;
        if self.high << (u64::BITS / 2) == 0 {
            self.raise_hi();
        }
        Some(start.wrapping_add((low | high).trailing_zeros()))
    }

    /// Lowers `base` until the column has no free p below it, and raises `hi`. False if a p that
    /// the row may still take would leave its word.
    pub(super) fn follow(&mut self, column: &mut Column, row: u32, diagonal: &Diagonal) -> bool {
        const MOST: u32 = u64::BITS - 8;
        while !column.is_filled_to(self.base) {
            let above_floor = self.base.saturating_sub(column.floor());
            let step = (self.low.leading_zeros() & !7).min(MOST).min(above_floor);
            if step == 0 {
                return false;
            }
            self.base = self.base.saturating_sub(step);
            self.low = self.low << step | diagonal.left_for(row, self.base, step);
        }
        self.raise_hi();
        true
    }

    /// Moves `hi` past bytes without a free p.
    #[cold]
    fn raise_hi(&mut self) {
        let used = self.high.trailing_zeros() & !7;
        self.hi = self.hi.saturating_add(used);
        self.high = up(self.high, used);
    }

    /// Forgets the p below `floor`, which no later column asks for. It is a multiple of 8.
    #[inline]
    pub(super) fn raise(&mut self, floor: u32) {
        if let Some(passed) = floor.checked_sub(self.base) {
            self.base = floor;
            self.low = self.low.checked_shr(passed).unwrap_or(0);
        }
        if let Some(passed) = floor.checked_sub(self.hi) {
            self.hi = floor;
            self.high = up(self.high, passed);
        }
    }

    /// No p of T is this one or larger (H5).
    pub(super) fn end(&self) -> u32 {
        self.hi.saturating_add(u64::BITS)
    }

    /// The p from q on that are in T, or in D as far as the words hold that, in ascending order.
    pub(super) fn taken(&self, q: u32) -> impl Iterator<Item = u32> {
        (self.base.max(q)..self.end()).filter(|&p| self.has_taken(p))
    }

    /// Whether p is in T, or in D as far as the words hold that.
    pub(super) fn has_taken(&self, p: u32) -> bool {
        let free =
            |word: u64, place: u32| word.checked_shr(place).is_some_and(|word| word & 1 == 1);
        match (p.checked_sub(self.base), p.checked_sub(self.hi)) {
            (_, Some(up)) => up < u64::BITS && !free(self.high, up),
            (Some(up), None) => !free(self.low, up),
            (None, None) => false,
        }
    }

    /// The least p from q on that is free, if the words show it; q otherwise.
    pub(super) fn least_free(&self, q: u32) -> u32 {
        let Some(skip) = q.checked_sub(self.base) else { return q };
        match self.low.checked_shr(skip).unwrap_or(0) {
            0 => self.hi.max(q),
            low => q.saturating_add(low.trailing_zeros()),
        }
    }

    /// If no p in `low` is left: the first p from q on that is in neither D nor T, if no member of
    /// D is larger, and the 64 p from there on that are in T.
    pub(super) fn interval(&self, q: u32) -> Option<(u32, u64)> {
        let hi = self.hi.max(q);
        if self.least_free(q) != hi {
            return None;
        }
        let high = up(self.high, hi.saturating_sub(self.hi));
        let used = high.trailing_zeros();
        Some((hi.saturating_add(used), !up(high, used)))
    }
}

/// The word from `places` further up: what enters is free.
fn up(word: u64, places: u32) -> u64 {
    !(!word).checked_shr(places).unwrap_or(0)
}
