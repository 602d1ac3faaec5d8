//! The tables of a worker for the rows below.

use super::{diagonals::Diagonals, old::OldRows};
use crate::band::geometry::Frame;
use crate::band::shared::Shared;
use crate::certify::RowsBelow;
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::repeating::Repeating;
use crate::units::{ColumnIndex, Number, RowIndex};
use record::Record;

/// The data that the walk along the columns reads and does not change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) frame: Frame,
    pub(crate) old: &'a OldRows,
    pub(crate) diagonals: &'a Diagonals,
}

/// The tables of a worker for the rows below.
#[derive(Clone, Debug)]
pub struct Knowledge {
    pub(crate) old: OldRows,
    pub(crate) diagonals: Diagonals,
    pub(crate) below: RowsBelow,
}

impl Knowledge {
    pub(crate) fn new() -> Self {
        Self { old: OldRows::new(), diagonals: Diagonals::new(), below: RowsBelow::default() }
    }

    /// Enters the next row, finished, whose diagonal value is known already. Checks V3.
    pub(crate) fn add(&mut self, row: &Record) -> Result<(), SweepError> {
        let periodic = row.periodic();
        if let Some(row) = periodic
            && row.values.iter().any(|&value| value < self.old.complete_below_offset())
        {
            let (q, r) = (ColumnIndex(row.start), RowIndex(row.row));
            return Err(SweepError::hypothesis(q, r, Hypothesis::LeastValues));
        }
        assert_eq!(RowIndex(row.row()), self.old.rows());
        self.old.add(periodic.map(Repeating::from));
        self.below.add(row);
        Ok(())
    }

    /// Enters the next row, and first its diagonal value.
    pub(crate) fn add_with_diagonal(&mut self, row: &Record) -> Result<(), SweepError> {
        self.diagonals.add(Number(row.diagonal()));
        self.add(row)
    }

    #[inline]
    pub(crate) fn context<'a>(&'a self, shared: &'a Shared) -> Context<'a> {
        Context { frame: shared.frame, old: &self.old, diagonals: &self.diagonals }
    }
}
