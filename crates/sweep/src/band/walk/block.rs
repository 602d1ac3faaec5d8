//! A block of bands as it moves along the columns.
//!
//! The [`Schedule`] says which band meets which group when. A band passes three zones: the corner
//! at the diagonal, in words wide enough for both windows ([`Corner`]); the tiles; and the last
//! cells, row by row, until every row has ended or has its certificate.

use super::corner::Corner;
use super::lane_words::{CompleteWords, EnteringWords};
use super::octet::{Band, Octet, OctetColumns};
use super::tile::Values;
use crate::band::below::{Context, Knowledge};
use crate::band::constants::{Constants, Routes};
use crate::band::geometry::first_tile;
use crate::band::group::{Group, GroupInBlock, GroupPool};
use crate::band::schedule::{OCTET, Schedule, block_of};
use crate::band::simd::{OnLanes, Register, Runnable};
use crate::band::words::{Inbox, Outbox};
use crate::error::SweepError;
use crate::units::{
    BandIndex, BlockIndex, ColumnIndex, GroupIndex, LANES, Number, RowIndex, index,
};
use record::Record;
use record::listeners::Done;
use std::ops::Range;

/// A listener to cells. The engine does not know its type, so it is compiled once for all of them,
/// and once more for none. Most cells are reported a tile at a time, so that a call costs little.
pub(crate) trait Listen: Send {
    /// Whether it wants cells.
    fn listens(&self) -> bool {
        true
    }

    /// `f(q,r) = p`.
    fn cell(&mut self, q: ColumnIndex, r: RowIndex, p: Number);

    /// The tile in this lane, which begins with column `q` and row `r`.
    fn tile(&mut self, q: ColumnIndex, r: RowIndex, lane: usize, values: &Values) {
        for (r, values) in r.up_to(r + LANES).zip(values) {
            for (q, values) in q.up_to(q + LANES).zip(values) {
                self.cell(q, r, Number(values.0[lane]));
            }
        }
    }
}

/// Nobody.
impl Listen for () {
    fn listens(&self) -> bool {
        false
    }

    fn cell(&mut self, _: ColumnIndex, _: RowIndex, _: Number) {}
}

/// A block of bands that has begun, with the groups that it holds. It reports cells only if
/// `HEARD`.
pub(crate) struct Block<'a, const HEARD: bool> {
    pub(super) shared: &'a Constants,
    pub(super) pool: &'a GroupPool,
    index: BlockIndex,
    pub(crate) first_row: RowIndex,
    /// The words that it reads.
    pub(crate) inbox: Inbox<'a>,
    pub(crate) knowledge: &'a mut Knowledge,
    /// Receives every cell.
    pub(super) cells: &'a mut dyn Listen,
    pub(crate) corner: Corner,
    pub(super) groups: Groups,
    /// All bands that have started, also the finished ones.
    pub(super) bands: Vec<Band>,
    /// The masks of their rows, and of the columns that they meet.
    pub(super) octets: Vec<Octet>,
    /// The octet below the first one: its last lane has the columns that the first band will meet.
    pub(super) gate: Box<OctetColumns>,
    pub(super) entering: EnteringWords,
    pub(super) completed: CompleteWords,
    pub(crate) schedule: Schedule,
    /// A cell that the exact path could not decide.
    pub(crate) failed: Option<SweepError>,
    /// The rows of the finished bands.
    pub(crate) rows: Vec<Record>,
    pub(crate) done: Done,
}

impl<'a, const HEARD: bool> Block<'a, HEARD> {
    /// Before the first of these bands starts.
    pub(crate) fn new(
        bands: Range<BandIndex>,
        (shared, pool): (&'a Constants, &'a GroupPool),
        inbox: Inbox<'a>,
        knowledge: &'a mut Knowledge,
        cells: &'a mut dyn Listen,
        corner: Corner,
    ) -> Self {
        let entering = EnteringWords::new(bands.start, shared.frame.windows);
        let octets = bands.start.up_to(bands.end).step_by(OCTET).enumerate();
        let octets = octets.map(|(octet, _)| Octet::new(octet, bands.start, &entering, shared));
        Self {
            shared,
            pool,
            index: block_of(bands.start),
            first_row: bands.start.first_row(),
            inbox,
            knowledge,
            cells,
            corner,
            groups: Groups::new(first_tile(bands.start) - 1, 64),
            bands: Vec::new(),
            octets: octets.collect(),
            gate: Box::default(),
            entering,
            completed: CompleteWords::new(),
            schedule: Schedule::new(bands),
            failed: None,
            rows: Vec::new(),
            done: Done::default(),
        }
    }

    /// The old rows must be complete below this offset before the group may join the block (V3).
    pub(crate) fn needs_old_rows(&self, group: &Group) -> u64 {
        group.old_rows_end(self.index, &self.shared.routes)
    }

    /// Whether this is the next group, as the block below has left it.
    pub(crate) fn is_next(&self, group: &Group) -> bool {
        group.index == self.groups_end() && (group.band + 1).first_row() == self.first_row
    }

    /// Takes the [next](Self::is_next) group.
    pub(crate) fn push_group(&mut self, kernel: Runnable, group: Box<Group>) {
        let held = self.groups.push();
        let (n, routes, inbox) = (self.index, &self.shared.routes, &mut self.inbox);
        let context = self.knowledge.context(self.shared);
        kernel.run(Join { held, group, n, routes, inbox, context });
    }

    /// Removes the first group, if its index is below `end`, and stores its words.
    pub(crate) fn pop_group(
        &mut self,
        end: GroupIndex,
        outbox: &mut Outbox,
    ) -> Result<Option<Box<Group>>, SweepError> {
        if self.groups.first >= end {
            return Ok(None);
        }
        let Some(held) = self.groups.pop() else { return Ok(None) };
        held.leave(self.index, &self.shared.routes, outbox).map(Some)
    }

    /// The groups held end before this one.
    pub(crate) fn groups_end(&self) -> GroupIndex {
        self.groups.end
    }

    /// The diagonal values of the rows that have started, in order.
    pub(crate) fn diagonals(&self) -> Vec<Number> {
        self.bands.iter().flat_map(|band| band.diagonal).collect()
    }

    /// The octet of band `k`, and its lane.
    pub(super) fn octet(&mut self, k: usize) -> (&mut Octet, usize) {
        (&mut self.octets[k / OCTET], k % OCTET)
    }
}

/// A group joins block `n`.
struct Join<'a, 'o> {
    held: &'a mut GroupInBlock,
    group: Box<Group>,
    n: BlockIndex,
    routes: &'a Routes,
    inbox: &'a mut Inbox<'o>,
    context: Context<'a>,
}

impl OnLanes for Join<'_, '_> {
    #[inline(always)]
    fn run<R: Register>(self) {
        let Self { held, group, n, routes, inbox, context } = self;
        held.join::<R>(group, n, routes, inbox, context);
    }
}

/// Consecutive groups, each at its index modulo the number of places.
#[derive(Debug)]
pub(super) struct Groups {
    places: Vec<GroupInBlock>,
    pub(super) first: GroupIndex,
    /// The groups held end before this one.
    pub(super) end: GroupIndex,
}

impl Groups {
    /// No groups, with this number of places, a power of 2; `first` will be the first.
    pub(super) fn new(first: GroupIndex, places: usize) -> Self {
        Self { places: vec![GroupInBlock::default(); places], first, end: first }
    }

    #[inline(always)]
    fn place(&self, g: GroupIndex) -> usize {
        index(g.0) & (self.places.len() - 1)
    }

    #[inline(always)]
    pub(super) fn get(&self, g: GroupIndex) -> &GroupInBlock {
        &self.places[self.place(g)]
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, g: GroupIndex) -> &mut GroupInBlock {
        let place = self.place(g);
        &mut self.places[place]
    }

    /// The place of the next group, which is empty.
    pub(super) fn push(&mut self) -> &mut GroupInBlock {
        if self.end - self.first == self.places.len() as u64 {
            self.grow();
        }
        let place = self.place(self.end);
        self.end += 1;
        &mut self.places[place]
    }

    /// The place of the first group, which the caller empties.
    pub(super) fn pop(&mut self) -> Option<&mut GroupInBlock> {
        if self.first == self.end {
            return None;
        }
        let place = self.place(self.first);
        self.first += 1;
        Some(&mut self.places[place])
    }

    #[cold]
    fn grow(&mut self) {
        let mut wider = Self::new(self.first, 2 * self.places.len());
        for g in self.first.up_to(self.end) {
            std::mem::swap(wider.push(), self.get_mut(g));
        }
        *self = wider;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::band::geometry::{Frame, Windows};
    use crate::band::group::GroupPool;
    use crate::band::simd::Eight;
    use crate::units::BandIndex;

    /// Groups are found by their indices, for any number of groups and after others have left.
    #[test]
    fn groups_are_in_their_places() {
        let frame = Frame { windows: Windows::default(), bands: BandIndex(500) };
        let group = |g: GroupIndex| {
            let base = g.first_column().number(60);
            GroupInBlock::build(g, BandIndex(200), base, frame.windows, |_| Eight::ONES)
        };
        let mut groups = Groups::new(GroupIndex(250), 64);
        let (mut first, mut end) = (250, 250);
        for (pushed, popped) in [(60, 50), (60, 10), (200, 0), (1, 200), (70, 131)] {
            for g in end..end + pushed {
                *groups.push() = group(GroupIndex(g));
            }
            end += pushed;
            assert_eq!(groups.end, GroupIndex(end));
            for g in first..end {
                assert_eq!(groups.get(GroupIndex(g)).group().index, GroupIndex(g));
            }
            for g in first..first + popped {
                let held = groups.pop().unwrap();
                assert_eq!(held.group().index, GroupIndex(g));
                held.discard(&GroupPool::default());
            }
            first += popped;
            assert_eq!(groups.first, GroupIndex(first));
        }
        assert!(first == end && groups.pop().is_none());
    }
}
