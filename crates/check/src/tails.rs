//! The rows below each row of three-rowed Chomp, for the check of certificates.
//!
//! In practice the check takes O(log n) for n values below: a state recurs after a few columns, and
//! few rows below have a value in the window.

use std::collections::BTreeMap;

use record::{Periodic, Record};

use crate::certificate::{RowsBelow, Settled};

/// The most look-ups of the check of one certificate: milliseconds. The rows to 60 000 take at most
/// 47; to 2 000 000 the greatest period is 81, and about four look-ups a column are expected at
/// most.
pub(crate) const MOST_LOOKUPS: u32 = 1 << 16;

/// The values and periods of the rows, which certificates are checked against.
#[derive(Debug, Default)]
pub(crate) struct ValuesBelow {
    /// `(value, period, residue)`: the first row with this value in the columns that are `residue`
    /// modulo `period`.
    classes: BTreeMap<(u64, u64, u64), u64>,
    /// `(value, period)`: the first row of this period with this value.
    periods: BTreeMap<(u64, u64), u64>,
    /// For each row, where the rows below it have settled.
    settled: Vec<Settled>,
    /// Where all rows have settled.
    latest: Settled,
}

impl ValuesBelow {
    /// Takes the next row. O(log n) a value.
    pub(crate) fn take(&mut self, record: &Record) {
        let row = record.row();
        self.settled.push(self.latest);
        if record.settled() > self.latest.column {
            self.latest = Settled { column: record.settled(), by: row };
        }
        let Some(&Periodic { start, ref values, .. }) = record.periodic() else { return };
        let period = values.len() as u64;
        for (column, &value) in (start..).zip(values) {
            let residue = column.checked_rem(period).unwrap_or(0);
            self.classes.entry((value, period, residue)).or_insert(row);
            self.periods.entry((value, period)).or_insert(row);
        }
    }

    /// The rows below one that was taken.
    pub(crate) fn below(&self, row: u64) -> impl RowsBelow + '_ {
        Below { values: self, row }
    }
}

/// The rows below one row.
struct Below<'a> {
    values: &'a ValuesBelow,
    row: u64,
}

impl RowsBelow for Below<'_> {
    fn settled(&self) -> Settled {
        let settled = usize::try_from(self.row).ok().and_then(|row| self.values.settled.get(row));
        *settled.unwrap_or(&self.values.latest)
    }

    fn have(&self, offset: u64, column: u64) -> (bool, u32) {
        let mut lookups = 0_u32;
        let has_it = self.periods(offset, offset).any(|(period, by)| {
            lookups = lookups.saturating_add(1);
            let class = (offset, period, column.checked_rem(period).unwrap_or(0));
            let first = self.values.classes.get(&class).filter(|_| by < self.row);
            first.is_some_and(|first| *first < self.row)
        });
        (has_it, lookups)
    }

    fn periods(&self, least: u64, largest: u64) -> Box<dyn Iterator<Item = (u64, u64)> + '_> {
        let in_window = self.values.periods.range((least, 0)..=(largest, u64::MAX));
        Box::new(in_window.map(|(&(_, period), &by)| (period, by)))
    }
}
