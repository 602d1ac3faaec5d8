//! Old rows: the bytes that they give the columns in which they repeat.

use super::lanes::SIDE;
use crate::band::geometry::least_value;
use crate::band::units::GroupIndex;
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::repeating::Repeating;
use crate::units::{ColumnIndex, RowIndex, index};
use record::Record;
use std::collections::BTreeSet;

/// Groups whose first columns are equal modulo 72, which most periods divide.
const CLASSES: usize = 9;

/// Columns that are equal modulo 72.
const MODULUS: u64 = 72;

/// A class has this number of bytes, at least, from each of its numbers on, so that they can be
/// read at once.
pub(super) const MARGIN: usize = 4096;

/// The rows that have finished.
pub(super) struct OldRows {
    next: RowIndex,
    /// The bytes of a group whose columns these rows have settled in, from its first column on.
    classes: [Vec<u8>; CLASSES],
    /// Periodic rows whose periods do not divide 72, which classes lack.
    odd: Vec<Repeating>,
    /// Their values.
    values: BTreeSet<u64>,
    /// Every value is less than this.
    end: u64,
}

impl Default for OldRows {
    fn default() -> Self {
        // A column has no numbers below it.
        let mut class: Vec<u8> = (0..SIDE).map(|n| 0xFE << n).collect();
        class.resize(SIDE + MARGIN, 0);
        Self {
            next: RowIndex(0),
            classes: std::array::from_fn(|_| class.clone()),
            odd: Vec::new(),
            values: BTreeSet::new(),
            end: 0,
        }
    }
}

impl OldRows {
    /// Enters the next row. Checks V3.
    pub(super) fn add(&mut self, row: &Record) -> Result<(), SweepError> {
        let r = self.next;
        self.next += 1;
        let Some(periodic) = row.periodic() else { return Ok(()) };
        if periodic.values.iter().any(|&value| value < least_value(r)) {
            let q = ColumnIndex(periodic.start);
            return Err(SweepError::hypothesis(q, r, Hypothesis::LeastValues));
        }
        self.end = periodic.values.iter().fold(self.end, |end, &value| end.max(value + 1));
        let row = Repeating::from(periodic);
        if MODULUS.is_multiple_of(row.period()) {
            for q in 0..MODULUS {
                let class = &mut self.classes[index(q) / SIDE];
                let at = index(q) % SIDE + index(row.offset(q));
                if class.len() < at + MARGIN {
                    class.resize(at + 2 * MARGIN, 0);
                }
                class[at] |= 1 << (q % SIDE as u64);
            }
        } else {
            self.values.extend(row.values());
            self.odd.push(row);
        }
        Ok(())
    }

    /// No row that is missing has values below this.
    pub(super) fn complete_below(&self) -> u64 {
        least_value(self.next)
    }

    /// In a group, every number that is blocked is less than its first column and this.
    pub(super) fn end(&self) -> u64 {
        self.end + SIDE as u64
    }

    /// The columns of a group in which these rows take number `p`, if they have settled there.
    #[inline]
    pub(super) fn taken(&self, g: GroupIndex, p: u64) -> u8 {
        let first = g.first_column().0;
        let class = &self.classes[index(g.0) % CLASSES];
        let taken = class.get(index(p - first)).copied().unwrap_or(0);
        let values = p.saturating_sub(first + SIDE as u64 - 1)..=p - first;
        if self.values.range(values).next().is_none() {
            return taken;
        }
        (0..SIDE as u64).fold(taken, |taken, j| {
            let is_taken = self.odd.iter().any(|row| first + j + row.offset(first + j) == p);
            taken | u8::from(is_taken) << j
        })
    }

    /// The bytes of consecutive numbers of a group from `p` on, if they are those of a class.
    #[inline]
    pub(super) fn class(&self, g: GroupIndex, p: u64) -> Option<&[u8; MARGIN]> {
        let n = p - g.first_column().0;
        let values = n.saturating_sub(SIDE as u64 - 1)..n + MARGIN as u64;
        self.values.range(values).next().is_none().then_some(())?;
        self.classes[index(g.0) % CLASSES].get(index(n)..)?.first_chunk()
    }
}
