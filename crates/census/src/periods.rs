//! The table of periods, as on Brouwer's page "The game of Chomp", *Patterns in 3-by-n Chomp*.

use std::collections::BTreeMap;
use std::fmt;

use record::{Record, RowKey, Statement, joined};
use serde::Serialize;

use crate::KeyColumns;

/// One line of the table: a periodic row with its pattern.
///
/// `Display` prints columns for the eye, [`PeriodLine::tsv`] tab-separated ones.
///
/// ```
/// use census::{KeyColumns, PeriodLine};
/// use record::RowKey;
/// let pattern = vec![0, 1, 1, -2];
/// let row_402 = PeriodLine { key: RowKey::of_row(0, 402), start: 571, period: 4, pattern };
/// assert_eq!(row_402.to_string(), "     402       571       4  0 1 1 -2");
/// assert_eq!(row_402.tsv(KeyColumns::Row), "402\t571\t4\t0,1,1,-2");
/// assert_eq!(row_402.tsv(KeyColumns::LevelAndTail), "0\t402\t571\t4\t0,1,1,-2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodLine {
    /// The row.
    pub key: RowKey,
    /// Its start N(r).
    pub start: u64,
    /// Its least period.
    pub period: u64,
    /// Its values from `start` on minus their mean.
    pub pattern: Vec<i64>,
}

impl PeriodLine {
    /// The header of the columns that `Display` prints.
    pub const HEADER: &str = "     row     start  period  pattern";

    /// The header of [`PeriodLine::tsv`].
    pub fn tsv_header(keys: KeyColumns) -> &'static str {
        match keys {
            KeyColumns::Row => "row\tstart\tperiod\tpattern",
            KeyColumns::LevelAndTail => "level\ttail\tstart\tperiod\tpattern",
            KeyColumns::LevelAndIdeal => "level\tideal\tstart\tperiod\tpattern",
        }
    }

    /// The line of a periodic row; `None` of another.
    pub fn of(record: &Record) -> Option<Self> {
        let row = record.periodic()?;
        let (key, pattern) = (record.key().clone(), row.pattern());
        Some(Self { key, start: row.start, period: row.period(), pattern })
    }

    /// Columns separated by tabs, the pattern and the tail comma-separated.
    pub fn tsv(&self, keys: KeyColumns) -> String {
        let row = match keys {
            KeyColumns::Row => self.key.first_column().to_string(),
            KeyColumns::LevelAndTail => {
                format!("{}\t{}", self.key.level, joined(self.key.tail().parts(), ","))
            }
            KeyColumns::LevelAndIdeal => {
                let ideal = self.key.ideal().map_or(String::new(), ToString::to_string);
                format!("{}\t{ideal}", self.key.level)
            }
        };
        let pattern = joined(&self.pattern, ",");
        format!("{row}\t{}\t{}\t{pattern}", self.start, self.period)
    }
}

impl fmt::Display for PeriodLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { key, start, period, .. } = self;
        let row =
            if key.is_three_rowed() { key.first_column().to_string() } else { key.to_string() };
        write!(f, "{row:>8}  {start:>8}  {period:>6}  {}", joined(&self.pattern, " "))
    }
}

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
