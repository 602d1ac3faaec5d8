//! The numbers of the places of windows.

use super::lanes::SIDE;
use super::tile::{COLUMN_LOW, HIGH, LOW};
use crate::band::geometry::fall;
use crate::band::units::{BandIndex, GroupIndex};
use crate::units::index;
use std::ops::Range;

/// The distances of the windows below the lines: those of the low windows in ends, those of the
/// high ones in numbers. Every choice gives the same rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distances {
    pub(super) low: u64,
    pub(super) high: u64,
}

impl Distances {
    /// The exact path is hardly ever needed: it does one tile in 22 000 to row 30 000.
    pub(super) const DEFAULT: Self = Self { low: 3, high: 8 };

    /// The windows of band `b` and group `g`. The n-th end has the index n - 1 in `ends`. `None` if
    /// an end is not known.
    pub(super) fn windows(self, b: BandIndex, g: GroupIndex, ends: &Ends) -> Option<Windows> {
        let low: &[u32; COLUMN_LOW] = ends.numbers.get(self.first_end(b, g)..)?.first_chunk()?;
        Some(Windows { low: low.map(u64::from), high: self.high(b, g) })
    }

    /// The index in `ends` of the first place of the low windows: `L` has r - (1 - 1 / √2) q ends
    /// below it.
    #[inline]
    pub(super) fn first_end(self, b: BandIndex, g: GroupIndex) -> usize {
        index(8 * b.0 + fall(g) - 8 * g.0 - self.low - 1)
    }

    /// The number at the first place of the high windows: `H = r + q / √2`.
    #[inline]
    pub(super) fn high(self, b: BandIndex, g: GroupIndex) -> u64 {
        8 * b.0 + fall(g) - self.high
    }
}

/// The ends that are known (V9): the numbers from 1 on that are no diagonal values.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    pub(super) numbers: Vec<u32>,
    /// The lowest bytes of `numbers`.
    bytes: Vec<u8>,
}

impl Ends {
    /// The number past the last end.
    pub(super) fn next(&self) -> u64 {
        self.numbers.last().map_or(1, |&end| u64::from(end) + 1)
    }

    pub(super) fn push(&mut self, end: u64) {
        let end = u32::try_from(end).expect("values are less than 2^32");
        self.numbers.push(end);
        self.bytes.push(end.to_le_bytes()[0]);
    }

    /// The differences of the 64 ends from index `at` on from the first of them, if they are known,
    /// and less than 256.
    #[inline]
    pub(super) fn span(&self, at: usize) -> Option<(u64, [u8; 64])> {
        let numbers: &[u32; 64] = self.numbers.get(at..)?.first_chunk()?;
        let bytes: &[u8; 64] = self.bytes.get(at..)?.first_chunk()?;
        (numbers[63] - numbers[0] < 256)
            .then(|| (numbers[0].into(), bytes.map(|byte| byte.wrapping_sub(bytes[0]))))
    }
}

/// The windows of the columns of a tile. Those of row `i` begin `i` places higher.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    /// The numbers of the low window.
    pub(super) low: [u64; COLUMN_LOW],
    /// The first number of the high window.
    pub(super) high: u64,
}

impl Windows {
    /// The number at a place of the columns.
    pub(super) fn of_column(&self, place: usize) -> u64 {
        let high = || self.high + (place - COLUMN_LOW) as u64;
        self.low.get(place).copied().unwrap_or_else(high)
    }

    /// The number at a place of row `i`.
    pub(super) fn of_row(&self, i: usize, place: usize) -> u64 {
        self.of_column(i + if place < LOW { place } else { place - LOW + COLUMN_LOW })
    }

    /// The numbers between the windows of row `i`.
    pub(super) fn gap(&self, i: usize) -> Range<u64> {
        self.low[i + LOW - 1] + 1..self.high + i as u64
    }

    /// The number past the windows of row `i`.
    pub(super) fn end(&self, i: usize) -> u64 {
        self.high + (i + HIGH) as u64
    }

    /// Whether the windows do not overlap, and are above the columns of group `g` (V10).
    pub(super) fn fit(&self, g: GroupIndex) -> bool {
        self.low[0] >= (g + 1).first_column().0 && self.low[COLUMN_LOW - 1] < self.high
    }

    /// The number past all places that rows of earlier bands have in their windows.
    pub(super) fn entered(&self) -> u64 {
        self.end(SIDE - 1) - SIDE as u64
    }
}

/// A tile, and its windows.
pub(super) struct TileAt {
    pub(super) lane: usize,
    pub(super) band: BandIndex,
    pub(super) group: GroupIndex,
    pub(super) windows: Windows,
}
