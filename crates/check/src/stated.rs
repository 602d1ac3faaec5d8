//! A record against what is computed of its row at depth *heads*: the same for three-rowed Chomp
//! and for families, which compute the offsets in different ways.

use num_integer::Integer;
use record::{Certificate, Head, Periodic, Record, Statement};

use crate::error::{EarlyEnd, Limit, Why};

/// Columns past this one are beyond 32-bit arithmetic on p: in three-rowed Chomp p <= 2q + 1 (fact
/// 8(e)), and in a family no offset is greater either.
pub(crate) const LARGEST_COLUMN: u64 = 1 << 30;

/// The statement of a record, and its number in the data set.
#[derive(Clone, Copy)]
pub(crate) struct Stated<'a> {
    pub(crate) number: u64,
    pub(crate) record: &'a Record,
}

impl Stated<'_> {
    pub(crate) fn refuted<T>(self, why: Why) -> Result<T, EarlyEnd> {
        refuted(self.number, why)
    }

    /// An error if the check would compute this column, or an offset as large.
    pub(crate) fn require_reachable(self, column: u64) -> Result<(), EarlyEnd> {
        if column > LARGEST_COLUMN {
            return Err(EarlyEnd::Limit { row: self.number, limit: Limit::Column { column } });
        }
        Ok(())
    }

    /// The p of the first column.
    pub(crate) fn compare_first(self, computed: u64) -> Result<(), EarlyEnd> {
        let stated = self.record.first().unwrap_or(0);
        if stated == computed {
            return Ok(());
        }
        self.refuted(Why::WrongFirst { stated, computed })
    }

    /// U(from), or U of a column like it, of a periodic row.
    pub(crate) fn compare_state(self, filled: u64, above: Vec<u64>) -> Result<(), EarlyEnd> {
        let Some(Periodic { certificate, .. }) = self.record.periodic() else { return Ok(()) };
        let &Certificate { from, filled: stated_filled, above: ref stated_above, .. } = certificate;
        if (filled, &above) == (stated_filled, stated_above) {
            return Ok(());
        }
        let stated_above = stated_above.clone();
        self.refuted(Why::WrongState { from, stated_filled, stated_above, filled, above })
    }

    /// The offset of a column: whether the row ends there, whether it repeats from there on, and
    /// the number, if the record states it.
    pub(crate) fn compare_offset(self, column: u64, computed: u64) -> Result<(), EarlyEnd> {
        let ends = self.record.finite().is_some_and(|finite| finite.last == column);
        match (ends, self.record.periodic()) {
            (true, _) if computed != 0 => self.refuted(Why::GoesOn { last: column, computed }),
            (false, _) if computed == 0 => self.refuted(Why::Ends { column }),
            (_, Some(&Periodic { start, ref values, .. }))
                if column.saturating_add(1) == start && values.last() == Some(&computed) =>
            {
                self.refuted(Why::StartNotLeast { start })
            }
            _ => self.compare_number(column, computed),
        }
    }

    /// The offset of a column, if the record states it.
    pub(crate) fn compare_number(self, column: u64, computed: u64) -> Result<(), EarlyEnd> {
        match self.record.offset(column) {
            Ok(Some(stated)) if stated != computed => {
                self.refuted(Why::WrongOffset { column, stated, computed })
            }
            _ => Ok(()),
        }
    }

    /// The fingerprint of the offsets to this column, if the head ends with it.
    pub(crate) fn compare_fingerprint(self, column: u64, computed: u64) -> Result<(), EarlyEnd> {
        let ends = column.saturating_add(1) == self.record.settled();
        match self.record.head() {
            Some(&Head::Fingerprint(stated)) if ends && stated != computed => {
                self.refuted(Why::WrongFingerprint { stated, computed })
            }
            _ => Ok(()),
        }
    }

    /// The last column to compute, if it was `last`, and the state of column `then` recurs in
    /// column `now`, and so do the columns.
    pub(crate) fn last_if_repeats(self, then: u32, now: u32, last: u32) -> Result<u32, EarlyEnd> {
        match self.record.periodic() {
            Some(periodic) if periodic.start <= u64::from(then) => {
                let places = last.saturating_sub(now).checked_rem(now.saturating_sub(then));
                Ok(now.saturating_add(places.unwrap_or(0)))
            }
            _ => self.refuted(Why::RepeatsBefore { column: then.into(), again: now.into() }),
        }
    }
}

/// The record of this number is refuted.
pub(crate) fn refuted<T>(row: u64, why: Why) -> Result<T, EarlyEnd> {
    Err(EarlyEnd::Refuted { row, why })
}

/// The last column of a row that is computed or compared; of an empty row the first one of the
/// statement.
pub(crate) fn last_column(record: &Record) -> u64 {
    match record.statement() {
        Statement::Empty { .. } => record.row(),
        Statement::Finite(finite) => finite.last,
        Statement::Periodic(periodic) => periodic.certificate.from,
    }
}

/// A common multiple of periods with one more period, if it is less than 2^64.
pub(crate) fn common_multiple(common: Option<u64>, period: u64) -> Option<u64> {
    common.and_then(|common| common.checked_mul(period.checked_div(common.gcd(&period))?))
}
