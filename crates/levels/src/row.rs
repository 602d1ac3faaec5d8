//! The regular columns of one row: the least offset that nothing blocks (facts 12 and 13), until it
//! is 0 or a state recurs (fact 3).

use std::ops::RangeInclusive;
use std::sync::Arc;

use byrnes::LosersError;
use byrnes::recurrence::{ProvedSequence, Walk, walk};
use num_bigint::BigUint;
use num_integer::Integer;
use ultimate::{MexSet, NatSet, Settled, least_free};

use crate::columns::{Series, index};
use crate::found_row::FoundRow;

/// A row that is being computed.
pub(crate) struct Row<'a> {
    q: u64,
    /// The numbers p + shift that are blocked from here on, by (D), (R) and (0): U(q), each offset
    /// u as q + u. Those before q no longer count.
    blocked: NatSet,
    /// All p from q to before this one are blocked.
    filled_to: u64,
    /// (C), a series for each chain.
    series: &'a mut [Series],
    /// (L): the rows of the lower levels that are not empty.
    lower: &'a [Arc<FoundRow>],
    /// The settling and the periods of the rows of (L).
    settled: Settled,
    stop: &'a dyn Fn() -> bool,
}

/// The regular columns of a row, from `first` on, and the certificate if it never ends. The numbers
/// in `fixed` are blocked in all columns, (C) reads the series, and (L) reads `lower`.
pub(crate) fn find(
    first: u64,
    fixed: NatSet,
    series: &mut [Series],
    lower: &[Arc<FoundRow>],
    stop: &dyn Fn() -> bool,
) -> Result<ProvedSequence, LosersError> {
    let mut settled = Settled::default();
    for row in lower {
        settled.add(row.settled(), row.values());
    }
    let all = series.iter().map(Series::settled).chain([&settled]);
    let settled_from = all.map(Settled::from).max().unwrap_or(0).saturating_sub(first);
    let mut row = Row { q: first, blocked: fixed, filled_to: first, series, lower, settled, stop };
    row.begin_column();
    walk(&mut row, index(settled_from))
}

impl Row<'_> {
    fn begin_column(&mut self) {
        self.filled_to = least_free(self.filled_to.max(self.q), |k| self.blocked.word(k));
        for rows in &mut *self.series {
            rows.reach(self.q);
        }
    }

    /// The least offset from `first` on that neither U nor (C) blocks.
    fn free(&self, first: u64) -> u64 {
        let q = self.q;
        least_free(first, |k| {
            let by_columns = self.series.iter().fold(0, |word, rows| word | rows.word(q, k));
            self.blocked.word_from(q + 64 * k) | by_columns
        })
    }

    fn offset(&mut self) -> u64 {
        let (q, filled) = (self.q, self.filled_to - self.q);
        let least =
            self.series.iter_mut().fold(filled, |least, rows| least.max(rows.least_free(q)));
        let mut offset = self.free(least);
        while self.lower.iter().any(|row| row.offset(q) == Some(offset)) {
            offset = self.free(offset + 1);
        }
        offset
    }
}

impl Walk for Row<'_> {
    fn state(&self) -> MexSet {
        MexSet::of_part(&self.blocked, self.q, self.filled_to - self.q)
    }

    fn step(&mut self) -> u64 {
        let offset = self.offset();
        self.blocked.insert(self.q + offset);
        self.q += 1;
        self.begin_column();
        offset
    }

    fn modulus(&self, window: RangeInclusive<u64>) -> BigUint {
        let all = self.series.iter().map(Series::settled).chain([&self.settled]);
        all.flat_map(|rows| rows.periods(window.clone()))
            .fold(BigUint::from(1_u8), |modulus, own| modulus.lcm(&BigUint::from(own)))
    }

    fn stop(&self) -> bool {
        (self.stop)()
    }
}
