//! A band from the diagonal to its first tile (proofs/sweep.md, 5.4).

use super::{band::Band, block::Block, exact::ExactRow};
use crate::band::geometry::{SHIFT, lane, least_diagonal};
use crate::band::units::GroupIndex;
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::units::{Number, RowIndex, index};
use record::column_weight;

impl<const HEARD: bool> Block<'_, HEARD> {
    /// Computes the next band from the diagonal to its first tile.
    pub(crate) fn start_band(&mut self) -> Result<(), SweepError> {
        let b = self.schedule.next_band();
        let windows = self.shared.frame.windows;
        let mut band = Band::new(b, self.shared);
        let anchors = band.anchors(band.first_tile);
        let (column, row) = (band.first_tile.first_column(), b.first_row());
        let failed = |hypothesis| SweepError::hypothesis(column, row, hypothesis);
        if self.knowledge.diagonals.complete_below() < Number(anchors.low) + SHIFT {
            return Err(failed(Hypothesis::Diagonals));
        }
        if anchors.low_end() > anchors.high
            || windows.low(b, band.last_tile) < band.last_tile.first_column().number(0)
        {
            return Err(failed(Hypothesis::WindowsFit));
        }
        self.corner.raise(b, windows, &self.knowledge.diagonals)?;
        if self.corner.floor < column.number(0) || self.corner.floor > Number(anchors.low) {
            return Err(failed(Hypothesis::Corner));
        }
        let context = self.knowledge.context(self.shared);
        let held = self.groups.pop().expect("the group of the corner is there");
        assert_eq!(held.group().index(), band.first_tile - 1);
        let wide = held.wide(self.corner.floor, context).map_err(failed)?;
        held.discard(self.spare);
        self.corner.columns.push_back(wide);
        let k = self.bands.len();
        let columns = row.diagonal().up_to(column);
        let weights: Vec<u64> = columns.map(|q| column_weight(q.0)).collect();
        for i in 0..8 {
            let (row, sum) = self.start_row(&mut band, i, &weights[i..])?;
            let (octet, lane) = self.octet(k);
            octet.rows.set_exact(lane, i, row, sum, &mut band);
        }
        let (octet, lane) = self.octet(k);
        octet.low_anchor.0[lane] = anchors.low;
        self.corner.columns.pop_front();
        self.bands.push(band);
        self.schedule.start();
        Ok(())
    }

    /// Row `i` of the band, with the weights of its columns.
    fn start_row(
        &mut self,
        band: &mut Band,
        i: usize,
        weights: &[u64],
    ) -> Result<(ExactRow, u64), SweepError> {
        let r = band.row(i);
        let end = band.first_tile.first_column();
        assert_eq!(self.knowledge.diagonals.rows(), r);
        let mut free = self.corner.row_free(r, &self.knowledge.diagonals)?;
        let mut sum = self.shared.moment(band.first_tile, band.last_tile).wrapping_neg();
        let anchors = band.anchors(band.first_tile);
        let mut below = Vec::new();
        for q in r.diagonal().up_to(end) {
            let nth = index(GroupIndex::of_column(q).0 - band.index.0);
            let value = self.corner.cell(&mut free, nth, lane(q));
            let p = value.ok_or_else(|| SweepError::hypothesis(q, r, Hypothesis::Corner))?;
            sum = sum.wrapping_add(q.offset(p).wrapping_mul(weights[index(q - r.diagonal())]));
            if HEARD {
                self.cells.cell(q, r, p);
            }
            if q == r.diagonal() {
                band.diagonal[i] = p;
            }
            below.extend((p < Number(anchors.low)).then_some(p));
        }
        let mut row = ExactRow::gather(anchors, self.corner.floor.0, &free);
        for p in below {
            row.take(p);
        }
        self.enter_diagonal(r, band.diagonal[i])?;
        Ok((row, sum))
    }

    /// Enters a diagonal value. Checks V9.
    fn enter_diagonal(&mut self, r: RowIndex, p: Number) -> Result<(), SweepError> {
        if p < least_diagonal(r) {
            return Err(SweepError::hypothesis(r.diagonal(), r, Hypothesis::Diagonals));
        }
        self.knowledge.diagonals.add(p);
        Ok(())
    }
}
