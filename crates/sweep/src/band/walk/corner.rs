//! The corner: rows and columns near the diagonal, in words wide enough for both windows
//! (proofs/sweep.md, 5.4).

use crate::band::below::Diagonals;
use crate::band::codec::{Decoder, invalid, put, put_eight};
use crate::band::geometry::{WIDE, Windows, first_tile};
use crate::band::simd::Eight;
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::units::{BandIndex, GroupIndex, Number, RowIndex};
use std::collections::VecDeque;
use std::io;

/// The columns too near the diagonal for windows, as words from `floor` on; bits mean *free of
/// (C)*. All numbers below `floor` are blocked, and all numbers above the words are free (V11).
#[derive(Clone, Debug)]
pub struct Corner {
    pub(crate) floor: Number,
    /// From the group of the diagonal on.
    pub(crate) columns: VecDeque<[Eight; WIDE]>,
}

/// The group where band `b` begins.
fn diagonal(b: BandIndex) -> GroupIndex {
    GroupIndex(b.0)
}

impl Corner {
    /// The corner for band `b`, without the group that the band adds itself; `free(g, p)` gives the
    /// free numbers of the columns of group `g` from `p` on.
    pub(crate) fn build(
        b: BandIndex,
        windows: Windows,
        free: impl Fn(GroupIndex, Number) -> Eight,
    ) -> Self {
        let floor = windows.corner(b);
        let words = |g| std::array::from_fn(|word| free(g, floor + 64 * word as u64));
        Self { floor, columns: diagonal(b).up_to(first_tile(b) - 1).map(words).collect() }
    }

    /// Appends the corner.
    pub fn save(&self, out: &mut Vec<u8>) {
        put(out, self.floor.0);
        self.columns.iter().flatten().for_each(|words| put_eight(out, words));
    }

    /// Takes the corner for band `b` that [`Self::save`] has appended.
    ///
    /// # Errors
    /// If it cannot be read, or its floor does not fit the windows.
    pub fn restore(source: &mut Decoder<'_>, b: BandIndex, windows: Windows) -> io::Result<Self> {
        let floor = Number(source.number()?);
        // It was raised for the band below.
        if floor != windows.corner(b - 1) {
            return Err(invalid("the floor of the corner does not fit the windows"));
        }
        let mut columns = VecDeque::new();
        for _ in diagonal(b).up_to(first_tile(b) - 1) {
            let mut words = [Eight::ZERO; WIDE];
            for word in &mut words {
                *word = source.eight()?;
            }
            columns.push_back(words);
        }
        Ok(Self { floor, columns })
    }

    /// The number past the words.
    pub(crate) fn end(&self) -> Number {
        self.floor + 64 * WIDE as u64
    }

    /// Raises the floor for band `b`. Checks V11 for the words that are dropped.
    pub(crate) fn raise(
        &mut self,
        b: BandIndex,
        windows: Windows,
        diagonals: &Diagonals,
    ) -> Result<(), SweepError> {
        while self.floor < windows.corner(b) {
            let seen = diagonals.free(self.floor);
            for (g, words) in (diagonal(b).0..).map(GroupIndex).zip(&mut self.columns) {
                if words[0].0.iter().any(|word| word & seen != 0) {
                    return Err(SweepError::hypothesis(
                        g.first_column(),
                        b.first_row(),
                        Hypothesis::Corner,
                    ));
                }
                words.rotate_left(1);
                words[WIDE - 1] = Eight::ONES;
            }
            self.floor += 64;
        }
        Ok(())
    }

    /// The row-free numbers of row `r` within the words, before its first cell.
    pub(crate) fn row_free(
        &self,
        r: RowIndex,
        diagonals: &Diagonals,
    ) -> Result<[u64; WIDE], SweepError> {
        if diagonals.end > self.end() {
            return Err(SweepError::hypothesis(r.diagonal(), r, Hypothesis::Corner));
        }
        Ok(std::array::from_fn(|word| diagonals.free(self.floor + 64 * word as u64)))
    }

    /// Decides the cell of row `r` in lane `lane` of the `nth` group.
    #[inline]
    pub(crate) fn cell(
        &mut self,
        row: &mut [u64; WIDE],
        nth: usize,
        lane: usize,
    ) -> Option<Number> {
        for (word, (row, column)) in row.iter_mut().zip(&mut self.columns[nth]).enumerate() {
            let column = &mut column.0[lane];
            let both = *row & *column;
            if both != 0 {
                let bit = both & both.wrapping_neg();
                *row ^= bit;
                *column ^= bit;
                return Some(self.floor + 64 * word as u64 + u64::from(bit.trailing_zeros()));
            }
        }
        None
    }
}
