//! The caller's visitor, and the rows that it has seen.

use super::worker::BlockResult;
use crate::band::words::Store;
use crate::error::SweepError;
use crate::units::RowIndex;
use record::Record;
use record::listeners::{Done, Visitor};
use std::{ops::ControlFlow, sync::mpsc::Receiver};

/// The caller's visitor, and the rows that it has seen.
pub struct Visits<'a> {
    /// Rows from this one on are not shown.
    pub end: RowIndex,
    /// The visitor.
    pub visitor: &'a mut dyn Visitor,
    /// The storage of the run, which receives rows before the visitor does.
    pub storage: &'a Store,
    /// The rows that the visitor has seen, and the work done for them.
    pub done: Done,
}

impl<'a> Visits<'a> {
    /// Of a run of the rows below `end`, before row 0.
    pub fn new(end: u64, visitor: &'a mut dyn Visitor, storage: &'a Store) -> Self {
        Self { end: RowIndex(end), visitor, storage, done: Done::default() }
    }

    /// Passes on a row, unless it is past the end and only shares the last band.
    pub fn row(&mut self, row: Record) -> ControlFlow<()> {
        if RowIndex(row.row()) >= self.end {
            return ControlFlow::Continue(());
        }
        self.done.rows += 1;
        self.visitor.row(row, None)
    }

    /// Passes on the rows of all blocks. Returns whether the caller wants more.
    pub(super) fn blocks(&mut self, results: Receiver<BlockResult>) -> Result<bool, SweepError> {
        for result in results {
            if !self.block(result)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Passes on the rows of the next block. Returns whether the caller wants more.
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
