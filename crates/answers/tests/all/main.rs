//! Who wins, against searches from the rules.

mod omega;
mod query;

use std::ops::ControlFlow;

use record::Record;
use record::listeners::Visitor;

/// The records of the rows below `end` with all offsets, by the pointer engine.
fn rows_in_full(end: u64) -> Vec<Record> {
    let mut keeper = Keeper::default();
    sweep::pointer::rows(end, &mut keeper).unwrap();
    keeper.0
}

#[derive(Default)]
struct Keeper(Vec<Record>);

impl Visitor for Keeper {
    fn row(&mut self, row: Record, offsets: Option<&[u64]>) -> ControlFlow<()> {
        self.0.push(row.in_full(offsets.unwrap()).unwrap());
        ControlFlow::Continue(())
    }
}
