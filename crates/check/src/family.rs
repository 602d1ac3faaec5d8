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
use crate::certificate::{self, Row};
use crate::error::EarlyEnd;
use crate::tails::ValuesBelow;
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
        // `filled` falls by at most 1 a column, and U recurs after each period.
        let least = |row: &Periodic| row.certificate.filled.saturating_sub(row.period());
        let mut below = ValuesBelow::from_value(record.periodic().map_or(0, least));
        for row in rows.below(number).filter(|_| record.periodic().is_some()) {
            records.get(row).into_iter().for_each(|record| below.take(row as u64, record));
        }
        let row = Row { family, number: number as u64, below: &below };
        certificate::check(record, row, MOST_LOOKUPS, watch).err()
    })?;
    if with_heads { heads::check(&rows, watch) } else { Ok(()) }
}
