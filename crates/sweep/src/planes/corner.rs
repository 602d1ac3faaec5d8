//! The corner: rows and columns near the diagonal, in words wide enough for both windows.

use super::groups::Groups;
use super::lanes::SIDE;
use crate::band::geometry::first_tile;
use crate::band::units::{BandIndex, GroupIndex};
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::scalar::NumberSet;
use crate::units::{ColumnIndex, Number, RowIndex, index};
use std::collections::VecDeque;

/// Words of a row and of a column.
const WIDE: usize = 4;

/// The columns from the diagonal to the first tile of a band, as words from `floor` on; bits mean
/// *free of (C)*. All numbers below `floor` are blocked, and all numbers above the words are free
/// (V11).
///
/// A group enters when it is the last one before the first tile of a band. It never returns to its
/// bytes, because no row has it in tiles again.
#[derive(Default)]
pub(super) struct Corner {
    floor: u64,
    columns: VecDeque<[[u64; WIDE]; SIDE]>,
}

impl Corner {
    /// The end of the words.
    fn end(&self) -> u64 {
        self.floor + 64 * WIDE as u64
    }

    /// The corner of the next band `b`, whose first tile has its windows from `low` on. Checks V11.
    pub(super) fn begin(
        &mut self,
        b: BandIndex,
        low: u64,
        groups: &mut Groups,
        diagonals: &NumberSet,
    ) -> Result<(), SweepError> {
        let failed = |g: GroupIndex| {
            SweepError::hypothesis(g.first_column(), b.first_row(), Hypothesis::Corner)
        };
        // The group of the diagonal of the band below.
        self.columns.pop_front();
        while self.floor + 64 <= low {
            if !self.columns.is_empty() {
                let free = !diagonals.word(self.floor / 64);
                for (columns, g) in self.columns.iter_mut().zip((b.0..).map(GroupIndex)) {
                    for column in columns {
                        if column[0] & free != 0 {
                            return Err(failed(g));
                        }
                        column.rotate_left(1);
                        column[WIDE - 1] = u64::MAX;
                    }
                }
            }
            self.floor += 64;
        }
        for g in (GroupIndex(b.0) + self.columns.len() as u64).up_to(first_tile(b)) {
            let mut group = groups.get(g);
            if group.raise(diagonals, self.floor) < self.floor || !group.is_free_from(self.end()) {
                return Err(failed(g));
            }
            self.columns.push_back(group.free(self.floor));
        }
        Ok(())
    }

    /// Decides the cells of a row before the first tile, with `(D)` in `diagonals`. Returns the
    /// row-free numbers that are left, from `floor` on.
    #[inline]
    pub(super) fn row(
        &mut self,
        r: RowIndex,
        diagonals: &NumberSet,
        diagonal_end: Number,
        mut cell: impl FnMut(ColumnIndex, Number),
    ) -> Result<(u64, [u64; WIDE]), SweepError> {
        let failed = |q| SweepError::hypothesis(q, r, Hypothesis::Corner);
        let mut row: [u64; WIDE] =
            std::array::from_fn(|k| !diagonals.word(self.floor / 64 + k as u64));
        if diagonal_end.0 > self.end() {
            return Err(failed(r.diagonal()));
        }
        let skipped = index(r.0 % SIDE as u64);
        let columns = self.columns.iter_mut().flatten().skip(skipped);
        for (q, column) in (r.0..).map(ColumnIndex).zip(columns) {
            let (k, bit) = (0..WIDE)
                .map(|k| (k, row[k] & column[k]))
                .find(|&(_, both)| both != 0)
                .ok_or_else(|| failed(q))?;
            let bit = bit & bit.wrapping_neg();
            row[k] ^= bit;
            column[k] ^= bit;
            cell(q, Number(self.floor + 64 * k as u64 + u64::from(bit.trailing_zeros())));
        }
        Ok((self.floor, row))
    }
}
