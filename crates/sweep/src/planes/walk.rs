//! The bands of a block, from the diagonal to their certificates.

use super::corner::Corner;
use super::groups::Groups;
use super::heads::Heads;
use super::lanes::{Plane, SIDE};
use super::rows::{Row, Rows};
use super::tile::Tiles;
use super::transit::{Incoming, Outgoing};
use super::windows::{Distances, Ends, TileAt};
use crate::band::geometry::{first_tile, last_tile, least_diagonal, reach};
use crate::band::schedule::{FIRST_BAND, Schedule, group};
use crate::band::simd::Runnable;
use crate::band::units::{BandIndex, GroupIndex};
use crate::certify::{RowsBelow, Trace, TraceBuffers};
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::scalar::pointer::Pointers;
use crate::scalar::{NumberSet, Oracle};
use crate::units::{ColumnIndex, Number, RowIndex, index};
use record::listeners::{Done, Visitor};
use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};

/// What the engine keeps from block to block.
pub(super) struct Engine<H, const W: usize> {
    pub(super) distances: Distances,
    pub(super) groups: Groups,
    pub(super) corner: Corner,
    /// (D) of the next row that starts.
    pub(super) started: NumberSet,
    /// Every diagonal value in it is less than this.
    pub(super) diagonal_end: Number,
    /// The diagonal values of the rows that have started.
    pub(super) diagonals: Vec<u64>,
    pub(super) ends: Ends,
    /// The rows that have finished.
    pub(super) below: RowsBelow,
    pub(super) traces: TraceBuffers,
    pub(super) done: Done,
    pub(super) machine: Runnable,
    pub(super) heads: PhantomData<H>,
}

/// A block. Lane `k` is its band `k`.
pub(super) struct Block<H, const W: usize> {
    pub(super) bands: Range<BandIndex>,
    pub(super) schedule: Schedule,
    pub(super) tiles: Box<Tiles<W>>,
    /// The tiles of this slot, when they are decided.
    pub(super) after: Box<Tiles<W>>,
    pub(super) incoming: Box<Incoming<W>>,
    pub(super) outgoing: Box<Outgoing<W>>,
    pub(super) heads: H,
    /// The lanes whose windows rise by six places to the group of this slot.
    pub(super) six: Plane<W>,
    /// The lanes whose group is not in the planes.
    pub(super) outside: Plane<W>,
    /// The lanes whose rows are not in the planes.
    pub(super) exact: Plane<W>,
    /// By lane, for those that have started: the rows that are not in the planes.
    pub(super) rows: Vec<Option<Rows>>,
}

impl<H: Heads<W>, const W: usize> Engine<H, W> {
    /// Before row 0.
    pub(super) fn new(distances: Distances, machine: Runnable) -> Self {
        Self {
            distances,
            groups: Groups::default(),
            corner: Corner::default(),
            started: NumberSet::from(0),
            diagonal_end: Number(0),
            diagonals: Vec::new(),
            ends: Ends::default(),
            below: RowsBelow::default(),
            traces: TraceBuffers::default(),
            done: Done::default(),
            machine,
            heads: PhantomData,
        }
    }

    /// Visits every row below `end`. The pointer engine finds those before the first band.
    pub(super) fn sweep(mut self, end: u64, visitor: &mut dyn Visitor) -> Result<Done, SweepError> {
        let mut oracle = Oracle::new(Pointers::default());
        for _ in 0..end.min(FIRST_BAND.first_row().0) {
            let (row, offsets) = oracle.next_row()?;
            self.enter_diagonal(row.diagonal());
            self.below.add(&row);
            self.groups.finish(ColumnIndex(u64::MAX), &row)?;
            if visitor.row(row, Some(&offsets)).is_break() {
                return Ok(oracle.done());
            }
        }
        self.done = oracle.done();
        self.started = oracle.current.diagonals.clone();
        let last = BandIndex(end.div_ceil(SIDE as u64));
        if FIRST_BAND < last {
            let (first, end) = (GroupIndex(FIRST_BAND.0), reach(FIRST_BAND.first_row() - 1));
            if self.below.settled() > end.first_column() {
                let (q, r) = (end.first_column(), FIRST_BAND.first_row());
                return Err(SweepError::hypothesis(q, r, Hypothesis::OldRows));
            }
            oracle.columns.activate_to(end.first_column());
            self.groups.drop_to(first);
            for g in first.up_to(end) {
                self.groups.add(g.first_column().0);
                for (n, p) in (g.first_column().0..).take(SIDE).enumerate() {
                    // A column has no numbers below it.
                    self.groups.get(g).set(p, 0xFE << n);
                }
                for q in g.first_column().up_to((g + 1).first_column()) {
                    for p in oracle.columns.blocked(q) {
                        self.groups.get(g).take(q, p);
                    }
                }
            }
        }
        for first in FIRST_BAND.up_to(last).step_by(64 * W) {
            let bands = first..last.min(first + 64 * W as u64);
            if self.block(bands, end, visitor)?.is_break() {
                break;
            }
        }
        Ok(self.done)
    }

    fn enter_diagonal(&mut self, p: u64) {
        self.diagonals.push(p);
        self.started.insert(p);
        self.diagonal_end = self.diagonal_end.max(Number(p + 1));
    }

    fn block(
        &mut self,
        bands: Range<BandIndex>,
        end: u64,
        visitor: &mut dyn Visitor,
    ) -> Result<ControlFlow<()>, SweepError> {
        let mut block = Block {
            schedule: Schedule::new(bands.clone()),
            bands,
            tiles: Box::new(Tiles::NONE),
            after: Box::new(Tiles::NONE),
            incoming: Box::new(Incoming::NONE),
            outgoing: Box::new(Outgoing::NONE),
            heads: H::new(),
            six: Plane::NONE,
            outside: Plane::ALL,
            exact: Plane::NONE,
            rows: Vec::new(),
        };
        for slot in block.schedule.first_slot().. {
            if block.schedule.starting(slot).is_some() {
                self.start_band(&mut block)?;
            }
            if block.schedule.finishing(slot)
                && self.finish_band(&mut block, slot, end, visitor)?.is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
            if block.schedule.all_finished() {
                break;
            }
            self.slot(&mut block, slot)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The tile of a lane in a slot. Checks V9 and V10.
    pub(super) fn tile_at(
        &self,
        block: &Block<H, W>,
        lane: usize,
        slot: u64,
    ) -> Result<TileAt, SweepError> {
        let (band, group) = (block.bands.start + lane as u64, group(slot, lane));
        let windows = self.distances.windows(band, group, &self.ends);
        let failed =
            |hypothesis| SweepError::hypothesis(group.first_column(), band.first_row(), hypothesis);
        let windows = windows.ok_or_else(|| failed(Hypothesis::Diagonals))?;
        if !windows.fit(group) {
            return Err(failed(Hypothesis::WindowsFit));
        }
        Ok(TileAt { lane, band, group, windows })
    }

    /// Computes the next band from the diagonal to its first tile. Checks V9 and V11.
    fn start_band(&mut self, block: &mut Block<H, W>) -> Result<(), SweepError> {
        let b = block.schedule.next_band();
        let lane = block.rows.len();
        for p in self.ends.next()..least_diagonal(b.first_row()).0 {
            if !self.started.contains(p) {
                self.ends.push(p);
            }
        }
        let at = self.tile_at(block, lane, first_tile(b).0 + lane as u64)?;
        self.corner.begin(b, at.windows.low[0], &mut self.groups, &self.started)?;
        let mut rows = Vec::new();
        for (i, r) in b.first_row().up_to((b + 1).first_row()).enumerate() {
            let mut first = None;
            let cell = |q, p| {
                first.get_or_insert(p);
                block.heads.cell(lane, i, q, p);
            };
            let (floor, free) = self.corner.row(r, &self.started, self.diagonal_end, cell)?;
            let first: Number = first.expect("the first cell is on the diagonal");
            if first < least_diagonal(r) {
                return Err(SweepError::hypothesis(r.diagonal(), r, Hypothesis::Diagonals));
            }
            self.enter_diagonal(first.0);
            rows.push(Row::wide(floor, &free, at.windows.gap(i)));
        }
        block.rows.push(Some(Box::new(rows.try_into().expect("a band has eight rows"))));
        block.exact.set(lane, true);
        block.schedule.start();
        Ok(())
    }

    /// The rows of a lane in the planes.
    pub(super) fn rows_of(&self, tiles: &Tiles<W>, at: &TileAt) -> Rows {
        Box::new(std::array::from_fn(|i| Row::of_planes(tiles, at, i, &self.started)))
    }

    /// Computes the last cells of the first band under way, which had its last tile in the slot
    /// before.
    fn finish_band(
        &mut self,
        block: &mut Block<H, W>,
        slot: u64,
        end: u64,
        visitor: &mut dyn Visitor,
    ) -> Result<ControlFlow<()>, SweepError> {
        let at = self.tile_at(block, block.schedule.under_way().start, slot - 1)?;
        let rows = block.rows[at.lane].take().unwrap_or_else(|| self.rows_of(&block.tiles, &at));
        block.exact.set(at.lane, false);
        for (i, mut row) in rows.into_iter().enumerate() {
            let r = at.band.first_row() + i as u64;
            let first = Number(self.diagonals[index(r.0)]);
            let kept = last_tile(at.band).first_column();
            let trace = Trace::resumed(
                r,
                kept,
                block.heads.sum(at.lane, i),
                first,
                &self.below,
                &mut self.traces,
            )?;
            let (record, next) = self.last_cells(r, trace, &mut row)?;
            self.groups.finish(next, &record)?;
            self.below.add(&record);
            self.groups.activate_to(reach(r));
            if r.0 < end {
                self.done.rows += 1;
                self.done.cells += next - r.diagonal();
                if visitor.row(record, None).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        block.schedule.finish();
        self.groups.drop_to(GroupIndex(at.band.0));
        Ok(ControlFlow::Continue(()))
    }

    /// Computes a row until it ends or has its certificate. Returns the column past the last cell.
    fn last_cells(
        &mut self,
        r: RowIndex,
        mut trace: Trace,
        row: &mut Row,
    ) -> Result<(record::Record, ColumnIndex), SweepError> {
        let known = least_diagonal(r);
        let record = loop {
            let q = trace.column();
            if trace.counts() {
                if row.has_low(q.0, &self.started) {
                    trace.skip(row.gap_length())?;
                } else if let Some(found) = trace.recurs(row.state(q.0), &self.below)? {
                    break found;
                }
            }
            let g = GroupIndex::of_column(q);
            self.groups.activate_to(g + 1);
            let p = row.cell(q, &self.started, known, &mut self.groups.get(g));
            trace.push(q.offset(p));
            if p.0 == q.0 {
                break trace.finite()?;
            }
        };
        let next = trace.column();
        self.traces.take_back(trace);
        Ok((record, next))
    }
}

#[cfg(test)]
mod tests {
    use super::super::heads::Fingerprints;
    use super::*;
    use crate::band::simd::Kernel;
    use record::Record;

    /// Compares with the pointer engine. Returns the number of tiles on the exact path.
    fn sweep<const W: usize>(low: u64, high: u64) -> u64 {
        let mut pointer = Oracle::new(Pointers::default());
        let mut rows = 0;
        let mut visit = |row: Record| {
            assert_eq!(row, pointer.next_row().unwrap().0);
            rows += 1;
            ControlFlow::Continue(())
        };
        let machine = Kernel::Portable.detect().unwrap();
        let engine = Engine::<Fingerprints<W>, W>::new(Distances { low, high }, machine);
        let done = engine.sweep(3000, &mut visit).unwrap();
        assert_eq!((rows, done.rows, done.cells), (3000, 3000, pointer.done().cells));
        done.fallbacks
    }

    /// The rows are the same wherever the windows are: a check that fails is noticed.
    #[test]
    fn windows_anywhere_find_the_same_rows() {
        let Distances { low, high } = Distances::DEFAULT;
        assert_eq!((sweep::<1>(low, high), sweep::<3>(low, high)), (0, 0));
        for (low, high) in [(6, 8), (8, 8), (3, 4), (3, 2), (3, 9), (3, 13), (7, 2)] {
            assert!(sweep::<1>(low, high) > 50, "{low} {high}");
        }
    }
}
