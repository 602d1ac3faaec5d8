//! The check of any family of rows, at all depths.
//!
//! The rules are in facts 12 and 13 of `proofs/README.md`, and nothing is shared with the engines.
//! A row is checked against the *rows below* it, those that (C) and (L) name. The check of
//! three-rowed Chomp keeps the values of the rows below, and the blocked offsets of a column, from
//! row to row; this one collects both anew for each row, because a tail or an ideal has no single
//! row before it. So a cell costs one look-up for each element of the tail or ideal, and for each
//! lower level. Depth *heads* is in a module.

mod heads;
mod rows;

use record::{Family, Periodic, Record};

use crate::CheckWatch;
use crate::certificate::{self, RowsBelow, Settled, value};
use crate::error::EarlyEnd;
use crate::watch::first_end;
use rows::FamilyRows;

/// The most look-ups of the check of one certificate: minutes. Periods have no known bound.
const MOST_LOOKUPS: u32 = 1 << 31;

/// Checks all rows of a family at depth *tails* (facts 3 and 12(e)) and, if asked for, *heads*.
pub(crate) fn check(
    family: &Family,
    records: &[Record],
    with_heads: bool,
    watch: &dyn CheckWatch,
) -> Result<(), EarlyEnd> {
    let rows = FamilyRows::new(family, records);
    let numbered: Vec<(usize, &Record)> = records.iter().enumerate().collect();
    first_end(&numbered, |&(number, record)| {
        let below = rows.below(number).filter(|_| record.periodic().is_some());
        let below = below.filter_map(|below| Some((below as u64, records.get(below)?)));
        let (row, below) = ((family, number as u64), Below(below.collect()));
        certificate::check(record, row, &below, MOST_LOOKUPS, watch).err()
    })?;
    if with_heads { heads::check(&rows, watch) } else { Ok(()) }
}

/// The rows below one row, each with the number of its record.
struct Below<'a>(Vec<(u64, &'a Record)>);

impl Below<'_> {
    fn periodic(&self) -> impl Iterator<Item = (u64, &Periodic)> {
        self.0.iter().filter_map(|(number, record)| Some((*number, record.periodic()?)))
    }
}

impl RowsBelow for Below<'_> {
    fn settled(&self) -> Settled {
        let settled =
            self.0.iter().map(|(by, record)| Settled { column: record.settled(), by: *by });
        settled.max_by_key(|settled| settled.column).unwrap_or_default()
    }

    fn have(&self, offset: u64, column: u64) -> (bool, u32) {
        let mut values = self.periodic().map(|(_, below)| value(below, column));
        (values.any(|own| own == offset), u32::try_from(self.0.len()).unwrap_or(u32::MAX))
    }

    fn periods(&self, least: u64, largest: u64) -> Box<dyn Iterator<Item = (u64, u64)> + '_> {
        let in_window = move |value: &u64| (least..=largest).contains(value);
        let counted = self.periodic().filter(move |(_, below)| below.values.iter().any(in_window));
        Box::new(counted.map(|(number, below)| (below.period(), number)))
    }
}
