//! The kernel: tiles of 8 rows by 8 columns in registers, those of the eight bands of an octet at
//! the same time (proofs/sweep.md, section 5).
//!
//! Lane `k` belongs to band `k`, and its columns are those of the group that this band meets. So
//! the lanes are independent: each decides its 64 cells, of each row from left to right, and of
//! each column from below. A cell takes the lowest bit of `row & column`.
//!
//! The kernel checks the hypotheses of the window theorem. The results of lanes in which one fails
//! are discarded.

use crate::band::geometry::{LOW, top_bits};
use crate::band::simd::{Eight, LOW_PART, Register};

/// The values of the cells of eight tiles: of row `i` and column `j` of each.
pub(crate) type Values = [[Eight; 8]; 8];

/// The rows of an octet between two tiles: row `i` of each band.
#[derive(Clone, Debug, Default)]
pub(crate) struct OctetRows {
    /// Row-free numbers, in the windows.
    pub(crate) windows: [Eight; 8],
    /// The sum of the value times the weight of the column.
    pub(crate) sum: [Eight; 8],
}

/// The columns of a tile in each band, the last one first: the numbers free of (C) in the windows.
/// The topmost place of the high windows is free
/// ([`OctetColumns::raise`](super::octet::OctetColumns::raise)).
pub(crate) type Columns = [Eight; 8];

/// The anchors of the windows of the tiles.
#[derive(Default)]
pub(crate) struct LaneAnchors {
    /// The distance by which they have moved since the last tile: the low ones down, the high ones
    /// up.
    pub(crate) shift: Eight,
    /// The places that enter the low windows of the rows at the lower end.
    pub(crate) entering: Eight,
    pub(crate) low: Eight,
    pub(crate) high: Eight,
    /// The number of topmost places of the high windows that must not be used.
    pub(crate) guard: u32,
}

/// The weights of the columns, ascending, in each band.
pub(crate) type Weights<'a> = [&'a [u64; 8]; 8];

/// Decides all cells, from `before` to `after`. Returns lanes that are not 0 where a hypothesis has
/// failed (V6, or V7 and with it V8). Enters `values` only if `HEARD`.
#[inline(always)]
pub(crate) fn decide<R: Register, const HEARD: bool>(
    anchors: &LaneAnchors,
    weights: Weights,
    before: &OctetRows,
    columns: &mut Columns,
    after: &mut OctetRows,
    values: &mut Values,
) -> Eight {
    let mut faults = Eight::ZERO;
    for at in (0..8).step_by(R::LANES) {
        let fault = decide_lanes::<R, HEARD>(at, anchors, &weights, before, columns, after, values);
        fault.store(&mut faults, at);
    }
    faults
}

/// Decides all cells in the lanes of one register, from `at` on.
#[inline(always)]
fn decide_lanes<R: Register, const HEARD: bool>(
    at: usize,
    anchors: &LaneAnchors,
    weights: &Weights,
    before: &OctetRows,
    columns: &mut Columns,
    after: &mut OctetRows,
    values: &mut Values,
) -> R {
    // Shifts are less than 64 in lanes in use; the compiler then drops its checks.
    let shift = R::load(&anchors.shift.0, at).and(R::splat(63));
    let ones = R::splat(u64::MAX);
    let high = R::load(&anchors.high.0, at).sub(R::splat(LOW));
    // All numbers above the high windows are row-free.
    let top = ones.shr_each(shift).xor(ones);
    let mut tile = LanesOfTile {
        at,
        shift,
        entering: R::load(&anchors.entering.0, at).or(top),
        factors: R::factors([R::load(&anchors.low.0, at), high], weights, at),
        columns: [R::splat(0); 8],
        any: R::splat(0),
        all: ones,
    };
    for (j, windows) in tile.columns.iter_mut().enumerate() {
        *windows = R::load(&columns[7 - j].0, at);
    }
    if R::FOUR_ROWS {
        for first in (0..8).step_by(4) {
            let mut rows = tile.begin::<2>(first, before);
            tile.four_rows::<HEARD>(&mut rows, first, values);
            tile.finish(&rows, first, after);
        }
    } else {
        for first in (0..8).step_by(2) {
            let mut rows = tile.begin::<1>(first, before);
            tile.two_rows::<HEARD>(&mut rows, first, values);
            tile.finish(&rows, first, after);
        }
    }
    for (j, windows) in tile.columns.into_iter().enumerate() {
        windows.store(&mut columns[7 - j], at);
    }
    // Numbers that leave the windows, on either side of their border, must not be free. The guard
    // must be free.
    let first_high = R::splat(1 << LOW);
    let leaving = first_high.shl_each(shift).sub(first_high.shr_each(shift));
    let guard = R::splat(top_bits(anchors.guard));
    guard.and(tile.all).xor(guard).with(tile.any, leaving)
}

/// The lanes of a tile in one register.
struct LanesOfTile<'a, R: Register> {
    at: usize,
    shift: R,
    /// The numbers that are free for the rows, and enter their windows.
    entering: R,
    factors: R::Factors<'a>,
    columns: [R; 8],
    /// What is free in a row before, and in all rows after.
    any: R,
    all: R,
}

/// Consecutive rows of a tile, in pairs.
struct Rows<R: Register, const PAIRS: usize> {
    windows: [[R; 2]; PAIRS],
    sums: [R::Sums; PAIRS],
}

// The cells are macros, because their rows and columns must be constants.
impl<R: Register> LanesOfTile<'_, R> {
    /// The rows from `first` on, at the anchors of the tile.
    #[inline(always)]
    fn begin<const PAIRS: usize>(&mut self, first: usize, before: &OctetRows) -> Rows<R, PAIRS> {
        let (zero, low_part) = (R::splat(0), R::splat(LOW_PART));
        let mut rows = Rows { windows: [[zero; 2]; PAIRS], sums: [R::sums([zero; 2]); PAIRS] };
        for pair in 0..PAIRS {
            let first = first + 2 * pair;
            for k in 0..2 {
                let word = R::load(&before.windows[first + k].0, self.at);
                self.any = self.any.or(word);
                let low = word.shl_each(self.shift);
                let high = word.shr_each(self.shift);
                rows.windows[pair][k] = low_part.select(low, high).or(self.entering);
            }
            let [lower, upper] = [&before.sum[first].0, &before.sum[first + 1].0];
            rows.sums[pair] = R::sums([R::load(lower, self.at), R::load(upper, self.at)]);
        }
        rows
    }

    /// Stores the rows after the last column.
    #[inline(always)]
    fn finish<const PAIRS: usize>(
        &mut self,
        rows: &Rows<R, PAIRS>,
        first: usize,
        after: &mut OctetRows,
    ) {
        for pair in 0..PAIRS {
            let first = first + 2 * pair;
            let [lower, upper] = rows.windows[pair];
            self.all = self.all.and(lower).and(upper);
            lower.store(&mut after.windows[first], self.at);
            upper.store(&mut after.windows[first + 1], self.at);
            let [lower, upper] = R::totals(rows.sums[pair], &self.factors);
            lower.store(&mut after.sum[first], self.at);
            upper.store(&mut after.sum[first + 1], self.at);
        }
    }

    /// Two rows, column by column: a single row would wait for its own results.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn two_rows<const HEARD: bool>(
        &mut self,
        rows: &mut Rows<R, 1>,
        first: usize,
        values: &mut Values,
    ) {
        macro_rules! cell {
            ($k:literal $j:expr) => {{
                let bit = rows.windows[0][$k].and(self.columns[$j]).lowest();
                rows.windows[0][$k] = rows.windows[0][$k].xor(bit).now();
                self.columns[$j] = self.columns[$j].xor(bit).now();
                R::place(bit, &self.factors)
            }};
        }
        macro_rules! column {
            ($j:expr) => {
                let places = [cell!(0 $j), cell!(1 $j)];
                R::add_products(&mut rows.sums[0], places, &self.factors, $j);
                if HEARD {
                    for k in 0..2 {
                        let number = R::number(places[k], &self.factors);
                        number.store(&mut values[first + k][$j], self.at);
                    }
                }
            };
        }
        macro_rules! columns {
            ($($j:literal)*) => {{ $(column!($j);)* }};
        }
        columns!(0 1 2 3 4 5 6 7);
    }

    /// Four rows. In a step, each row is a column behind the row below it, so its cells are
    /// independent of each other.
    #[inline(always)]
    fn four_rows<const HEARD: bool>(
        &mut self,
        rows: &mut Rows<R, 2>,
        first: usize,
        values: &mut Values,
    ) {
        let (zero, nowhere) = (R::splat(0), R::place(R::splat(0), &self.factors));
        let mut bits = [[zero; 2]; 2];
        // Of the lower rows of the pairs in the last step, in the columns of the upper rows now.
        let mut places = [nowhere; 2];
        // For row `k` of a pair in column `j`.
        macro_rules! share {
            ($pair:tt $k:tt $j:tt) => {
                bits[$pair][$k] = rows.windows[$pair][$k].and(self.columns[$j]).now();
            };
        }
        macro_rules! choose {
            ($pair:tt $k:tt $j:tt) => {
                bits[$pair][$k] = bits[$pair][$k].lowest().now();
            };
        }
        macro_rules! take {
            ($pair:tt $k:tt $j:tt) => {
                let bit = bits[$pair][$k];
                rows.windows[$pair][$k] = rows.windows[$pair][$k].xor(bit).now();
                self.columns[$j] = self.columns[$j].xor(bit).now();
            };
        }
        macro_rules! count {
            ($pair:tt $k:tt $j:tt) => {
                let place = R::place(bits[$pair][$k], &self.factors);
                if HEARD {
                    let number = R::number(place, &self.factors);
                    number.store(&mut values[first + 2 * $pair + $k][$j], self.at);
                }
                add!($pair $k $j place);
            };
        }
        macro_rules! add {
            ($pair:tt 0 $j:tt $place:ident) => {
                places[$pair] = $place;
            };
            ($pair:tt 1 $j:tt $place:ident) => {
                let places = [places[$pair], $place];
                R::add_products(&mut rows.sums[$pair], places, &self.factors, $j);
            };
        }
        macro_rules! each {
            ($part:ident: $($pair:tt $k:tt $j:tt),*) => { $($part!($pair $k $j);)* };
        }
        macro_rules! step {
            ($($cells:tt)*) => {
                each!(share: $($cells)*);
                each!(choose: $($cells)*);
                each!(take: $($cells)*);
                each!(count: $($cells)*);
            };
        }
        step!(0 0 0);
        step!(0 1 0, 0 0 1);
        step!(1 0 0, 0 1 1, 0 0 2);
        step!(1 1 0, 1 0 1, 0 1 2, 0 0 3);
        step!(1 1 1, 1 0 2, 0 1 3, 0 0 4);
        step!(1 1 2, 1 0 3, 0 1 4, 0 0 5);
        step!(1 1 3, 1 0 4, 0 1 5, 0 0 6);
        step!(1 1 4, 1 0 5, 0 1 6, 0 0 7);
        step!(1 1 5, 1 0 6, 0 1 7);
        step!(1 1 6, 1 0 7);
        step!(1 1 7);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::band::geometry::{Anchors, HIGH, low_bits};
    use crate::band::simd::{Kernel, OnLanes};
    use crate::units::index;
    use record::column_weight;

    /// Vectors of some words, with `ones` in 8 bits set.
    fn random(seed: u64, ones: u64) -> [Eight; 8] {
        let bit = |at: u64, bit| {
            let draw = column_weight(seed << 20 | at << 8 | bit) >> 32;
            u64::from(draw % 8 < ones) << bit
        };
        let word = |at| (0..64).fold(0, |word, i| word | bit(at, i));
        std::array::from_fn(|i| Eight(std::array::from_fn(|lane| word((8 * i + lane) as u64))))
    }

    struct Deciding<'a> {
        anchors: &'a LaneAnchors,
        weights: &'a [[u64; 8]; 8],
        before: &'a OctetRows,
        columns: &'a mut Columns,
        after: &'a mut OctetRows,
        values: &'a mut Values,
        faults: &'a mut Eight,
        counts: &'a Eight,
        transposed: &'a mut [Eight; 8],
    }

    impl OnLanes for Deciding<'_> {
        #[inline(always)]
        fn run<R: Register>(self) {
            let Self { anchors, weights, before, columns, after, values, .. } = self;
            *self.transposed = R::transposed(columns.each_ref(), self.counts);
            let weights = weights.each_ref();
            *self.faults = decide::<R, true>(anchors, weights, before, columns, after, values);
        }
    }

    /// One lane, number by number: the row-free and the column-free numbers as sets.
    #[allow(clippy::needless_range_loop)]
    fn one_lane(
        lane: usize,
        (anchors, weights): (&LaneAnchors, &[[u64; 8]; 8]),
        (before, columns): (&OctetRows, &mut Columns),
        (after, values): (&mut OctetRows, &mut Values),
    ) -> bool {
        let (low, high) = (anchors.low.0[lane], anchors.high.0[lane]);
        let shift = anchors.shift.0[lane];
        let (from, to) = (Anchors { low: low + shift, high: high - shift }, Anchors { low, high });
        let mut fails = false;
        for i in 0..8 {
            let mut row: Vec<u64> = from.members(before.windows[i].0[lane]).collect();
            // Numbers that leave the windows must not be free.
            fails |= row.iter().any(|&p| to.bit(p) == 0);
            row.retain(|&p| to.bit(p) != 0);
            row.extend(Anchors { low, high: 0 }.members(anchors.entering.0[lane]));
            row.extend(from.high_end()..to.high_end());
            row.sort_unstable();
            row.dedup();
            let mut sum = before.sum[i].0[lane];
            for j in 0..8 {
                let column_word = &mut columns[7 - j].0[lane];
                let column: Vec<u64> = to.members(*column_word).collect();
                let Some(at) = row.iter().position(|p| column.contains(p)) else {
                    fails = true;
                    continue;
                };
                let p = row.remove(at);
                *column_word &= !to.bit(p);
                sum = sum.wrapping_add(p.wrapping_mul(weights[j][lane]));
                values[i][j].0[lane] = p;
            }
            let guarded = to.high_end() - u64::from(anchors.guard)..to.high_end();
            fails |= guarded.into_iter().any(|p| !row.contains(&p));
            after.windows[i].0[lane] = row.iter().fold(0, |word, &p| word | to.bit(p));
            after.sum[i].0[lane] = sum;
        }
        fails
    }

    /// Compares every kernel of the machine with sets of numbers: the same lanes fail, and the
    /// others agree. Most lanes fail with one half of the seeds, and few with the other.
    #[test]
    fn kernels_decide_what_the_sets_decide() {
        let kernels: Vec<_> = Kernel::NAMED.iter().filter_map(|k| k.detect().ok()).collect();
        let (mut failed, mut held) = (0, 0);
        for seed in 0..400 {
            let guard = 1 + (seed % 3) as u32;
            let dense = seed % 2 == 0;
            let clear = |vectors: [Eight; 8], mask: u64| {
                vectors.map(|vector| Eight(vector.0.map(|word| word & mask)))
            };
            let filled = |vectors: [Eight; 8], mask: u64| {
                vectors.map(|vector| Eight(vector.0.map(|word| word | mask)))
            };
            // Half of the seeds have no number that leaves the windows, and a free upper half of
            // the high windows.
            let inside = if dense { !(low_bits(12) << (LOW - 6)) } else { u64::MAX };
            let top = if dense { u64::MAX << (64 - HIGH / 2) } else { 0 };
            let low = clear(random(10 * seed, 1 + seed % 4), LOW_PART);
            let high = clear(random(10 * seed + 1, 5), !LOW_PART);
            let both = |low: [Eight; 8], high: [Eight; 8]| {
                std::array::from_fn(|i| {
                    Eight(std::array::from_fn(|lane| low[i].0[lane] | high[i].0[lane]))
                })
            };
            let before = OctetRows {
                windows: filled(clear(both(low, high), inside), top),
                sum: random(10 * seed + 2, 4),
            };
            let columns = || -> Columns {
                let low = clear(random(10 * seed + 3, 1 + seed % 3), LOW_PART);
                let high = random(10 * seed + 4, if dense { 7 } else { 3 });
                both(low, filled(clear(high, !LOW_PART), 1 << 63))
            };
            let anchors = LaneAnchors {
                shift: Eight(std::array::from_fn(|lane| [0, 5, 6][(lane + index(seed)) % 3])),
                entering: Eight(std::array::from_fn(|lane| lane as u64 % 4)),
                low: Eight(std::array::from_fn(|lane| 1000 + 19 * lane as u64)),
                high: Eight(std::array::from_fn(|lane| 2000 + 8 * lane as u64)),
                guard,
            };
            let weights: [[u64; 8]; 8] = std::array::from_fn(|j| {
                std::array::from_fn(|lane| column_weight(8 * (100 - lane as u64) + j as u64))
            });
            let mut expected = (columns(), OctetRows::default(), [[Eight::ZERO; 8]; 8]);
            let fails: [bool; 8] = std::array::from_fn(|lane| {
                let (columns, after, values) = (&mut expected.0, &mut expected.1, &mut expected.2);
                one_lane(lane, (&anchors, &weights), (&before, columns), (after, values))
            });
            for kernel in &kernels {
                let mut columns = columns();
                let given = columns;
                let counts = Eight([0, 63, 44, 25, 6, 1, 2, seed % 64]);
                let (mut after, mut values) = (OctetRows::default(), [[Eight::ZERO; 8]; 8]);
                let (mut faults, mut transposed) = (Eight::ZERO, [Eight::ZERO; 8]);
                kernel.run(Deciding {
                    anchors: &anchors,
                    weights: &weights,
                    before: &before,
                    columns: &mut columns,
                    after: &mut after,
                    values: &mut values,
                    faults: &mut faults,
                    counts: &counts,
                    transposed: &mut transposed,
                });
                for (i, k) in (0..8).flat_map(|i| (0..8).map(move |k| (i, k))) {
                    let expected = given[k].0[i] << counts.0[k] >> HIGH;
                    let known = u64::MAX << counts.0[k].saturating_sub(HIGH) & LOW_PART;
                    assert_eq!((transposed[i].0[k] ^ expected) & known, 0);
                }
                for (lane, &fails) in fails.iter().enumerate() {
                    assert_eq!(faults.0[lane] != 0, fails, "{kernel:?} {seed} {lane}");
                    if fails {
                        failed += 1;
                        continue;
                    }
                    held += 1;
                    let words = |vectors: &[Eight; 8]| vectors.map(|vector| vector.0[lane]);
                    let all = |columns: &Columns, rows: &OctetRows, values: &Values| {
                        let windows = [columns, &rows.windows, &rows.sum];
                        (windows.map(words), values.each_ref().map(words))
                    };
                    assert_eq!(
                        all(&columns, &after, &values),
                        all(&expected.0, &expected.1, &expected.2),
                        "{kernel:?} {seed} {lane}"
                    );
                }
            }
        }
        assert!(failed > 1000 && held > 1000, "{failed} {held}");
    }
}
