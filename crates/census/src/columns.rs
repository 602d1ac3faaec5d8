//! Rows in columns, for browsers: they take long to read many objects, or to pass them from one
//! thread to another.

use std::collections::BTreeMap;

use record::{Record, Statement};
use serde::Serialize;

/// Successive rows of three-rowed Chomp, a number for each row in each list.
///
/// ```
/// let mut columns = census::RowColumns::default();
/// for line in [
///     r#"Periodic(row: 0, first: 1, start: 0, values: [1], certificate: (from: 0, recurs: 1, modulus: "1", filled: 1, above: []), head: "0000000000000000")"#,
///     r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#,
/// ] {
///     columns.add(&record::parse_line(line, 1).unwrap());
/// }
/// assert_eq!((columns.periods, columns.ends), (vec![1, 0], vec![0, 2]));
/// assert_eq!(columns.means, [1, 0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RowColumns {
    /// The first row.
    pub first: u64,
    /// The period; 0 if the row is finite.
    pub periods: Vec<u64>,
    /// The start of a periodic row, and the last column of a finite one.
    pub ends: Vec<u64>,
    /// The mean of the values; 0 if the row is finite.
    pub means: Vec<u64>,
    /// Of the rows with a period of 2 or more.
    pub patterns: BTreeMap<u64, Vec<i64>>,
}

impl RowColumns {
    /// Adds the next row.
    pub fn add(&mut self, record: &Record) {
        let (period, end, mean) = match record.statement() {
            Statement::Empty { .. } => (0, 0, 0),
            Statement::Finite(row) => (0, row.last, 0),
            Statement::Periodic(row) => (row.period(), row.start, row.mean()),
        };
        self.periods.push(period);
        self.ends.push(end);
        self.means.push(mean);
        if let Some(row) = record.periodic().filter(|_| period > 1) {
            self.patterns.insert(record.row(), row.pattern());
        }
    }
}
