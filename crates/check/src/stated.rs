//! A record against what is computed of its row at depth *heads*: the same for three-rowed Chomp
//! and for families, which compute the offsets in different ways.

use num_integer::Integer;
use record::{Certificate, Head, Periodic, Record, Statement};
use serde_json::json;

use crate::error::{EarlyEnd, limit, refuted};

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
    /// An error if the check would compute this column, or an offset as large.
    pub(crate) fn require_reachable(self, column: u64) -> Result<(), EarlyEnd> {
        if column <= LARGEST_COLUMN {
            return Ok(());
        }
        let words = format!(
            "a head that reaches column {column} is beyond this program; nothing is proved at \
             depth heads"
        );
        limit(self.number, "column", json!({ "column": column }), words)
    }

    /// The p of the first column.
    pub(crate) fn compare_first(self, computed: u64) -> Result<(), EarlyEnd> {
        let stated = self.record.first().unwrap_or(0);
        if stated == computed {
            return Ok(());
        }
        let words = format!("first is {stated}, but the diagonal value is {computed}");
        let details = json!({ "stated": stated, "computed": computed });
        refuted(self.number, "wrong_first", details, words)
    }

    /// U(from), or U of a column like it, of a periodic row.
    pub(crate) fn compare_state(self, (filled, above): State) -> Result<(), EarlyEnd> {
        let Some(Periodic { certificate, .. }) = self.record.periodic() else { return Ok(()) };
        let &Certificate { from, filled: stated_filled, above: ref stated_above, .. } = certificate;
        if (filled, &above) == (stated_filled, stated_above) {
            return Ok(());
        }
        let words = format!(
            "the certificate's U({from}) is 0 to {stated_filled} (exclusive) and {stated_above:?}, \
             but the rules give 0 to {filled} (exclusive) and {above:?}"
        );
        let details = json!({
            "from": from, "stated_filled": stated_filled, "stated_above": stated_above,
            "filled": filled, "above": above
        });
        refuted(self.number, "wrong_state", details, words)
    }

    /// The offset of a column: the number, if the record states it, whether the row ends there, and
    /// whether it repeats from there on. A wrong number is reported as such, also where it ends a
    /// finite row.
    pub(crate) fn compare_offset(self, column: u64, computed: u64) -> Result<(), EarlyEnd> {
        let finite = self.record.finite();
        if computed != 0 || finite.is_some() {
            self.compare_number(column, computed)?;
        }
        if finite.is_some_and(|finite| finite.last == column) {
            if computed == 0 {
                return Ok(());
            }
            let words =
                format!("last is {column}, but the offset of that column is {computed}, not 0");
            let details = json!({ "last": column, "computed": computed });
            return refuted(self.number, "goes_on", details, words);
        }
        if computed == 0 {
            return ends(self.number, column);
        }
        match self.record.periodic() {
            Some(&Periodic { start, ref values, .. })
                if column.saturating_add(1) == start && values.last() == Some(&computed) =>
            {
                let words = format!(
                    "start is {start}, but the offset of column {column} is {computed}, the last \
                     of values: a row that repeats from {start} on does so from {column} on"
                );
                refuted(self.number, "start_not_least", json!({ "start": start }), words)
            }
            _ => Ok(()),
        }
    }

    fn compare_number(self, column: u64, computed: u64) -> Result<(), EarlyEnd> {
        match self.record.offset(column) {
            Ok(Some(stated)) if stated != computed => {
                let words = format!("the offset of column {column} is {computed}, not {stated}");
                let details = json!({ "column": column, "stated": stated, "computed": computed });
                refuted(self.number, "wrong_offset", details, words)
            }
            _ => Ok(()),
        }
    }

    /// The fingerprint of the offsets to this column, if the head ends with it.
    pub(crate) fn compare_fingerprint(self, column: u64, computed: u64) -> Result<(), EarlyEnd> {
        let ends = column.saturating_add(1) == self.record.settled();
        match self.record.head() {
            Some(&Head::Fingerprint(stated)) if ends && stated != computed => {
                let [stated, computed] = [stated, computed].map(|sum| format!("{sum:016x}"));
                let words =
                    format!("head is the fingerprint {stated}, but the offsets have {computed}");
                let details = json!({ "stated": stated, "computed": computed });
                refuted(self.number, "wrong_fingerprint", details, words)
            }
            _ => Ok(()),
        }
    }
}

/// U(q): the least offset that is not in it, and the members above that.
pub(crate) type State = (u64, Vec<u64>);

/// A state of a row that takes unusually long to settle, and its column, after all rows below have
/// settled.
///
/// When the state recurs, the row repeats (facts 3, 8(d) and 12(e)), U(from) is its state in every
/// column at the same place of that repetition, and from there on `values` holds (Corollary 3a).
/// Without this a record could keep the computation going for years.
#[derive(Default)]
pub(crate) struct Landmark(Option<(u64, u32, State)>);

impl Landmark {
    /// The last column to compute of a row with this state in column q, if it was `last`, and
    /// `common` is a common multiple of the periods of the rows below.
    pub(crate) fn last(
        &mut self,
        stated: Stated,
        (q, state): (u32, State),
        common: Option<u64>,
        last: u32,
    ) -> Result<u32, EarlyEnd> {
        let of_row = self.0.as_ref().filter(|(number, ..)| *number == stated.number);
        let divides =
            |then| common.is_some_and(|own| u64::from(q.abs_diff(then)).is_multiple_of(own));
        let same = of_row.filter(|(_, then, seen)| *seen == state && divides(*then));
        let then = same.map(|(_, then, _)| *then);
        if q.is_power_of_two() || of_row.is_none() {
            self.0 = Some((stated.number, q, state));
        }
        let Some(then) = then else { return Ok(last) };
        if stated.record.periodic().is_some_and(|periodic| periodic.start <= u64::from(then)) {
            let places = last.saturating_sub(q).checked_rem(q.saturating_sub(then));
            return Ok(q.saturating_add(places.unwrap_or(0)));
        }
        let words = format!(
            "the row repeats from column {then} on: its state comes back at column {q}, and all \
             rows below have settled; its record says otherwise"
        );
        refuted(stated.number, "repeats_before", json!({ "column": then, "again": q }), words)
    }
}

/// A row ends in a column where its record continues it.
#[cold]
pub(crate) fn ends(number: u64, column: u64) -> Result<(), EarlyEnd> {
    let words = format!("the row ends at column {column}, but its record continues it");
    refuted(number, "ends", json!({ "column": column }), words)
}

/// The heads take more than this number of cells.
pub(crate) fn too_many_cells(row: u64, cells: u64, column: u32) -> Result<(), EarlyEnd> {
    let words = format!(
        "the heads take more than {cells} cells, and at column {column} the head of this row is \
         not at its end; nothing is proved at depth heads"
    );
    limit(row, "cells", json!({ "cells": cells, "column": column }), words)
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
