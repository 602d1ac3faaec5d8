//! The law of the rows below a row, as an explanation shows it: of a row with one hole or none, and
//! of a row with any number of holes. Stands on `proofs/cascade.md`, 3 and 5.1.

use serde::Serialize;

use crate::{Law, Met};

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

impl Balls {
    /// The ball that a row with at most one hole takes out. Rows without a hole are as if no row
    /// below blocked the mean.
    pub(super) fn of(met: &Met) -> Option<Self> {
        let constant = Law::obstacles(0);
        let filled = met.falls.iter().position(|&falls| falls);
        let (law, column) = filled.map_or((&constant, 0), |column| (&met.law, column));
        let cycle = law.cycle(column);
        (met.holes <= 1).then(|| Self {
            depths: law.depths().to_vec(),
            balls: law.balls(),
            cycle: cycle.columns.iter().map(|&column| column as u64).collect(),
            of_cycle: cycle.balls,
        })
    }

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
