//! The positions of the windows. A window in the wrong place costs time; because of the checks of
//! proofs/sweep.md, section 5, it never gives a wrong value.
//!
//! Rows come in bands of 8, columns in groups of 8. In column `q` the free values of row `r` lie
//! near `L = (1 + √2) r - q / √2` and from `H = r + q / √2` up. The anchor of a window is a rounded
//! `L` or `H`, the sum of a part that belongs to the band and a part that belongs to the group. So
//! windows move by one shift for all lanes.

use super::simd::{HIGH_PLACES, LOW_PART, LOW_PLACES};
use crate::units::{BandIndex, ColumnIndex, GroupIndex, LANES, Number, RowIndex, index};

/// Words of a column too near the diagonal for windows.
pub(crate) const WIDE: usize = 4;

/// The places of a low window: the lowest of a word.
pub(crate) const LOW: u64 = LOW_PLACES as u64;

/// The places of a high window: the others of a word.
pub(crate) const HIGH: u64 = HIGH_PLACES as u64;

/// The most places by which the low anchor rises from one band to the next (5.2): `8 (1 + √2)`,
/// rounded up. The least is one less.
pub(crate) const LIFT: u64 = 20;

/// The most places by which the anchors move from one group to the next (5.2): `8 / √2`, rounded
/// up. The least is one less. At the first tile of a band they do not move.
pub(crate) const SHIFT: u64 = 6;

/// Groups from the diagonal to the first tile of a band. In nearer groups the two windows could
/// overlap, with the greatest distances below the lines.
const LEAD: u64 = 8;

/// Columns before `√2 r` that are not in tiles.
const AFTER_TILES: u64 = 12;

/// Columns past `√2 r` in which a row enters its values explicitly.
const REACH: u64 = 24;

/// The distances of the windows below the lines.
///
/// Every choice gives the same rows. With the default, the exact path is hardly ever needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    below_low: u64,
    below_high: u64,
    guard: u32,
}

/// The default distance of the low windows below `L`, and the least one for the words of a corner.
const BELOW_LOW: u64 = 11;

impl Default for Windows {
    fn default() -> Self {
        Self { below_low: BELOW_LOW, below_high: 7, guard: 0 }
    }
}

impl Windows {
    /// The low windows begin `below_low` places below the `L` of a band's first row, the high ones
    /// `below_high` places below its `H`, both rounded. The topmost `guard` places of the high
    /// windows, at least one, are not used. `None` unless the first two numbers are at most 40 and
    /// `guard` is at most 24.
    pub fn new(below_low: u64, below_high: u64, guard: u32) -> Option<Self> {
        let fits = below_low <= 40 && below_high <= 40 && u64::from(guard) <= HIGH;
        fits.then_some(Self { below_low, below_high, guard })
    }

    /// The arguments of [`Self::new`].
    pub fn parameters(&self) -> [u64; 3] {
        [self.below_low, self.below_high, self.guard.into()]
    }

    /// The number of topmost places of the high windows that tiles must not use.
    pub(crate) fn guard(&self) -> u32 {
        self.guard.max(1)
    }

    /// The part of the low anchor that belongs to band `b`.
    pub fn rise(&self, b: BandIndex) -> u64 {
        b.first_row().0 + times_root_2(8 * b.0) - self.below_low
    }

    /// The number of places by which the low anchors of band `b` lie above the low anchors of the
    /// band below.
    ///
    /// # Panics
    /// Unless that is [`LIFT`] or one less (5.2): with more the reach would be too short for the
    /// places that enter the window.
    pub(crate) fn lift(&self, b: BandIndex) -> u32 {
        let lift = self.rise(b) - self.rise(b - 1);
        assert!((LIFT - 1..=LIFT).contains(&lift), "the low windows climb {lift} places to {b:?}");
        u32::try_from(lift).expect("it is small")
    }

    /// The part of the high anchor that belongs to band `b`.
    pub(crate) fn ascent(&self, b: BandIndex) -> u64 {
        b.first_row().0 - self.below_high
    }

    /// The anchors of the windows of band `b` and group `g`.
    pub(crate) fn anchors(&self, b: BandIndex, g: GroupIndex) -> Anchors {
        Anchors { low: self.low(b, g).0, high: self.high(b, g).0 }
    }

    /// The anchor of the low windows of band `b` and group `g`.
    pub fn low(&self, b: BandIndex, g: GroupIndex) -> Number {
        Number(self.rise(b) - fall(g))
    }

    /// The anchor of the high windows of band `b` and group `g`.
    pub fn high(&self, b: BandIndex, g: GroupIndex) -> Number {
        Number(self.ascent(b) + fall(g))
    }

    /// The first number of the words of the corner when band `b` begins: not above the low window
    /// of its first tile, so that they contain the windows.
    pub(crate) fn corner(&self, b: BandIndex) -> Number {
        let lower = BELOW_LOW.saturating_sub(self.below_low);
        Number((self.low(b, first_tile(b)).0 - lower) / 64 * 64)
    }

    /// The part of the high anchor that belongs to group `g`: its stored words start here.
    pub fn origin(&self, g: GroupIndex) -> u64 {
        fall(g) - self.below_high
    }
}

/// The anchors of two windows: the first numbers of the low and of the high one.
///
/// Both windows are in one word. Its lowest [`LOW`] places are the numbers from `low` on, the
/// others those from `high` on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Anchors {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

impl Anchors {
    /// The number past the low window.
    pub(crate) fn low_end(self) -> u64 {
        self.low + LOW
    }

    /// The number past the high window.
    pub(crate) fn high_end(self) -> u64 {
        self.high + HIGH
    }

    /// The numbers of the word, ascending.
    pub(crate) fn members(self, word: u64) -> impl Iterator<Item = u64> {
        members(self.low, word & LOW_PART).chain(members(self.high, word >> LOW))
    }

    /// The bit of `p` in the word, 0 if it is in neither window.
    pub(crate) fn bit(self, p: u64) -> u64 {
        if (self.low..self.low_end()).contains(&p) {
            1 << (p - self.low)
        } else if (self.high..self.high_end()).contains(&p) {
            1 << (p - self.high + LOW)
        } else {
            0
        }
    }

    /// The anchors in the next group, `shift` places lower and higher.
    pub(crate) fn moved(self, shift: u32) -> Self {
        let shift = u64::from(shift);
        Self { low: self.low - shift, high: self.high + shift }
    }
}

/// The windows and the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The windows.
    pub windows: Windows,
    /// The run ends before this band. Words that no band before it reads are not kept.
    pub bands: BandIndex,
}

impl Frame {
    /// The most bands in a run. Then all values are below 2^32, as `Register::factors` needs.
    pub const MOST_BANDS: BandIndex = BandIndex(1 << 26);
}

/// `n √2`, rounded down, for `n < 2^31`: by one product (proofs/sweep.md, 5.6).
pub(crate) fn times_root_2(n: u64) -> u64 {
    const ROOT_2_LESS_1: u128 = 0x6A09_E667_F3BC_C908;
    assert!(n < 1 << 31);
    n + ((u128::from(n) * ROOT_2_LESS_1) >> 64) as u64
}

/// The part of the anchors that belongs to group `g`: `8 g / √2`, rounded down.
pub fn fall(g: GroupIndex) -> u64 {
    times_root_2(4 * g.0)
}

/// The group of the first tile of band `b`.
pub fn first_tile(b: BandIndex) -> GroupIndex {
    GroupIndex(b.0 + LEAD)
}

/// The group past the last tile of band `b`; the last cells of its rows begin there.
pub fn last_tile(b: BandIndex) -> GroupIndex {
    GroupIndex::of_column(ColumnIndex(times_root_2(8 * b.0) - AFTER_TILES))
}

/// The group past the last in which row `r` must enter its values explicitly.
pub fn reach(RowIndex(r): RowIndex) -> GroupIndex {
    GroupIndex::of_column(ColumnIndex(times_root_2(r) + REACH)) + 1
}

/// Every value of a periodic row `r` is at least this offset (hypothesis V3, checked for every
/// row).
pub(crate) fn least_value(RowIndex(r): RowIndex) -> u64 {
    (2 * r - times_root_2(r)).saturating_sub(64)
}

/// If row `r` reaches a group first, the base of the group is at this offset, or up to 64 below. So
/// a window of the table of old rows never contains a value of row `r` or of a later row.
pub fn highest_base_offset(r: RowIndex) -> u64 {
    least_value(r) - 128
}

/// Every diagonal value `d_c`, `c >= r`, is at least this (hypothesis V9, checked for every row).
pub(crate) fn least_diagonal(RowIndex(r): RowIndex) -> Number {
    Number((r + times_root_2(r) / 2).saturating_sub(8))
}

/// The lane of column `q` in its group.
pub(crate) fn lane(ColumnIndex(q): ColumnIndex) -> usize {
    index(LANES - 1 - q % LANES)
}

/// The word with these numbers in its low and in its high window.
pub(crate) fn joined(low: u64, high: u64) -> u64 {
    low & LOW_PART | high << LOW
}

/// The mask of the lowest `n` bits.
pub(crate) fn low_bits(n: u32) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

/// The mask of the topmost `n` bits.
pub(crate) fn top_bits(n: u32) -> u64 {
    !low_bits(64 - n)
}

/// The bits of `word`, as numbers from `from` on, ascending.
pub(crate) fn members(from: u64, word: u64) -> impl Iterator<Item = u64> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(from + u64::from(bit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with the root, also where `n √2` is closest to an integer: 2 n² = m² + 1.
    #[test]
    fn products_with_root_2_are_rounded_down() {
        let largest = (1 << 31) - 1;
        for n in (0..100_000).chain(largest - 100_000..=largest) {
            assert_eq!(times_root_2(n), (2 * n * n).isqrt(), "{n}");
        }
        let (mut n, mut m) = (1, 1);
        while n <= largest {
            assert_eq!(2 * n * n, m * m + 1);
            for n in [n - 1, n, n + 1] {
                assert_eq!(times_root_2(n), (2 * n * n).isqrt(), "{n}");
            }
            (n, m) = (3 * n + 2 * m, 4 * n + 3 * m);
        }
    }

    /// To the last band of the longest run.
    #[test]
    fn low_windows_rise_by_19_or_20_places() {
        let windows = Windows::default();
        let most = Frame::MOST_BANDS;
        let bands = BandIndex(128).up_to(BandIndex(20_000)).chain((most - 20_000).up_to(most + 1));
        let mut lifts: Vec<u32> = bands.map(|b| windows.lift(b)).collect();
        lifts.sort_unstable();
        lifts.dedup();
        assert_eq!(lifts, [19, 20]);
    }
}
