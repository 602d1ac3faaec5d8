//! The check of any family of rows, at all depths.
//!
//! The rules are in facts 12 and 13 of `proofs/README.md`, and nothing is shared with the engines.
//! A row is checked against the *rows below* it, those that (C) and (L) name, each looked up in
//! each column. The check of three-rowed Chomp keeps the blocked offsets of a column from row to
//! row; this one collects them anew for each row, because a tail or an ideal has no single row
//! before it. So a cell costs one look-up for each element of the tail or ideal, and for each lower
//! level.

mod heads;
mod rows;
mod tails;

use record::{Family, Record};

use crate::CheckWatch;
use crate::error::EarlyEnd;
use crate::side_by_side::first_end;

/// Checks all rows of a family at depth *tails* and, if asked for, *heads*.
pub(crate) fn check(
    family: &Family,
    records: &[Record],
    with_heads: bool,
    watch: &dyn CheckWatch,
) -> Result<(), EarlyEnd> {
    let rows = rows::FamilyRows::new(family, records);
    first_end(&rows.numbers(), |number| tails::check(&rows, *number, watch).err())?;
    if with_heads { heads::check(&rows, watch) } else { Ok(()) }
}
