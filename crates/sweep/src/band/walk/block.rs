//! A block of bands on its way along the columns.
//!
//! The [`Schedule`] says which band meets which group when. A band passes three zones: from the
//! diagonal, in words wide enough for both windows ([`Corner`]); the tiles; and the tail, row by
//! row, until every row has ended or has its certificate.

use super::{band::Band, corner::Corner};
use crate::{
    band::{
        below::Knowledge,
        geometry::first_tile,
        group::Group,
        schedule::Schedule,
        shared::Shared,
        units::{BandIndex, GroupIndex},
    },
    error::SweepError,
    sink::{Cells, Done},
    units::{Number, index},
};
use record::RowRecord;
use std::{collections::VecDeque, ops::Range};

/// A block of bands under way, with the groups that it holds.
#[derive(Debug)]
pub(crate) struct Block<'a, C> {
    pub(super) shared: &'a Shared,
    pub(crate) knowledge: &'a mut Knowledge,
    /// Hears of every cell.
    pub(super) cells: &'a mut C,
    pub(crate) corner: Corner,
    /// Consecutive groups, and the index of the first.
    pub(super) groups: VecDeque<Box<Group>>,
    pub(super) first_group: GroupIndex,
    /// All bands that have started, the finished ones too.
    pub(super) bands: Vec<Band>,
    pub(crate) schedule: Schedule,
    /// A cell that the exact path could not decide.
    pub(super) failed: Option<SweepError>,
    /// The rows of the finished bands.
    pub(crate) rows: Vec<RowRecord>,
    pub(crate) done: Done,
}

impl<'a, C: Cells> Block<'a, C> {
    /// Before the first of these bands starts.
    pub(crate) fn new(
        bands: Range<BandIndex>,
        corner: Corner,
        knowledge: &'a mut Knowledge,
        cells: &'a mut C,
        shared: &'a Shared,
    ) -> Self {
        Self {
            shared,
            knowledge,
            cells,
            corner,
            groups: VecDeque::new(),
            first_group: first_tile(bands.start) - 1,
            bands: Vec::new(),
            schedule: Schedule::new(bands),
            failed: None,
            rows: Vec::new(),
            done: Done::default(),
        }
    }

    /// The old rows must be complete below this offset before the group may join the block (V3).
    pub(crate) fn needs_old_rows(&self, group: &Group) -> u64 {
        let complete = self.knowledge.old.complete_below_offset();
        let stored = group.old_rows_end();
        if stored <= complete {
            return stored;
        }
        let highest =
            self.shared.frame.windows.low(self.schedule.bands().end - 1, group.index()) + 64;
        stored.min(highest.0.saturating_sub(group.index().first_column().0))
    }

    /// Takes the next group.
    pub(crate) fn push_group(&mut self, group: Box<Group>) {
        debug_assert_eq!(group.index(), self.groups_end());
        self.groups.push_back(group);
    }

    /// Gives away the first group, if its index is below `end`.
    pub(crate) fn pop_group(&mut self, end: GroupIndex) -> Option<Box<Group>> {
        if self.first_group >= end {
            return None;
        }
        let mut group = self.groups.pop_front()?;
        self.first_group += 1;
        group.shrink(&self.shared.pool);
        Some(group)
    }

    pub(super) fn position(&self, g: GroupIndex) -> usize {
        index(g - self.first_group)
    }

    /// The groups held end before this one.
    pub(crate) fn groups_end(&self) -> GroupIndex {
        self.first_group + self.groups.len() as u64
    }

    /// The diagonal values of the rows that have started, in order.
    pub(crate) fn diagonals(&self) -> Vec<Number> {
        self.bands.iter().flat_map(|band| band.diagonal).collect()
    }

    /// The error of a tile that could not be decided.
    pub(crate) fn check(&mut self) -> Result<(), SweepError> {
        self.failed.take().map_or(Ok(()), Err)
    }
}
