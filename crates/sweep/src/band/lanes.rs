//! Vectors of eight 64-bit lanes: what the kernel needs of a machine, and the portable form of it.

/// Eight words in memory: one for every row of a band, or for every column of a group.
///
/// Lane `i` of a group belongs to column `8 g + 7 - i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Eight(pub(crate) [u64; 8]);

impl Eight {
    pub(crate) const ZERO: Self = Self([0; 8]);
    pub(crate) const ONES: Self = Self([u64::MAX; 8]);
}

/// Asks for the cache line where `words` begins; a hint.
#[inline(always)]
pub(crate) fn prefetch<T>(words: &T) {
    #[cfg(target_arch = "x86_64")]
    super::x86::prefetch(words);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = words;
}

/// Eight 64-bit lanes in registers. All operations are lane by lane unless they say otherwise.
pub(crate) trait Lanes: Copy {
    /// Whether a step takes less than its eight cells one by one.
    const FAST: bool;
    fn splat(x: u64) -> Self;
    fn load(from: &Eight) -> Self;
    /// The eight words from the start of `from`.
    fn load_words(from: &[u64; 8]) -> Self;
    fn store(self, to: &mut Eight);
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// Shift left; 0 if `n >= 64`.
    fn shl(self, n: u32) -> Self;
    /// Shift right; 0 if `n >= 64`.
    fn shr(self, n: u32) -> Self;
    fn rotl(self, n: u32) -> Self;
    fn rotr(self, n: u32) -> Self;
    /// `self & !(a & b)`.
    fn without(self, a: Self, b: Self) -> Self;
    /// `self | (a & b)`.
    fn with(self, a: Self, b: Self) -> Self;
    /// The negative, of which the lowest bit is the only one in common with `self`.
    fn negative(self) -> Self;
    /// `self` where `test` is 0, otherwise 0.
    fn where_zero(self, test: Self) -> Self;
    /// `zero` where `self` is 0, otherwise `nonzero`.
    fn choose(self, zero: Self, nonzero: Self) -> Self;
    /// [`Self::TOP`] minus the place of the only bit that is set; [`Self::NOTHING`] if none is.
    fn distance_from_top(self) -> Self;
    const TOP: u64;
    const NOTHING: u64;
    /// How many bits are set in the two together.
    fn count_ones_with(self, other: Self) -> Self;
    /// Moves every lane one up and `other`'s lane 7 into lane 0.
    fn push(self, other: Self) -> Self;
    /// Whether all lanes are 0.
    fn is_zero(self) -> bool;
}

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
