//! Depth *tails* of three-rowed Chomp: every certificate, by the rows below one after the other.
//!
//! O(log n) a row in practice, for n values below: a state recurs after a few columns, and few rows
//! below have a value in the window. No certificate gets more than [`MOST_LOOKUPS`], so that no
//! record can keep the check busy for more than milliseconds.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_integer::Integer;
use record::{Certificate, Periodic, Record, RowKey};
use serde_json::json;

use crate::CheckWatch;
use crate::certificate::{self, Lookups, RowsBelow, State};
use crate::error::{EarlyEnd, refuted};

/// The most look-ups of the check of one certificate. The rows to 60 000 take at most 47; to
/// 2 000 000 the greatest period is 81, and about four look-ups a column are expected at most.
const MOST_LOOKUPS: u32 = 1 << 16;

/// The column from which the rows below a row have settled, and the row that settles last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Settled {
    column: u64,
    by: u64,
}

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
    /// Takes the next rows, in order. O(log n) a value.
    pub(crate) fn extend(&mut self, rows: &[Record]) {
        for record in rows {
            self.settled.push(self.latest);
            if let Some(periodic) = record.periodic() {
                self.take_values(periodic);
            }
            if record.settled() > self.latest.column {
                self.latest = Settled { column: record.settled(), by: record.row() };
            }
        }
    }

    fn take_values(&mut self, periodic: &Periodic) {
        let &Periodic { row, start, ref values, .. } = periodic;
        let period = values.len() as u64;
        for (column, &value) in (start..).zip(values) {
            let residue = column.checked_rem(period).unwrap_or(0);
            self.classes.entry((value, period, residue)).or_insert(row);
            self.periods.entry((value, period)).or_insert(row);
        }
    }

    /// Checks the certificate of one row that was taken; a finite row has none, and passes.
    pub(crate) fn check(&self, record: &Record, watch: &dyn CheckWatch) -> Result<(), EarlyEnd> {
        let Some(periodic) = record.periodic() else { return Ok(()) };
        let settled = usize::try_from(periodic.row).ok().and_then(|row| self.settled.get(row));
        let below = Below {
            values: self,
            settled: *settled.unwrap_or(&self.latest),
            row: periodic.row,
            certificate: &periodic.certificate,
        };
        certificate::check(periodic, &below, Lookups::new(periodic.row, MOST_LOOKUPS, watch))
    }
}

/// The rows below one row.
struct Below<'a> {
    values: &'a ValuesBelow,
    settled: Settled,
    row: u64,
    certificate: &'a Certificate,
}

impl RowsBelow for Below<'_> {
    fn unsettled(&self, from: u64) -> Option<(u64, RowKey)> {
        let Settled { column, by } = self.settled;
        (from < column).then(|| (column, RowKey::of_row(0, by)))
    }

    fn mex(&self, state: &State, lookups: &mut Lookups) -> Result<u64, EarlyEnd> {
        let mut above = state.above().peekable();
        let mut offset = state.filled();
        loop {
            lookups.count(1, state.column())?;
            let in_past = above.next_if_eq(&offset).is_some();
            if !in_past && !self.in_column(state.column(), offset, lookups)? {
                return Ok(offset);
            }
            offset = offset.saturating_add(1);
        }
    }

    /// Refuses a certificate whose modulus leaves a period out, before the multiple can be large.
    fn modulus(
        &self,
        least: u64,
        largest: u64,
        lookups: &mut Lookups,
    ) -> Result<BigUint, EarlyEnd> {
        let &Certificate { from, ref modulus, .. } = self.certificate;
        // The modulus divides recurs - from, which is less than 2^63.
        let stated = u64::try_from(modulus).unwrap_or(1);
        let mut computed = 1_u64;
        let periods = &self.values.periods;
        for (&(_, period), &by) in periods.range((least, 0)..=(largest, u64::MAX)) {
            lookups.count(1, from)?;
            if by >= self.row {
                continue;
            }
            if !stated.is_multiple_of(period) {
                let words = format!(
                    "the certificate's modulus is {modulus}, but row {by} has a value in the \
                     window {least} to {largest} and period {period}"
                );
                let details = json!({
                    "stated": modulus.to_string(), "by": by, "period": period, "least": least,
                    "largest": largest
                });
                return refuted(self.row, "period_left_out", details, words);
            }
            computed = computed.lcm(&period);
        }
        Ok(computed.into())
    }
}

impl Below<'_> {
    /// Whether a row below has this offset in this column.
    fn in_column(&self, column: u64, offset: u64, lookups: &mut Lookups) -> Result<bool, EarlyEnd> {
        let ValuesBelow { classes, periods, .. } = self.values;
        let is_below = |first: &u64| *first < self.row;
        for (&(_, period), first) in periods.range((offset, 0)..=(offset, u64::MAX)) {
            lookups.count(1, column)?;
            let residue = column.checked_rem(period).unwrap_or(0);
            let has_it = |class| classes.get(class).is_some_and(is_below);
            if is_below(first) && has_it(&(offset, period, residue)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
