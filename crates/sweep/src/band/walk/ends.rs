//! The two ends of a band: from the diagonal to its first tile (proofs/sweep.md, 5.4), and from its
//! last tile until each row has ended or has its certificate (section 2).

use super::block::Block;
use super::exact::ExactRow;
use super::octet::Band;
use crate::band::below::Context;
use crate::band::geometry::{SHIFT, lane, least_diagonal, reach};
use crate::band::group::GroupInBlock;
use crate::band::schedule::OCTET;
use crate::certify::{ColumnState, Repeating, RowsBelow, Trace};
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::units::{BandIndex, ColumnIndex, GroupIndex, Number, RowIndex, index};
use record::{Record, column_weight};

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
        assert_eq!(held.group().index, band.first_tile - 1);
        let wide = held.wide(self.corner.floor, context).map_err(failed)?;
        held.discard(self.pool);
        self.corner.columns.push_back(wide);
        let k = self.bands.len();
        let columns = row.diagonal().up_to(column);
        let weights: Vec<u64> = columns.map(|q| column_weight(q.0)).collect();
        for i in 0..8 {
            let (row, sum) = self.start_row(&mut band, i, &weights[i..])?;
            let (octet, lane) = self.octet(k);
            octet.rows.set_exact(lane, i, row, sum, &mut band.exceptions[i]);
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
        assert_eq!(self.knowledge.diagonals.rows, r);
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

impl<const HEARD: bool> Block<'_, HEARD> {
    /// Computes the last cells of the first band under way, row by row. All rows below are
    /// finished.
    pub(crate) fn finish_band(&mut self) -> Result<(), SweepError> {
        let k = self.schedule.under_way().start;
        let (b, last, lift) = (self.bands[k].index, self.bands[k].last_tile, self.bands[k].lift);
        for g in last.up_to(self.groups.end) {
            let context = self.knowledge.context(self.shared);
            self.groups.get_mut(g).advance(lift, context);
        }
        for i in 0..8 {
            let r = self.bands[k].row(i);
            while self.groups_end() < reach(r) {
                self.activate(b, r)?;
            }
            let row = self.finish_row(k, i)?;
            self.knowledge.add(&row)?;
            self.rows.push(row);
        }
        self.schedule.finish();
        Ok(())
    }

    /// Adds a group on the right. Checks V2: the old rows have all settled there.
    fn activate(&mut self, b: BandIndex, r: RowIndex) -> Result<(), SweepError> {
        let g = self.groups_end();
        let failed = |hypothesis| SweepError::hypothesis(g.first_column(), r, hypothesis);
        if self.knowledge.below.settled() > g.first_column() {
            return Err(failed(Hypothesis::OldRows));
        }
        let context = self.knowledge.context(self.shared);
        let mut held = GroupInBlock::activate(g, b, r, context).map_err(failed)?;
        held.move_to(self.pool);
        held.begin_words_ahead(self.bands[0].index - 1, context);
        *self.groups.push() = held;
        Ok(())
    }

    fn finish_row(&mut self, k: usize, i: usize) -> Result<Record, SweepError> {
        let (band, octet, lane) = (&self.bands[k], &self.octets[k / OCTET], k % OCTET);
        let (b, r, kept) = (band.index, band.row(i), band.last_tile.first_column());
        let mut row = octet.exact_row(lane, i, band, band.last_tile - 1);
        let sum = octet.rows.sum[i].0[lane];
        let below = &self.knowledge.below;
        let mut trace = Trace::new(r, kept, sum, Some(band.diagonal[i]), below)?;
        loop {
            let q = trace.column();
            if GroupIndex::of_column(q) >= self.groups_end() {
                self.activate(b, r)?;
            }
            let g = GroupIndex::of_column(q);
            let context = self.knowledge.context(self.shared);
            if q == g.first_column() {
                row.next_group(q, self.shared.shift(g), context);
            }
            if trace.counts()
                && let Some(found) = certify(&mut trace, &row, context, &self.knowledge.below)?
            {
                self.done.cells += q - r.diagonal();
                self.fill(q, &found);
                return Ok(found);
            }
            let cell = row.cell(q, self.groups.get_mut(g), context);
            let p = cell.map_err(|hypothesis| SweepError::hypothesis(q, r, hypothesis))?;
            let offset = q.offset(p);
            trace.push(offset);
            if HEARD {
                self.cells.cell(q, r, p);
            }
            if offset == 0 {
                self.done.cells += q + 1 - r.diagonal();
                return trace.finite();
            }
        }
    }

    /// Enters the values of a periodic row in the columns from `q` on.
    fn fill(&mut self, q: ColumnIndex, row: &Record) {
        let Some(row) = row.periodic().map(Repeating::from) else { return };
        for q in q.up_to(self.groups_end().first_column()) {
            self.groups.get_mut(GroupIndex::of_column(q)).block(lane(q), q.number(row.offset(q.0)));
        }
    }
}

/// Passes the state of the next column to the trace of a row, or skips the column.
fn certify(
    trace: &mut Trace,
    row: &ExactRow,
    context: Context,
    below: &RowsBelow,
) -> Result<Option<Record>, SweepError> {
    let q = trace.column();
    if !row.has_low(q, context) {
        let (least, above) = row.upper_part(q);
        return trace.recurs(ColumnState::new(q.offset(least), above), below);
    }
    trace.skip(row.gap()).map(|()| None)
}
