//! What the walk needs of a vector.

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

/// What can be done on any lanes. Implementations are `#[inline(always)]`: what is not inlined into
/// the function that enables the instructions is compiled without them.
pub(crate) trait OnLanes {
    /// Does it.
    fn run<L: Lanes>(self);
}
