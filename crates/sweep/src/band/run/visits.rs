//! The caller's visitor, and what it has been told.

use super::worker::BlockResult;
use crate::{band::words::Storage, error::SweepError, units::RowIndex};
use record::Record;
use record::listeners::{Done, Visitor};
use std::{ops::ControlFlow, sync::mpsc::Receiver};

/// The caller's visitor, and what it has been told.
pub struct Visits<'a> {
    /// Rows from this one on are not shown.
    pub end: RowIndex,
    /// The visitor.
    pub visitor: &'a mut dyn Visitor,
    /// The storage of the run, which is told of rows before the visitor is.
    pub storage: &'a dyn Storage,
    /// What the visitor has been told.
    pub done: Done,
}

impl<'a> Visits<'a> {
    /// None yet, of a run of the rows below `end`.
    pub fn new(end: u64, visitor: &'a mut dyn Visitor, storage: &'a dyn Storage) -> Self {
        Self { end: RowIndex(end), visitor, storage, done: Done::default() }
    }

    /// Hands on a row, unless it is past the end and only shares the last band.
    pub fn row(&mut self, row: Record) -> ControlFlow<()> {
        if RowIndex(row.row()) >= self.end {
            return ControlFlow::Continue(());
        }
        self.done.rows += 1;
        self.visitor.row(row, None)
    }

    /// Hands on the rows of all blocks. Returns whether the caller would take more.
    pub(super) fn blocks(&mut self, results: Receiver<BlockResult>) -> Result<bool, SweepError> {
        for result in results {
            if !self.block(result)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Hands on the rows of the next block. Returns whether the caller would take more.
    ///
    /// # Errors
    /// That of the block.
    pub fn block(&mut self, result: BlockResult) -> Result<bool, SweepError> {
        let (rows, part) = result?;
        self.storage.rows(&rows, part);
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
