//! The rows below the first one that is still computed: the same for every row to come.

use record::{Periodic, Record};

use super::column::Settled;
use super::row::Live;
use super::words::Diagonal;
use crate::error::EarlyEnd;
use crate::stated::{Landmark, common_multiple, too_many_cells};

/// These rows have been compared with their records, and are *absorbed*.
pub(super) struct Absorbed<'a> {
    /// The number of these rows: they are rows 0, 1, 2, ...
    pub(super) rows: u64,
    pub(super) settled: Settled<'a>,
    /// A common multiple of the periods, while it is less than 2^64.
    pub(super) common: Option<u64>,
    /// A state of the first row that is not absorbed.
    pub(super) landmark: Landmark,
    /// The cells that may still be computed.
    pub(super) cells_left: u64,
    pub(super) most_cells: u64,
}

impl<'a> Absorbed<'a> {
    /// No rows. At most `most_cells` cells are computed.
    pub(super) fn none(most_cells: u64) -> Self {
        Self {
            rows: 0,
            settled: Settled::none(),
            common: Some(1),
            landmark: Landmark::default(),
            cells_left: most_cells,
            most_cells,
        }
    }

    /// Takes the settled rows at the front of `live`.
    pub(super) fn absorb(&mut self, live: &mut Vec<Live<'a>>) {
        let settled = live.iter().position(Live::is_computed).unwrap_or(live.len());
        for row in live.drain(..settled) {
            self.add(row.record, row.first);
        }
    }

    /// Adds the next row, which has this diagonal value.
    pub(super) fn add(&mut self, record: &'a Record, first: u32) {
        self.rows = self.rows.saturating_add(1);
        self.settled.add(record, first);
        let period = record.periodic().map_or(1, Periodic::period);
        self.common = common_multiple(self.common, period);
    }

    /// Fast-forwards the first row that is not absorbed, before column q, if its state recurs. True
    /// certificates do not begin so late.
    pub(super) fn first_recurs(
        &mut self,
        row: &mut Live,
        q: u32,
        diagonal: &Diagonal,
    ) -> Result<(), EarlyEnd> {
        if q > row.row.saturating_mul(2).saturating_add(64) {
            let now = (q, row.state(q, diagonal));
            row.last = self.landmark.last(row.stated(), now, self.common, row.last)?;
            row.attend = row.attend.min(row.last);
        }
        Ok(())
    }

    /// Counts the cost of a group of columns from q on, with this number of rows: the rows, the
    /// rows of longer periods, and the bits of each column.
    pub(super) fn count_cells(&mut self, rows: u64, columns: u32, q: u32) -> Result<(), EarlyEnd> {
        let parts = [rows, self.settled.longer.len() as u64, self.settled.words()];
        let cells = parts.into_iter().fold(0, u64::saturating_add);
        let cells = cells.saturating_mul(u64::from(columns));
        let Some(left) = self.cells_left.checked_sub(cells) else {
            return too_many_cells(self.rows, self.most_cells, q);
        };
        self.cells_left = left;
        Ok(())
    }
}
