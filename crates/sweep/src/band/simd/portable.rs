//! The portable lanes: words, one by one.

use super::lanes::{Eight, Register, Registers};

/// The portable lanes.
pub(crate) type Portable = Registers<u64, 8>;

impl Portable {
    /// The words.
    pub(crate) fn words(self) -> [u64; 8] {
        let mut words = Eight::ZERO;
        super::lanes::Lanes::store(self, &mut words);
        words.0
    }
}

impl Register for u64 {
    const LANES: usize = 1;
    #[inline(always)]
    fn splat(x: u64) -> Self {
        x
    }
    #[inline(always)]
    fn load(from: &[u64; 8], at: usize) -> Self {
        from[at]
    }
    #[inline(always)]
    fn store(self, to: &mut Eight, at: usize) {
        to.0[at] = self;
    }
    #[inline(always)]
    fn above(first: u64, words: &Eight, at: usize) -> Self {
        if at == 0 { first } else { words.0[at - 1] }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        if counts >= 64 { 0 } else { self << counts }
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        if counts >= 64 { 0 } else { self >> counts }
    }
    #[inline(always)]
    fn without(self, a: Self, b: Self) -> Self {
        self & !(a & b)
    }
    /// Without a branch, which would be mispredicted half of the time.
    #[inline(always)]
    fn where_zero(self, test: Self) -> Self {
        self & u64::from(test == 0).wrapping_neg()
    }
    #[inline(always)]
    fn choose(self, zero: Self, nonzero: Self) -> Self {
        nonzero ^ (nonzero ^ zero).where_zero(self)
    }
    #[inline(always)]
    fn number(self, base: Self) -> Self {
        base.add(u64::from(self.trailing_zeros()))
    }
    const BASE: u64 = 0;
    type Sum = Self;
    #[inline(always)]
    fn sum(self) -> Self {
        self
    }
    #[inline(always)]
    fn plus_product(sum: Self, number: Self, words: &[u64; 8], at: usize) -> Self {
        sum.add(number.wrapping_mul(words[at]))
    }
    #[inline(always)]
    fn total(sum: Self) -> Self {
        sum
    }
    #[inline(always)]
    fn now(self) -> Self {
        self
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0
    }
    #[inline(always)]
    fn transposed(vectors: [&Eight; 8]) -> [Eight; 8] {
        let mut transposed = [Eight::ZERO; 8];
        for (k, vector) in transposed.iter_mut().enumerate() {
            for (lane, from) in vector.0.iter_mut().zip(vectors) {
                *lane = from.0[k];
            }
        }
        transposed
    }
}
