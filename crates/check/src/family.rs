//! The check of any family of rows, at all depths.
//!
//! The rules are those of fact 12 of `proofs/README.md`, and nothing is shared with the engines. A
//! row is checked against the *rows below* it, those that (C) and (L) name, each looked up in each
//! column. The check of three-rowed Chomp keeps what a column blocks from row to row; this one
//! gathers it anew for each row, because a tail has no single row before it. So a cell costs as
//! many look-ups as there are rows below, |t| + g.

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
    let rows = rows::Rows::new(family, records);
    first_end(&rows.numbers(), |number| tails::check(&rows, *number, watch).err())?;
    if with_heads { heads::check(&rows, watch) } else { Ok(()) }
}
