//! A block of bands on its way along the columns.
//!
//! In slot `s` of a block, its `k`-th band meets group `s - 2 k`: two groups behind the band below
//! it, which by then has finished that group. A band passes three zones: from the diagonal, in words
//! wide enough for both windows ([`Corner`]); the tiles; and the tail, row by row, until every row
//! has ended or has its certificate.

use super::{band::Band, corner::Corner};
use crate::{
    band::{
        below::Knowledge,
        geometry::{LANES, first_tile},
        group::Group,
        shared::Shared,
    },
    error::Error,
    row::{Report, Row},
    sink::Cells,
    units::index,
};
use std::collections::VecDeque;

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
    pub(super) first_group: u64,
    /// All bands that have started, and from which of them on they have not finished.
    pub(super) bands: Vec<Band>,
    pub(super) finished: usize,
    pub(super) first_band: u64,
    pub(super) bands_end: u64,
    /// A cell that the exact path could not decide.
    pub(super) failed: Option<Error>,
    /// The rows of the finished bands.
    pub(crate) rows: Vec<Row>,
    pub(crate) report: Report,
}

impl<'a, C: Cells> Block<'a, C> {
    /// The bands from `first_band` to before `bands_end`.
    pub(crate) fn new(
        first_band: u64,
        bands_end: u64,
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
            first_group: first_tile(first_band) - 1,
            bands: Vec::new(),
            finished: 0,
            first_band,
            bands_end,
            failed: None,
            rows: Vec::new(),
            report: Report::default(),
        }
    }

    /// The old rows must be complete below this offset before the group may join the block (V3).
    pub(crate) fn needs_old_rows(&self, group: &Group) -> u64 {
        let complete = self.knowledge.old.complete_below();
        let stored = group.stored_from();
        if stored <= complete {
            return stored;
        }
        let highest = self.shared.frame.windows.low(self.bands_end - 1, group.index()) + 64;
        stored.min(highest.saturating_sub(LANES * group.index()))
    }

    /// Takes the next group.
    pub(crate) fn push_group(&mut self, group: Box<Group>) {
        debug_assert_eq!(group.index(), self.groups_end());
        self.groups.push_back(group);
    }

    /// Gives away the first group, if its index is below `end`.
    pub(crate) fn pop_group(&mut self, end: u64) -> Option<Box<Group>> {
        if self.first_group >= end {
            return None;
        }
        let mut group = self.groups.pop_front()?;
        self.first_group += 1;
        group.shrink(&self.shared.pool);
        Some(group)
    }

    pub(super) fn position(&self, g: u64) -> usize {
        index(g - self.first_group)
    }

    /// The groups held end before this one.
    pub(crate) fn groups_end(&self) -> u64 {
        self.first_group + self.groups.len() as u64
    }

    /// The slot in which band `k` of the block starts.
    fn start_slot(&self, k: usize) -> u64 {
        first_tile(self.first_band + k as u64) + 2 * k as u64
    }

    pub(crate) fn first_slot(&self) -> u64 {
        self.start_slot(0)
    }

    /// The band that starts in this slot needs the groups before this one.
    pub(crate) fn starting(&self, slot: u64) -> Option<u64> {
        let k = self.bands.len();
        (self.first_band + (k as u64) < self.bands_end && self.start_slot(k) == slot)
            .then(|| first_tile(self.first_band + k as u64))
    }

    /// The tiles of this slot need the groups before this one.
    pub(crate) fn needed(&self, slot: u64) -> u64 {
        let band = self.bands.get(self.finished);
        band.map_or(0, |band| (slot - 2 * self.finished as u64 + 1).min(band.last))
    }

    /// Whether the first band under way ends its tiles in this slot.
    pub(crate) fn finishing(&self, slot: u64) -> bool {
        let band = self.bands.get(self.finished);
        band.is_some_and(|band| slot - 2 * self.finished as u64 == band.last)
    }

    /// The diagonal values of the rows that have started, in order.
    pub(crate) fn diagonals(&self) -> Vec<u64> {
        self.bands.iter().flat_map(|band| band.diagonal).collect()
    }

    pub(crate) fn all_started(&self) -> bool {
        self.first_band + self.bands.len() as u64 == self.bands_end
    }

    pub(crate) fn all_finished(&self) -> bool {
        self.first_band + self.finished as u64 == self.bands_end
    }

    /// After this slot, the groups before this one have met all bands.
    pub(crate) fn released(&self, slot: u64) -> u64 {
        if self.all_finished() {
            u64::MAX
        } else if self.all_started() {
            slot - 2 * (self.bands.len() as u64 - 1)
        } else {
            0
        }
    }

    /// The error of a tile that could not be decided.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        self.failed.take().map_or(Ok(()), Err)
    }
}
