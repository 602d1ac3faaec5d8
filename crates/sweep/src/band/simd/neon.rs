//! Lanes in NEON registers: unsafe code, as in `x86`.
//!
//! The methods of the register compile to the instructions they name in [`HasNeon::run`], where the
//! feature is enabled and everything is inlined. They need a proof of detection, which only
//! `detect` makes, so this code never runs on a machine without the feature. The safe twin under
//! test is [`Portable`](super::portable::Portable).

#![allow(unsafe_code)]
// `self` is the proof; the list of intrinsics would be a page.
#![allow(clippy::unused_self, clippy::wildcard_imports)]

use super::lanes::{Eight, OnLanes, Register, Registers};
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
    work.run::<Registers<Neon, 4>>();
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

impl Register for Neon {
    const LANES: usize = 2;
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
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(call!(vandq_u64(self.0, other.0)))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(call!(vorrq_u64(self.0, other.0)))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(call!(veorq_u64(self.0, other.0)))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(call!(vaddq_u64(self.0, other.0)))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(call!(vsubq_u64(self.0, other.0)))
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
        let shifted =
            Self(call!(vshlq_u64(self.0, call!(vreinterpretq_s64_u64(counts.negative().0)))));
        shifted.and(Self(call!(vcltq_u64(counts.0, Self::splat(64).0))))
    }
    #[inline(always)]
    fn without(self, a: Self, b: Self) -> Self {
        Self(call!(vbicq_u64(self.0, a.and(b).0)))
    }
    #[inline(always)]
    fn where_zero(self, test: Self) -> Self {
        self.and(Self(call!(vceqzq_u64(test.0))))
    }
    #[inline(always)]
    fn choose(self, zero: Self, nonzero: Self) -> Self {
        Self(call!(vbslq_u64(call!(vceqzq_u64(self.0)), zero.0, nonzero.0)))
    }
    /// As a number of double precision, which is exact, a lane has the exponent of the bit: 1023
    /// more than the place.
    #[inline(always)]
    fn number(self, base: Self) -> Self {
        let double = call!(vreinterpretq_u64_f64(call!(vcvtq_f64_u64(self.0))));
        Self(call!(vsraq_n_u64::<52>(base.0, double)))
    }
    const BASE: u64 = 0_u64.wrapping_sub(1023);
    /// There is no product of 64 bits. The products with the lower and with the upper halves of the
    /// words have sums of their own.
    type Sum = [Self; 2];
    #[inline(always)]
    fn sum(self) -> [Self; 2] {
        [self, Self::splat(0)]
    }
    #[inline(always)]
    fn plus_product(
        [low, high]: [Self; 2],
        number: Self,
        words: &[u64; 8],
        at: usize,
    ) -> [Self; 2] {
        // SAFETY: as in `call`; there are two words, the lower half of each first.
        let halves = unsafe { vld2_u32(lanes_from(words, at).cast()) };
        let number = call!(vmovn_u64(number.0));
        let low = Self(call!(vmlal_u32(low.0, number, halves.0)));
        let high = Self(call!(vmlal_u32(high.0, number, halves.1)));
        [low.now(), high.now()]
    }
    #[inline(always)]
    fn total([low, high]: [Self; 2]) -> Self {
        low.add(Self(call!(vshlq_n_u64::<32>(high.0))))
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
    fn transposed(vectors: [&Eight; 8]) -> [Eight; 8] {
        let mut transposed = [Eight::ZERO; 8];
        for from in (0..8).step_by(2) {
            for to in (0..8).step_by(2) {
                let at = |i: usize| Self::load(&vectors[from + i].0, to).0;
                let (x, y) = (at(0), at(1));
                Self(call!(vzip1q_u64(x, y))).store(&mut transposed[to], from);
                Self(call!(vzip2q_u64(x, y))).store(&mut transposed[to + 1], from);
            }
        }
        transposed
    }
}
