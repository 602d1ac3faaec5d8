//! Where the tables have their entries.
//!
//! Tables are in lexicographic order of the rows after the row that they belong to ([`Ranks`]).

use std::num::NonZero;

use super::lanes::LANES;
use crate::SolveError;
use crate::ranks::Ranks;

/// The largest length of row 1. A length fits 16 bits, and 65 535 is none: it ends a list.
pub const LONGEST_FIRST_ROW: u16 = 65_534;

/// The largest number of rows: a letter each.
pub const MOST_ROWS: u16 = 26;

/// The columns that are walked together; a divisor of [`STRIP`].
pub(super) const COLUMNS: usize = 8;

/// The lengths of row 3 in a strip of table 2; a multiple of [`COLUMNS`].
pub(super) const STRIP: u16 = 16;

/// About the bytes of what counts and hashes the positions with one length of row 1.
pub(super) const SUMMARY: u64 = 3 * HASHED_AT_ONCE as u64;

/// The hash takes the bytes in pieces of about this size, in the cache.
pub(super) const HASHED_AT_ONCE: usize = 1 << 14;

/// The rows, and the counts from which the places of entries follow.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The rows of a position.
    pub(super) rows: usize,
    /// The rows of the tables: at least four, as boards of three rows are boards of four whose last
    /// row is empty.
    pub(super) tabled: usize,
    /// The largest length of row 1.
    pub(super) to: u16,
    /// The largest length of the last row of the tables.
    last: u16,
    /// The ranks of rows 3 to m.
    pub(super) ranks: Ranks,
    /// The words of the bits of row m, for rows 2 to m - 1.
    pub(super) words: Ranks,
}

impl Shape {
    pub(super) fn new(rows: u16, to: u16) -> Result<Self, SolveError> {
        if !(3..=MOST_ROWS).contains(&rows) {
            return Err(SolveError::Size(format!(
                "boards of 3 to {MOST_ROWS} rows are sieved, and {rows} are asked for"
            )));
        }
        if !(1..=LONGEST_FIRST_ROW).contains(&to) {
            return Err(SolveError::Size(format!(
                "row 1 is sieved from 1 to {LONGEST_FIRST_ROW} squares, and {to} are asked for"
            )));
        }
        let tabled = usize::from(rows).max(4);
        let mut limits = vec![to; tabled - 2];
        let last = if usize::from(rows) < tabled { 0 } else { to };
        let words = Ranks::weighted(&limits, |before| width(before.min(last)));
        limits[tabled - 3] = last;
        let ranks = Ranks::new(&limits);
        let is_small = |counts: &Ranks| counts.all() < usize::MAX / 64;
        let counts = ranks.zip(words).filter(|(ranks, words)| is_small(ranks) && is_small(words));
        let (ranks, words) = counts.ok_or(SolveError::TooLarge { rows, columns: to })?;
        Ok(Self { rows: rows.into(), tabled, to, last, ranks, words })
    }

    /// The bytes of a sieve, which keeps the positions of a block or none.
    pub(super) fn memory(&self, threads: NonZero<usize>, keeps: bool) -> u64 {
        let (m, end, lanes) = (self.tabled, self.to + 1, u64::from(LANES));
        let below = |k: usize| self.ranks.below(k, end) as u64;
        let lengths = self.rows as u64 - 2;
        // For three rows each (x_1, x_2) can belong to a position.
        let share = if self.rows < self.tabled { 1 } else { 4 };
        let positions = |tuples: u64| (tuples / share).saturating_mul(2 * lengths * lanes);
        // Of each column at hand there are the hits and, sorted, the positions, in vectors that can
        // be twice as long.
        let of_hand = positions(below(m - 3)).saturating_mul(4);
        let of_hand = of_hand.saturating_add(below(m - 3).saturating_mul(lanes / 4));
        let at_hand = (threads.get() as u64 * COLUMNS as u64).saturating_mul(of_hand);
        let parts = [
            8 * self.words.below(m - 2, end) as u64,
            below(m - 2),
            // Table 2.
            below(m - 2).saturating_mul(lanes / 8),
            if keeps { positions(below(m - 2)) } else { 0 },
            // A pointer, a length and what the allocator adds, for each run.
            u64::from(end) * if keeps { 32 * lanes + 200 } else { 200 },
            lanes * SUMMARY,
            at_hand,
        ];
        parts.into_iter().fold(0, u64::saturating_add)
    }

    /// The largest length of the last row of the tables below a row of this length.
    pub(super) fn longest_last(&self, before: u16) -> u16 {
        before.min(self.last)
    }

    /// The words of the bits of the last row below a row of this length.
    pub(super) fn width(&self, before: u16) -> usize {
        width(self.longest_last(before))
    }
}

/// The words of the bits of a row of up to this length.
fn width(longest: u16) -> usize {
    usize::from(longest) / 64 + 1
}
