//! The last cells of a band's rows, from its last tile until each has ended or has its certificate
//! (proofs/sweep.md, section 2).

use super::{block::Block, exact::ExactRow};
use crate::band::below::Context;
use crate::band::geometry::{lane, reach};
use crate::band::group::Held;
use crate::band::schedule::OCTET;
use crate::band::units::{BandIndex, GroupIndex};
use crate::certify::{ColumnState, RowsBelow, Trace};
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::repeating::Repeating;
use crate::units::{ColumnIndex, RowIndex};
use record::Record;

impl<const HEARD: bool> Block<'_, HEARD> {
    /// Computes the last cells of the first band under way, row by row. All rows below are
    /// finished.
    pub(crate) fn finish_band(&mut self) -> Result<(), SweepError> {
        let k = self.schedule.under_way().start;
        let (b, last, lift) = (self.bands[k].index, self.bands[k].last_tile, self.bands[k].lift);
        for g in last.up_to(self.groups.end()) {
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
        let mut held = Held::activate(g, b, r, context).map_err(failed)?;
        held.move_to(self.spare);
        held.begin_reach(self.bands[0].index - 1, context);
        *self.groups.push() = held;
        Ok(())
    }

    fn finish_row(&mut self, k: usize, i: usize) -> Result<Record, SweepError> {
        let (band, octet, lane) = (&self.bands[k], &self.octets[k / OCTET], k % OCTET);
        let (b, r, kept) = (band.index, band.row(i), band.last_tile.first_column());
        let mut row = octet.exact_row(lane, i, band, band.last_tile - 1);
        let sum = octet.rows.sum[i].0[lane];
        let below = &self.knowledge.below;
        let mut trace = Trace::resumed(r, kept, sum, band.diagonal[i], below, &mut self.traces)?;
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
                self.traces.take_back(trace);
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
                let found = trace.finite();
                self.traces.take_back(trace);
                return found;
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
