//! The kernel's lanes in AVX-512 and AVX2 registers: the only unsafe code of the crate.
//!
//! The lanes' methods compile to the instructions they name only inside [`HasAvx512::run`] and
//! [`HasAvx2::run`], where the features are enabled and everything is inlined. The two proofs of
//! detection, which only `detect` makes, are what keeps that code from a machine without them. The
//! safe twin under test is [`Portable`](super::portable::Portable).

#![allow(unsafe_code)]
// `self` is the proof; the list of intrinsics would be a page.
#![allow(clippy::unused_self, clippy::wildcard_imports)]

use super::lanes::{Eight, Lanes, OnLanes};
use std::arch::x86_64::*;

/// Asks for `words` to be brought into the cache; a hint.
#[inline(always)]
pub(crate) fn prefetch<T>(words: &T) {
    // SAFETY: x86-64 has SSE, and a prefetch touches nothing.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(words).cast()) }
}

/// Proof that the machine has the AVX-512 instructions in use here.
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

/// Eight lanes in one register. Made and used in [`HasAvx512::run`] only.
#[derive(Clone, Copy)]
struct Zmm(__m512i);

/// Calls an AVX-512 intrinsic that touches no memory.
macro_rules! zmm {
    ($call:expr) => {
        // SAFETY: lanes of this type exist in `HasAvx512::run` only, on a machine with the
        // features.
        Zmm(unsafe { $call })
    };
}

impl Lanes for Zmm {
    const FAST: bool = true;
    #[inline(always)]
    fn splat(x: u64) -> Self {
        zmm!(_mm512_set1_epi64(x.cast_signed()))
    }
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        // SAFETY: as in `zmm`; an `Eight` is 64 readable bytes, aligned to 64.
        Self(unsafe { _mm512_load_si512(from.0.as_ptr().cast()) })
    }
    #[inline(always)]
    fn load_words(from: &[u64; 8]) -> Self {
        // SAFETY: as in `zmm`; the array is 64 readable bytes.
        Self(unsafe { _mm512_loadu_si512(from.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, to: &mut Eight) {
        // SAFETY: as in `zmm`; an `Eight` is 64 writable bytes, aligned to 64.
        unsafe { _mm512_store_si512(to.0.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        zmm!(_mm512_and_si512(self.0, other.0))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        zmm!(_mm512_or_si512(self.0, other.0))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        zmm!(_mm512_xor_si512(self.0, other.0))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        zmm!(_mm512_add_epi64(self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        zmm!(_mm512_sub_epi64(self.0, other.0))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        zmm!(_mm512_mullo_epi64(self.0, other.0))
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        zmm!(_mm512_sll_epi64(self.0, _mm_cvtsi64_si128(i64::from(n))))
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        zmm!(_mm512_srl_epi64(self.0, _mm_cvtsi64_si128(i64::from(n))))
    }
    #[inline(always)]
    fn rotl(self, n: u32) -> Self {
        zmm!(_mm512_rolv_epi64(self.0, _mm512_set1_epi64(i64::from(n))))
    }
    #[inline(always)]
    fn rotr(self, n: u32) -> Self {
        zmm!(_mm512_rorv_epi64(self.0, _mm512_set1_epi64(i64::from(n))))
    }
    #[inline(always)]
    fn without(self, a: Self, b: Self) -> Self {
        zmm!(_mm512_ternarylogic_epi64::<0b0111_0000>(self.0, a.0, b.0))
    }
    #[inline(always)]
    fn with(self, a: Self, b: Self) -> Self {
        zmm!(_mm512_ternarylogic_epi64::<0b1111_1000>(self.0, a.0, b.0))
    }
    #[inline(always)]
    fn negative(self) -> Self {
        zmm!(_mm512_sub_epi64(_mm512_setzero_si512(), self.0))
    }
    #[inline(always)]
    fn where_zero(self, test: Self) -> Self {
        zmm!(_mm512_maskz_mov_epi64(_mm512_testn_epi64_mask(test.0, test.0), self.0))
    }
    #[inline(always)]
    fn choose(self, zero: Self, nonzero: Self) -> Self {
        zmm!(_mm512_mask_blend_epi64(_mm512_testn_epi64_mask(self.0, self.0), nonzero.0, zero.0))
    }
    #[inline(always)]
    fn distance_from_top(self) -> Self {
        zmm!(_mm512_lzcnt_epi64(self.0))
    }
    const TOP: u64 = 63;
    const NOTHING: u64 = 64;
    /// By bytes, from a table of nibbles: the instruction that counts came later than the others.
    #[inline(always)]
    fn count_ones_with(self, other: Self) -> Self {
        zmm!({
            let table = _mm512_set4_epi32(0x0403_0302, 0x0302_0201, 0x0302_0201, 0x0201_0100);
            let nibble = _mm512_set1_epi8(15);
            let [a, b, c, d] =
                [self.0, _mm512_srli_epi64::<4>(self.0), other.0, _mm512_srli_epi64::<4>(other.0)]
                    .map(|x| _mm512_shuffle_epi8(table, _mm512_and_si512(x, nibble)));
            let counts = _mm512_add_epi8(_mm512_add_epi8(a, b), _mm512_add_epi8(c, d));
            _mm512_sad_epu8(counts, _mm512_setzero_si512())
        })
    }
    #[inline(always)]
    fn push(self, other: Self) -> Self {
        zmm!(_mm512_alignr_epi64::<7>(self.0, other.0))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: as in `zmm`.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) == 0 }
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

/// Eight lanes in two registers, 0 to 3 and 4 to 7. Made and used in [`HasAvx2::run`] only.
#[derive(Clone, Copy)]
struct Ymm([__m256i; 2]);

/// Calls AVX2 intrinsics that touch no memory for each half of one vector.
macro_rules! each {
    ($x:expr, |$a:ident| $call:expr) => {{
        let [x, y] = $x.0;
        Ymm([
            {
                let $a = x;
                ymm!($call)
            },
            {
                let $a = y;
                ymm!($call)
            },
        ])
    }};
}

/// The same, for each half of two vectors.
macro_rules! both {
    ($x:expr, $y:expr, |$a:ident, $b:ident| $call:expr) => {{
        let ([x, y], [z, w]) = ($x.0, $y.0);
        Ymm([
            {
                let ($a, $b) = (x, z);
                ymm!($call)
            },
            {
                let ($a, $b) = (y, w);
                ymm!($call)
            },
        ])
    }};
}

/// Calls AVX2 intrinsics that touch no memory.
macro_rules! ymm {
    ($call:expr) => {
        // SAFETY: lanes of this type exist in `HasAvx2::run` only, on a machine with the features.
        unsafe { $call }
    };
}

impl Lanes for Ymm {
    const FAST: bool = true;
    #[inline(always)]
    fn splat(x: u64) -> Self {
        Self([ymm!(_mm256_set1_epi64x(x.cast_signed())); 2])
    }
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        Self::load_words(&from.0)
    }
    #[inline(always)]
    fn load_words(from: &[u64; 8]) -> Self {
        let (low, high) = (from[..4].as_ptr(), from[4..].as_ptr());
        // SAFETY: as in `ymm`; both pointers are to 32 readable bytes.
        unsafe { Self([_mm256_loadu_si256(low.cast()), _mm256_loadu_si256(high.cast())]) }
    }
    #[inline(always)]
    fn store(self, to: &mut Eight) {
        let (low, high) = to.0.split_at_mut(4);
        // SAFETY: as in `ymm`; both pointers are to 32 writable bytes.
        unsafe {
            _mm256_storeu_si256(low.as_mut_ptr().cast(), self.0[0]);
            _mm256_storeu_si256(high.as_mut_ptr().cast(), self.0[1]);
        }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm256_or_si256(a, b))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm256_xor_si256(a, b))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm256_add_epi64(a, b))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        both!(self, other, |a, b| _mm256_sub_epi64(a, b))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        both!(self, other, |a, b| {
            let cross = _mm256_add_epi64(
                _mm256_mul_epu32(_mm256_srli_epi64::<32>(a), b),
                _mm256_mul_epu32(a, _mm256_srli_epi64::<32>(b)),
            );
            _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64::<32>(cross))
        })
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        each!(self, |a| _mm256_sll_epi64(a, _mm_cvtsi64_si128(i64::from(n))))
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        each!(self, |a| _mm256_srl_epi64(a, _mm_cvtsi64_si128(i64::from(n))))
    }
    #[inline(always)]
    fn rotl(self, n: u32) -> Self {
        self.shl(n % 64).or(self.shr(64 - n % 64))
    }
    #[inline(always)]
    fn rotr(self, n: u32) -> Self {
        self.shr(n % 64).or(self.shl(64 - n % 64))
    }
    #[inline(always)]
    fn without(self, a: Self, b: Self) -> Self {
        let both = a.and(b);
        both!(both, self, |both, x| _mm256_andnot_si256(both, x))
    }
    #[inline(always)]
    fn with(self, a: Self, b: Self) -> Self {
        self.or(a.and(b))
    }
    #[inline(always)]
    fn negative(self) -> Self {
        Self::splat(0).sub(self)
    }
    #[inline(always)]
    fn where_zero(self, test: Self) -> Self {
        both!(self, test, |a, t| {
            _mm256_and_si256(a, _mm256_cmpeq_epi64(t, _mm256_setzero_si256()))
        })
    }
    #[inline(always)]
    fn choose(self, zero: Self, nonzero: Self) -> Self {
        let is_zero = each!(self, |a| _mm256_cmpeq_epi64(a, _mm256_setzero_si256()));
        zero.and(is_zero).or(both!(is_zero, nonzero, |t, a| _mm256_andnot_si256(t, a)))
    }
    /// The negative of a single bit has that bit and all above it.
    #[inline(always)]
    fn distance_from_top(self) -> Self {
        self.negative().count_ones_with(Self::splat(0))
    }
    const TOP: u64 = 64;
    const NOTHING: u64 = 0;
    #[inline(always)]
    fn count_ones_with(self, other: Self) -> Self {
        both!(self, other, |a, b| {
            let table = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3,
                2, 3, 3, 4,
            );
            let nibble = _mm256_set1_epi8(15);
            let [a, b, c, d] = [a, _mm256_srli_epi64::<4>(a), b, _mm256_srli_epi64::<4>(b)]
                .map(|x| _mm256_shuffle_epi8(table, _mm256_and_si256(x, nibble)));
            let counts = _mm256_add_epi8(_mm256_add_epi8(a, b), _mm256_add_epi8(c, d));
            _mm256_sad_epu8(counts, _mm256_setzero_si256())
        })
    }
    #[inline(always)]
    fn push(self, other: Self) -> Self {
        let Self([first, second]) = each!(self, |a| _mm256_permute4x64_epi64::<0b10_01_00_11>(a));
        let Self([_, last]) = each!(other, |a| _mm256_permute4x64_epi64::<0b10_01_00_11>(a));
        both!(Self([first, second]), Self([last, first]), |a, b| {
            _mm256_blend_epi32::<0b0000_0011>(a, b)
        })
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        ymm!({
            let all = _mm256_or_si256(self.0[0], self.0[1]);
            _mm256_testz_si256(all, all) == 1
        })
    }
}
