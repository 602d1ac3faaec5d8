//! The diagonal values found so far, one bit a number: (D) of the recurrence.

use crate::band::geometry::least_diagonal;
use crate::band::simd::{Eight, Register};
use crate::units::{Number, RowIndex, index};

/// The values `d_c` of the rows `c < rows`.
#[derive(Clone, Debug)]
pub(crate) struct Diagonals {
    words: Vec<u64>,
    rows: RowIndex,
    end: Number,
}

impl Diagonals {
    pub(crate) fn new() -> Self {
        Self { words: vec![1, 0], rows: RowIndex(0), end: Number(1) }
    }

    /// The rows entered so far are those below this one.
    pub(crate) fn rows(&self) -> RowIndex {
        self.rows
    }

    /// Every value entered so far is below this.
    pub(crate) fn end(&self) -> Number {
        self.end
    }

    /// No value that is still missing is below this (V9).
    pub(crate) fn complete_below(&self) -> Number {
        least_diagonal(self.rows)
    }

    /// Enters the diagonal value of the next row.
    pub(crate) fn add(&mut self, p: Number) {
        self.rows += 1;
        self.end = self.end.max(p + 1);
        let Number(p) = p;
        let word = index(p / 64);
        if word + 1 >= self.words.len() {
            self.words.resize(word + 1024, 0);
        }
        self.words[word] |= 1 << (p % 64);
    }

    /// The numbers from `p` on that are no diagonal values, 64 of them.
    #[inline(always)]
    pub(crate) fn free(&self, Number(p): Number) -> u64 {
        let (word, shift) = (index(p / 64), p % 64);
        // The table has one word more than needed.
        let &[low, high] = self.words.get(word..).and_then(<[u64]>::first_chunk).unwrap_or(&[0; 2]);
        !(low >> shift | high << 1 << (63 - shift))
    }

    pub(crate) fn is_free(&self, p: Number) -> bool {
        self.free(p) & 1 == 1
    }
}

/// The number of slots for which a look-up serves.
const SLOTS: u64 = 6;

/// The most places by which anchors fall in a slot.
const FALL: u64 = 6;

/// The places that the bands of an octet read, from the low anchor of a tile on, and below it.
const LOOK_UP: u64 = 6;
const LOOK_DOWN: u64 = 20;

const _: () = assert!(SLOTS * FALL + LOOK_DOWN + LOOK_UP <= 64);

/// The diagonal values near the low anchors of eight bands, which fall from slot to slot.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// The numbers from these on that are no diagonal values, 64 in each lane.
    from: Eight,
    free: Eight,
    /// The number of slots for which they still serve.
    slots: u64,
}

impl Seen {
    /// Nothing yet.
    pub(crate) const NONE: Self = Self { from: Eight::ZERO, free: Eight::ZERO, slots: 0 };

    /// Moves to a slot with these anchors, each at most [`FALL`] places lower than in the previous
    /// slot.
    #[inline(always)]
    pub(crate) fn follow(&mut self, anchors: &Eight, diagonals: &Diagonals) {
        if self.slots == 0 {
            for ((from, free), anchor) in
                self.from.0.iter_mut().zip(&mut self.free.0).zip(anchors.0)
            {
                // Lanes that are not in use hold arbitrary numbers.
                *from = anchor.wrapping_sub(LOOK_DOWN + SLOTS * FALL);
                *free = diagonals.free(Number(*from));
            }
            self.slots = SLOTS + 1;
        }
        self.slots -= 1;
    }

    /// The numbers from `start` on that are not diagonal values, in the lanes from `at` on. `start`
    /// is at most [`LOOK_DOWN`] places below the anchors; the result is valid to [`LOOK_UP`] places
    /// above them.
    #[inline(always)]
    pub(crate) fn below<R: Register>(&self, start: R, at: usize) -> R {
        R::load(&self.free.0, at).shr_each(start.sub(R::load(&self.from.0, at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As anchors fall by 5 or 6 places or not at all, look-ups agree with the table.
    #[test]
    fn falling_anchors_read_the_table() {
        let mut diagonals = Diagonals::new();
        for r in 0..2000 {
            diagonals.add(Number(2 * r + r * r % 7));
        }
        let mut seen = Seen::NONE;
        let mut anchors = Eight(std::array::from_fn(|lane| 3500 + 19 * lane as u64));
        for slot in 0..400 {
            seen.follow(&anchors, &diagonals);
            for (at, &anchor) in anchors.0.iter().enumerate() {
                let start = anchor - LOOK_DOWN;
                let told = seen.below::<u64>(start, at);
                let looks = (1 << (LOOK_DOWN + LOOK_UP)) - 1;
                assert_eq!((told ^ diagonals.free(Number(start))) & looks, 0, "{slot} {at}");
            }
            for (lane, anchor) in anchors.0.iter_mut().enumerate() {
                *anchor -= [6, 5, 6, 0][(slot + lane) % 4];
            }
        }
    }
}
