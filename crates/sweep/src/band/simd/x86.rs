//! Lanes in AVX-512 and AVX2 registers: with `neon`, the only unsafe code of the crate.
//!
//! The methods of the registers compile to the instructions they name only inside
//! [`HasAvx512::run`] and [`HasAvx2::run`], where the features are enabled and everything is
//! inlined. They need a proof of detection, which only `detect` makes, so this code never runs on a
//! machine without the features. The safe twin under test is the portable register, `u64`.

#![allow(unsafe_code)]
// `self` is the proof; the list of intrinsics would be a page.
#![allow(clippy::unused_self, clippy::wildcard_imports)]

use super::lanes::{Eight, Factors, HIGH_PLACES, LOW_PART, OnLanes, Register};
use std::arch::{asm, x86_64::*};

/// Prefetches `words`; a hint.
#[inline(always)]
pub(crate) fn prefetch<T>(words: &T) {
    // SAFETY: x86-64 has SSE, and a prefetch touches nothing.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(words).cast()) }
}

/// The lanes of `words` from `at` on.
#[inline(always)]
fn lanes_from<const LANES: usize>(words: &[u64; 8], at: usize) -> *const u64 {
    words[at..].first_chunk::<LANES>().expect("a vector has eight lanes").as_ptr()
}

#[inline(always)]
fn count(n: u32) -> __m128i {
    // SAFETY: x86-64 has SSE2.
    unsafe { _mm_cvtsi64_si128(i64::from(n)) }
}

/// Proof that the machine has the AVX-512 instructions used here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HasAvx512(());

impl HasAvx512 {
    pub(crate) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt"))
        .then_some(Self(()))
    }

    pub(crate) fn run(self, work: impl OnLanes) {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { run_avx512(work) }
    }
}

#[target_feature(enable = "avx512f,avx512cd,avx512dq,avx512vl,avx512bw,bmi1,bmi2,lzcnt")]
fn run_avx512(work: impl OnLanes) {
    work.run::<Zmm>();
}

/// Eight lanes. Made and used in [`HasAvx512::run`] only.
#[derive(Clone, Copy)]
struct Zmm(__m512i);

#[inline]
#[target_feature(enable = "avx512f")]
fn now_512(mut x: __m512i) -> __m512i {
    // SAFETY: there is no instruction.
    unsafe { asm!("/* {} */", inout(zmm_reg) x, options(nomem, nostack, preserves_flags)) };
    x
}

impl Register for Zmm {
    const LANES: usize = 8;
    const FOUR_ROWS: bool = true;
    #[inline(always)]
    fn splat(x: u64) -> Self {
        Self(call!(_mm512_set1_epi64(x.cast_signed())))
    }
    #[inline(always)]
    fn load(from: &[u64; 8], at: usize) -> Self {
        // SAFETY: as in `call`; there are eight words.
        Self(unsafe { _mm512_loadu_si512(lanes_from::<8>(from, at).cast()) })
    }
    #[inline(always)]
    fn store(self, to: &mut Eight, at: usize) {
        let to: &mut [u64; 8] = to.0[at..].first_chunk_mut().expect("it has eight lanes");
        // SAFETY: as in `call`; there are eight words.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn above(first: u64, words: &Eight, at: usize) -> Self {
        Self(call!(_mm512_alignr_epi64::<7>(Self::load(&words.0, at).0, Self::splat(first).0)))
    }
    of_two! {
        and: _mm512_and_si512,
        or: _mm512_or_si512,
        xor: _mm512_xor_si512,
        add: _mm512_add_epi64,
        sub: _mm512_sub_epi64,
        shl_each: _mm512_sllv_epi64,
        shr_each: _mm512_srlv_epi64,
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        Self(call!(_mm512_sll_epi64(self.0, count(n))))
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        Self(call!(_mm512_srl_epi64(self.0, count(n))))
    }
    #[inline(always)]
    fn with(self, a: Self, b: Self) -> Self {
        Self(call!(_mm512_ternarylogic_epi64::<0b1111_1000>(self.0, a.0, b.0)))
    }
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        Self(call!(_mm512_ternarylogic_epi64::<0b1100_1010>(self.0, a.0, b.0)))
    }
    #[inline(always)]
    fn place_each(self, counts: Self) -> Self {
        Self(call!(_mm512_rolv_epi64(self.0, counts.sub(Self::splat(HIGH_PLACES.into())).0)))
    }
    whole_numbers!(less: 63);
    #[inline(always)]
    fn place(bit: Self, factors: &Factors<Self>) -> Self {
        let is_high = call!(_mm512_test_epi64_mask(bit.0, Self::splat(!LOW_PART).0));
        let base = Self(call!(_mm512_mask_blend_epi64(is_high, factors.low.0, factors.high.0)));
        base.sub(Self(call!(_mm512_lzcnt_epi64(bit.0))))
    }
    #[inline(always)]
    fn add_products(sums: &mut [Self; 2], numbers: [Self; 2], factors: &Factors<Self>, j: usize) {
        for (sum, number) in sums.iter_mut().zip(numbers) {
            let product = Self(call!(_mm512_mullo_epi64(number.0, factors.weight(j).0)));
            *sum = sum.add(product).now();
        }
    }
    #[inline(always)]
    fn now(self) -> Self {
        Self(call!(now_512(self.0)))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        call!(_mm512_test_epi64_mask(self.0, self.0)) == 0
    }
    /// Pairs of lanes, then pairs of those, then the halves of the vectors.
    #[inline(always)]
    fn transposed(vectors: [&Eight; 8], counts: &Eight) -> [Eight; 8] {
        let at = |i: usize| Self::load(&vectors[i].0, 0).0;
        let pair = |x, y| (call!(_mm512_unpacklo_epi64(x, y)), call!(_mm512_unpackhi_epi64(x, y)));
        // The even and the odd quarters.
        let quarters = |x, y| {
            let even = call!(_mm512_shuffle_i64x2::<0b10_00_10_00>(x, y));
            (even, call!(_mm512_shuffle_i64x2::<0b11_01_11_01>(x, y)))
        };
        let ((ab0, ab1), (cd0, cd1)) = (pair(at(0), at(1)), pair(at(2), at(3)));
        let ((ef0, ef1), (gh0, gh1)) = (pair(at(4), at(5)), pair(at(6), at(7)));
        // Lanes 0 and 4, 2 and 6; 1 and 5, 3 and 7.
        let ((low04, low26), (high04, high26)) = (quarters(ab0, cd0), quarters(ef0, gh0));
        let ((low15, low37), (high15, high37)) = (quarters(ab1, cd1), quarters(ef1, gh1));
        let ((zero, four), (two, six)) = (quarters(low04, high04), quarters(low26, high26));
        let ((one, five), (three, seven)) = (quarters(low15, high15), quarters(low37, high37));
        let counts = Self::load(&counts.0, 0);
        let mut transposed = [Eight::ZERO; 8];
        for (to, from) in transposed.iter_mut().zip([zero, one, two, three, four, five, six, seven])
        {
            Self(from).place_each(counts).store(to, 0);
        }
        transposed
    }
}

/// Proof that the machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HasAvx2(());

impl HasAvx2 {
    pub(crate) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt"))
        .then_some(Self(()))
    }

    pub(crate) fn run(self, work: impl OnLanes) {
        // SAFETY: `self` proves that the machine has the features.
        unsafe { run_avx2(work) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn run_avx2(work: impl OnLanes) {
    work.run::<Ymm>();
}

/// Four lanes. Made and used in [`HasAvx2::run`] only.
#[derive(Clone, Copy)]
struct Ymm(__m256i);

#[inline]
#[target_feature(enable = "avx2")]
fn now_256(mut x: __m256i) -> __m256i {
    // SAFETY: there is no instruction.
    unsafe { asm!("/* {} */", inout(ymm_reg) x, options(nomem, nostack, preserves_flags)) };
    x
}

impl Register for Ymm {
    const LANES: usize = 4;
    const FOUR_ROWS: bool = false;
    #[inline(always)]
    fn splat(x: u64) -> Self {
        Self(call!(_mm256_set1_epi64x(x.cast_signed())))
    }
    #[inline(always)]
    fn load(from: &[u64; 8], at: usize) -> Self {
        // SAFETY: as in `call`; there are four words.
        Self(unsafe { _mm256_loadu_si256(lanes_from::<4>(from, at).cast()) })
    }
    #[inline(always)]
    fn store(self, to: &mut Eight, at: usize) {
        let to: &mut [u64; 4] = to.0[at..].first_chunk_mut().expect("it has eight lanes");
        // SAFETY: as in `call`; there are four words.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn above(first: u64, words: &Eight, at: usize) -> Self {
        if at > 0 {
            return Self::load(&words.0, at - 1);
        }
        let moved = call!(_mm256_permute4x64_epi64::<0b10_01_00_00>(Self::load(&words.0, 0).0));
        Self(call!(_mm256_blend_epi32::<0b11>(moved, Self::splat(first).0)))
    }
    of_two! {
        and: _mm256_and_si256,
        or: _mm256_or_si256,
        xor: _mm256_xor_si256,
        add: _mm256_add_epi64,
        sub: _mm256_sub_epi64,
        shl_each: _mm256_sllv_epi64,
        shr_each: _mm256_srlv_epi64,
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        Self(call!(_mm256_sll_epi64(self.0, count(n))))
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        Self(call!(_mm256_srl_epi64(self.0, count(n))))
    }
    whole_numbers!(less: 0_u64.wrapping_sub(111));
    /// As two numbers of single precision, which are exact, the halves of a lane have the exponent
    /// of the bit, `127 + k` for place k of a half, in the upper byte once the sign is gone; the
    /// other bytes are 0. The sum of the distances of the bytes from 16 and from 0 is 111 more than
    /// the place: `127 + k - 16` for the lower half, `16 + 127 + k` for the upper one.
    #[inline(always)]
    fn place(bit: Self, factors: &Factors<Self>) -> Self {
        const LOWER: u64 = 16 << 24;
        // As signed numbers: the topmost bit is not used.
        let is_high = Self(call!(_mm256_cmpgt_epi64(bit.0, Self::splat(LOW_PART).0)));
        let halves = call!(_mm256_castps_si256(call!(_mm256_cvtepi32_ps(bit.0))));
        let exponents = call!(_mm256_add_epi32(halves, halves));
        let place_and_111 = Self(call!(_mm256_sad_epu8(exponents, Self::splat(LOWER).0)));
        let base = Self(call!(_mm256_blendv_epi8(factors.low.0, factors.high.0, is_high.0)));
        base.add(place_and_111)
    }
    /// There is no product of 64 bits; two products of 32 bits replace it.
    #[inline(always)]
    fn add_products(sums: &mut [Self; 2], numbers: [Self; 2], factors: &Factors<Self>, j: usize) {
        for (sum, number) in sums.iter_mut().zip(numbers) {
            let weight = factors.weight(j).0;
            let upper = call!(_mm256_shuffle_epi32::<0b11_11_01_01>(weight));
            let low = call!(_mm256_mul_epu32(number.0, weight));
            let high = call!(_mm256_slli_epi64::<32>(call!(_mm256_mul_epu32(number.0, upper))));
            *sum = sum.add(Self(low)).add(Self(high)).now();
        }
    }
    #[inline(always)]
    fn now(self) -> Self {
        Self(call!(now_256(self.0)))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        call!(_mm256_testz_si256(self.0, self.0)) == 1
    }
    /// By quarters of four lanes.
    #[inline(always)]
    fn transposed(vectors: [&Eight; 8], counts: &Eight) -> [Eight; 8] {
        let mut transposed = [Eight::ZERO; 8];
        for (from, to) in [(0, 0), (0, 4), (4, 0), (4, 4)] {
            // No closures: the compiler would not inline the instructions in them.
            let (Self(a), Self(b)) =
                (Self::load(&vectors[from].0, to), Self::load(&vectors[from + 1].0, to));
            let (Self(c), Self(d)) =
                (Self::load(&vectors[from + 2].0, to), Self::load(&vectors[from + 3].0, to));
            let (ab0, ab1) =
                (call!(_mm256_unpacklo_epi64(a, b)), call!(_mm256_unpackhi_epi64(a, b)));
            let (cd0, cd1) =
                (call!(_mm256_unpacklo_epi64(c, d)), call!(_mm256_unpackhi_epi64(c, d)));
            let zero = Self(call!(_mm256_permute2x128_si256::<0x20>(ab0, cd0)));
            let one = Self(call!(_mm256_permute2x128_si256::<0x20>(ab1, cd1)));
            let two = Self(call!(_mm256_permute2x128_si256::<0x31>(ab0, cd0)));
            let three = Self(call!(_mm256_permute2x128_si256::<0x31>(ab1, cd1)));
            let counts = Self::load(&counts.0, from);
            zero.place_each(counts).store(&mut transposed[to], from);
            one.place_each(counts).store(&mut transposed[to + 1], from);
            two.place_each(counts).store(&mut transposed[to + 2], from);
            three.place_each(counts).store(&mut transposed[to + 3], from);
        }
        transposed
    }
}
