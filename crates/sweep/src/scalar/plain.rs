//! Brouwer's plain recurrence: the baseline.
//!
//! A column is a bit set, the row is another, and a cell scans both by words from `p = q` to the
//! first number in neither. The scan passes everything between `q` and the value, so rows to `R`
//! cost O(R^3 / 64), and memory is O(R^2) bits. It rests on proofs/sweep.md, section 1, alone.

use super::oracle::{self, Column, Current, Search};
use crate::error::SweepError;
use crate::units::{ColumnIndex, Number, RowIndex};
use record::listeners::{Done, Visitor};
use ultimate::least_free;

/// Visits every row below `end`, in order.
///
/// # Errors
/// [`SweepError::Row`] if a certificate's modulus does not fit 64 bits.
pub fn rows(end: u64, visitor: &mut dyn Visitor) -> Result<Done, SweepError> {
    oracle::sweep(end, Scan, visitor)
}

struct Scan;

impl Search for Scan {
    fn begin(&mut self, _: RowIndex, _: &Current) {}

    fn value(&mut self, q: ColumnIndex, current: &Current, column: &mut Column) -> Number {
        Number(least_free(q.0, |k| current.blocked.word(k) | column.blocked.word(k)))
    }
}
