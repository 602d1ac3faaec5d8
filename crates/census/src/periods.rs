//! The table of periods, as on Brouwer's page "The game of Chomp", *Patterns in 3-by-n Chomp*.

use std::collections::BTreeMap;

use record::{Record, Statement, joined};
use serde::Serialize;

use crate::KeyColumns;

/// The header of the lines for the eye.
pub const HEADER: &str = "     row     start  period  pattern";

/// A periodic row in a line for the eye: its number or key, its start, its least period, and its
/// values from the start on minus their mean; `None` of another row.
///
/// ```
/// use census::{KeyColumns, periods};
/// let row_120 = "Periodic(row: 120, first: 206, start: 170, values: [72, 70], certificate: (\
///     from: 170, recurs: 172, modulus: \"1\", filled: 71, above: []), head: \"0000000000000000\")";
/// let row_120 = record::parse_line(row_120, 1)?;
/// assert_eq!(periods::line(&row_120).unwrap(), "     120       170       2  1 -1");
/// let tsv = |keys| periods::tsv(&row_120, keys).unwrap();
/// assert_eq!(tsv(KeyColumns::Row), "120\t170\t2\t1,-1");
/// assert_eq!(tsv(KeyColumns::LevelAndTail), "0\t120\t170\t2\t1,-1");
/// # Ok::<(), record::ReadError>(())
/// ```
pub fn line(record: &Record) -> Option<String> {
    let (key, row) = (record.key(), record.periodic()?);
    let name = if key.is_three_rowed() { key.first_column().to_string() } else { key.to_string() };
    let (start, period, pattern) = (row.start, row.period(), joined(row.pattern(), " "));
    Some(format!("{name:>8}  {start:>8}  {period:>6}  {pattern}"))
}

/// The header of [`tsv`].
pub fn tsv_header(keys: KeyColumns) -> &'static str {
    match keys {
        KeyColumns::Row => "row\tstart\tperiod\tpattern",
        KeyColumns::LevelAndTail => "level\ttail\tstart\tperiod\tpattern",
        KeyColumns::LevelAndIdeal => "level\tideal\tstart\tperiod\tpattern",
    }
}

/// The same in columns separated by tabs, the pattern and the tail comma-separated.
pub fn tsv(record: &Record, keys: KeyColumns) -> Option<String> {
    let (key, row) = (record.key(), record.periodic()?);
    let name = match keys {
        KeyColumns::Row => key.first_column().to_string(),
        KeyColumns::LevelAndTail => format!("{}\t{}", key.level, joined(key.tail().parts(), ",")),
        KeyColumns::LevelAndIdeal => {
            format!("{}\t{}", key.level, key.ideal().map_or(String::new(), ToString::to_string))
        }
    };
    Some(format!("{name}\t{}\t{}\t{}", row.start, row.period(), joined(row.pattern(), ",")))
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
