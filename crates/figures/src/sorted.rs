//! Rows by their kind.

use std::collections::BTreeMap;

use record::{Periodic, Record};

use super::{FigureError, require_within_reach};

/// The rows of each period; the finite ones have period 0.
#[derive(Clone, Debug, Default)]
pub struct SortedRows {
    /// The rows by period.
    pub of: BTreeMap<u64, Vec<u64>>,
    last: Option<u64>,
}

impl SortedRows {
    /// Takes the next row.
    ///
    /// # Errors
    /// [`FigureError::TooFar`].
    pub fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        require_within_reach(record)?;
        let period = record.periodic().map_or(0, Periodic::period);
        self.of.entry(period).or_default().push(record.row());
        self.last = Some(record.row());
        Ok(())
    }

    /// The last row that was added.
    ///
    /// # Errors
    /// [`FigureError::Missing`] if there is none.
    pub fn last(&self) -> Result<u64, FigureError> {
        self.last.ok_or(FigureError::Missing { row: 0 })
    }
}
