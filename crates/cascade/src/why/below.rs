//! The periodic rows below a row, by their values.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use record::Periodic;

use crate::laws::value_at;

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

    pub(super) fn period(&self) -> u64 {
        self.values.len() as u64
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
