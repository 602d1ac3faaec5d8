//! The numbers of section 8 of the 2005 paper, and of Brouwer's page, for rows 0 to R.
//!
//! [`Statistics`] come from row records, in one pass: the diagonal (8.4), the finite rows (8.6),
//! complementarity, periods and starts. [`CellTally`] and [`CellCensus`] need the cells: how often
//! each value occurs (8.10), row minima (8.11), column maxima (8.3).
//!
//! Everything is an integer or a [`Surd`], decided exactly. The records and cells are taken as
//! true. Conclusions from rows 0 to R about *all* rows rest on fact 5 of `proofs/README.md`, and
//! every figure states its range.

mod cells;
mod ends;
mod tally;
mod terms;

use std::collections::BTreeMap;

use record::Record;
use serde::Serialize;

pub use crate::summary::Occurrences;
pub use cells::{CellCensus, CellStatistics, DiagonalFrequencies, ElementFrequencies, RowMinima};
pub use ends::{Complementarity, End, Ends, Estimates};
pub use tally::CellTally;
pub use terms::{Differences, Extreme, Strip, Terms};

use crate::{Summary, Surd};
use ends::Ascending;

/// The statistics of the records of rows 0 to R.
///
/// A clone is a snapshot: the figures for a shorter range.
///
/// ```
/// use census::statistics::Statistics;
/// use record::parse_line;
///
/// let rows = [
///     "Periodic(row: 0, first: 1, start: 0, values: [1], certificate: (from: 0, recurs: 1, \
///      modulus: \"1\", filled: 1, above: []), head: \"0000000000000000\")",
///     "Finite(row: 1, first: 3, last: 2, head: \"22145bd91204b982\")",
/// ];
/// let mut statistics = Statistics::default();
/// for (row, line) in (0..).zip(rows) {
///     statistics.add(&parse_line(line, row).unwrap());
/// }
/// assert_eq!(statistics.diagonal.last, Some(3));
/// assert_eq!(statistics.ends.columns.last, Some(2)); // q_1 = 2
/// assert_eq!(statistics.complementarity.decided, 2);
/// assert_eq!(statistics.complementarity.both.number, 0);
/// ```
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RowStatistics"))]
pub struct Statistics {
    /// The number of rows that have been added.
    pub rows: u64,
    /// Kinds of rows by decade of r, and start - √2·r.
    pub summary: Summary,
    /// `d_n = f(n,n)`, n from 0 to R, next to α·n: A029900.
    pub diagonal: Terms,
    /// The finite rows in order of r, n from 1, next to α·n: A029902, "monotonic by definition" on
    /// Brouwer's page. Complete to row R.
    pub finite_rows: Terms,
    /// The pairs `(q_n, r_n)` in order of q, as the 2005 paper defines them, with `q_n <= R + 1`:
    /// no later row ends there, so these n are final.
    pub ends: Ends,
    /// Whether `r < r'` implies `q < q'` for finite rows r, r' that end at q, q'.
    pub monotonicity: Monotonicity,
    /// Whether diagonal values and ends are complementary, for the numbers 1 to R + 1.
    pub complementarity: Complementarity,
    /// The periodic rows, their differences, and D(r).
    pub periodic: PeriodicRows,
    /// The equation that would bound D(r), two estimates from which it follows, and the counts of
    /// the ends.
    pub estimates: Estimates,
    #[serde(skip)]
    undecided: Ascending,
}

/// Whether the ends of finite rows ascend with the row: open in the 2005 paper, section 8.6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Monotonicity {
    /// The finite rows that were compared: all to row R.
    pub rows: u64,
    /// The finite row among them that ends last, as `(last, row)`.
    pub furthest: Option<(u64, u64)>,
    /// Rows that end no later than a row below them.
    pub violations: Occurrences<u64>,
}

impl Default for Statistics {
    /// No row yet.
    fn default() -> Self {
        Self {
            rows: 0,
            summary: Summary::default(),
            diagonal: Terms::new(Surd::ALPHA, 0),
            finite_rows: Terms::new(Surd::ALPHA, 1),
            ends: Ends::default(),
            monotonicity: Monotonicity::default(),
            complementarity: Complementarity::default(),
            periodic: PeriodicRows::default(),
            estimates: Estimates::default(),
            undecided: Ascending::default(),
        }
    }
}

impl Statistics {
    /// Adds the next row. O(log R).
    ///
    /// # Panics
    /// If rows do not come in order from row 0.
    pub fn add(&mut self, record: &Record) {
        let (row, first) = (record.row(), record.diagonal());
        assert_eq!(row, self.rows, "rows come in order from row 0");
        self.rows += 1;
        self.summary.add(record);
        self.diagonal.push(first);
        self.undecided.add(first, None);
        self.periodic.add(row, record.periodic().is_some());
        let end = record.finite().map(|finite| finite.last);
        self.estimates.add(row, first, end);
        if let Some(last) = end {
            self.finite_rows.push(row);
            self.monotonicity.add(row, last);
            self.undecided.add(last, Some(row));
        }
        let found = |end| self.estimates.end(end);
        self.undecided.decide(row + 1, &mut self.complementarity, &mut self.ends, found);
    }
}

impl Monotonicity {
    fn add(&mut self, row: u64, last: u64) {
        self.rows += 1;
        match self.furthest {
            Some((furthest, _)) if last <= furthest => self.violations.add(row),
            _ => self.furthest = Some((last, row)),
        }
    }
}

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
    pub fn add(&mut self, row: u64, is_periodic: bool) {
        if is_periodic {
            self.number += 1;
            self.add_periodic(row);
        }
        let distance = Self::discrepancy_at(self.number, row);
        Strip::extend(&mut self.discrepancy, row, distance);
    }

    fn add_periodic(&mut self, row: u64) {
        if let Some(&last) = self.last.last() {
            self.differences.entry(row - last).or_default().add(last);
        }
        self.last.push(row);
        if let [first, second, third, _] = *self.last.as_slice() {
            let triple = format!("{} {} {}", second - first, third - second, row - third);
            self.triples.entry(triple).or_default().add(first);
            self.last.remove(0);
        }
    }
}
