//! The table of periods, as on Brouwer's page "The game of Chomp", *Patterns in 3-by-n Chomp*.

use std::collections::BTreeMap;
use std::fmt;

use record::Periodic;

/// One line of the table: a periodic row with its pattern.
///
/// `Display` prints columns for the eye, [`PeriodLine::tsv`] tab-separated ones.
///
/// ```
/// use census::PeriodLine;
/// let row_402 = PeriodLine { row: 402, start: 571, period: 4, pattern: vec![0, 1, 1, -2] };
/// assert_eq!(row_402.to_string(), "     402       571       4  0 1 1 -2");
/// assert_eq!(row_402.tsv(), "402\t571\t4\t0,1,1,-2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeriodLine {
    /// The row r.
    pub row: u64,
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
    pub const TSV_HEADER: &str = "row\tstart\tperiod\tpattern";

    /// The line of a periodic row.
    #[must_use]
    pub fn of(row: &Periodic) -> Self {
        Self { row: row.row, start: row.start, period: row.period(), pattern: row.pattern() }
    }

    /// `row<TAB>start<TAB>period<TAB>pattern`, the pattern comma-separated.
    #[must_use]
    pub fn tsv(&self) -> String {
        format!("{}\t{}\t{}\t{}", self.row, self.start, self.period, self.joined(","))
    }

    fn joined(&self, separator: &str) -> String {
        let members: Vec<String> = self.pattern.iter().map(ToString::to_string).collect();
        members.join(separator)
    }
}

impl fmt::Display for PeriodLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { row, start, period, .. } = self;
        write!(f, "{row:>8}  {start:>8}  {period:>6}  {}", self.joined(" "))
    }
}

/// The rows of each period, as Gabriel Nivasch listed them for Brouwer's page: a paragraph for
/// each period.
///
/// ```
/// let mut lists = census::PeriodLists::default();
/// [(120, 2), (402, 4), (400, 2)].map(|(row, period)| lists.add(row, period));
/// assert_eq!(
///     lists.to_string(),
///     "Period 2 for r = 120, 400.\n\
///      \n\
///      Period 4 for r = 402.\n"
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PeriodLists {
    rows: BTreeMap<u64, Vec<u64>>,
}

/// The longest line of [`PeriodLists`].
const LINE_WIDTH: usize = 72;

impl PeriodLists {
    /// Adds a row with its period.
    pub fn add(&mut self, row: u64, period: u64) {
        self.rows.entry(period).or_default().push(row);
    }
}

impl fmt::Display for PeriodLists {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (paragraph, (period, rows)) in self.rows.iter().enumerate() {
            if paragraph > 0 {
                writeln!(f)?;
            }
            let mut line = format!("Period {period} for r =");
            for (place, row) in (1..).zip(rows) {
                let word = format!("{row}{}", if place < rows.len() { "," } else { "." });
                if line.len() + 1 + word.len() > LINE_WIDTH {
                    writeln!(f, "{line}")?;
                    line = word;
                } else {
                    line = line + " " + &word;
                }
            }
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}
