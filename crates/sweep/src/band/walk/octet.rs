//! Eight consecutive bands side by side.

use super::band::Band;
use super::climb::Climb;
use super::exact::ExactRow;
use super::passing::{Passing, Rise};
use super::tile::{LaneAnchors, OctetRows};
use crate::band::below::{Diagonals, Seen};
use crate::band::geometry::{Anchors, LEAST_LIFT, LEAST_SHIFT};
use crate::band::schedule::OCTET;
use crate::band::shared::Shared;
use crate::band::simd::{Eight, Register};
use crate::band::units::{BandIndex, GroupIndex, LANES};

/// The rows of eight consecutive bands: lane `k` is band `k`. Each meets a group one slot after the
/// band below it.
#[derive(Clone, Debug)]
pub(super) struct Octet {
    /// The parts of the anchors that belong to the bands.
    rises: Eight,
    ascents: Eight,
    /// How the windows of the groups rise.
    pub(super) rise: Rise,
    /// The lane in which words of the groups become complete.
    pub(super) completing: usize,
    /// The low anchors of the last tiles, or of the first ones before these.
    pub(super) low_anchor: Eight,
    /// The diagonal values near the low anchors.
    seen: Seen,
    /// Not 0 in the lanes of bands with exceptions.
    pub(super) exceptions: Eight,
    /// The rows and columns after the last tile.
    pub(super) rows: Box<OctetRows>,
    pub(super) columns: Box<Passing>,
    /// The rows and columns that the current tile produces.
    pub(super) next: Box<OctetRows>,
    pub(super) next_columns: Box<Passing>,
}

impl Octet {
    /// Octet `octet` of the block that begins with band `first`.
    pub(super) fn new(octet: usize, first: BandIndex, climb: &Climb, shared: &Shared) -> Self {
        let windows = shared.frame.windows;
        let numbers: [usize; OCTET] = std::array::from_fn(|lane| octet * OCTET + lane);
        let bands = numbers.map(|k| first + k as u64);
        let lift = bands.map(|b| u64::from(windows.lift(b)));
        let rise = Rise {
            lift: Eight(lift),
            places: Eight(std::array::from_fn(|lane| 64 - lift[lane] - climb.bit(numbers[lane]))),
            band: Eight(numbers.map(|k| 1 << k)),
        };
        let completes = |b: &BandIndex| b.0.is_multiple_of(LANES);
        Self {
            rises: Eight(bands.map(|b| windows.rise(b))),
            ascents: Eight(bands.map(|b| windows.ascent(b))),
            rise,
            completing: bands.iter().position(completes).expect("one of eight"),
            low_anchor: Eight::ZERO,
            seen: Seen::NONE,
            exceptions: Eight::ZERO,
            rows: Box::new(OctetRows::ZERO),
            columns: Box::new(Passing::NONE),
            next: Box::new(OctetRows::ZERO),
            next_columns: Box::new(Passing::NONE),
        }
    }

    /// The band of `lane` is about to meet its first group.
    pub(super) fn begin(&mut self, lane: usize, band: &Band) {
        self.seen = Seen::NONE;
        self.look_for_exceptions(lane, band);
    }

    /// Records whether the band of `lane` has exceptions.
    pub(super) fn look_for_exceptions(&mut self, lane: usize, band: &Band) {
        self.exceptions.0[lane] = u64::from(band.exceptions.is_some());
    }

    /// Moves to groups with these falls. Returns the anchors of the tiles, and the places that must
    /// be blocked when they leave the low windows of the groups.
    #[inline(always)]
    pub(super) fn next_anchors<R: Register>(
        &mut self,
        falls: &[u64; 8],
        guard: u32,
        diagonals: &Diagonals,
    ) -> (LaneAnchors, Eight) {
        let mut leaving = Eight::ZERO;
        let mut anchors = LaneAnchors {
            shift: Eight::ZERO,
            entering: Eight::ZERO,
            low: Eight::ZERO,
            high: Eight::ZERO,
            guard,
        };
        // Lanes that are not in use hold arbitrary numbers.
        for at in (0..8).step_by(R::LANES) {
            let fall = R::load(falls, at);
            let low = R::load(&self.rises.0, at).sub(fall);
            low.store(&mut anchors.low, at);
            R::load(&self.ascents.0, at).add(fall).store(&mut anchors.high, at);
            R::load(&self.low_anchor.0, at).sub(low).store(&mut anchors.shift, at);
        }
        self.seen.follow(&anchors.low, diagonals);
        for at in (0..8).step_by(R::LANES) {
            let ones = R::splat(u64::MAX);
            let lift = R::load(&self.rise.lift.0, at);
            let seen = self.seen.below::<R>(R::load(&anchors.low.0, at).sub(lift), at);
            seen.and(ones.shl_near::<LEAST_LIFT>(lift).xor(ones)).store(&mut leaving, at);
            let shift = R::load(&anchors.shift.0, at);
            let bits = ones.shl_near::<LEAST_SHIFT>(shift).xor(ones);
            seen.shr_near::<LEAST_LIFT>(lift).and(bits).store(&mut anchors.entering, at);
        }
        self.low_anchor = anchors.low;
        (anchors, leaving)
    }

    /// The anchors of the last tile in `lane`.
    pub(super) fn anchors(&self, lane: usize) -> Anchors {
        let low = self.low_anchor.0[lane];
        Anchors { low, high: self.ascents.0[lane] + self.rises.0[lane] - low }
    }

    /// The rows and columns that the tiles have produced become current.
    #[inline(always)]
    pub(super) fn swap(&mut self) {
        std::mem::swap(&mut self.rows, &mut self.next);
        std::mem::swap(&mut self.columns, &mut self.next_columns);
    }

    /// Row `i` of the band of `lane` after group `g`, for the exact path.
    pub(super) fn exact_row(&self, lane: usize, i: usize, band: &Band, g: GroupIndex) -> ExactRow {
        ExactRow {
            windows: self.rows.windows[i].0[lane],
            anchors: band.anchors(g),
            exceptions: band.row_exceptions(i),
        }
    }
}

impl OctetRows {
    /// Takes row `i` of the band of `lane` from the exact path.
    pub(super) fn set_exact(
        &mut self,
        lane: usize,
        i: usize,
        row: ExactRow,
        sum: u64,
        band: &mut Band,
    ) {
        self.windows[i].0[lane] = row.windows;
        self.sum[i].0[lane] = sum;
        band.set_row_exceptions(i, row.exceptions);
    }
}
