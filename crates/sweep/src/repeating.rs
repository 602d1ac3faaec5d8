//! The values of a periodic row, by column.

use crate::units::index;
use record::Periodic;

/// The values of a periodic row, for all columns from its start on.
#[derive(Clone, Debug)]
pub(crate) struct Repeating {
    values: Vec<u64>,
    /// Column `q` has value `(q + shift) mod period`.
    shift: u64,
}

impl From<&Periodic> for Repeating {
    fn from(row: &Periodic) -> Self {
        Self::new(row.start, row.values.clone())
    }
}

impl Repeating {
    /// One or more values, which repeat from column `start` on.
    pub(crate) fn new(start: u64, values: Vec<u64>) -> Self {
        let period = values.len() as u64;
        Self { shift: period - start % period, values }
    }

    pub(crate) fn values(&self) -> &[u64] {
        &self.values
    }

    pub(crate) fn period(&self) -> u64 {
        self.values.len() as u64
    }

    /// The offset in column `q`. Before the start the values are continued to the left.
    pub(crate) fn offset(&self, q: u64) -> u64 {
        self.values[index((q + self.shift) % self.period())]
    }
}
