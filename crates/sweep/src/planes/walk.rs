//! The bands of a block, from the diagonal to their certificates.

use super::lanes::{Plane, above, has, planes, set, union, words};
use super::sets::{Sets, Table, columns, with_column};
use super::tile::{SIDE, Taken, Tiles};
use super::windows::{Distances, TileAt};
use crate::band::geometry::{fall, first_tile, last_tile, least_diagonal, reach};
use crate::band::schedule::{FIRST_BAND, Schedule, group};
use crate::band::units::{BandIndex, GroupIndex};
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::scalar::NumberSet;
use crate::scalar::oracle::Search;
use crate::scalar::pointer::Pointers;
use crate::units::{Number, RowIndex, index};
use record::listeners::{Done, Visitor};
use std::ops::{ControlFlow, Range};

/// What the engine keeps from block to block.
pub(super) struct Engine<const W: usize> {
    distances: Distances,
    table: Table,
    /// The ends that are known (V9): the numbers from 1 on that are no diagonal values.
    ends: Vec<u64>,
    done: Done,
}

/// A block. Lane `k` is its band `k`.
///
/// *A band* begins as sets. In each slot its rows go into the planes if these hold them, and become
/// sets again if a check fails. *A group* begins outside of the planes. In each slot it goes into
/// the lane of the band that it meets, if the planes hold it, and moves one lane up. It leaves the
/// planes if a check fails in its lane, and after the last band that has started.
struct Block<const W: usize> {
    bands: Range<BandIndex>,
    schedule: Schedule,
    tiles: Tiles<W>,
    /// The lanes whose group is not in the planes.
    outside: Plane<W>,
    lanes: Vec<Lane>,
}

/// A band.
struct Lane {
    /// Its rows, if they are not in the planes.
    sets: Option<Sets>,
    /// Their fingerprints so far.
    sums: [u64; SIDE],
}

/// The places of the numbers that cells take, in binary: bit `n` of cell `(i, j)` is plane
/// `8 j + n` of row `i`.
struct Places<const W: usize>([[Plane<W>; 64]; SIDE]);

impl<const W: usize> Taken<W> for Places<W> {
    #[inline]
    fn take(&mut self, i: usize, place: usize, columns: &[Plane<W>; SIDE]) {
        for n in (0..5).filter(|n| place >> n & 1 == 1) {
            for (bits, column) in self.0[i].as_chunks_mut::<8>().0.iter_mut().zip(columns) {
                bits[n] = union([&bits[n], column].into_iter());
            }
        }
    }
}

impl<const W: usize> Engine<W> {
    /// Before row 0.
    pub(super) fn new(distances: Distances) -> Self {
        Self { distances, table: Table::new(), ends: Vec::new(), done: Done::default() }
    }

    /// Visits every row below `end`. The pointer engine finds those before the first band.
    pub(super) fn sweep(mut self, end: u64, visitor: &mut dyn Visitor) -> Result<Done, SweepError> {
        for _ in 0..end.min(FIRST_BAND.first_row().0) {
            let (row, offsets) = self.table.finished.next_row()?;
            self.table.diagonals.push(row.diagonal());
            if visitor.row(row, Some(&offsets)).is_break() {
                return Ok(self.table.finished.done());
            }
        }
        self.table.started = self.table.finished.current.clone();
        self.done = self.table.finished.done();
        let last = BandIndex(end.div_ceil(SIDE as u64));
        if FIRST_BAND < last {
            self.reach(FIRST_BAND.first_row() - 1);
        }
        for first in FIRST_BAND.up_to(last).step_by(64 * W) {
            let bands = first..last.min(first + 64 * W as u64);
            if self.block(bands, end, visitor)?.is_break() {
                break;
            }
        }
        Ok(self.done)
    }

    /// A row has reached its last column that later rows need.
    fn reach(&mut self, r: RowIndex) {
        self.table.finished.columns.activate_to(reach(r).first_column());
    }

    fn block(
        &mut self,
        bands: Range<BandIndex>,
        end: u64,
        visitor: &mut dyn Visitor,
    ) -> Result<ControlFlow<()>, SweepError> {
        let schedule = Schedule::new(bands.clone());
        let (tiles, outside) = (Tiles::NONE, [!0; W]);
        let mut block = Block { bands, schedule, tiles, outside, lanes: Vec::new() };
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
    fn tile_at(&self, block: &Block<W>, lane: usize, slot: u64) -> Result<TileAt, SweepError> {
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

    /// Computes the next band from the diagonal to its first tile.
    fn start_band(&mut self, block: &mut Block<W>) -> Result<(), SweepError> {
        let b = block.schedule.next_band();
        let known = least_diagonal(b.first_row()).0;
        let next = self.ends.last().map_or(1, |end| end + 1);
        self.ends.extend((next..known).filter(|&p| !self.table.started.diagonals.contains(p)));
        let (mut sets, mut sums) = (Vec::new(), [0; SIDE]);
        for (r, sum) in b.first_row().up_to((b + 1).first_row()).zip(&mut sums) {
            sets.push(self.start_row(r, first_tile(b), sum)?);
        }
        let sets = Some(sets.try_into().expect("a band has eight rows"));
        block.lanes.push(Lane { sets, sums });
        block.schedule.start();
        Ok(())
    }

    /// Computes a row before group `end`. Checks V9.
    fn start_row(
        &mut self,
        r: RowIndex,
        end: GroupIndex,
        sum: &mut u64,
    ) -> Result<NumberSet, SweepError> {
        let mut search = Pointers::default();
        search.begin(r, &self.table.started);
        let mut values = Vec::new();
        for q in r.diagonal().up_to(end.first_column()) {
            let column = self.table.finished.columns.activate(q);
            let p = search.take(q, &mut self.table.started, column);
            *sum = with_column(*sum, q, p);
            values.push(p.0);
        }
        let row = self.table.started.blocked.clone();
        if Number(values[0]) < least_diagonal(r) {
            return Err(SweepError::hypothesis(r.diagonal(), r, Hypothesis::Diagonals));
        }
        self.table.started.end_row(&values);
        self.table.diagonals.push(values[0]);
        Ok(row)
    }

    /// Computes the last cells of the first band under way, which had its last tile in the slot
    /// before.
    fn finish_band(
        &mut self,
        block: &mut Block<W>,
        slot: u64,
        end: u64,
        visitor: &mut dyn Visitor,
    ) -> Result<ControlFlow<()>, SweepError> {
        let at = self.tile_at(block, block.schedule.under_way().start, slot - 1)?;
        let Lane { sets, sums } = &mut block.lanes[at.lane];
        let sets = sets.take().unwrap_or_else(|| self.table.row_sets(&block.tiles, &at));
        let rows = at.band.first_row().up_to((at.band + 1).first_row());
        for ((r, blocked), sum) in rows.zip(*sets).zip(*sums) {
            let (kept, first) =
                (last_tile(at.band).first_column(), self.table.diagonals[index(r.0)]);
            let (row, next) = self.table.finished.resume_row(kept, sum, Number(first), blocked)?;
            self.reach(r);
            if r.0 < end {
                self.done.rows += 1;
                self.done.cells += next - r.diagonal();
                if visitor.row(row, None).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        block.schedule.finish();
        Ok(ControlFlow::Continue(()))
    }

    /// Computes a tile of each band under way.
    fn slot(&mut self, block: &mut Block<W>, slot: u64) -> Result<(), SweepError> {
        let lanes = block.schedule.under_way();
        let tiles = lanes.clone().map(|k| self.tile_at(block, k, slot));
        let tiles = tiles.collect::<Result<Vec<_>, _>>()?;
        self.next_groups(block, &tiles, slot)?;
        self.enter(block, &tiles);
        let (before, mut places) = (block.tiles.clone(), Places([[[0; W]; 64]; SIDE]));
        let failing = block.tiles.decide(&mut places);
        let places = places.0.each_ref().map(words);
        let leaving = words(&block.tiles.leaving());
        for at in &tiles {
            let Lane { sets, sums } = &mut block.lanes[at.lane];
            if has(&failing, at.lane) || has(&block.outside, at.lane) || sets.is_some() {
                if !has(&block.outside, at.lane) {
                    self.table.store(&before, at);
                    set(&mut block.outside, at.lane, true);
                }
                let sets = sets.get_or_insert_with(|| self.table.row_sets(&before, at));
                self.table.exact_tile(at, sets, sums);
                self.done.fallbacks += 1;
                continue;
            }
            for (i, sum) in sums.iter_mut().enumerate() {
                for (q, place) in columns(at.group).zip(places[i][at.lane].to_le_bytes()) {
                    *sum = with_column(*sum, q, Number(at.windows.of_row(i, place.into())));
                }
            }
            for (q, free) in columns(at.group).zip(leaving[at.lane].to_le_bytes()) {
                let column = self.table.finished.columns.activate(q);
                for n in (0..8).filter(|n| free >> n & 1 == 0) {
                    column.blocked.insert(at.windows.high + n);
                }
            }
        }
        let last = tiles.last().expect("a band is under way");
        if !has(&block.outside, last.lane) {
            self.table.store(&block.tiles, last);
        }
        block.tiles.next_bands();
        block.outside = above(&block.outside);
        // The group that comes next.
        set(&mut block.outside, lanes.start, true);
        Ok(())
    }

    /// Moves the windows of the rows to the groups of these tiles.
    fn next_groups(
        &mut self,
        block: &mut Block<W>,
        tiles: &[TileAt],
        slot: u64,
    ) -> Result<(), SweepError> {
        let mut six = [0; W];
        for at in tiles {
            set(&mut six, at.lane, fall(at.group) - fall(at.group - 1) == 6);
        }
        let before = block.tiles.clone();
        let failing = block.tiles.next_groups(&six);
        for at in tiles {
            if has(&failing, at.lane) && block.lanes[at.lane].sets.is_none() {
                let before_at = self.tile_at(block, at.lane, slot - 1)?;
                block.lanes[at.lane].sets = Some(self.table.row_sets(&before, &before_at));
            }
        }
        Ok(())
    }

    /// Rows and columns enter the planes, if these hold them.
    fn enter(&mut self, block: &mut Block<W>, tiles: &[TileAt]) {
        let mut entering = vec![0; 64 * W];
        for at in tiles {
            let sets = &mut block.lanes[at.lane].sets;
            sets.take_if(|sets| self.table.rows_fit(sets, &mut block.tiles, at));
            if !has(&block.outside, at.lane) || self.table.columns_fit(&mut block.tiles, at) {
                set(&mut block.outside, at.lane, false);
                entering[at.lane] = self.table.entering(at);
            }
        }
        block.tiles.enter(&planes(&entering));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Oracle;
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
        let done = Engine::<W>::new(Distances { low, high }).sweep(3000, &mut visit).unwrap();
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
