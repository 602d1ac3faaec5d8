//! A slot: a tile of each band under way.
//!
//! 1. The windows of the rows move to the next groups (V6), and numbers enter those of the columns.
//! 2. All tiles of the planes are decided (V5, V8); those that fail are computed again, cell by
//!    cell.
//! 3. The numbers that leave the high windows go to the bytes of the groups, and each group moves
//!    to the lane above.

// What is called for all lanes at once must be compiled with their instructions.
#![allow(clippy::inline_always)]

use super::heads::Heads;
use super::lanes::{Plane, SIDE};
use super::rows::Rows;
use super::tile::{COLUMN_LOW, COLUMNS, Tiles};
use super::walk::{Block, Engine};
use super::windows::TileAt;
use crate::band::geometry::{fall, least_diagonal};
use crate::band::schedule::group;
use crate::band::simd::{Lanes, OnLanes};
use crate::band::units::GroupIndex;
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use std::ops::Range;

/// Groups from the diagonal to those in which a number that leaves a high window enters no low one
/// in the same octet.
const NEAR: u64 = 32;

impl<H: Heads<W>, const W: usize> Engine<H, W> {
    /// Computes a tile of each band under way.
    pub(super) fn slot(&mut self, block: &mut Block<H, W>, slot: u64) -> Result<(), SweepError> {
        let under_way = block.schedule.under_way();
        let lanes = Plane::of(under_way.clone());
        self.next_groups(block, slot, lanes)?;
        self.enter(block, slot, lanes)?;
        self.read(block, slot, under_way.clone())?;
        let mut failing = Plane::NONE;
        self.machine.run(Step::Decide(block, slot, &mut failing));
        failing = (failing | block.outside | block.exact) & lanes;
        for lane in failing.lanes() {
            self.fail(block, slot, lane)?;
        }
        if H::TILES {
            for lane in (lanes & !failing).lanes() {
                let at = self.tile_at(block, lane, slot)?;
                block.heads.tile(&at);
            }
        }
        self.write(block, slot, under_way.clone());
        std::mem::swap(&mut block.tiles, &mut block.after);
        let last = under_way.end - 1;
        if !block.outside.has(last) {
            let at = self.tile_at(block, last, slot)?;
            self.store(&block.tiles, &at);
        }
        self.machine.run(Step::NextBands(block));
        block.outside = block.outside.above();
        // The group that comes next.
        block.outside.set(under_way.start, true);
        Ok(())
    }

    /// Moves the windows of the rows to the groups of this slot. Checks V6.
    fn next_groups(
        &mut self,
        block: &mut Block<H, W>,
        slot: u64,
        lanes: Plane<W>,
    ) -> Result<(), SweepError> {
        block.six = block.six.above();
        block.six.set(0, fall(GroupIndex(slot)) - fall(GroupIndex(slot - 1)) == 6);
        let mut failing = Plane::NONE;
        self.machine.run(Step::Leaving(block, &mut failing));
        failing = failing & lanes & !block.exact;
        for lane in failing.lanes() {
            let at = self.tile_at(block, lane, slot - 1)?;
            block.rows[lane] = Some(self.rows_of(&block.tiles, &at));
        }
        block.exact |= failing;
        self.machine.run(Step::NextGroups(block));
        Ok(())
    }

    /// Rows and columns enter the planes, if these hold them.
    fn enter(
        &mut self,
        block: &mut Block<H, W>,
        slot: u64,
        lanes: Plane<W>,
    ) -> Result<(), SweepError> {
        for lane in block.exact.lanes() {
            let at = self.tile_at(block, lane, slot)?;
            let rows = block.rows[lane].take().expect("they are not in the planes");
            let tiles = &mut *block.tiles;
            if rows.iter().enumerate().all(|(i, row)| row.enter(tiles, &at, i, &self.started)) {
                block.exact.set(lane, false);
            } else {
                block.rows[lane] = Some(rows);
            }
        }
        self.prefetch(block, slot + 4);
        for lane in (block.outside & lanes).lanes() {
            let at = self.tile_at(block, lane, slot)?;
            if self.columns_fit(&mut block.tiles, &at) {
                block.outside.set(lane, false);
                if !lane.is_multiple_of(SIDE) {
                    self.read_lanes(block, slot, lane)?;
                }
            }
        }
        Ok(())
    }

    /// Prefetches what the group that the first band meets in a slot needs to enter the planes.
    fn prefetch(&mut self, block: &Block<H, W>, slot: u64) {
        let lane = block.schedule.under_way().start;
        let (b, g) = (block.bands.start + lane as u64, group(slot, lane));
        if g < self.groups.end()
            && let Some(&low) = self.ends.numbers.get(self.distances.first_end(b, g))
        {
            let group = self.groups.get(g);
            group.prefetch(low.into(), 4);
            group.prefetch(self.distances.high(b, g), 2);
        }
    }

    /// Computes a tile of which a check has failed, or whose rows or columns are not in the planes.
    fn fail(&mut self, block: &mut Block<H, W>, slot: u64, lane: usize) -> Result<(), SweepError> {
        let at = self.tile_at(block, lane, slot)?;
        if !block.outside.has(lane) {
            let entered = self.groups.get(at.group).entered();
            if !lane.is_multiple_of(SIDE) && entered < lane {
                self.write_lanes(block, slot - 1, lane - 1);
            }
            self.store(&block.tiles, &at);
            block.outside.set(lane, true);
        }
        let mut rows = block.rows[lane].take().unwrap_or_else(|| self.rows_of(&block.tiles, &at));
        block.exact.set(lane, true);
        self.exact_tile(&at, &mut rows, &mut block.heads);
        block.rows[lane] = Some(rows);
        self.done.fallbacks += 1;
        Ok(())
    }

    /// Reads the numbers that enter the low windows of the groups in this slot, and of those that
    /// are far from the diagonal in the next seven.
    fn read(
        &mut self,
        block: &mut Block<H, W>,
        slot: u64,
        lanes: Range<usize>,
    ) -> Result<(), SweepError> {
        let far = block.far(slot, lanes.clone());
        let octets = (far.start.next_multiple_of(SIDE)..far.end).step_by(SIDE);
        for lane in octets.chain(far.end..lanes.end) {
            self.read_lanes(block, slot, lane)?;
        }
        Ok(())
    }

    /// Reads them for the group of a lane, to the end of the octet. Near the diagonal this is done
    /// again in the next slot. Checks V9 and V10 for what is not.
    #[inline(always)]
    fn read_lanes(
        &mut self,
        block: &mut Block<H, W>,
        slot: u64,
        lane: usize,
    ) -> Result<(), SweepError> {
        let (b, g) = (block.bands.start + lane as u64, group(slot, lane));
        let at = self.distances.first_end(b, g) + COLUMN_LOW - SIDE;
        let group = self.groups.get(g);
        if lane.is_multiple_of(SIDE)
            && let Some((first, distances)) = self.ends.span(at)
            && let Some((window, places)) = group.window(first, distances)
        {
            block.incoming.set_octet(slot, lane, window, &places);
            return Ok(());
        }
        let count = SIDE * (SIDE - lane % SIDE);
        let ends = self.ends.numbers.iter().skip(at).take(count).map(|&end| u64::from(end));
        if block.is_far(slot, lane) {
            let failed = |hypothesis| {
                Err(SweepError::hypothesis(g.first_column(), b.first_row(), hypothesis))
            };
            if ends.len() < count {
                return failed(Hypothesis::Diagonals);
            }
            if !ends.clone().all(|end| group.has_byte(end)) {
                return failed(Hypothesis::WindowsFit);
            }
        }
        for (k, end) in ends.enumerate() {
            let (i, n) = (k / SIDE, k % SIDE);
            block.incoming.set(slot + i as u64, lane + i, n, group.taken(end));
        }
        Ok(())
    }

    /// Writes the numbers that have left the high windows: of a whole octet when a group leaves it,
    /// and in every slot near the diagonal and in the last lane.
    fn write(&mut self, block: &Block<H, W>, slot: u64, lanes: Range<usize>) {
        let far = block.far(slot, lanes.clone());
        let octets = (far.start | (SIDE - 1)..far.end).step_by(SIDE);
        for lane in octets.chain(far.end..lanes.end).chain([lanes.end - 1]) {
            if !block.outside.has(lane) {
                self.write_lanes(block, slot, lane);
            }
        }
    }

    /// Writes them for the group of a lane, from the begin of the octet.
    #[inline(always)]
    fn write_lanes(&mut self, block: &Block<H, W>, slot: u64, lane: usize) {
        let g = group(slot, lane);
        let mut group = self.groups.get(g);
        let first = group.entered().max(lane / SIDE * SIDE);
        let high = self.distances.high(block.bands.start + first as u64, g);
        if lane + 1 - first == SIDE {
            group.end_with(high, &block.outgoing.octet(slot, lane));
        } else {
            let lanes = (first..=lane).map(|k| block.outgoing.taken(g.0 + k as u64, k));
            group.end_with(high, lanes.collect::<Vec<_>>().as_flattened());
        }
    }

    /// Puts the columns into the windows of a tile, if these hold them: nothing is free below them
    /// (V5), and everything above those of the band below.
    fn columns_fit(&mut self, tiles: &mut Tiles<W>, at: &TileAt) -> bool {
        let mut group = self.groups.get(at.group);
        let anchor = at.windows.low[0];
        let fit = group.raise(&self.started, anchor) >= anchor
            && group.is_free_from(at.windows.entered());
        if fit {
            group.enter(at.lane);
            for place in 0..COLUMNS {
                let byte = group.taken(at.windows.of_column(place));
                for (j, column) in tiles.columns.iter_mut().enumerate() {
                    column[place].set(at.lane, byte >> j & 1 == 0);
                }
            }
        }
        fit
    }

    /// Enters in the bytes of a group what the windows of its columns hold.
    fn store(&mut self, tiles: &Tiles<W>, at: &TileAt) {
        let mut bytes = [0_u8; COLUMNS];
        for (j, column) in tiles.columns.iter().enumerate() {
            for (byte, plane) in bytes.iter_mut().zip(column) {
                *byte |= u8::from(!plane.has(at.lane)) << j;
            }
        }
        let mut group = self.groups.get(at.group);
        let (low, high) = bytes.split_at(COLUMN_LOW);
        for (&byte, &p) in low.iter().zip(&at.windows.low) {
            group.set(p, byte);
        }
        group.end_with(at.windows.high, high);
        group.raise_to(at.windows.low[0]);
    }

    /// Computes a tile cell by cell. Its rows and columns are not in the planes.
    fn exact_tile(&mut self, at: &TileAt, rows: &mut Rows, heads: &mut H) {
        let known = least_diagonal(at.band.first_row());
        for (i, row) in rows.iter_mut().enumerate() {
            for q in at.group.first_column().up_to((at.group + 1).first_column()) {
                let p = row.cell(q, &self.started, known, &mut self.groups.get(at.group));
                heads.cell(at.lane, i, q, p);
            }
        }
    }
}

impl<H: Heads<W>, const W: usize> Block<H, W> {
    /// Whether what leaves the high windows of the group of a lane in this octet enters no low
    /// window in it.
    fn is_far(&self, slot: u64, lane: usize) -> bool {
        slot >= self.bands.start.0 + NEAR + (lane + lane / SIDE * SIDE) as u64
    }

    /// These lanes, the first of the given ones.
    fn far(&self, slot: u64, lanes: Range<usize>) -> Range<usize> {
        let last = lanes.clone().rev().find(|&lane| self.is_far(slot, lane));
        lanes.start..last.map_or(lanes.start, |lane| lane + 1)
    }
}

/// What is done in all lanes at once.
enum Step<'a, H, const W: usize> {
    /// Finds the tiles that fail V6.
    Leaving(&'a mut Block<H, W>, &'a mut Plane<W>),
    NextGroups(&'a mut Block<H, W>),
    /// Decides the tiles of a slot, and finds those that fail V5 or V8.
    Decide(&'a mut Block<H, W>, u64, &'a mut Plane<W>),
    NextBands(&'a mut Block<H, W>),
}

impl<H: Heads<W>, const W: usize> OnLanes for Step<'_, H, W> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        match self {
            Self::Leaving(block, failing) => *failing = block.tiles.leaving_rows(block.six),
            Self::NextGroups(block) => block.tiles.next_groups(block.six),
            Self::Decide(block, slot, failing) => {
                block.incoming.enter(slot, &mut block.tiles);
                block.heads.begin();
                *failing = block.tiles.decide(&mut block.after, &mut block.heads);
                block.heads.end();
                block.outgoing.take(slot, &block.after);
            }
            Self::NextBands(block) => block.tiles.next_bands(),
        }
    }
}
