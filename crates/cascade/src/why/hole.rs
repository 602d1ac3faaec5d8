//! The hole: the only offset from 0 to the mean that the state of a row lacks; the periodic rows
//! below a row, by their values, which block it; and the defects of an explanation.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use record::{Certificate, Periodic};
use serde::Serialize;
use thiserror::Error;

use crate::law::value_at;

/// A periodic row, reduced to the offsets that it blocks once it has settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Repeating {
    pub(super) row: u64,
    pub(super) start: u64,
    pub(super) values: Vec<u64>,
}

impl Repeating {
    /// The offset in a column from the start on; before it, the values continued backwards.
    pub(super) fn at(&self, column: u64) -> u64 {
        value_at(self.start, &self.values, column)
    }
}

/// All periodic rows so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Below {
    rows: BTreeMap<u64, Repeating>,
    /// The rows that have an offset among their values.
    having: BTreeMap<u64, BTreeSet<u64>>,
}

impl Below {
    pub(super) fn add(&mut self, periodic: &Periodic) {
        let Periodic { row, start, values, .. } = periodic;
        for &value in values {
            self.having.entry(value).or_default().insert(*row);
        }
        self.rows.insert(*row, Repeating { row: *row, start: *start, values: values.clone() });
    }

    /// The rows that have a value in the range, in row order.
    pub(super) fn within(&self, window: RangeInclusive<u64>) -> Vec<&Repeating> {
        let rows: BTreeSet<u64> =
            self.having.range(window).flat_map(|(_, rows)| rows).copied().collect();
        rows.iter().map(|row| &self.rows[row]).collect()
    }

    /// The rows that have this value, in row order.
    pub(super) fn with(&self, value: u64) -> impl Iterator<Item = &Repeating> {
        self.having.get(&value).into_iter().flatten().map(|row| &self.rows[row])
    }

    /// Whether a row has this offset in a column, if all have settled there.
    pub(super) fn block(&self, value: u64, column: u64) -> bool {
        self.with(value).any(|row| row.at(column) == value)
    }

    /// The last rows, in row order.
    pub(super) fn last(&self, number: u64) -> Vec<&Repeating> {
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        let mut rows: Vec<&Repeating> = self.rows.values().rev().take(number).collect();
        rows.reverse();
        rows
    }
}

/// One column of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HoleColumn {
    /// The column q.
    pub column: u64,
    /// The distance of the hole below the mean.
    pub depth: u64,
    /// Whether a row below blocks the hole.
    pub blocked: bool,
    /// The offset of the row, less the mean: 1 if the hole is blocked, else minus its depth.
    pub height: i64,
}

/// A set of offsets: those below `filled`, and those in `above`, which are larger.
struct BlockedOffsets {
    filled: u64,
    above: Vec<u64>,
}

impl BlockedOffsets {
    /// Whether these are all offsets up to the mean except one.
    fn has_one_hole(&self, mean: u64) -> bool {
        self.filled <= mean && self.above.iter().copied().eq(self.filled + 1..=mean)
    }

    /// The state of the next column (fact 2(c)).
    fn take(&mut self, value: u64) {
        // A false record can take a blocked number.
        if value >= self.filled && !self.above.contains(&value) {
            self.above.push(value);
            self.above.sort_unstable();
        }
        let run = (self.filled..).zip(&self.above).take_while(|(a, b)| a == *b).count();
        self.above.drain(..run);
        self.filled = (self.filled + run as u64).saturating_sub(1);
        self.above.iter_mut().for_each(|member| *member -= 1);
    }
}

/// The hole over one period from the column of the certificate on, and the least and the largest
/// offset that matter there: the window `[h,z]` of fact 3, by fact 7(b).
pub(super) struct Hole {
    pub(super) columns: Vec<HoleColumn>,
    pub(super) window: (u64, u64),
    pub(super) doubt: Option<Doubt>,
}

impl Hole {
    pub(super) fn of(row: &Periodic, below: &Below) -> Self {
        let (mean, Certificate { from, filled, above, .. }) = (row.mean(), &row.certificate);
        let mut state = BlockedOffsets { filled: *filled, above: above.clone() };
        let mut doubt = None;
        let mut columns = Vec::new();
        let (mut least, mut largest) = (u64::MAX, 0);
        for column in *from..from + row.period() {
            let value = value_at(row.start, &row.values, column);
            (least, largest) = (least.min(state.filled), largest.max(value));
            let blocked = below.block(state.filled, column);
            let expected = if blocked { mean + 1 } else { state.filled };
            doubt = doubt
                .or_else(|| (!state.has_one_hole(mean)).then_some(Doubt::NotOneHole { column }))
                .or_else(|| (value != expected).then_some(Doubt::OtherOffset { column }));
            let depth = mean.saturating_sub(state.filled);
            let height = height(value, mean);
            columns.push(HoleColumn { column, depth, blocked, height });
            state.take(value);
        }
        Self { columns, window: (least, largest), doubt }
    }
}

/// An offset less a mean.
pub(super) fn height(value: u64, mean: u64) -> i64 {
    value.wrapping_sub(mean).cast_signed()
}

/// Why a row is not explained. Every kind is serialized with its details, if it has any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "reason", content = "details", rename_all = "snake_case")]
pub enum Doubt {
    /// In this column the state does not consist of all offsets up to the mean except one.
    #[error(
        "when column {column} is reached, the row has not blocked all offsets to the mean but one"
    )]
    NotOneHole {
        /// The column.
        column: u64,
    },
    /// In this column the row has another offset than the rows below and the hole determine.
    #[error("in column {column} the row has another offset than the rows below and its hole leave")]
    OtherOffset {
        /// The column.
        column: u64,
    },
    /// A row with a value in the window is not in the cluster.
    #[error("row {row} has a value in the window and is not in the cluster")]
    NotInCluster {
        /// The row.
        row: u64,
    },
    /// The values contradict the law of the rows below, or that law is not known, as for a row
    /// below in its cluster or for more than 2^20 columns.
    #[error("the values contradict the law of the rows below, or that law is not known")]
    NoLaw {},
    /// There is no word, as this row or one before it in its cluster has `h >= 2`
    /// (`proofs/cascade.md`, 5.3), and the balls that the row takes out are not known either.
    #[error(
        "there is no word (proofs on periods, 5.3), and the values contradict the law of the rows \
         below, or that law is not known"
    )]
    NoWord {},
    /// The word says that the row is constant, or gives other patterns only.
    #[error("its word allows other patterns only")]
    OtherWord {},
    /// The mean of its values is not 1 more than the number of finite rows below.
    #[error("1 more than the number of finite rows below is {expected}")]
    OtherMean {
        /// The expected mean.
        expected: u64,
    },
}
