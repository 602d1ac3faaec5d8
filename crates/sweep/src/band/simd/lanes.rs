//! Eight words in memory, the operations of a register that the walk needs, and the portable
//! register: a word.

/// The places of the low window in a word with two windows: the lowest ones.
pub(crate) const LOW_PLACES: u32 = 40;

/// The places of the high window: the others.
pub(crate) const HIGH_PLACES: u32 = u64::BITS - LOW_PLACES;

/// The mask of the low window.
pub(crate) const LOW_PART: u64 = (1 << LOW_PLACES) - 1;

/// Eight words in memory: one for every column of a group, or for every band of an octet.
///
/// Lane `i` of a group belongs to column `8 g + 7 - i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Eight(pub [u64; 8]);

impl Eight {
    /// No bit.
    pub const ZERO: Self = Self([0; 8]);
    /// All bits.
    pub const ONES: Self = Self([u64::MAX; 8]);

    /// The words shifted right by less than 64, with the bits of `above` following.
    #[inline(always)]
    pub(crate) fn shr_pair<R: Register>(&self, above: &Self, n: u32) -> Self {
        let mut shifted = Self::ZERO;
        for at in (0..8).step_by(R::LANES) {
            let above = R::load(&above.0, at).shl(64 - n);
            R::load(&self.0, at).shr(n).or(above).store(&mut shifted, at);
        }
        shifted
    }

    /// The union of vectors; `None` if it has no bit.
    #[inline(always)]
    pub(crate) fn union<R: Register, const N: usize>(vectors: [&Self; N]) -> Option<Self> {
        let (mut union, mut all) = (Self::ZERO, R::splat(0));
        for at in (0..8).step_by(R::LANES) {
            let mut lanes = R::splat(0);
            for vector in vectors {
                lanes = lanes.or(R::load(&vector.0, at));
            }
            lanes.store(&mut union, at);
            all = all.or(lanes);
        }
        if all.is_zero() { None } else { Some(union) }
    }
}

/// The factors of registers that multiply whole numbers.
pub(crate) struct Factors<'a, R> {
    /// What the place of a bit is added to: in the low and in the high windows.
    pub(crate) low: R,
    pub(crate) high: R,
    weights: [&'a [u64; 8]; 8],
    at: usize,
}

impl<'a, R: Register> Factors<'a, R> {
    /// As [`Register::factors`], for places that are too small by `less`.
    #[inline(always)]
    pub(crate) fn new(
        [low, high]: [R; 2],
        less: u64,
        weights: &[&'a [u64; 8]; 8],
        at: usize,
    ) -> Self {
        let less = R::splat(less);
        Self { low: low.add(less), high: high.add(less), weights: *weights, at }
    }

    /// The weights of column `j`.
    #[inline(always)]
    pub(crate) fn weight(&self, j: usize) -> R {
        R::load(self.weights[j], self.at)
    }
}

/// 64-bit lanes in one register. All operations are lane by lane.
pub(crate) trait Register: Copy {
    const LANES: usize;
    /// Whether a tile is decided four rows at a time, which takes many registers, or two.
    const FOUR_ROWS: bool;
    fn splat(x: u64) -> Self;
    /// The lanes from `at` on.
    fn load(from: &[u64; 8], at: usize) -> Self;
    fn store(self, to: &mut Eight, at: usize);
    /// The lanes from `at` on of `words` moved one lane up, after `first`.
    fn above(first: u64, words: &Eight, at: usize) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    /// Shift left; 0 if `n >= 64`.
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        self.shl_each(Self::splat(n.into()))
    }
    /// Shift right; 0 if `n >= 64`.
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        self.shr_each(Self::splat(n.into()))
    }
    /// Shift left, each lane by its own count; 0 if that is 64 or more.
    fn shl_each(self, counts: Self) -> Self;
    /// Shift right, each lane by its own count; 0 if that is 64 or more.
    fn shr_each(self, counts: Self) -> Self;
    /// `self | (a & b)`.
    #[inline(always)]
    fn with(self, a: Self, b: Self) -> Self {
        self.or(a.and(b))
    }
    /// The bits of `a` where this is 1, and of `b` where it is 0.
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        b.xor(self.and(a.xor(b)))
    }
    /// The lowest bit.
    #[inline(always)]
    fn lowest(self) -> Self {
        self.and(Self::splat(0).sub(self))
    }
    /// The anchors of the windows and the weights of the columns of a tile, for [`Self::place`] and
    /// [`Self::add_products`].
    type Factors<'a>;
    /// With the numbers at place 0 of a word, if it had the low or the high window only; they are
    /// below 2^32. The weights of each column are the lanes from `at` on.
    fn factors<'a>(anchors: [Self; 2], weights: &[&'a [u64; 8]; 8], at: usize)
    -> Self::Factors<'a>;
    /// Numbers, in the form that products take.
    type Place: Copy;
    /// The numbers at these bits, one in each lane.
    fn place(bit: Self, factors: &Self::Factors<'_>) -> Self::Place;
    /// The numbers.
    fn number(place: Self::Place, factors: &Self::Factors<'_>) -> Self;
    /// Sums of products of two rows, which are being computed.
    type Sums: Copy;
    /// The sums that have these values so far.
    fn sums(rows: [Self; 2]) -> Self::Sums;
    /// Adds the products of the numbers at these places and the weight of column `j`.
    fn add_products(
        sums: &mut Self::Sums,
        places: [Self::Place; 2],
        factors: &Self::Factors<'_>,
        j: usize,
    );
    /// The values of the sums.
    fn totals(sums: Self::Sums, factors: &Self::Factors<'_>) -> [Self; 2];
    /// The same value, computed at this point. Otherwise the compiler delays computations and runs
    /// out of registers.
    fn now(self) -> Self;
    fn is_zero(self) -> bool;
    /// Shift left, each lane by its own count, which is less than 64, and then right by
    /// [`HIGH_PLACES`].
    /// Places that the shift to the left makes empty can hold any bits.
    #[inline(always)]
    fn place_each(self, counts: Self) -> Self {
        self.shl_each(counts).shr(HIGH_PLACES)
    }
    /// Lane `i` of vector `k` is lane `k` of vector `i` of `vectors`, shifted as by
    /// [`Self::place_each`] with `counts[i]`.
    fn transposed(vectors: [&Eight; 8], counts: &Eight) -> [Eight; 8];
}

/// A function that runs on any registers. Implementations are `#[inline(always)]`: code that is not
/// inlined into the function that enables the instructions is compiled without them.
pub(crate) trait OnLanes {
    /// Runs it.
    fn run<R: Register>(self);
}

/// The portable register.
impl Register for u64 {
    const LANES: usize = 1;
    const FOUR_ROWS: bool = false;
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
