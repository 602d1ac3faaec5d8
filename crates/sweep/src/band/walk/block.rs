//! A block of bands as it moves along the columns.
//!
//! The [`Schedule`] says which band meets which group when. A band passes three zones: the corner
//! at the diagonal, in words wide enough for both windows ([`Corner`]); the tiles; and the last
//! cells, row by row, until every row has ended or has its certificate.

use super::band::Band;
use super::climb::Climb;
use super::completed::Completed;
use super::corner::Corner;
use super::groups::Groups;
use super::octet::Octet;
use super::passing::Passing;
use crate::band::below::{Context, Knowledge};
use crate::band::cells::Listen;
use crate::band::geometry::first_tile;
use crate::band::group::{Group, Held, Spare};
use crate::band::schedule::{OCTET, Schedule, block_of};
use crate::band::shared::Shared;
use crate::band::simd::{Lanes, OnLanes, Runnable};
use crate::band::units::{BandIndex, BlockIndex, GroupIndex};
use crate::band::words::{Inbox, Outbox, Routes};
use crate::certify::TraceBuffers;
use crate::error::SweepError;
use crate::units::{Number, RowIndex};
use record::Record;
use record::listeners::Done;
use std::ops::Range;

/// Memory of a block that has ended, for the next one.
#[derive(Debug, Default)]
pub(crate) struct BlockBuffers {
    groups: Groups,
    traces: TraceBuffers,
}

/// The parts of a block that begins.
pub(crate) struct BlockParts<'a> {
    pub(crate) bands: Range<BandIndex>,
    pub(crate) shared: &'a Shared,
    pub(crate) spare: &'a Spare,
    pub(crate) inbox: Inbox<'a>,
    pub(crate) knowledge: &'a mut Knowledge,
    pub(crate) cells: &'a mut dyn Listen,
    pub(crate) corner: Corner,
    pub(crate) buffers: BlockBuffers,
}

/// A block of bands that has begun, with the groups that it holds. It reports cells only if
/// `HEARD`.
pub(crate) struct Block<'a, const HEARD: bool> {
    pub(super) shared: &'a Shared,
    pub(super) spare: &'a Spare,
    index: BlockIndex,
    first_row: RowIndex,
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
    pub(super) gate: Box<Passing>,
    pub(super) climb: Climb,
    pub(super) completed: Completed,
    pub(crate) schedule: Schedule,
    /// A cell that the exact path could not decide.
    pub(super) failed: Option<SweepError>,
    pub(super) traces: TraceBuffers,
    /// The rows of the finished bands.
    pub(crate) rows: Vec<Record>,
    pub(crate) done: Done,
}

impl<'a, const HEARD: bool> Block<'a, HEARD> {
    /// Before the first of these bands starts.
    pub(crate) fn new(
        BlockParts { bands, shared, spare, inbox, knowledge, cells, corner, buffers }: BlockParts<
            'a,
        >,
    ) -> Self {
        let BlockBuffers { mut groups, traces } = buffers;
        groups.begin(first_tile(bands.start) - 1);
        let climb = Climb::new(bands.start, shared.frame.windows);
        let octets = bands.start.up_to(bands.end).step_by(OCTET).enumerate();
        let octets = octets.map(|(octet, _)| Octet::new(octet, bands.start, &climb, shared));
        Self {
            shared,
            spare,
            index: block_of(bands.start),
            first_row: bands.start.first_row(),
            inbox,
            knowledge,
            cells,
            corner,
            groups,
            bands: Vec::new(),
            octets: octets.collect(),
            gate: Box::new(Passing::NONE),
            climb,
            completed: Completed::new(),
            schedule: Schedule::new(bands),
            failed: None,
            traces,
            rows: Vec::new(),
            done: Done::default(),
        }
    }

    /// Its memory, for the next block.
    pub(crate) fn into_buffers(self) -> BlockBuffers {
        BlockBuffers { groups: self.groups, traces: self.traces }
    }

    /// The old rows must be complete below this offset before the group may join the block (V3).
    pub(crate) fn needs_old_rows(&self, group: &Group) -> u64 {
        group.old_rows_end(self.index, &self.shared.routes)
    }

    /// Whether this is the next group, as the block below has left it.
    pub(crate) fn is_next(&self, group: &Group) -> bool {
        group.index() == self.groups_end() && (group.band() + 1).first_row() == self.first_row
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
        if self.groups.first() >= end {
            return Ok(None);
        }
        let Some(held) = self.groups.pop() else { return Ok(None) };
        held.leave(self.index, &self.shared.routes, outbox).map(Some)
    }

    /// Its first row.
    pub(crate) fn first_row(&self) -> RowIndex {
        self.first_row
    }

    /// The groups held end before this one.
    pub(crate) fn groups_end(&self) -> GroupIndex {
        self.groups.end()
    }

    /// The diagonal values of the rows that have started, in order.
    pub(crate) fn diagonals(&self) -> Vec<Number> {
        self.bands.iter().flat_map(|band| band.diagonal).collect()
    }

    /// The octet of band `k`, and its lane.
    pub(super) fn octet(&mut self, k: usize) -> (&mut Octet, usize) {
        (&mut self.octets[k / OCTET], k % OCTET)
    }

    /// The error of a tile that could not be decided.
    pub(crate) fn check(&mut self) -> Result<(), SweepError> {
        self.failed.take().map_or(Ok(()), Err)
    }
}

/// A group joins block `n`.
struct Join<'a, 'o> {
    held: &'a mut Held,
    group: Box<Group>,
    n: BlockIndex,
    routes: &'a Routes,
    inbox: &'a mut Inbox<'o>,
    context: Context<'a>,
}

impl OnLanes for Join<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { held, group, n, routes, inbox, context } = self;
        held.join::<L>(group, n, routes, inbox, context);
    }
}
