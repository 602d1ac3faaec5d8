//! Where the tables have their entries.
//!
//! Tuples here are of natural numbers, each at most the one before; the last one is at most
//! [`Shape::longest_last`]. They are ranked in lexicographic order, so a table of the tuples of
//! numbers up to a is the beginning of each table for larger numbers.

use std::num::NonZero;
use std::ops::Range;

use super::error::{LONGEST_FIRST_ROW, MOST_ROWS, SieveError};
use super::lanes::{Lanes, Width};
use super::summary::SUMMARY;

/// The columns that are walked together; a divisor of [`STRIP`].
pub(super) const COLUMNS: usize = 8;

/// The lengths of row 3 in a strip of table 2; a multiple of [`COLUMNS`].
pub(super) const STRIP: u16 = 16;

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
    /// `below[k][x]`: tuples of k numbers, all less than x.
    below: Vec<Vec<usize>>,
    /// `words[k][x]`: words of the bits of the last row for all tuples of k numbers less than x,
    /// the last number being the row before the last.
    words: Vec<Vec<usize>>,
}

impl Shape {
    pub(super) fn new(rows: u16, to: u16) -> Result<Self, SieveError> {
        if !(3..=MOST_ROWS).contains(&rows) {
            return Err(SieveError::Rows { rows });
        }
        if !(1..=LONGEST_FIRST_ROW).contains(&to) {
            return Err(SieveError::Longest { to });
        }
        let (rows, too_large) = (usize::from(rows), SieveError::TooLarge { rows, to });
        let mut shape =
            Self { rows, tabled: rows.max(4), to, below: Vec::new(), words: Vec::new() };
        let ends = usize::from(to) + 2;
        let lasts = (0..ends).map(|x| x.min(usize::from(shape.longest_last(u16::MAX)) + 1));
        let widths = (0..=to).scan(0, |sum, x| {
            *sum += shape.width(x);
            Some(*sum)
        });
        let below = [vec![1; ends], lasts.collect()];
        let words = [vec![1; ends], std::iter::once(0).chain(widths).collect()];
        let counted =
            counts(below.to_vec(), shape.tabled - 2).zip(counts(words.to_vec(), shape.tabled - 2));
        (shape.below, shape.words) = counted.ok_or(too_large)?;
        Ok(shape)
    }

    /// The bytes of a sieve that keeps the positions of a block, or does not.
    pub(super) fn memory(&self, width: Width, threads: NonZero<usize>, keeps: bool) -> u64 {
        let (m, end, lanes) = (self.tabled, self.to + 1, u64::from(width.lengths()));
        let below = |k: usize| self.below(k, end) as u64;
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
            8 * self.words(m - 2, end) as u64,
            below(m - 2),
            // Table 2.
            below(m - 2).saturating_mul(lanes / 8),
            if keeps { positions(below(m - 2)) } else { 0 },
            u64::from(end) * if keeps { 8 * lanes + 200 } else { 200 },
            lanes * SUMMARY,
            at_hand,
        ];
        parts.into_iter().fold(0, u64::saturating_add)
    }

    /// The largest length of the last row of the tables below a row of this length.
    pub(super) fn longest_last(&self, before: u16) -> u16 {
        if self.rows < self.tabled { 0 } else { before }
    }

    /// The words of the bits of the last row below a row of this length.
    pub(super) fn width(&self, before: u16) -> usize {
        usize::from(self.longest_last(before)) / 64 + 1
    }

    /// The number of tuples of k numbers less than x, up to the last row.
    #[inline]
    pub(super) fn below(&self, k: usize, x: u16) -> usize {
        self.below[k][usize::from(x)]
    }

    /// The words for all tuples of k numbers less than x, up to the row before the last.
    #[inline]
    pub(super) fn words(&self, k: usize, x: u16) -> usize {
        self.words[k][usize::from(x)]
    }

    /// The places from which a table of tuples of k numbers copies the tuples that begin with x,
    /// in their order: the followers of the tuple cut to x - 1; x is at least 1.
    pub(super) fn copied(&self, k: usize, x: u16) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut from = 0;
        (0..k).rev().map(move |rest| {
            // One number more is x, and the others are less.
            from += self.below(rest + 1, x - 1);
            let fits = rest > 0 || x <= self.longest_last(x);
            from..from + if fits { self.below(rest, x) } else { 0 }
        })
    }

    /// Fills a table of tuples of k numbers for the tuples that begin with x. Those of smaller
    /// numbers are there.
    pub(super) fn extend<const K: usize>(&self, table: &mut [Lanes<K>], k: usize, x: u16) {
        if x == 0 {
            table[0] = [0; K];
            return;
        }
        let mut to = self.below(k, x);
        for from in self.copied(k, x) {
            let length = from.len();
            table.copy_within(from, to);
            to += length;
        }
    }
}

/// Calls a function with the last of each tuple of k numbers after this one, in order; with the
/// number itself if there are none.
pub(super) fn lasts(k: usize, before: u16, visit: &mut dyn FnMut(u16)) {
    if k == 0 {
        return visit(before);
    }
    (0..=before).for_each(|x| lasts(k - 1, x, visit));
}

/// From the counts of tuples of 0 numbers and 1 number those of up to this number; `None` if a
/// count is too large.
fn counts(mut counts: Vec<Vec<usize>>, most: usize) -> Option<Vec<Vec<usize>>> {
    for _ in counts.len()..=most {
        let shorter = counts.last()?;
        // A tuple of numbers less than x + 1 begins with x or has numbers less than x.
        let ends = 1..shorter.len();
        let sums = ends.scan(0_usize, |sum, end| {
            *sum = sum.saturating_add(shorter[end]);
            Some(*sum)
        });
        let longer: Vec<usize> = std::iter::once(0).chain(sums).collect();
        counts.push(longer);
    }
    let largest = counts.iter().flatten().max()?;
    (*largest < usize::MAX / 64).then_some(counts)
}
