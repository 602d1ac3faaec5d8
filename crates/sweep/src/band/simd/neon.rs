//! Lanes in NEON registers: unsafe code, as in `x86`.
//!
//! The methods of the register compile to the instructions they name in [`HasNeon::run`], where the
//! feature is enabled and everything is inlined. They need a proof of detection, which only
//! `detect` makes, so this code never runs on a machine without the feature. The safe twin under
//! test is the portable register, `u64`.

#![allow(unsafe_code)]
// `self` is the proof; the list of intrinsics would be a page.
#![allow(clippy::unused_self, clippy::wildcard_imports)]

use super::lanes::{Eight, LOW_PLACES, OnLanes, Register};
use std::arch::{aarch64::*, asm, is_aarch64_feature_detected};

/// Prefetches `words`; a hint.
#[inline(always)]
pub(crate) fn prefetch<T>(words: &T) {
    // SAFETY: a prefetch touches nothing.
    unsafe {
        asm!(
            "prfm pldl1keep, [{}]",
            in(reg) std::ptr::from_ref(words),
            options(readonly, nostack, preserves_flags)
        );
    }
}

/// The lanes of `words` from `at` on.
#[inline(always)]
fn lanes_from(words: &[u64; 8], at: usize) -> *const u64 {
    words[at..].first_chunk::<2>().expect("a vector has eight lanes").as_ptr()
}

/// Proof that the machine has NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HasNeon(());

impl HasNeon {
    pub(crate) fn detect() -> Option<Self> {
        // The lower half of a word comes first in memory.
        let is_little = cfg!(target_endian = "little");
        (is_little && is_aarch64_feature_detected!("neon")).then_some(Self(()))
    }

    pub(crate) fn run(self, work: impl OnLanes) {
        // SAFETY: `self` proves that the machine has the feature.
        unsafe { run_neon(work) }
    }
}

#[target_feature(enable = "neon")]
fn run_neon(work: impl OnLanes) {
    work.run::<Neon>();
}

/// Two lanes. Made and used in [`HasNeon::run`] only.
#[derive(Clone, Copy)]
struct Neon(uint64x2_t);

#[inline]
#[target_feature(enable = "neon")]
fn now_128(mut x: uint64x2_t) -> uint64x2_t {
    // SAFETY: there is no instruction.
    unsafe { asm!("/* {:v} */", inout(vreg) x, options(nomem, nostack, preserves_flags)) };
    x
}

/// As a number of double precision, which is exact, a power of two has as exponent this more than
/// the place of its bit.
const BIAS: u32 = 1023;

/// The upper half of such a number at the first place of the high windows.
const FIRST_HIGH: u32 = (BIAS + LOW_PLACES) << 20;

/// Numbers of 32 bits.
pub(crate) struct NeonFactors<'a> {
    /// In the low and in the high windows: two lanes, each twice.
    bases: [uint32x4_t; 2],
    weights: [&'a [u64; 8]; 8],
    at: usize,
}

/// The numbers at these places: of both in the first lane, then of both in the second.
#[inline(always)]
fn numbers([a, b]: [Neon; 2], factors: &NeonFactors) -> uint32x4_t {
    let double = |bit: Neon| call!(vreinterpretq_u32_f64(call!(vcvtq_f64_u64(bit.0))));
    let doubles = call!(vtrn2q_u32(double(a), double(b)));
    let is_high = call!(vcgeq_u32(doubles, call!(vdupq_n_u32(FIRST_HIGH))));
    let bases = call!(vbslq_u32(is_high, factors.bases[1], factors.bases[0]));
    call!(vsraq_n_u32::<20>(bases, doubles))
}

impl Register for Neon {
    const LANES: usize = 2;
    const FOUR_ROWS: bool = false;
    #[inline(always)]
    fn splat(x: u64) -> Self {
        Self(call!(vdupq_n_u64(x)))
    }
    #[inline(always)]
    fn load(from: &[u64; 8], at: usize) -> Self {
        // SAFETY: as in `call`; there are two words.
        Self(unsafe { vld1q_u64(lanes_from(from, at)) })
    }
    #[inline(always)]
    fn store(self, to: &mut Eight, at: usize) {
        let to: &mut [u64; 2] = to.0[at..].first_chunk_mut().expect("it has eight lanes");
        // SAFETY: as in `call`; there are two words.
        unsafe { vst1q_u64(to.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn above(first: u64, words: &Eight, at: usize) -> Self {
        if at > 0 {
            return Self::load(&words.0, at - 1);
        }
        Self(call!(vextq_u64::<1>(Self::splat(first).0, Self::load(&words.0, 0).0)))
    }
    of_two! {
        and: vandq_u64,
        or: vorrq_u64,
        xor: veorq_u64,
        add: vaddq_u64,
        sub: vsubq_u64,
    }
    /// The instruction reads only the lowest 8 bits of a count.
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        let shifted = Self(call!(vshlq_u64(self.0, call!(vreinterpretq_s64_u64(counts.0)))));
        shifted.and(Self(call!(vcltq_u64(counts.0, Self::splat(64).0))))
    }
    /// A shift right is one to the left by a negative count.
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        let shifted = Self(call!(vshlq_u64(
            self.0,
            call!(vreinterpretq_s64_u64(Self::splat(0).sub(counts).0))
        )));
        shifted.and(Self(call!(vcltq_u64(counts.0, Self::splat(64).0))))
    }
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        Self(call!(vbslq_u64(self.0, a.0, b.0)))
    }
    /// The bits.
    type Place = Self;
    #[inline(always)]
    fn place(bit: Self, _: &NeonFactors) -> Self {
        bit
    }
    type Factors<'a> = NeonFactors<'a>;
    #[inline(always)]
    fn factors<'a>(anchors: [Self; 2], weights: &[&'a [u64; 8]; 8], at: usize) -> NeonFactors<'a> {
        let base = |anchor: Self| {
            let base = call!(vreinterpretq_u32_u64(anchor.sub(Self::splat(BIAS.into())).0));
            call!(vtrn1q_u32(base, base))
        };
        let bases = [base(anchors[0]), base(anchors[1])];
        NeonFactors { bases, weights: *weights, at }
    }
    #[inline(always)]
    fn number(place: Self, factors: &NeonFactors) -> Self {
        let twice = call!(vreinterpretq_u64_u32(numbers([place; 2], factors)));
        Self(twice).shr(32)
    }
    /// There is no product of 64 bits. The products with the lower and with the upper halves of the
    /// weights have sums of their own: those of both rows in the first lane, then in the second.
    type Sums = [[Self; 2]; 2];
    #[inline(always)]
    fn sums([a, b]: [Self; 2]) -> [[Self; 2]; 2] {
        let zero = Self::splat(0);
        [[Self(call!(vzip1q_u64(a.0, b.0))), zero], [Self(call!(vzip2q_u64(a.0, b.0))), zero]]
    }
    #[inline(always)]
    fn add_products(
        [first, second]: &mut [[Self; 2]; 2],
        places: [Self; 2],
        factors: &NeonFactors,
        j: usize,
    ) {
        let numbers = numbers(places, factors);
        let lower = call!(vget_low_u32(numbers));
        let weights = Self::load(factors.weights[j], factors.at);
        let weights = call!(vreinterpretq_u32_u64(weights.0));
        *first = [
            Self(call!(vmlal_laneq_u32::<0>(first[0].0, lower, weights))).now(),
            Self(call!(vmlal_laneq_u32::<1>(first[1].0, lower, weights))).now(),
        ];
        *second = [
            Self(call!(vmlal_high_laneq_u32::<2>(second[0].0, numbers, weights))).now(),
            Self(call!(vmlal_high_laneq_u32::<3>(second[1].0, numbers, weights))).now(),
        ];
    }
    #[inline(always)]
    fn totals(sums: [[Self; 2]; 2], _: &NeonFactors) -> [Self; 2] {
        let total = |[low, high]: [Self; 2]| low.add(Self(call!(vshlq_n_u64::<32>(high.0)))).0;
        let (first, second) = (total(sums[0]), total(sums[1]));
        [Self(call!(vzip1q_u64(first, second))), Self(call!(vzip2q_u64(first, second)))]
    }
    #[inline(always)]
    fn now(self) -> Self {
        Self(call!(now_128(self.0)))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        call!(vmaxvq_u32(call!(vreinterpretq_u32_u64(self.0)))) == 0
    }
    /// By squares of two lanes.
    #[inline(always)]
    fn transposed(vectors: [&Eight; 8], counts: &Eight) -> [Eight; 8] {
        let mut transposed = [Eight::ZERO; 8];
        for from in (0..8).step_by(2) {
            let counts = Self::load(&counts.0, from);
            for to in (0..8).step_by(2) {
                let at = |i: usize| Self::load(&vectors[from + i].0, to).0;
                let (x, y) = (at(0), at(1));
                let (even, odd) = (call!(vzip1q_u64(x, y)), call!(vzip2q_u64(x, y)));
                Self(even).place_each(counts).store(&mut transposed[to], from);
                Self(odd).place_each(counts).store(&mut transposed[to + 1], from);
            }
        }
        transposed
    }
}
