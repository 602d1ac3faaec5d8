//! Eight consecutive rows.

use super::exact::RowExceptions;
use crate::band::geometry::{Anchors, Windows, first_tile, last_tile};
use crate::band::shared::Shared;
use crate::band::units::{BandIndex, GroupIndex};
use crate::units::{Number, RowIndex};

/// Eight consecutive rows without their masks, which are in an [`Octet`](super::octet::Octet).
#[derive(Clone, Debug)]
pub(super) struct Band {
    pub(super) index: BandIndex,
    windows: Windows,
    /// The number of places by which the low anchors lie above the low anchors of the band below.
    pub(super) lift: u32,
    /// Its tiles are in the groups from this one to before `last_tile`.
    pub(super) first_tile: GroupIndex,
    pub(super) last_tile: GroupIndex,
    pub(super) diagonal: [Number; 8],
    pub(super) exceptions: Option<Box<[RowExceptions; 8]>>,
}

impl Band {
    /// Band `b`.
    pub(super) fn new(b: BandIndex, shared: &Shared) -> Self {
        let windows = shared.frame.windows;
        Self {
            index: b,
            windows,
            lift: windows.lift(b),
            first_tile: first_tile(b),
            last_tile: last_tile(b),
            diagonal: [Number(0); 8],
            exceptions: None,
        }
    }

    pub(super) fn row(&self, i: usize) -> RowIndex {
        self.index.first_row() + i as u64
    }

    /// The anchors of its windows in group `g`.
    pub(super) fn anchors(&self, g: GroupIndex) -> Anchors {
        self.windows.anchors(self.index, g)
    }

    /// The numbers that the windows of row `i` cannot hold.
    pub(super) fn row_exceptions(&self, i: usize) -> RowExceptions {
        self.exceptions.as_ref().map_or_else(Default::default, |list| list[i].clone())
    }

    pub(super) fn set_row_exceptions(&mut self, i: usize, exceptions: RowExceptions) {
        if self.exceptions.is_some() || !exceptions.is_empty() {
            self.exceptions.get_or_insert_default()[i] = exceptions;
        }
    }

    pub(super) fn drop_empty_exceptions(&mut self) {
        if self.exceptions.as_ref().is_some_and(|list| list.iter().all(RowExceptions::is_empty)) {
            self.exceptions = None;
        }
    }
}
