//! The portable lanes: words, one by one.

use super::lanes::{Eight, Factors, LOW_PART, Order, Register, Registers};

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
    const ORDER: Order = Order::Loop;
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
    whole_numbers!(less: 0);
    #[inline(always)]
    fn place(bit: Self, factors: &Factors<Self>) -> Self {
        // Without a branch, which would be mispredicted half of the time.
        let is_high = u64::from(bit > LOW_PART).wrapping_neg();
        is_high.select(factors.high, factors.low).wrapping_add(bit.trailing_zeros().into())
    }
    #[inline(always)]
    fn add_products(sums: &mut [Self; 2], numbers: [Self; 2], factors: &Factors<Self>, j: usize) {
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum = sum.wrapping_add(number.wrapping_mul(factors.weight(j)));
        }
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
    fn transposed(vectors: [&Eight; 8], counts: &Eight) -> [Eight; 8] {
        let mut transposed = [Eight::ZERO; 8];
        for (k, vector) in transposed.iter_mut().enumerate() {
            for ((lane, from), count) in vector.0.iter_mut().zip(vectors).zip(counts.0) {
                *lane = from.0[k].place_each(count % 64);
            }
        }
        transposed
    }
}
