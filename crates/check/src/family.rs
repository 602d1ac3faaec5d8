//! The check of any family of rows, at all depths.
//!
//! The rules are in facts 12 and 13 of `proofs/README.md`, and nothing is shared with the engines.
//! A row is checked against the *rows below* it, those that (C) and (L) name, each looked up in
//! each column. The check of three-rowed Chomp keeps the blocked offsets of a column from row to
//! row; this one collects them anew for each row, because a tail or an ideal has no single row
//! before it. So a cell costs one look-up for each element of the tail or ideal, and for each lower
//! level. Depth *tails* (facts 3 and 12(e)) is here, depth *heads* in a module.

mod heads;
mod rows;

use std::collections::BTreeSet;

use num_bigint::BigUint;
use num_integer::Integer;
use record::{Family, Periodic, Record, RowKey};

use crate::CheckWatch;
use crate::certificate::{self, Lookups, RowsBelow, State, value};
use crate::error::EarlyEnd;
use crate::watch::first_end;
use rows::FamilyRows;

/// Checks all rows of a family at depth *tails* and, if asked for, *heads*.
pub(crate) fn check(
    family: &Family,
    records: &[Record],
    with_heads: bool,
    watch: &dyn CheckWatch,
) -> Result<(), EarlyEnd> {
    let rows = FamilyRows::new(family, records);
    let numbers: Vec<usize> = (0..records.len()).collect();
    first_end(&numbers, |number| check_tail(&rows, *number, watch).err())?;
    if with_heads { heads::check(&rows, watch) } else { Ok(()) }
}

/// The most look-ups of the check of one certificate: minutes. Periods have no known bound.
const MOST_LOOKUPS: u32 = 1 << 31;

/// Checks the certificate of a row; a row that has none passes.
fn check_tail(rows: &FamilyRows, number: usize, watch: &dyn CheckWatch) -> Result<(), EarlyEnd> {
    if number.is_multiple_of(1024) && watch.stop() {
        return Err(EarlyEnd::Interrupted);
    }
    let periodic = rows.records.get(number).and_then(Record::periodic);
    let Some(periodic) = periodic else { return Ok(()) };
    let records: Vec<&Record> =
        rows.below(number).filter_map(|below| rows.records.get(below)).collect();
    let below =
        Below { periodic: records.iter().filter_map(|below| below.periodic()).collect(), records };
    certificate::check(periodic, &below, Lookups::new(number as u64, MOST_LOOKUPS, watch))
}

/// The rows below one row.
struct Below<'a> {
    records: Vec<&'a Record>,
    periodic: Vec<&'a Periodic>,
}

impl RowsBelow for Below<'_> {
    fn unsettled(&self, from: u64) -> Option<(u64, RowKey)> {
        let latest = self.records.iter().max_by_key(|record| record.settled())?;
        let column = latest.settled();
        (from < column).then(|| (column, latest.key().clone()))
    }

    fn mex(&self, state: &State, lookups: &mut Lookups) -> Result<u64, EarlyEnd> {
        let (column, filled) = (state.column(), state.filled());
        lookups.count((self.periodic.len() as u64).saturating_add(1), column)?;
        let in_column = self.periodic.iter().map(|below| value(below, column));
        let mut blocked: BTreeSet<u64> = in_column.filter(|offset| *offset >= filled).collect();
        blocked.extend(state.above());
        let mut computed = filled;
        while blocked.contains(&computed) {
            computed = computed.saturating_add(1);
        }
        Ok(computed)
    }

    fn modulus(&self, least: u64, largest: u64, _: &mut Lookups) -> Result<BigUint, EarlyEnd> {
        let in_window = |value: &u64| (least..=largest).contains(value);
        let counted = self.periodic.iter().filter(|below| below.values.iter().any(in_window));
        Ok(counted.fold(BigUint::from(1_u8), |modulus, below| {
            modulus.lcm(&BigUint::from(below.values.len()))
        }))
    }
}
