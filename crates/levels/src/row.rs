//! The regular columns of one row: the least offset that nothing blocks (facts 12 and 13), until it
//! is 0 or a state recurs (fact 3).

use std::ops::RangeInclusive;
use std::sync::Arc;

use byrnes::LosersError;
use byrnes::recurrence::{Walk, walk};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;
use record::Certificate;
use ultimate::{FiniteOrPeriodic, NatSet, least_free};

use crate::columns::{Series, index};
use crate::known::Known;

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
    lower: &'a [Arc<Known>],
}

/// U(q) as its least free offset, and words of 64 offsets each after that. The last word is not 0.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PackedState {
    filled: u64,
    above: Vec<u64>,
}

/// The regular columns of a row, from `first` on, and the certificate if it never ends. The numbers
/// in `fixed` are blocked in all columns, (C) reads the series, and (L) reads `lower`.
pub(crate) fn find(
    first: u64,
    fixed: NatSet,
    series: &mut [Series],
    lower: &[Arc<Known>],
) -> Result<(FiniteOrPeriodic<u64>, Option<Certificate>), LosersError> {
    let settled = series.iter().map(Series::settled);
    let settled = settled.chain(lower.iter().map(|row| row.settled())).max().unwrap_or(0);
    let mut row = Row { q: first, blocked: fixed, filled_to: first, series, lower };
    row.begin_column();
    Ok(walk(&mut row, index(settled.saturating_sub(first)))?.proved(PackedState::members))
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
        let (q, filled) = (self.q, self.least_free());
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
    type State = PackedState;

    fn state(&self) -> PackedState {
        let filled = self.least_free();
        let begin = self.filled_to + 1;
        let end = self.blocked.max().map_or(0, |largest| largest + 1);
        let words = end.saturating_sub(begin).div_ceil(64);
        let above = (0..words).map(|word| self.blocked.word_from(begin + 64 * word)).collect();
        PackedState { filled, above }
    }

    fn least_free(&self) -> u64 {
        self.filled_to - self.q
    }

    fn step(&mut self) -> u64 {
        let offset = self.offset();
        self.blocked.insert(self.q + offset);
        self.q += 1;
        self.begin_column();
        offset
    }

    fn modulus(&self, window: RangeInclusive<u64>) -> BigUint {
        let of_columns = self.series.iter().flat_map(|rows| rows.periods(window.clone()));
        let inside = |row: &&Arc<Known>| row.values().iter().any(|value| window.contains(value));
        let of_lower = self.lower.iter().filter(inside).map(|row| row.values().len() as u64);
        of_columns
            .chain(of_lower)
            .fold(BigUint::one(), |modulus, period| modulus.lcm(&BigUint::from(period)))
    }
}

impl PackedState {
    /// The least free offset, and the members above it.
    fn members(self) -> (u64, Vec<u64>) {
        let Self { filled, above } = self;
        let bit = |place: &u64| above[index(place / 64)] >> (place % 64) & 1 == 1;
        let places = (0..64 * above.len() as u64).filter(bit);
        (filled, places.map(|place| filled + 1 + place).collect())
    }
}
