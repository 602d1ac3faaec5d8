//! The kernel: tiles of 8 rows by 8 columns in registers, those of the eight bands of an octet at
//! the same time (proofs/sweep.md, section 5).
//!
//! Lane `k` belongs to band `k`, and its columns are those of the group that this band meets. So
//! the lanes are independent: each decides its 64 cells row by row, and from left to right. A cell
//! takes `lowest(row & column)` of the low windows, or, if that is empty, of the high windows.
//!
//! The kernel checks the hypotheses of the window theorem. The results of lanes in which one fails
//! are discarded.

use crate::band::cells::Values;
use crate::band::geometry::{LEAST_SHIFT, top_bits};
use crate::band::simd::{Eight, Register};

/// Rows that are decided side by side.
const ROWS: usize = 2;

/// The rows of an octet between two tiles: row `i` of each band.
#[derive(Clone, Debug)]
pub(crate) struct OctetRows {
    /// Row-free numbers, in the low and the high windows.
    pub(crate) low: [Eight; 8],
    pub(crate) high: [Eight; 8],
    /// The sum of the value times the weight of the column.
    pub(crate) sum: [Eight; 8],
}

impl OctetRows {
    pub(crate) const ZERO: Self =
        Self { low: [Eight::ZERO; 8], high: [Eight::ZERO; 8], sum: [Eight::ZERO; 8] };
}

/// The columns of a tile in each band, the last one first: the numbers free of (C) in the windows.
/// The topmost place of the high windows is free
/// ([`Passing::raise`](super::passing::Passing::raise)).
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub(crate) low: [Eight; 8],
    pub(crate) high: [Eight; 8],
}

/// The anchors of the windows of the tiles.
pub(crate) struct Anchors {
    /// The distance by which they have moved since the last tile: the low ones down, the high ones
    /// up.
    pub(crate) shift: Eight,
    /// The places that enter the low windows of the rows at the lower end.
    pub(crate) entering: Eight,
    pub(crate) low: Eight,
    pub(crate) high: Eight,
    /// The number of topmost places that must not be used.
    pub(crate) guard: u32,
}

/// The weights of the columns, ascending, in each band.
pub(crate) type Weights<'a> = [&'a [u64; 8]; 8];

/// Decides all cells, from `before` to `after`. Returns lanes that are not 0 where a hypothesis has
/// failed (V6, or V7 and with it V8). Enters `values` only if `HEARD`.
#[inline(always)]
pub(crate) fn decide<R: Register, const HEARD: bool>(
    anchors: &Anchors,
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
    anchors: &Anchors,
    weights: &Weights,
    before: &OctetRows,
    columns: &mut Columns,
    after: &mut OctetRows,
    values: &mut Values,
) -> R {
    // Shifts are less than 64 in lanes in use; the compiler then drops its checks.
    let shift = R::load(&anchors.shift.0, at).and(R::splat(63));
    let entering = R::load(&anchors.entering.0, at);
    let windows = [R::load(&anchors.low.0, at), R::load(&anchors.high.0, at)];
    let factors = R::factors(windows, weights, at);
    let ones = R::splat(u64::MAX);
    let top = ones.shr_near::<LEAST_SHIFT>(shift).xor(ones);
    let bottom = ones.shl_near::<LEAST_SHIFT>(shift).xor(ones);
    // The low and the high windows of each column.
    let mut passing = [[R::splat(0); 2]; 8];
    for (j, windows) in passing.iter_mut().enumerate() {
        *windows = [R::load(&columns.low[7 - j].0, at), R::load(&columns.high[7 - j].0, at)];
    }
    for first in (0..8).step_by(ROWS) {
        let (mut row_low, mut row_high) = ([R::splat(0); ROWS], [R::splat(0); ROWS]);
        let mut sums = [R::splat(0); ROWS];
        for k in 0..ROWS {
            let low = R::load(&before.low[first + k].0, at);
            let high = R::load(&before.high[first + k].0, at);
            sums[k] = R::load(&before.sum[first + k].0, at);
            row_low[k] = low.shl_near::<LEAST_SHIFT>(shift).or(entering);
            row_high[k] = high.shr_near::<LEAST_SHIFT>(shift).or(top);
        }
        let mut sums = R::sums(sums);
        macro_rules! cell {
            ($k:literal $j:expr) => {{
                let low = row_low[$k].and(passing[$j][0]);
                let minus = low.negative();
                row_low[$k] = row_low[$k].without(low, minus).now();
                passing[$j][0] = passing[$j][0].without(low, minus).now();
                let high = row_high[$k].and(passing[$j][1]);
                let is_high = low.zeros();
                let high = high.lowest_in(is_high);
                row_high[$k] = row_high[$k].xor(high).now();
                passing[$j][1] = passing[$j][1].xor(high).now();
                R::place(low, minus, high, is_high, &factors)
            }};
        }
        macro_rules! columns {
            ($($j:expr),*) => {$(
                let places = [cell!(0 $j), cell!(1 $j)];
                R::add_products(&mut sums, places, &factors, $j);
                if HEARD {
                    for k in 0..ROWS {
                        R::number(places[k], &factors).store(&mut values[first + k][$j], at);
                    }
                }
            )*};
        }
        // Rows side by side: a single row would wait for its own results. The next cell needs the
        // column that is in registers.
        if R::KEEPS_COLUMNS {
            columns!(0, 1, 2, 3, 4, 5, 6, 7);
        } else {
            for j in 0..8 {
                columns!(j);
            }
        }
        let sums = R::totals(sums, &factors);
        for k in 0..ROWS {
            row_low[k].store(&mut after.low[first + k], at);
            row_high[k].store(&mut after.high[first + k], at);
            sums[k].store(&mut after.sum[first + k], at);
        }
    }
    for (j, [low, high]) in passing.into_iter().enumerate() {
        low.store(&mut columns.low[7 - j], at);
        high.store(&mut columns.high[7 - j], at);
    }
    // What is free in a row before, and in all rows after.
    let (mut any_low, mut any_high, mut all_high) = (R::splat(0), R::splat(0), ones);
    for i in 0..8 {
        any_low = any_low.or(R::load(&before.low[i].0, at));
        any_high = any_high.or(R::load(&before.high[i].0, at));
        all_high = all_high.and(R::load(&after.high[i].0, at));
    }
    // Numbers that leave the windows must not be free. The guard must not be free in the low
    // windows, and must be free in the high ones.
    let guard = R::splat(top_bits(anchors.guard));
    let left = any_low.and(top).with(any_high, bottom);
    left.with(any_low.shl_near::<LEAST_SHIFT>(shift).or(entering), guard)
        .or(guard.and(all_high).xor(guard))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::band::geometry::{low_bits, members};
    use crate::band::simd::{Kernel, Lanes, OnLanes};
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
        anchors: &'a Anchors,
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
        fn run<L: Lanes>(self) {
            let Self { anchors, weights, before, columns, after, values, .. } = self;
            *self.transposed = L::Register::transposed(columns.low.each_ref(), self.counts);
            let weights = weights.each_ref();
            *self.faults =
                decide::<L::Register, true>(anchors, weights, before, columns, after, values);
        }
    }

    /// One lane, number by number: the row-free and the column-free numbers as sets.
    #[allow(clippy::needless_range_loop)]
    fn one_lane(
        lane: usize,
        (anchors, weights): (&Anchors, &[[u64; 8]; 8]),
        (before, columns): (&OctetRows, &mut Columns),
        (after, values): (&mut OctetRows, &mut Values),
    ) -> bool {
        let (low, high) = (anchors.low.0[lane], anchors.high.0[lane]);
        let shift = (anchors.shift.0[lane] % 64) as u32;
        let guarded = |from: u64| from + 64 - u64::from(anchors.guard)..from + 64;
        let mut fails = false;
        for i in 0..8 {
            let (old_low, old_high) = (before.low[i].0[lane], before.high[i].0[lane]);
            // Numbers that leave the windows must not be free.
            fails |= shift > 0 && old_low >> (64 - shift) != 0;
            fails |= old_high & low_bits(shift) != 0;
            let low_word = old_low << shift | anchors.entering.0[lane];
            let high_word = old_high >> shift | !(u64::MAX >> shift);
            let mut row: Vec<u64> =
                members(low, low_word).chain(members(high, high_word)).collect();
            fails |= row.iter().any(|p| guarded(low).contains(p));
            let mut sum = before.sum[i].0[lane];
            for j in 0..8 {
                let (column_low, column_high) =
                    (&mut columns.low[7 - j].0[lane], &mut columns.high[7 - j].0[lane]);
                let column: Vec<u64> =
                    members(low, *column_low).chain(members(high, *column_high)).collect();
                let Some(at) = row.iter().position(|p| column.contains(p)) else {
                    fails = true;
                    continue;
                };
                let p = row.remove(at);
                if p < low + 64 {
                    *column_low &= !(1 << (p - low));
                } else {
                    *column_high &= !(1 << (p - high));
                }
                sum = sum.wrapping_add(p.wrapping_mul(weights[j][lane]));
                values[i][j].0[lane] = p;
            }
            fails |= guarded(high).any(|p| !row.contains(&p));
            let word = |from: u64| {
                let inside = row.iter().filter(|&&p| (from..from + 64).contains(&p));
                inside.fold(0, |word, p| word | 1 << (p - from))
            };
            after.low[i].0[lane] = word(low);
            after.high[i].0[lane] = word(high);
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
            let guard = 6 + (seed % 3) as u32;
            let dense = seed % 2 == 0;
            let clear = |vectors: [Eight; 8], mask: u64| {
                vectors.map(|vector| Eight(vector.0.map(|word| word & mask)))
            };
            let filled = |vectors: [Eight; 8], mask: u64| {
                vectors.map(|vector| Eight(vector.0.map(|word| word | mask)))
            };
            // Half of the seeds keep the guard of the rows free, and fill it in the high windows.
            let inside = if dense { low_bits(64 - 2 * guard) & !low_bits(6) } else { u64::MAX };
            let top = if dense { !(u64::MAX >> 32) } else { 0 };
            let high = clear(random(10 * seed + 1, 5), inside);
            let before = OctetRows {
                low: clear(random(10 * seed, 1 + seed % 4), inside),
                high: filled(high, top),
                sum: random(10 * seed + 2, 4),
            };
            let columns = || Columns {
                low: random(10 * seed + 3, 1 + seed % 3),
                high: filled(random(10 * seed + 4, if dense { 7 } else { 3 }), 1 << 63),
            };
            let anchors = Anchors {
                shift: Eight(std::array::from_fn(|lane| [0, 5, 6][(lane + index(seed)) % 3])),
                entering: Eight(std::array::from_fn(|lane| lane as u64 % 4)),
                low: Eight(std::array::from_fn(|lane| 1000 + 19 * lane as u64)),
                high: Eight(std::array::from_fn(|lane| 2000 + 8 * lane as u64)),
                guard,
            };
            let weights: [[u64; 8]; 8] = std::array::from_fn(|j| {
                std::array::from_fn(|lane| column_weight(8 * (100 - lane as u64) + j as u64))
            });
            let mut expected = (columns(), OctetRows::ZERO, [[Eight::ZERO; 8]; 8]);
            let fails: [bool; 8] = std::array::from_fn(|lane| {
                let (columns, after, values) = (&mut expected.0, &mut expected.1, &mut expected.2);
                one_lane(lane, (&anchors, &weights), (&before, columns), (after, values))
            });
            for kernel in &kernels {
                let mut columns = columns();
                let given = columns.low;
                let counts = Eight([0, 63, 44, 25, 6, 1, 2, seed % 64]);
                let (mut after, mut values) = (OctetRows::ZERO, [[Eight::ZERO; 8]; 8]);
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
                    assert_eq!(transposed[i].0[k], given[k].0[i] << counts.0[k]);
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
                        let windows =
                            [&columns.low, &columns.high, &rows.low, &rows.high, &rows.sum];
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
