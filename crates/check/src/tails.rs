//! What the certificates of rows are compared with: the values and periods of the rows below.

use std::collections::BTreeMap;

use record::{Periodic, Record};

/// The column from which the rows below a row have settled, and the row that settles last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) column: u64,
    pub(crate) by: u64,
}

/// The values and periods of rows. A row is named by the number of its record.
#[derive(Debug, Default)]
pub(crate) struct ValuesBelow {
    /// Less values are left out.
    least: u64,
    /// `(value, period, residue)`: the first row with this value in the columns that are `residue`
    /// modulo `period`.
    classes: BTreeMap<(u64, u64, u64), u64>,
    /// `(value, period)`: the first row of this period with this value.
    periods: BTreeMap<(u64, u64), u64>,
    /// For each row that was taken, where the rows taken before it have settled.
    settled: Vec<Settled>,
    /// Where all rows have settled.
    latest: Settled,
}

impl ValuesBelow {
    /// No rows yet. Their values are looked up from this one on.
    pub(crate) fn from_value(least: u64) -> Self {
        Self { least, ..Self::default() }
    }

    /// Takes the next row. O(log n) a value, for n values of all rows.
    pub(crate) fn take(&mut self, number: u64, record: &Record) {
        self.settled.push(self.latest);
        if record.settled() > self.latest.column {
            self.latest = Settled { column: record.settled(), by: number };
        }
        let Some(&Periodic { start, ref values, .. }) = record.periodic() else { return };
        let period = values.len() as u64;
        for (column, &value) in (start..).zip(values).filter(|(_, value)| **value >= self.least) {
            let residue = column.checked_rem(period).unwrap_or(0);
            self.classes.entry((value, period, residue)).or_insert(number);
            self.periods.entry((value, period)).or_insert(number);
        }
    }

    /// Where the rows below the row of this number have settled. If rows 0, 1, 2, ... were taken,
    /// these are the rows before it; otherwise all that were taken are below it.
    pub(crate) fn settled(&self, number: u64) -> Settled {
        let settled = usize::try_from(number).ok().and_then(|place| self.settled.get(place));
        *settled.unwrap_or(&self.latest)
    }

    /// The periods of the rows with a value in this window, each with the first of them.
    pub(crate) fn periods(&self, least: u64, largest: u64) -> impl Iterator<Item = (u64, u64)> {
        let in_window = self.periods.range((least, 0)..=(largest, u64::MAX));
        in_window.map(|(&(_, period), &by)| (period, by))
    }

    /// Whether a row below the row of this number, of this period, has this value in this column.
    pub(crate) fn has(&self, number: u64, period: u64, value: u64, column: u64) -> bool {
        let residue = column.checked_rem(period).unwrap_or(0);
        self.classes.get(&(value, period, residue)).is_some_and(|first| *first < number)
    }
}
