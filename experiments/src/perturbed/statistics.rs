//! Tests which statements about Chomp hold in a recurrence that differs from Chomp's near the
//! origin (`proofs/uniqueness.md`, 7).
//!
//! The values come column by column, up to column 2R or so, and no row has a certificate. A row is
//! finite if it ends in one of these columns. Otherwise it is taken for periodic, and its period is
//! *read* from the last [`READ`] columns, which show at least two periods. Statements about the
//! columns in which a number occurs are decided for the numbers to R, since no later row has these.

use std::collections::BTreeMap;

use census::statistics::{Estimates, Strip};

/// The number of columns from which periods are read. They show periods to half of it.
pub const READ: u32 = 2048;

/// The cases of a statement, and those in which it fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    /// The number of cases.
    pub number: u64,
    /// The number of those in which it fails. A case is a row, a column or a number; the statement
    /// says which.
    pub failures: u64,
    /// The last of these.
    pub last: Option<u64>,
}

impl Cases {
    pub fn add(&mut self, place: u64, holds: bool) {
        self.number += 1;
        if !holds {
            self.failures += 1;
            self.last = Some(place);
        }
    }
}

/// A periodic row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodicRow {
    /// The row.
    pub row: u64,
    /// Its h by the finite rows (`proofs/cascade.md`, 5.2).
    pub h: i64,
    /// The reading of the last columns; `None` if they do not repeat with a period to `READ / 2`.
    pub read: Option<Read>,
}

/// The reading of a periodic row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// One period of the offsets, from the first column on that was read.
    pub values: Vec<u64>,
    /// The mean of these.
    pub mean: u64,
    /// The number of balls of the law that the row meets, and how many of them the row takes out
    /// (`proofs/cascade.md`, 5.1); `None` if a row below in the cluster was not read, or if the row
    /// contradicts the theorem.
    pub met: Option<(u64, u64)>,
}

/// The statements, as far as rows 0 to R decide them.
#[derive(Clone, Debug, Default)]
pub struct PerturbedStatistics {
    /// The number of rows.
    pub rows: u64,
    /// The periodic ones among them.
    pub periodic: Vec<PeriodicRow>,
    /// The column in which each finite row ends, by row.
    pub ends: BTreeMap<u64, u64>,
    /// Periods, with the number of rows that have them.
    pub periods: BTreeMap<u64, u64>,
    /// The number of periodic rows whose period was not read.
    pub unread: u64,
    /// (M): periodic rows r that have been read. It fails for those with another `μ(r) - F(r)` than
    /// the last one.
    pub means: Cases,
    /// `μ(r) - F(r)` of the last periodic row that was read. For Chomp it is 1.
    pub mean_less_finite: Option<i64>,
    /// (M*): ends to R. It fails for those that are in a row above the one that ends.
    pub ends_not_above: Cases,
    /// Ends to R. It fails for those that are diagonal values.
    pub ends_not_diagonal: Cases,
    /// Numbers from 1 to R that do not count as diagonal values from the outset. It fails for those
    /// that are neither ends nor diagonal values.
    pub ends_or_diagonal: Cases,
    /// 8.10, first half: ends x to R. Let x be the n-th end, and k the number of those numbers less
    /// than x that count as diagonal values from the outset. It fails for those with another number
    /// of columns `q < x` that have x, less `n + k`, than the last one.
    pub columns_of_ends: Cases,
    /// 8.10, second half: ends x to R. It fails for those whose columns `q < x` are not successive.
    pub successive_columns: Cases,
    /// 8.3: columns to R. It fails for those whose greatest number is not the diagonal value.
    pub diagonal_greatest: Cases,
    /// 8.11: finite rows. It fails for those whose end is not their least value off the diagonal.
    pub ends_least: Cases,
    /// 8.6: finite rows. It fails for those that end before a row below them.
    pub ends_increase: Cases,
    /// `h <= 1`, by the finite rows: periodic rows.
    pub one_hole: Cases,
    /// Theorem 5.1 of `proofs/cascade.md`: periodic rows that meet a known law. It fails for those
    /// whose values contradict it.
    pub laws: Cases,
    /// Corollary 5.2 there: periodic rows that meet a known law. It fails for those that have
    /// another h by that law than by the finite rows.
    pub queue: Cases,
    /// The largest excess of periodic rows over finite ones in an interval of rows.
    pub largest_excess: u64,
    /// Rows with `h >= 2` that take out as many balls as they have holes, and that take out fewer.
    pub taken: (u64, u64),
    /// The range of D(r).
    pub discrepancy: Option<Strip>,
    /// The estimates of D(r), of the ends and of the diagonal.
    pub estimates: Estimates,
}

impl PerturbedStatistics {
    /// The statements, with the names of the documents, in a fixed order.
    pub fn statements(&self) -> [(&'static str, Cases); 12] {
        [
            ("(M): mean - F is constant", self.means),
            ("(M*): no end in a row above", self.ends_not_above),
            ("no end is a diagonal value", self.ends_not_diagonal),
            ("each n is end or diagonal value", self.ends_or_diagonal),
            ("8.3: diagonal value is greatest", self.diagonal_greatest),
            ("8.10: n-th end in n + k columns", self.columns_of_ends),
            ("5.1: laws of all rows", self.laws),
            ("5.2: h from the finite rows", self.queue),
            ("8.10: these are successive", self.successive_columns),
            ("8.11: end is least off diagonal", self.ends_least),
            ("8.6: ends increase", self.ends_increase),
            ("h <= 1", self.one_hole),
        ]
    }
}
