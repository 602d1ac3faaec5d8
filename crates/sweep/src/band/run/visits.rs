//! The caller's visitor, and what it has been told.

use super::worker::BlockResult;
use crate::{error::SweepError, units::RowIndex};
use record::Record;
use record::listeners::{Done, Visitor};
use std::{ops::ControlFlow, sync::mpsc::Receiver};

/// The caller's visitor, and what it has been told.
pub(super) struct Visits<'a> {
    pub(super) end: RowIndex,
    pub(super) visitor: &'a mut dyn Visitor,
    pub(super) done: Done,
}

impl Visits<'_> {
    /// Hands on a row, unless it is one of those past the end that share its band.
    pub(super) fn row(&mut self, row: Record) -> ControlFlow<()> {
        if RowIndex(row.row()) >= self.end {
            return ControlFlow::Continue(());
        }
        self.done.rows += 1;
        self.visitor.row(row, None)
    }

    /// Hands on the rows of all blocks. Says whether the caller would have taken more.
    pub(super) fn blocks(&mut self, results: Receiver<BlockResult>) -> Result<bool, SweepError> {
        for result in results {
            if !self.block(result)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Hands on the rows of the next block. Says whether the caller would take more.
    pub(super) fn block(&mut self, result: BlockResult) -> Result<bool, SweepError> {
        let (rows, part) = result?;
        self.done += part;
        for row in rows.iter() {
            if self.row(row.clone()).is_break() {
                return Ok(false);
            }
        }
        self.visitor.progress(self.done);
        Ok(true)
    }
}
