//! Finite sets of naturals, one bit for each number up to the largest member, or for each number
//! above the mex.
//!
//! Text: `{0, 1, 5}` or `∅`; in a sequence it is read also as `{}`, with members in any order.

use std::fmt;
use std::iter;
use std::ops::RangeInclusive;

use smallvec::SmallVec;

use crate::text::{Cursor, ParseError, write_items};

/// The largest member that a text may name: so no set that was read takes more than 2 MiB. A
/// sequence may hold many such sets.
pub const LARGEST_READ: u64 = (1 << 24) - 1;

/// A finite set of naturals with small members.
///
/// It is a bit set: memory and the time of most operations are proportional to its largest member,
/// however few members it has. "W words" below stands for max/64 + 1, and 0 for the empty set.
///
/// There is no `Ord`: its `max` of two sets would hide [`max`](Self::max).
///
/// ```
/// use ultimate::NatSet;
/// assert_eq!(NatSet::from([5, 0, 1]), NatSet::from([0, 1, 5]));
/// assert_eq!(NatSet::from([5, 0, 1]).to_string(), "{0, 1, 5}");
/// assert_eq!(NatSet::new().to_string(), "∅");
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct NatSet {
    // Bit i of word k is the number 64k + i. The last word is not 0.
    words: Vec<u64>,
}

/// The least number from `from` on that is in none of some sets: `word(k)` is the union of their
/// words `k`, the bits of the numbers from `64 k` on. O(passed/64 + 1) calls: it passes full words.
///
/// ```
/// use ultimate::{NatSet, least_free};
/// let [a, b] = [NatSet::from([3, 5]), NatSet::from([4, 70])];
/// assert_eq!(least_free(3, |k| a.word(k) | b.word(k)), 6);
/// ```
#[inline]
pub fn least_free(from: u64, word: impl Fn(u64) -> u64) -> u64 {
    let mut k = from / 64;
    let mut free = !word(k) & (u64::MAX << (from % 64));
    while free == 0 {
        k += 1;
        free = !word(k);
    }
    64 * k + u64::from(free.trailing_zeros())
}

/// The word that has the bit of a number, and that bit.
fn place(member: u64) -> (usize, u64) {
    // Where `usize` is narrower than the quotient, no vector reaches `usize::MAX`.
    (usize::try_from(member / 64).unwrap_or(usize::MAX), 1 << (member % 64))
}

impl NatSet {
    /// The empty set. O(1).
    ///
    /// ```
    /// assert!(ultimate::NatSet::new().is_empty());
    /// ```
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// The empty set, with room for the members less than `end`. O(1).
    ///
    /// ```
    /// assert_eq!(ultimate::NatSet::with_capacity(100), ultimate::NatSet::new());
    /// ```
    pub fn with_capacity(end: u64) -> Self {
        Self { words: Vec::with_capacity(place(end).0 + 1) }
    }

    /// Adds a member; returns whether it is new. O(1), or amortised O(W) of the new set where it is
    /// the largest, for the zeros below it.
    ///
    /// # Panics
    /// Or aborts, if `member` bits exceed the memory.
    ///
    /// ```
    /// let mut set = ultimate::NatSet::new();
    /// assert!(set.insert(7));
    /// assert!(!set.insert(7));
    /// ```
    #[inline]
    pub fn insert(&mut self, member: u64) -> bool {
        let (index, bit) = place(member);
        if let Some(word) = self.words.get_mut(index) {
            let new = *word & bit == 0;
            *word |= bit;
            return new;
        }
        self.words.resize(index, 0);
        self.words.push(bit);
        true
    }

    /// O(1) where the last word is not 0.
    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }

    /// Whether a number is a member. O(1).
    ///
    /// ```
    /// let set = ultimate::NatSet::from([0, 5]);
    /// assert!(set.contains(5) && !set.contains(4) && !set.contains(u64::MAX));
    /// ```
    #[inline]
    pub fn contains(&self, member: u64) -> bool {
        let (index, bit) = place(member);
        self.words.get(index).is_some_and(|word| word & bit != 0)
    }

    /// Removes all members, and keeps the memory for others. O(1).
    ///
    /// ```
    /// let mut set = ultimate::NatSet::from([7, 99]);
    /// set.clear();
    /// assert!(set.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Word k: the 64 numbers from `64 k` on as bits, the least as the lowest. O(1).
    ///
    /// ```
    /// let set = ultimate::NatSet::from([0, 5, 64]);
    /// assert_eq!([0, 1, 2].map(|k| set.word(k)), [0x21, 1, 0]);
    /// ```
    #[inline]
    pub fn word(&self, k: u64) -> u64 {
        usize::try_from(k).ok().and_then(|k| self.words.get(k)).copied().unwrap_or(0)
    }

    /// The 64 numbers from `first` on as bits, the least as the lowest: 1 for a member. O(1).
    ///
    /// ```
    /// let set = ultimate::NatSet::from([0, 5, 99]);
    /// assert_eq!((set.word_from(4), set.word_from(90), set.word_from(100)), (2, 1 << 9, 0));
    /// ```
    #[inline]
    pub fn word_from(&self, first: u64) -> u64 {
        let (index, bit) = (usize::try_from(first / 64).unwrap_or(usize::MAX), first % 64);
        match self.words.get(index..) {
            Some([low, high, ..]) => low >> bit | (high << 1) << (63 - bit),
            Some([low]) => low >> bit,
            _ => 0,
        }
    }

    /// The number of members. O(W): every word is counted.
    ///
    /// ```
    /// assert_eq!(ultimate::NatSet::from([0, 5, 99]).len(), 3);
    /// ```
    pub fn len(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether there are no members. O(1).
    ///
    /// ```
    /// assert!(!ultimate::NatSet::from([0]).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The largest member. O(1): it is in the last word, which is never 0.
    ///
    /// ```
    /// assert_eq!(ultimate::NatSet::from([0, 99]).max(), Some(99));
    /// assert_eq!(ultimate::NatSet::new().max(), None);
    /// ```
    pub fn max(&self) -> Option<u64> {
        let last = self.words.last()?;
        Some(64 * (self.words.len() as u64 - 1) + u64::from(last.ilog2()))
    }

    /// The members in ascending order. O(W + members) to the end.
    ///
    /// ```
    /// let set = ultimate::NatSet::from([99, 0, 5]);
    /// assert_eq!(set.iter().collect::<Vec<_>>(), [0, 5, 99]);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.words.iter().zip(0_u64..).flat_map(|(word, index)| {
            iter::successors(Some(*word), |word| Some(word & word.wrapping_sub(1)))
                .take_while(|word| *word != 0)
                .map(move |word| 64 * index + u64::from(word.trailing_zeros()))
        })
    }

    /// The least natural number that is not a member. O(result/64 + 1): the words below it are
    /// full.
    ///
    /// ```
    /// assert_eq!(ultimate::NatSet::from([0, 1, 5]).mex(), 2);
    /// assert_eq!(ultimate::NatSet::new().mex(), 0);
    /// ```
    pub fn mex(&self) -> u64 {
        Self::mex_of_union(iter::once(self))
    }

    /// The least natural number that is in none of the sets. Nothing is allocated. O((result/64 +
    /// 1) · sets): it reads one word of every set at a time, up to the first that they do not fill.
    ///
    /// ```
    /// use ultimate::NatSet;
    /// let sets = [NatSet::from([0, 3]), NatSet::new(), NatSet::from([1])];
    /// assert_eq!(NatSet::mex_of_union(sets.iter()), 2);
    /// ```
    #[expect(clippy::needless_pass_by_value, reason = "callers hand over an iterator")]
    pub fn mex_of_union<'a, I>(sets: I) -> u64
    where
        I: Iterator<Item = &'a NatSet> + Clone,
    {
        least_free(0, |k| word_of_union(sets.clone(), k))
    }

    /// Whether this is the union of the sets. O(W · sets), and O(sets) where the largest members
    /// are in different words.
    pub(crate) fn is_union_of<'a, I>(&self, sets: &I) -> bool
    where
        I: Iterator<Item = &'a NatSet> + Clone,
    {
        let longest = sets.clone().map(|set| set.words.len()).max().unwrap_or(0);
        longest == self.words.len()
            && (0..).zip(&self.words).all(|(k, word)| word_of_union(sets.clone(), k) == *word)
    }

    /// `OneLess` of the paper: every member minus one, -1 discarded. O(W): a shift by one bit.
    ///
    /// ```
    /// use ultimate::NatSet;
    /// assert_eq!(NatSet::from([0, 1, 5]).one_less(), NatSet::from([0, 4]));
    /// ```
    pub fn one_less(&self) -> NatSet {
        let mut set = self.clone();
        set.make_one_less();
        set
    }

    /// [`one_less`](Self::one_less) in place, without allocation. O(W).
    ///
    /// ```
    /// let mut set = ultimate::NatSet::from([0, 64]);
    /// set.make_one_less();
    /// assert_eq!(set.to_string(), "{63}");
    /// ```
    pub fn make_one_less(&mut self) {
        for index in 1..self.words.len() {
            self.words[index - 1] = self.words[index - 1] >> 1 | self.words[index] << 63;
        }
        if let Some(last) = self.words.last_mut() {
            *last >>= 1;
        }
        self.trim();
    }

    /// Adds the members of another set. O(W of `other`), and the growth where that is longer.
    ///
    /// ```
    /// let mut set = ultimate::NatSet::from([0, 5]);
    /// set.union_with(&[1, 5].into());
    /// assert_eq!(set.to_string(), "{0, 1, 5}");
    /// ```
    pub fn union_with(&mut self, other: &NatSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, added) in self.words.iter_mut().zip(&other.words) {
            *word |= added;
        }
    }

    /// The union with another set. O(W of both).
    ///
    /// ```
    /// use ultimate::NatSet;
    /// assert_eq!(NatSet::from([0, 5]).union(&NatSet::from([1, 5])), NatSet::from([0, 1, 5]));
    /// ```
    pub fn union(&self, other: &NatSet) -> NatSet {
        let mut set = self.clone();
        set.union_with(other);
        set
    }

    /// Whether no number is in both sets. O(W of the shorter).
    ///
    /// ```
    /// use ultimate::NatSet;
    /// assert!(NatSet::from([0, 5]).is_disjoint(&NatSet::from([1, 99])));
    /// ```
    pub fn is_disjoint(&self, other: &NatSet) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & b == 0)
    }

    pub(crate) fn intersection(&self, other: &NatSet) -> NatSet {
        let words = self.words.iter().zip(&other.words).map(|(a, b)| a & b);
        let mut set = Self { words: words.collect() };
        set.trim();
        set
    }

    /// Removes the members of another set.
    pub(crate) fn remove_all(&mut self, other: &NatSet) {
        for (word, removed) in self.words.iter_mut().zip(&other.words) {
            *word &= !removed;
        }
        self.trim();
    }

    /// Whether a member lies in the range. O(W of the part of the set in or above it).
    pub(crate) fn meets(&self, range: &RangeInclusive<u64>) -> bool {
        let (first, last) = (*range.start(), *range.end());
        self.max() >= Some(first) && least_free(first, |k| !self.word(k)) <= last
    }

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, ParseError> {
        if cursor.eat("∅") {
            return Ok(Self::new());
        }
        if !cursor.eat("{") {
            return Err(cursor.error("a set, `{` or `∅`"));
        }
        let places = cursor.items("}", |cursor| {
            let offset = cursor.offset();
            cursor.number(LARGEST_READ).map(|member| (member, offset))
        })?;
        let mut set = Self::new();
        for (member, offset) in places {
            if !set.insert(member) {
                return Err(cursor.error_at(offset, "a member not named before"));
            }
        }
        Ok(set)
    }
}

fn word_of_union<'a>(sets: impl Iterator<Item = &'a NatSet>, k: u64) -> u64 {
    sets.fold(0, |word, set| word | set.word(k))
}

impl FromIterator<u64> for NatSet {
    fn from_iter<I: IntoIterator<Item = u64>>(members: I) -> Self {
        members.into_iter().fold(Self::new(), |mut set, member| {
            set.insert(member);
            set
        })
    }
}

impl<const N: usize> From<[u64; N]> for NatSet {
    fn from(members: [u64; N]) -> Self {
        members.into_iter().collect()
    }
}

impl fmt::Debug for NatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Display for NatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() { f.write_str("∅") } else { write_items(f, '{', self.iter(), '}') }
    }
}

/// A finite set of naturals: all less than its mex, and some above it. Only those above take
/// memory, and mostly they are few.
///
/// ```
/// use ultimate::{MexSet, NatSet};
/// let set = MexSet::from(&NatSet::from([0, 1, 2, 4, 6]));
/// assert_eq!((set.mex(), set.above()), (3, vec![4, 6]));
/// assert_eq!(set, MexSet::new(3, [0b101, 0].into_iter().collect()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MexSet {
    mex: u64,
    // Bit i of word k is the number mex + 1 + 64k + i. The last word is not 0.
    above: SmallVec<[u64; 1]>,
}

impl MexSet {
    /// The set with this mex, and these members above it: bit i of word k is `mex + 1 + 64k + i`.
    /// Words at the end may be 0.
    #[inline]
    pub fn new(mex: u64, mut above: SmallVec<[u64; 1]>) -> Self {
        while above.last() == Some(&0) {
            above.pop();
        }
        Self { mex, above }
    }

    /// The members of a set that are not less than `first`, each less by `first`; its members from
    /// there to `first + mex` are known. O(W).
    #[inline]
    pub fn of_part(set: &NatSet, first: u64, mex: u64) -> Self {
        let begin = first + mex + 1;
        let end = set.max().map_or(0, |largest| largest + 1);
        let words = end.saturating_sub(begin).div_ceil(64);
        Self::new(mex, (0..words).map(|k| set.word_from(begin + 64 * k)).collect())
    }

    /// The least natural that is not a member.
    #[inline]
    pub fn mex(&self) -> u64 {
        self.mex
    }

    /// The members above the mex, ascending.
    pub fn above(&self) -> Vec<u64> {
        let words = (self.mex + 1..).step_by(64).zip(&self.above);
        let bits = words.flat_map(|(first, word)| (first..).zip((0..64).map(move |i| word >> i)));
        bits.filter(|(_, bit)| bit & 1 == 1).map(|(member, _)| member).collect()
    }
}

impl From<&NatSet> for MexSet {
    fn from(set: &NatSet) -> Self {
        Self::of_part(set, 0, set.mex())
    }
}
