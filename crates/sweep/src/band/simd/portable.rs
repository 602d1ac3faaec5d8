//! The portable form of the lanes.

use super::lanes::{Eight, Lanes};

/// The portable lanes: an array, which compilers vectorise as well as they can.
pub(crate) type Portable = [u64; 8];

#[inline(always)]
fn each(a: Portable, f: impl Fn(u64) -> u64) -> Portable {
    std::array::from_fn(|i| f(a[i]))
}

#[inline(always)]
fn both(a: Portable, b: Portable, f: impl Fn(u64, u64) -> u64) -> Portable {
    std::array::from_fn(|i| f(a[i], b[i]))
}

impl Lanes for Portable {
    const FAST: bool = false;
    #[inline(always)]
    fn splat(x: u64) -> Self {
        [x; 8]
    }
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        from.0
    }
    #[inline(always)]
    fn load_words(from: &[u64; 8]) -> Self {
        *from
    }
    #[inline(always)]
    fn store(self, to: &mut Eight) {
        to.0 = self;
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        both(self, other, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        both(self, other, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        both(self, other, |a, b| a ^ b)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        both(self, other, u64::wrapping_add)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        both(self, other, u64::wrapping_sub)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        both(self, other, u64::wrapping_mul)
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        if n >= 64 { [0; 8] } else { each(self, |a| a << n) }
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        if n >= 64 { [0; 8] } else { each(self, |a| a >> n) }
    }
    #[inline(always)]
    fn rotl(self, n: u32) -> Self {
        each(self, |a| a.rotate_left(n))
    }
    #[inline(always)]
    fn rotr(self, n: u32) -> Self {
        each(self, |a| a.rotate_right(n))
    }
    #[inline(always)]
    fn without(self, a: Self, b: Self) -> Self {
        std::array::from_fn(|i| self[i] & !(a[i] & b[i]))
    }
    #[inline(always)]
    fn with(self, a: Self, b: Self) -> Self {
        std::array::from_fn(|i| self[i] | a[i] & b[i])
    }
    #[inline(always)]
    fn negative(self) -> Self {
        each(self, u64::wrapping_neg)
    }
    #[inline(always)]
    fn where_zero(self, test: Self) -> Self {
        both(self, test, |a, t| if t == 0 { a } else { 0 })
    }
    #[inline(always)]
    fn choose(self, zero: Self, nonzero: Self) -> Self {
        std::array::from_fn(|i| if self[i] == 0 { zero[i] } else { nonzero[i] })
    }
    #[inline(always)]
    fn distance_from_top(self) -> Self {
        each(self, |a| u64::from(a.leading_zeros()))
    }
    const TOP: u64 = 63;
    const NOTHING: u64 = 64;
    #[inline(always)]
    fn count_ones_with(self, other: Self) -> Self {
        both(self, other, |a, b| u64::from(a.count_ones() + b.count_ones()))
    }
    #[inline(always)]
    fn push(self, other: Self) -> Self {
        let [a, b, c, d, e, f, g, _] = self;
        [other[7], a, b, c, d, e, f, g]
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.iter().fold(0, |all, &a| all | a) == 0
    }
}
