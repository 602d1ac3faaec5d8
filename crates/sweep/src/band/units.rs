//! Types for the indices of bands, groups and blocks, so that none can be mistaken for another, or
//! for a row or a column.

use crate::units::{ColumnIndex, RowIndex, unit};

/// Rows in a band, columns in a group, lanes in a vector.
pub const LANES: u64 = 8;

unit!(
    /// Eight consecutive rows, by the number of bands below.
    BandIndex
);

unit!(
    /// Eight consecutive columns, by the number of groups to the left.
    GroupIndex
);

unit!(
    /// Consecutive bands that one worker computes together, counted from 1; block 0 is everything
    /// below them.
    BlockIndex
);

impl BandIndex {
    /// The first of its rows.
    #[inline(always)]
    pub fn first_row(self) -> RowIndex {
        RowIndex(LANES * self.0)
    }

    /// The band that has this row.
    #[inline(always)]
    pub fn of_row(r: RowIndex) -> Self {
        Self(r.0 / LANES)
    }
}

impl GroupIndex {
    /// The first of its columns.
    #[inline(always)]
    pub fn first_column(self) -> ColumnIndex {
        ColumnIndex(LANES * self.0)
    }

    /// The group that has this column.
    #[inline(always)]
    pub fn of_column(q: ColumnIndex) -> Self {
        Self(q.0 / LANES)
    }
}
