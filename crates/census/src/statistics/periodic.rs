//! The differences of successive periodic rows, on which words rest (`proofs/cascade.md`, 5), and
//! how many periodic rows there are.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Extreme, Occurrences, Strip};
use crate::Surd;

/// The periodic rows in row order, next to a density of √2 - 1.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PeriodicRows {
    /// Their number.
    pub number: u64,
    /// The differences Δ of successive ones -> how often, and the row before the first.
    pub differences: BTreeMap<u64, Occurrences<u64>>,
    /// Three successive differences, with spaces between them -> the same.
    pub triples: BTreeMap<String, Occurrences<u64>>,
    /// The strip of D(r), the number of periodic rows to row r less (√2 - 1)(r + 1).
    pub discrepancy: Option<Strip>,
    /// The last four.
    #[serde(skip)]
    last: Vec<u64>,
}

impl PeriodicRows {
    /// D(r), if this is the number of periodic rows to row r.
    pub fn discrepancy_at(number: u64, row: u64) -> Surd {
        // n - (√2 - 1)(r + 1) = n + r + 1 - √2·(r + 1).
        Surd::from_line(number.saturating_add(row).saturating_add(1), Surd::ROOT_2, row + 1)
    }

    /// Takes the next row.
    pub(super) fn add(&mut self, row: u64, is_periodic: bool) {
        if is_periodic {
            self.number += 1;
            self.add_periodic(row);
        }
        let distance = Self::discrepancy_at(self.number, row);
        self.discrepancy = Some(Strip::with(self.discrepancy, Extreme { n: row, distance }));
    }

    fn add_periodic(&mut self, row: u64) {
        if let Some(&last) = self.last.last() {
            self.differences.entry(row - last).or_default().add(last);
        }
        self.last.push(row);
        if let [first, .., third, _] = *self.last.as_slice()
            && self.last.len() == 4
        {
            let second = self.last[1];
            let triple = format!("{} {} {}", second - first, third - second, row - third);
            self.triples.entry(triple).or_default().add(first);
            self.last.remove(0);
        }
    }
}
