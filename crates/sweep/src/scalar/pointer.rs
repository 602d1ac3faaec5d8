//! The skip lemma as a program: a cell costs a few probes.
//!
//! Three pointers bound the search, each moving in one direction only (proofs/sweep.md, section 3):
//! nothing below `least_q` is free in column `q`, and nothing in `[lo, hi)` is free in the row. So
//! a cell searches `[least_q, lo)`, and then from `hi` on. In all rows computed so far these
//! searches are a few numbers long, so rows to `R` cost O(R^2). The value is right however long
//! they are.

use super::oracle::{self, Column, Current, Search};
use crate::error::SweepError;
use crate::units::{ColumnIndex, Number, RowIndex};
use record::listeners::{Done, Visitor};

/// Visits every row below `end`, in order.
///
/// # Errors
/// [`SweepError::Row`] if a certificate's modulus does not fit 64 bits.
pub fn rows(end: u64, visitor: &mut dyn Visitor) -> Result<Done, SweepError> {
    oracle::sweep(end, Pointers::default(), visitor)
}

/// The row's pointers: nothing in `[lo, hi)` is row-free.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pointers {
    lo: u64,
    hi: u64,
}

impl Search for Pointers {
    fn begin(&mut self, _: RowIndex, current: &Current) {
        self.hi = current.diagonal_end;
        self.lo = self.hi;
    }

    fn value(&mut self, q: ColumnIndex, current: &Current, column: &mut Column) -> Number {
        let ColumnIndex(q) = q;
        let row_free = |p: u64| !current.blocked.contains(p);
        current.raise_least(column, u64::MAX);
        while self.lo > q && !row_free(self.lo - 1) {
            self.lo -= 1;
        }
        while !row_free(self.hi) {
            self.hi += 1;
        }
        let low = column.least..self.lo;
        let high = self.hi.max(column.least)..;
        low.chain(high)
            .find(|&p| row_free(p) && !column.blocked.contains(p))
            .map(Number)
            .expect("a row and a column block finitely many")
    }
}
