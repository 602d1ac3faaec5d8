//! The law that the rows below a row make, from their values; and rows with any number of holes.
//! Stands on `proofs/cascade.md`, 3 and 5.1.

use num_integer::Integer;
use record::Periodic;
use serde::Serialize;

use super::hole::{Below, HoleColumn};
use crate::law::LONGEST;
use crate::{Law, LawReader, Met, Pattern, Queue};

/// The law of the rows below a row, and the ball that the row takes out of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Balls {
    /// The depths `e(q)` for the columns q that leave the remainders 0, 1, ... modulo their least
    /// period: the least depth below the mean of the row that no row below blocks.
    pub depths: Vec<u64>,
    /// The number of balls.
    pub balls: u64,
    /// The remainders of the columns in which the row's ball falls, from the least one on, each
    /// followed by the column from which it gets its ball.
    pub cycle: Vec<u64>,
    /// The number of balls that fall in these columns.
    pub of_cycle: u64,
}

/// The law, and a column in which the row fills its hole.
pub(super) struct Seen {
    law: Law,
    filled: usize,
}

impl Seen {
    /// `None` if there is no law, if it is longer than 2^20 columns, or if the hole is filled at
    /// other depths.
    pub(super) fn of(below: &Below, mean: u64, columns: &[HoleColumn]) -> Option<Self> {
        let law = Law::new(free_depths(below, mean)?).ok()?;
        let remainder = |at: &HoleColumn| {
            let remainder = at.column % law.period() as u64;
            usize::try_from(remainder).expect("less than the period of a law")
        };
        let filled = || columns.iter().filter(|at| !at.blocked);
        if filled().any(|at| law.depths()[remainder(at)] != at.depth) {
            return None;
        }
        let filled = remainder(filled().next()?);
        Some(Self { law, filled })
    }

    pub(super) fn balls(&self) -> Balls {
        let cycle = self.law.cycle(self.filled);
        Balls {
            depths: self.law.depths().to_vec(),
            balls: self.law.balls(),
            cycle: cycle.columns().iter().map(|&column| column as u64).collect(),
            of_cycle: cycle.balls(),
        }
    }

    /// The pattern of a row that takes out this ball.
    pub(super) fn pattern(&self) -> Pattern {
        self.law.take_out(&self.law.cycle(self.filled)).0
    }
}

impl Balls {
    /// `e(q)`; `None` if there are no depths.
    pub fn depth(&self, column: u64) -> Option<u64> {
        let place = column.checked_rem(self.depths.len() as u64)?;
        self.depths.get(usize::try_from(place).ok()?).copied()
    }

    /// The period of the ball: the period of the depths times the number of balls in the cycle.
    pub fn period(&self) -> u64 {
        self.of_cycle * self.depths.len() as u64
    }
}

/// The least depth in each column that no row below blocks, over a common period of the rows that
/// have a value from the deepest of these to the mean.
fn free_depths(below: &Below, mean: u64) -> Option<Vec<u64>> {
    let mut period = 1;
    loop {
        let blocked = |column, depth| below.block(mean - depth, column);
        let free = |column| (0..=mean).find(|&depth| !blocked(column, depth)).unwrap_or(mean + 1);
        let depths: Vec<u64> = (0..period).map(free).collect();
        let deepest = depths.iter().copied().max().unwrap_or(0).min(mean);
        let rows = below.within(mean - deepest..=mean);
        let longer = rows.iter().try_fold(period, |period, row| {
            Some(period.lcm(&row.period())).filter(|&period| period <= LONGEST)
        })?;
        if longer == period {
            return Some(depths);
        }
        period = longer;
    }
}

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
