//! Brouwer's plain recurrence: the baseline.
//!
//! A column is a bit set, the row is another, and a cell scans both by words from `p = q` to the
//! first number in neither. The scan passes everything between `q` and the value, so rows to `R`
//! cost O(R^3 / 64), and memory is O(R^2) bits. It rests on proofs/sweep.md, section 1, alone.

use super::columns::Column;
use super::oracle::{self, Current, Search};
use crate::error::SweepError;
use crate::units::{ColumnIndex, Number, RowIndex};
use record::listeners::{Done, Visitor};

/// Visits every row below `end`, in order.
///
/// # Errors
/// [`SweepError::Modulus`] if a certificate's modulus does not fit 64 bits.
pub fn rows(end: u64, visitor: &mut dyn Visitor) -> Result<Done, SweepError> {
    oracle::sweep(end, Scan, visitor)
}

struct Scan;

impl Search for Scan {
    fn begin(&mut self, _: RowIndex, _: &Current) {}

    fn value(&mut self, q: ColumnIndex, current: &Current, column: &mut Column) -> Number {
        let ColumnIndex(q) = q;
        let mut word = q / 64;
        let mut free = u64::MAX << (q % 64);
        loop {
            free &= !(current.blocked.word(word) | column.blocked.word(word));
            if free != 0 {
                return Number(64 * word + u64::from(free.trailing_zeros()));
            }
            word += 1;
            free = u64::MAX;
        }
    }
}
