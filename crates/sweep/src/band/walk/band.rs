//! Eight consecutive rows between two tiles.

use super::exact::{ExactRow, RowExceptions};
use crate::band::{
    geometry::{first_tile, last_tile},
    shared::Shared,
    simd::Eight,
    units::{BandIndex, GroupIndex},
};
use crate::units::{Number, RowIndex};

/// Eight consecutive rows between two tiles.
#[derive(Clone, Debug)]
pub(super) struct Band {
    pub(super) index: BandIndex,
    /// How far the low anchors lie above those of the band below.
    pub(super) lift: u32,
    /// The tiles are `first_tile..=last_tile`. Only residues of columns meet the last, only new
    /// columns the first, so that together they make a rectangle.
    pub(super) first_tile: GroupIndex,
    pub(super) last_tile: GroupIndex,
    /// The anchors of the tile met last, or of the first.
    pub(super) low_anchor: u64,
    pub(super) high_anchor: u64,
    /// How far they move to the next tile.
    pub(super) shift: u32,
    pub(super) row_low: Eight,
    pub(super) row_high: Eight,
    pub(super) column_low: Eight,
    pub(super) column_high: Eight,
    pub(super) sum: Eight,
    pub(super) diagonal: [Number; 8],
    pub(super) exceptions: Option<Box<[RowExceptions; 8]>>,
}

impl Band {
    pub(super) fn new(b: BandIndex, shared: &Shared) -> Self {
        let windows = shared.frame.windows;
        let (first, last) = (first_tile(b), last_tile(b));
        let moment = shared.moment(first, last);
        Self {
            index: b,
            lift: u32::try_from(windows.rise(b) - windows.rise(b - 1)).expect("19 or 20"),
            first_tile: first,
            last_tile: last,
            low_anchor: windows.low(b, first).0,
            high_anchor: windows.high(b, first).0,
            shift: 0,
            row_low: Eight::ZERO,
            row_high: Eight::ZERO,
            column_low: Eight::ZERO,
            column_high: Eight::ZERO,
            sum: Eight([moment.wrapping_neg(); 8]),
            diagonal: [Number(0); 8],
            exceptions: None,
        }
    }

    pub(super) fn row(&self, i: usize) -> RowIndex {
        self.index.first_row() + i as u64
    }

    /// Row `i`, for the exact path.
    pub(super) fn exact_row(&self, i: usize) -> ExactRow {
        ExactRow {
            low: self.row_low.0[i],
            high: self.row_high.0[i],
            low_anchor: self.low_anchor,
            high_anchor: self.high_anchor,
            exceptions: self
                .exceptions
                .as_ref()
                .map_or_else(Default::default, |list| list[i].clone()),
        }
    }

    pub(super) fn set_exact_row(&mut self, i: usize, row: ExactRow) {
        self.row_low.0[i] = row.low;
        self.row_high.0[i] = row.high;
        if self.exceptions.is_some() || !row.exceptions.is_empty() {
            self.exceptions.get_or_insert_default()[i] = row.exceptions;
        }
    }

    pub(super) fn drop_empty_exceptions(&mut self) {
        if self.exceptions.as_ref().is_some_and(|list| list.iter().all(RowExceptions::is_empty)) {
            self.exceptions = None;
        }
    }

    /// How many cells of each row a tile decides.
    pub(super) fn cells(&self, g: GroupIndex) -> &'static Eight {
        const INNER: Eight = Eight([8; 8]);
        const FIRST: Eight = Eight([8, 7, 6, 5, 4, 3, 2, 1]);
        const LAST: Eight = Eight([0, 1, 2, 3, 4, 5, 6, 7]);
        if g == self.first_tile {
            &FIRST
        } else if g == self.last_tile {
            &LAST
        } else {
            &INNER
        }
    }
}
