//! Rows with any number of holes. Stands on `proofs/cascade.md`, 5.1.

use record::Periodic;
use serde::Serialize;

use crate::{LawReader, Met, Queue};

/// The holes of a row, and the balls that it takes out of the law of the rows below.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Holes {
    /// h, the number of holes; less than 0 for a reset.
    pub number: i64,
    /// m: in far columns no row below has a larger offset. It is the mean plus `h - 1`.
    pub top: u64,
    /// The depths `e(q)` below m for the columns q that leave the remainders 0, 1, ... modulo their
    /// least period: the least depth that no row below blocks.
    pub depths: Vec<u64>,
    /// The number of balls.
    pub balls: u64,
    /// g, the number of balls that the row takes out.
    pub taken: u64,
    /// The columns in which these fall, from 0 on, over `common_period`.
    pub columns: Vec<usize>,
    /// A common period of the depths and of the row's values.
    pub common_period: usize,
}

impl Holes {
    pub(super) fn of(met: &Met) -> Self {
        let falls = met.falls.iter().enumerate();
        Self {
            number: met.holes,
            top: met.top,
            depths: met.law.depths().to_vec(),
            balls: met.law.balls(),
            taken: met.taken,
            columns: falls.filter_map(|(column, &falls)| falls.then_some(column)).collect(),
            common_period: met.falls.len(),
        }
    }
}

/// The laws of the rows so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Laws {
    queue: Queue,
    reader: LawReader,
    /// The periodic rows of the cluster so far, with the last row.
    cluster: u64,
}

impl Laws {
    /// Takes a finite row as the next one.
    pub(super) fn finite(&mut self) {
        self.queue.next(true);
    }

    /// The law that the next row meets, which is periodic, if it is known and the row agrees with
    /// it.
    pub(super) fn next(&mut self, row: &Periodic) -> Option<Met> {
        let is_reset = self.queue.next(false).is_some_and(|h| h < 0);
        self.cluster = if is_reset { 1 } else { self.cluster + 1 };
        let met = self.reader.next(row.row, row.start, &row.values).ok();
        if is_reset && met.is_none() {
            self.reader.reset(row.mean());
        }
        met
    }

    /// A bound for the start of the last row (`proofs/effective.md`, 3.1).
    pub(super) fn start_at_most(&self, row: u64) -> Option<u64> {
        let one_hole = self.queue.largest_excess().is_none_or(|(excess, _)| excess <= 2);
        let row = u128::from(row);
        let bound = (9 * row * row + 32 * row).checked_sub(14)? / 14;
        one_hole.then(|| u64::try_from(bound).ok())?
    }

    /// The number of periodic rows of the cluster below the last row.
    pub(super) fn rows_below(&self) -> u64 {
        self.cluster.saturating_sub(1)
    }
}
