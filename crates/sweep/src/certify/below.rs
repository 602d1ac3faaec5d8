//! The rows below, reduced to the data that a certificate depends on (proofs/sweep.md, section 2).

use crate::error::SweepError;
use crate::units::{ColumnIndex, RowIndex};
use num_integer::Integer;
use record::Record;
use std::collections::BTreeMap;

/// The finished rows, reduced to the data that the certificate of the next row reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowsBelow {
    /// At least the start of every periodic row and `last + 1` of every finite one.
    settled: u64,
    /// Offset -> the periods, other than 1, of the rows that have it among their values.
    periods: BTreeMap<u64, Vec<u64>>,
}

impl RowsBelow {
    /// The least column from which every row below is settled.
    pub(crate) fn settled(&self) -> ColumnIndex {
        ColumnIndex(self.settled)
    }

    /// Adds a finished row. O(period * log rows).
    pub(crate) fn add(&mut self, row: &Record) {
        self.settled = self.settled.max(row.settled());
        if let Some(row) = row.periodic().filter(|row| row.period() > 1) {
            for &value in &row.values {
                self.periods.entry(value).or_default().push(row.period());
            }
        }
    }

    /// The modulus by the window rule: the least common multiple of the periods of the rows below
    /// that have a value in `[low, high]`.
    pub(crate) fn modulus(&self, row: RowIndex, low: u64, high: u64) -> Result<u64, SweepError> {
        self.periods
            .range(low..=high)
            .flat_map(|(_, periods)| periods)
            .try_fold(1, |m, &period| (m / u64::gcd(&m, &period)).checked_mul(period))
            .ok_or(SweepError::Modulus { row: row.0 })
    }
}
