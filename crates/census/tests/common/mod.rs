//! Rows for the tests.

use std::ops::ControlFlow;

use record::RowRecord;
use sweep::row::{Row, Visitor};

/// The records of the rows below `end` with all offsets, by the pointer engine.
pub fn rows_in_full(end: u64) -> Vec<RowRecord> {
    let mut keeper = Keeper::default();
    sweep::pointer::rows(end, &mut keeper).unwrap();
    keeper.rows
}

#[derive(Default)]
struct Keeper {
    offsets: Vec<u64>,
    rows: Vec<RowRecord>,
}

impl Visitor for Keeper {
    fn row(&mut self, row: Row) -> ControlFlow<()> {
        self.rows.push(row.record(Some(&self.offsets)).unwrap());
        ControlFlow::Continue(())
    }

    fn offsets(&mut self, _row: u64, offsets: &[u64]) {
        offsets.clone_into(&mut self.offsets);
    }
}
