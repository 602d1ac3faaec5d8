//! The law that the rows below a row make, from their values.

use num_integer::Integer;
use serde::Serialize;

use super::below::Below;
use super::hole::HoleColumn;
use crate::laws::LONGEST;
use crate::{Law, Pattern};

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
