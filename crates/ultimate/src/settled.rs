//! What sequences that repeat have in common, once all of them do.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use num_bigint::BigUint;
use num_integer::Integer;

/// Sequences of naturals, finite or ultimately periodic: the index from which all of them repeat or
/// have ended, and the periods of those with a value in a window.
///
/// ```
/// let mut sequences = ultimate::Settled::default();
/// sequences.add(3, &[7, 4]);
/// sequences.add(5, &[1, 7, 7]);
/// sequences.add(4, &[]);
/// assert_eq!(sequences.from(), 5);
/// assert_eq!([sequences.modulus(2..=6), sequences.modulus(7..=7)], [2_u8.into(), 6_u8.into()]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Settled {
    from: u64,
    /// For each value the periods, but for 1, of the sequences that have it.
    periods: BTreeMap<u64, BTreeSet<u64>>,
}

impl Settled {
    /// Adds a sequence that repeats these values, its shortest period, from an index on; without
    /// values it has ended there. O(p log n).
    #[inline]
    pub fn add(&mut self, from: u64, values: &[u64]) {
        self.from = self.from.max(from);
        if values.len() > 1 {
            for &value in values {
                self.periods.entry(value).or_default().insert(values.len() as u64);
            }
        }
    }

    /// The least index from which all of them repeat or have ended.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// The periods, but for 1, of the sequences with a value in the window.
    pub fn periods(&self, window: RangeInclusive<u64>) -> impl Iterator<Item = u64> + '_ {
        self.periods.range(window).flat_map(|(_, periods)| periods).copied()
    }

    /// The least common multiple of these periods.
    pub fn modulus(&self, window: RangeInclusive<u64>) -> BigUint {
        let one = BigUint::from(1_u8);
        self.periods(window).fold(one, |modulus, period| modulus.lcm(&BigUint::from(period)))
    }
}
