//! Eight consecutive bands side by side.

use super::{
    band::Band,
    exact::ExactRow,
    tile::{Anchors, Rows},
};
use crate::band::{
    shared::Shared,
    simd::Eight,
    units::{BandIndex, GroupIndex},
};

/// The rows of eight consecutive bands: lane `k` is band `k`. Each meets a group one slot after the
/// band below it.
#[derive(Clone, Debug)]
pub(super) struct Octet {
    /// The parts of the anchors that belong to the bands.
    pub(super) rises: Eight,
    pub(super) ascents: Eight,
    /// The low anchors of the tiles met last, or of the first.
    pub(super) low_anchor: Eight,
    /// After the last tile.
    pub(super) rows: Box<Rows>,
    /// What the tile under way makes of them.
    pub(super) next: Box<Rows>,
}

impl Octet {
    /// The octet that begins with band `b`.
    pub(super) fn new(b: BandIndex, shared: &Shared) -> Self {
        let windows = shared.frame.windows;
        Self {
            rises: Eight(std::array::from_fn(|k| windows.rise(b + k as u64))),
            ascents: Eight(std::array::from_fn(|k| windows.ascent(b + k as u64))),
            low_anchor: Eight::ZERO,
            rows: Box::new(Rows::ZERO),
            next: Box::new(Rows::ZERO),
        }
    }

    /// Moves on to groups with these falls: the anchors of the tiles.
    #[inline(always)]
    pub(super) fn next_anchors(&mut self, falls: &[u64; 8], guard: u32) -> Anchors {
        let mut anchors = Anchors {
            shift: Eight::ZERO,
            entering: Eight::ZERO,
            low: Eight::ZERO,
            high: Eight::ZERO,
            guard,
        };
        for (lane, fall) in falls.iter().enumerate() {
            // Not every lane need be under way.
            let low = self.rises.0[lane].wrapping_sub(*fall);
            anchors.low.0[lane] = low;
            anchors.high.0[lane] = self.ascents.0[lane] + fall;
            anchors.shift.0[lane] = self.low_anchor.0[lane].wrapping_sub(low);
        }
        self.low_anchor = anchors.low;
        anchors
    }

    /// What the tiles have made of the rows are now the rows.
    #[inline(always)]
    pub(super) fn swap(&mut self) {
        std::mem::swap(&mut self.rows, &mut self.next);
    }

    /// Row `i` of the band of `lane`, which has met group `g` last, for the exact path.
    pub(super) fn exact_row(&self, lane: usize, i: usize, band: &Band, g: GroupIndex) -> ExactRow {
        let (low_anchor, high_anchor) = band.anchors(g);
        ExactRow {
            low: self.rows.low[i].0[lane],
            high: self.rows.high[i].0[lane],
            low_anchor,
            high_anchor,
            exceptions: band.row_exceptions(i),
        }
    }
}

impl Rows {
    /// Takes row `i` of the band of `lane` from the exact path.
    pub(super) fn set_exact(
        &mut self,
        lane: usize,
        i: usize,
        row: ExactRow,
        sum: u64,
        band: &mut Band,
    ) {
        self.low[i].0[lane] = row.low;
        self.high[i].0[lane] = row.high;
        self.sum[i].0[lane] = sum;
        band.set_row_exceptions(i, row.exceptions);
    }
}
