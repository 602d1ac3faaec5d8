//! The p that settled rows block, in every column.

use record::{Periodic, Record, Statement};

use crate::bit_set::BitSet;

/// Rows that have ended, or repeat their values.
pub(super) struct Settled<'a> {
    /// The offsets of the rows of period 1.
    pub(super) constant: BitSet,
    /// The rows of longer periods.
    pub(super) longer: Vec<&'a Periodic>,
    /// The diagonal values of all rows, and 0.
    pub(super) diagonal: BitSet,
}

impl<'a> Settled<'a> {
    pub(super) fn none() -> Self {
        let mut diagonal = BitSet::default();
        diagonal.insert(0);
        Self { constant: BitSet::default(), longer: Vec::new(), diagonal }
    }

    /// Adds a row with the diagonal value `first`.
    pub(super) fn add(&mut self, record: &'a Record, first: u32) {
        self.diagonal.insert(first);
        match record.statement() {
            Statement::Periodic(periodic) => match *periodic.values {
                [offset] => self.constant.insert(u32::try_from(offset).unwrap_or(u32::MAX)),
                _ => self.longer.push(periodic),
            },
            Statement::Empty { .. } | Statement::Finite(_) => {}
        }
    }

    /// The 64-bit words of a column.
    pub(super) fn words(&self) -> u64 {
        u64::from(self.constant.end().max(self.diagonal.end())).div_ceil(64)
    }
}
