//! Lanes in the 128-bit registers of WebAssembly (simd128), in a module that is compiled for them.
//!
//! A browser that lacks the instructions refuses the module, so nothing is detected here. Loads and
//! stores are unsafe code, as in `x86`. The safe twin under test is
//! [`Portable`](super::lanes::Portable).

#![allow(unsafe_code)]
// The list of intrinsics would be a page.
#![allow(clippy::wildcard_imports)]

use super::lanes::{Eight, HIGH_PLACES, LOW_PART, Order, Register};
use std::{arch::wasm32::*, hint::black_box};

/// Two lanes.
#[derive(Clone, Copy)]
pub(crate) struct V128(v128);

impl V128 {
    #[inline(always)]
    fn lanes(self) -> [u64; 2] {
        [u64x2_extract_lane::<0>(self.0), u64x2_extract_lane::<1>(self.0)]
    }

    #[inline(always)]
    fn of([first, second]: [u64; 2]) -> Self {
        Self(u64x2(first, second))
    }

    /// `self` in the lanes whose count is 0, `more` where it is `N + 1`, and `shifted` elsewhere.
    /// Shifts by constants are one instruction each.
    #[inline(always)]
    fn near<const N: u32>(self, counts: Self, shifted: Self, more: Self) -> Self {
        let is = |n: u32| i64x2_eq(counts.0, Self::splat(n.into()).0);
        Self(v128_bitselect(self.0, v128_bitselect(more.0, shifted.0, is(N + 1)), is(0)))
    }

    #[inline(always)]
    fn product(self, other: Self) -> Self {
        Self(i64x2_mul(self.0, other.0))
    }
}

/// Places in the windows of a row and a column.
#[derive(Clone, Copy)]
pub(crate) struct WasmPlace {
    /// The only bit that is set.
    bit: V128,
    /// The lanes in which it belongs to the high windows.
    is_high: V128,
}

/// The anchors and weights of a tile.
pub(crate) struct WasmFactors {
    /// The anchors of the low windows, times the sum of the weights.
    all_low: V128,
    /// How far the anchors of the high windows are above those of the low ones.
    distance: V128,
    low: V128,
    weights: [WasmWeights; 8],
}

/// The weights of a column, and again each by itself. If the products took them from the vector,
/// the compiler would make them products of vectors.
#[derive(Clone, Copy)]
struct WasmWeights {
    both: V128,
    second: u64,
    first: u64,
}

/// A sum of products.
#[derive(Clone, Copy)]
pub(crate) struct WasmSum {
    row: V128,
    /// The places times the weights, in the first lane and in the second.
    first: u64,
    second: u64,
    /// The weights of the places in high windows.
    high: V128,
}

// `map` instead of these two functions would not be inlined.
impl WasmSum {
    #[inline(always)]
    fn of(row: V128) -> Self {
        Self { row, first: 0, second: 0, high: V128::splat(0) }
    }

    #[inline(always)]
    fn total(self, factors: &WasmFactors) -> V128 {
        // Without the black box, the compiler keeps both in one vector.
        let bases = factors.all_low.add(self.high.product(factors.distance));
        self.row.add(V128::of([black_box(self.first), self.second])).add(bases)
    }
}

impl Register for V128 {
    const LANES: usize = 2;
    const ORDER: Order = Order::Loop;
    #[inline(always)]
    fn splat(x: u64) -> Self {
        Self(u64x2_splat(x))
    }
    #[inline(always)]
    fn load(from: &[u64; 8], at: usize) -> Self {
        let from: &[u64; 2] = from[at..].first_chunk().expect("a vector has eight lanes");
        // SAFETY: there are two words.
        Self(unsafe { v128_load(from.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, to: &mut Eight, at: usize) {
        let to: &mut [u64; 2] = to.0[at..].first_chunk_mut().expect("it has eight lanes");
        // SAFETY: there are two words.
        unsafe { v128_store(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn above(first: u64, words: &Eight, at: usize) -> Self {
        if at > 0 { Self::load(&words.0, at - 1) } else { Self::of([first, words.0[0]]) }
    }
    of_two! {
        and: v128_and,
        or: v128_or,
        xor: v128_xor,
        add: i64x2_add,
        sub: i64x2_sub,
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        if n < 64 { Self(i64x2_shl(self.0, n)) } else { Self::splat(0) }
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        if n < 64 { Self(u64x2_shr(self.0, n)) } else { Self::splat(0) }
    }
    /// There is no instruction with a count for each lane.
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        let ([x, y], [m, n]) = (self.lanes(), counts.lanes());
        Self::of([x.shl_each(m), y.shl_each(n)])
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        let ([x, y], [m, n]) = (self.lanes(), counts.lanes());
        Self::of([x.shr_each(m), y.shr_each(n)])
    }
    #[inline(always)]
    fn shl_near<const N: u32>(self, counts: Self) -> Self {
        self.near::<N>(counts, self.shl(N), self.shl(N + 1))
    }
    #[inline(always)]
    fn shr_near<const N: u32>(self, counts: Self) -> Self {
        self.near::<N>(counts, self.shr(N), self.shr(N + 1))
    }
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        Self(v128_bitselect(a.0, b.0, self.0))
    }
    type Place = WasmPlace;
    #[inline(always)]
    fn place(bit: Self, _: &WasmFactors) -> WasmPlace {
        // As signed numbers: the topmost bit is not used.
        WasmPlace { bit, is_high: Self(i64x2_gt(bit.0, Self::splat(LOW_PART).0)) }
    }
    type Factors<'a> = WasmFactors;
    #[inline(always)]
    fn factors([low, high]: [Self; 2], words: &[&[u64; 8]; 8], at: usize) -> WasmFactors {
        let mut all = Self::splat(0);
        let mut weights = [WasmWeights { both: all, second: 0, first: 0 }; 8];
        for (weights, words) in weights.iter_mut().zip(words) {
            let both = Self::load(words, at);
            let [first, second] = both.lanes();
            *weights = WasmWeights { both, second, first };
            all = all.add(both);
        }
        let (all_low, distance) = (low.product(all), high.sub(low));
        WasmFactors { all_low, distance, low, weights }
    }
    #[inline(always)]
    fn number(place: WasmPlace, factors: &WasmFactors) -> Self {
        let base = factors.low.add(factors.distance.and(place.is_high));
        let [first, second] = place.bit.lanes();
        base.add(Self::of([first.trailing_zeros().into(), second.trailing_zeros().into()]))
    }
    /// A product of scalars is one instruction, and so is the place of a bit; those of vectors are
    /// eight and more.
    type Sums = [WasmSum; 2];
    #[inline(always)]
    fn sums(rows: [Self; 2]) -> Self::Sums {
        let [lower, upper] = rows;
        [WasmSum::of(lower), WasmSum::of(upper)]
    }
    #[inline(always)]
    fn add_products(
        sums: &mut Self::Sums,
        places: [WasmPlace; 2],
        factors: &WasmFactors,
        j: usize,
    ) {
        let product = |bit: u64, weight| u64::from(bit.trailing_zeros()).wrapping_mul(weight);
        let weights = &factors.weights[j];
        for (sum, place) in sums.iter_mut().zip(places) {
            let [first, second] = place.bit.lanes();
            sum.first = sum.first.wrapping_add(product(first, weights.first));
            sum.second = sum.second.wrapping_add(product(second, weights.second));
            sum.high = sum.high.add(weights.both.and(place.is_high));
        }
    }
    #[inline(always)]
    fn totals(sums: Self::Sums, factors: &WasmFactors) -> [Self; 2] {
        let [lower, upper] = sums;
        [lower.total(factors), upper.total(factors)]
    }
    #[inline(always)]
    fn now(self) -> Self {
        self
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        !v128_any_true(self.0)
    }
    /// By squares of two lanes.
    #[inline(always)]
    fn transposed(vectors: [&Eight; 8], counts: &Eight) -> [Eight; 8] {
        let mut transposed = [Eight::ZERO; 8];
        for from in (0..8).step_by(2) {
            // Less than 64, so no count is compared with 64.
            let count = |i: usize| (counts.0[from + i] % 64) as u32;
            for to in (0..8).step_by(2) {
                let at = |i: usize| {
                    Self::load(&vectors[from + i].0, to).shl(count(i)).shr(HIGH_PLACES).0
                };
                let (x, y) = (at(0), at(1));
                Self(u64x2_shuffle::<0, 2>(x, y)).store(&mut transposed[to], from);
                Self(u64x2_shuffle::<1, 3>(x, y)).store(&mut transposed[to + 1], from);
            }
        }
        transposed
    }
}
