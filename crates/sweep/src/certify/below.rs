//! The rows below, reduced to the data that a certificate depends on (proofs/sweep.md, section 2).

use crate::error::SweepError;
use crate::units::{ColumnIndex, RowIndex};
use num_integer::Integer;
use record::Record;
use ultimate::Settled;

/// The finished rows, reduced to the data that the certificate of the next row reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowsBelow(Settled);

impl RowsBelow {
    /// The least column from which every row below is settled.
    pub(crate) fn settled(&self) -> ColumnIndex {
        ColumnIndex(self.0.from())
    }

    /// Adds a finished row. O(period * log rows).
    pub(crate) fn add(&mut self, row: &Record) {
        self.0.add(row.settled(), row.periodic().map_or(&[][..], |row| &row.values));
    }

    /// The modulus by the window rule: the least common multiple of the periods of the rows below
    /// that have a value in `[low, high]`.
    pub(crate) fn modulus(&self, row: RowIndex, low: u64, high: u64) -> Result<u64, SweepError> {
        self.0
            .periods(low..=high)
            .try_fold(1, |m, period| (m / u64::gcd(&m, &period)).checked_mul(period))
            .ok_or(SweepError::Modulus { row: row.0 })
    }
}
