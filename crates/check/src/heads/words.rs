//! The p that a row leaves free, near the interval of those that it blocks.
//!
//! *Life.* A row ([`Live`](super::row::Live)) owns its words. [`Words::begin`] makes them in the
//! row's own column, when it has taken its diagonal value. In each later column [`Words::take`]
//! clears one bit, that of the p that the row takes. Both words follow the interval: `low` moves
//! down to the least p that a column leaves free, and up with the columns; `high` moves up past
//! bytes without a free p. The words end with the row, or earlier if a p that the row may still
//! take would leave `low`: then the row keeps a set instead, for good.
//!
//! *Example.* Row 120 takes 206 first. The byte of 206 is the last one of `low`, so `low` stands
//! for 144 to 207 and `high` for 208 to 271. D leaves 145, 147, 149, ..., 203, 205, 206, 207 in
//! `low`; 206 is taken. In `high` all are free, as D has nothing past 204. In columns 121 to 124
//! the row takes 205 and 207 from `low`, 208 from `high`, and 203 from `low`.
//!
//! [`Diagonal`] has the diagonal values, which every row needs of the rows below it.

use record::Record;

use super::column::{BITS, Column};

/// For each row, the set D of 0 and the diagonal values of the rows below it: from the records, as
/// they state it. A record is compared with the computed value in the first cell of its row, and
/// every cell that asks for it comes later (fact 8(a)).
#[derive(Default)]
pub(super) struct Diagonal {
    /// For each p the first row whose D has it.
    blocked_from: Vec<u32>,
    /// For each byte of p, as far as p goes.
    bytes: Vec<Byte>,
    /// For each row, one past the largest member of D.
    pub(super) ends: Vec<u32>,
    /// Every row keeps a set: for tests, since no known row needs one.
    pub(super) all_far: bool,
}

/// Eight p: the D of rows from `from` on have the same of them, and leave those whose bits are 1.
#[derive(Clone, Copy)]
struct Byte {
    left: u8,
    from: u32,
}

impl Diagonal {
    pub(super) fn new(rows: &[Record]) -> Self {
        let mut diagonal = Self::default();
        diagonal.block_from(0, 0);
        let mut end = 1;
        for (above, record) in (1_u32..).zip(rows) {
            diagonal.ends.push(end);
            // By Corollary 1a a diagonal value is less: another one is refuted in its own column.
            let least_wrong = above.saturating_mul(2);
            let first = record.first().and_then(|first| u32::try_from(first).ok());
            if let Some(first) = first.filter(|&first| first < least_wrong) {
                diagonal.block_from(first, above);
                end = end.max(first.saturating_add(1));
            }
        }
        diagonal
    }

    /// Notes that p is in D for `row` and the rows above it.
    pub(super) fn block_from(&mut self, p: u32, row: u32) {
        let (place, byte) = (p as usize, (p / BITS) as usize);
        if self.bytes.len() <= byte {
            self.bytes.resize(byte.saturating_add(1), Byte { left: u8::MAX, from: 0 });
            self.blocked_from.resize(self.bytes.len().saturating_mul(8), u32::MAX);
        }
        if let (Some(from), Some(byte)) =
            (self.blocked_from.get_mut(place), self.bytes.get_mut(byte))
        {
            *from = row.min(*from);
            byte.left &= !(1 << (p % BITS));
            byte.from = row.max(byte.from);
        }
    }

    /// Whether D of this row has p.
    pub(super) fn blocks(&self, p: u32, row: u32) -> bool {
        self.blocked_from.get(p as usize).is_some_and(|&from| from <= row)
    }

    /// The p of bytes from one on, at most eight, that are not in D of this row.
    pub(super) fn left_for(&self, row: u32, first: u32, bytes: u32) -> u64 {
        let places = (0..bytes).zip(first..);
        places.fold(0, |left, (place, byte)| {
            left | u64::from(self.left_in_byte(row, byte)) << place.wrapping_mul(BITS)
        })
    }

    fn left_in_byte(&self, row: u32, byte: u32) -> u8 {
        match self.bytes.get(byte as usize) {
            None => u8::MAX,
            Some(&Byte { left, from }) if from <= row => left,
            Some(_) => {
                let places = (0..BITS).zip(byte.wrapping_mul(BITS)..);
                let left = places.filter(|&(_, p)| !self.blocks(p, row));
                left.fold(0, |left, (place, _)| left | 1 << place)
            }
        }
    }

    /// One past the largest member of D of this row.
    pub(super) fn end(&self, row: u32) -> u32 {
        self.ends.get(row as usize).copied().unwrap_or(u32::MAX)
    }
}

/// Two words of p, for a row with the set D of diagonal values below it, that has taken the set T.
/// H1 to H4 are the invariants of fact 8, and hold for the p from the row's next column on. Places
/// are in bytes: `base` stands for the number `8 * base`.
#[derive(Clone, Copy)]
pub(super) struct Words {
    /// No p of T is less (H1).
    pub(super) base: u32,
    /// The 64 p from `base` on that are not in T, nor, of those that were in the word when they
    /// entered it, in D (H2). From there to before `hi` all are in D or T (H3).
    pub(super) low: u64,
    /// At least `base + 8` (H1).
    pub(super) hi: u32,
    /// The same for the 64 p from `hi` on (H2). Past them none is in T (H4).
    pub(super) high: u64,
}

/// The bytes of a word.
const BYTES: u32 = 8;

impl Words {
    /// Of a row that has taken nothing, from a byte on.
    pub(super) fn empty(base: u32) -> Self {
        Self { base, low: u64::MAX, hi: base.saturating_add(BYTES), high: u64::MAX }
    }

    /// Of a row that has taken its diagonal value only.
    pub(super) fn begin(first: u32, row: u32, diagonal: &Diagonal) -> Self {
        let base = (first / BITS).saturating_sub(BYTES - 1);
        let hi = base.saturating_add(BYTES);
        let left = |byte| diagonal.left_for(row, byte, BYTES);
        let taken = 1_u64.checked_shl(first.saturating_sub(number(base))).unwrap_or(0);
        Self { base, low: left(base) & !taken, hi, high: left(hi) }
    }

    /// Takes the least p from q on that neither the column nor D nor T blocks, from the words and
    /// from the column, in which no p is free from q to `base`. `None` if the words do not show it.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop over the columns keeps words in registers")]
    pub(super) fn take(&mut self, column: &mut Column) -> Option<u32> {
        let (low, high) = column.take(self.base, self.low, self.hi, self.high)?;
        let byte = if low == 0 { self.hi } else { self.base };
        self.low ^= low;
        self.high ^= high;
        // All numbers are less than 2^32 (fact 8(e)).
        Some(number(byte).wrapping_add((low | high).trailing_zeros()))
    }

    /// Lowers `base` to a byte or below it, but not below `floor`. False if a p that the row may
    /// still take would leave its word.
    pub(super) fn lower_to(
        &mut self,
        filled: u32,
        floor: u32,
        row: u32,
        diagonal: &Diagonal,
    ) -> bool {
        while self.base > filled {
            let above_floor = self.base.saturating_sub(floor);
            let bytes = (self.low.leading_zeros() / BITS).min(BYTES - 1).min(above_floor);
            if bytes == 0 {
                return false;
            }
            self.base = self.base.saturating_sub(bytes);
            let entering = diagonal.left_for(row, self.base, bytes);
            self.low = self.low << number(bytes) | entering;
        }
        true
    }

    /// Moves `hi` past bytes without a free p.
    pub(super) fn raise_hi(&mut self) {
        let used = self.high.trailing_zeros() / BITS;
        self.hi = self.hi.saturating_add(used);
        self.high = up(self.high, number(used));
    }

    /// Forgets the p below the byte `floor`, which no later column asks for.
    #[inline]
    pub(super) fn raise(&mut self, floor: u32) {
        if floor > self.base {
            self.raise_base(floor);
        }
    }

    #[cold]
    fn raise_base(&mut self, floor: u32) {
        let passed = number(floor.saturating_sub(self.base));
        self.base = floor;
        self.low = self.low.checked_shr(passed).unwrap_or(0);
        let hi = floor.saturating_add(BYTES);
        let Some(raised) = hi.checked_sub(self.hi).map(number) else { return };
        // The p from the old `hi` to the new one are those of `low`.
        self.low |= match u64::BITS.checked_sub(raised) {
            Some(place) => self.high.checked_shl(place).unwrap_or(0),
            None => up(self.high, raised.saturating_sub(u64::BITS)),
        };
        (self.hi, self.high) = (hi, up(self.high, raised));
    }

    /// No p of T is this one or larger (H4).
    pub(super) fn end(&self) -> u32 {
        number(self.hi).saturating_add(u64::BITS)
    }

    /// The p from q on that are in T, or in D as far as the words hold that, in ascending order.
    pub(super) fn taken(&self, q: u32) -> impl Iterator<Item = u32> {
        (number(self.base).max(q)..self.end()).filter(|&p| self.has_taken(p))
    }

    /// Whether p is in T, or in D as far as the words hold that.
    pub(super) fn has_taken(&self, p: u32) -> bool {
        let free =
            |word: u64, place: u32| word.checked_shr(place).is_some_and(|word| word & 1 == 1);
        match (p.checked_sub(number(self.base)), p.checked_sub(number(self.hi))) {
            (_, Some(place)) => place < u64::BITS && !free(self.high, place),
            (Some(place), None) => !free(self.low, place),
            (None, None) => false,
        }
    }

    /// The least p from q on that is free, if the words show it; q otherwise.
    pub(super) fn least_free(&self, q: u32) -> u32 {
        let Some(skip) = q.checked_sub(number(self.base)) else { return q };
        match self.low.checked_shr(skip).unwrap_or(0) {
            0 => number(self.hi).max(q),
            low => q.saturating_add(low.trailing_zeros()),
        }
    }
}

/// The first number of a byte.
pub(super) fn number(byte: u32) -> u32 {
    byte.wrapping_mul(BITS)
}

/// The word from `places` further up: the places that enter are free.
fn up(word: u64, places: u32) -> u64 {
    !(!word).checked_shr(places).unwrap_or(0)
}
