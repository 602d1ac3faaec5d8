//! Ultimately periodic sequences of anything, in the paper's notation `[head][cycle]^∞`, and
//! sequences that are *finite or ultimately periodic*, as the papers say.
//!
//! Text: `[4, 2][3]^∞`, or `[3]^∞` where the head is empty; `[3, 1, 0]` for a finite sequence.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::ToPrimitive;

use crate::text::write_items;

/// The most terms that an operation writes out to reach a common period.
pub const MAX_TERMS: usize = 1 << 26;

/// A cycle without terms was given.
///
/// ```
/// use ultimate::{EmptyCycle, Ultimate};
/// assert_eq!(Ultimate::new(vec![1, 2], vec![]), Err(EmptyCycle));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the cycle of an ultimately periodic sequence has at least one term, and none was given")]
pub struct EmptyCycle;

/// The least common multiple of two periods.
///
/// # Panics
/// If it is more than [`MAX_TERMS`].
pub(crate) fn common_period(p: usize, q: usize) -> usize {
    let period = (p / p.gcd(&q)).checked_mul(q).filter(|&period| period <= MAX_TERMS);
    period.unwrap_or_else(|| {
        panic!(
            "sequences with the periods {p} and {q} cannot be combined: more than {MAX_TERMS} terms"
        )
    })
}

/// An ultimately periodic sequence: a head, then a cycle repeated for ever.
///
/// Both are the shortest possible, however the sequence was made: `==`, `Hash` and the printed form
/// are those of the sequence. "h" and "p" below are the lengths of head and cycle.
///
/// ```
/// use ultimate::Ultimate;
/// let sequence = Ultimate::new(vec![4, 2, 3], vec![3, 3]).unwrap();
/// assert_eq!(sequence.to_string(), "[4, 2][3]^∞");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ultimate<T> {
    head: Vec<T>,
    // Not empty; no power of a shorter cycle; its last term is not the last of the head.
    cycle: Vec<T>,
}

impl<T> Ultimate<T> {
    /// The terms before the least place from which the sequence repeats. O(1).
    ///
    /// ```
    /// let sequence = ultimate::Ultimate::new(vec![4, 2], vec![3]).unwrap();
    /// assert_eq!(sequence.head(), [4, 2]);
    /// ```
    pub fn head(&self) -> &[T] {
        &self.head
    }

    /// The shortest list of terms that repeats; it is not empty. O(1).
    ///
    /// ```
    /// let sequence = ultimate::Ultimate::new(vec![4, 2], vec![3]).unwrap();
    /// assert_eq!(sequence.cycle(), [3]);
    /// ```
    pub fn cycle(&self) -> &[T] {
        &self.cycle
    }

    /// The term at an index, which counts from 0. O(1).
    ///
    /// ```
    /// let sequence = ultimate::Ultimate::new(vec![4], vec![3, 5]).unwrap();
    /// assert_eq!([0, 1, 2, 9].map(|a| *sequence.at(a)), [4, 3, 5, 3]);
    /// ```
    pub fn at(&self, index: usize) -> &T {
        match index.checked_sub(self.head.len()) {
            None => &self.head[index],
            Some(beyond) => &self.cycle[beyond % self.cycle.len()],
        }
    }

    /// The term at an index of any size. O(digits of the index): one division by p.
    ///
    /// ```
    /// let sequence = ultimate::Ultimate::new(vec![4], vec![3, 5]).unwrap();
    /// assert_eq!(*sequence.get(&num_bigint::BigUint::from(10_u8).pow(100)), 5);
    /// ```
    pub fn get(&self, index: &BigUint) -> &T {
        match index.to_usize() {
            Some(index) => self.at(index),
            None => &self.cycle[residue(index, self.head.len(), self.cycle.len())],
        }
    }
}

impl<T: Eq> Ultimate<T> {
    /// The sequence that begins with `head` and then repeats `cycle`, neither necessarily the
    /// shortest. O(h + p): the cycle by the failure function of Knuth, Morris and Pratt, the head
    /// by one pass from its end.
    ///
    /// # Errors
    /// [`EmptyCycle`] if there is no term to repeat.
    ///
    /// ```
    /// use ultimate::Ultimate;
    /// let sequence = Ultimate::new(vec![7, 5], vec![3, 5, 3, 5]).unwrap();
    /// assert_eq!((sequence.head(), sequence.cycle()), (&[7][..], &[5, 3][..]));
    /// ```
    pub fn new(mut head: Vec<T>, mut cycle: Vec<T>) -> Result<Self, EmptyCycle> {
        if cycle.is_empty() {
            return Err(EmptyCycle);
        }
        let period = least_period(&cycle);
        if cycle.len().is_multiple_of(period) {
            cycle.truncate(period);
        }
        // The last terms of the head that also end the cycle, repeated backwards.
        let backwards = head.iter().rev().zip(cycle.iter().rev().cycle());
        let spare = backwards.take_while(|(head, cycle)| head == cycle).count();
        head.truncate(head.len() - spare);
        let turn = spare % cycle.len();
        cycle.rotate_right(turn);
        Ok(Self { head, cycle })
    }

    /// The sequence of the images. O(h + p) calls, once for each term of head and cycle.
    ///
    /// # Panics
    /// Only if `f` does.
    ///
    /// ```
    /// let sequence = ultimate::Ultimate::new(vec![4, 2], vec![3, 5]).unwrap();
    /// assert_eq!(sequence.map(|n| n % 2).to_string(), "[0, 0][1]^∞");
    /// ```
    pub fn map<U: Eq>(&self, mut f: impl FnMut(&T) -> U) -> Ultimate<U> {
        let head = self.head.iter().map(&mut f).collect();
        let cycle = self.cycle.iter().map(f).collect();
        Ultimate::new(head, cycle).expect("a cycle's image has as many terms")
    }
}

/// The residue modulo `period` of the distance of an index beyond a head.
pub(crate) fn residue(index: &BigUint, head: usize, period: usize) -> usize {
    ((index - head) % period).to_usize().expect("a residue is less than its modulus")
}

/// The least p such that terms p places apart are equal, at most the number of terms. O(p): the
/// failure function of Knuth, Morris and Pratt.
///
/// ```
/// assert_eq!(ultimate::least_period(&[1, 2, 1, 2, 1]), 2);
/// ```
pub fn least_period<T: Eq>(terms: &[T]) -> usize {
    let mut borders = vec![0_usize; terms.len()];
    let mut border = 0;
    for place in 1..terms.len() {
        while border > 0 && terms[place] != terms[border] {
            border = borders[border - 1];
        }
        border += usize::from(terms[place] == terms[border]);
        borders[place] = border;
    }
    terms.len() - border
}

impl<T: fmt::Display> fmt::Display for Ultimate<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.head.is_empty() {
            write_items(f, '[', &self.head, ']')?;
        }
        write_items(f, '[', &self.cycle, ']')?;
        f.write_str("^∞")
    }
}

/// A sequence that either ends or is ultimately periodic.
///
/// Both cases are canonical, so `==` is equality of the sequences.
///
/// ```
/// use ultimate::{FiniteOrPeriodic, Ultimate};
/// let row_4 = FiniteOrPeriodic::Finite(vec![4, 4, 4, 0]);
/// let row_5 = FiniteOrPeriodic::Periodic(Ultimate::new(vec![5, 3], vec![4, 4]).unwrap());
/// assert_eq!([row_4.to_string(), row_5.to_string()], ["[4, 4, 4, 0]", "[5, 3][4]^∞"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FiniteOrPeriodic<T> {
    /// The sequence ends; all its terms.
    Finite(Vec<T>),
    /// The sequence never ends.
    Periodic(Ultimate<T>),
}

impl<T> FiniteOrPeriodic<T> {
    /// The terms before the least place from which the sequence repeats; all terms, if it ends.
    /// O(1).
    ///
    /// ```
    /// use ultimate::FiniteOrPeriodic;
    /// assert_eq!(FiniteOrPeriodic::Finite(vec![2, 0]).head(), [2, 0]);
    /// ```
    pub fn head(&self) -> &[T] {
        match self {
            Self::Finite(terms) => terms,
            Self::Periodic(sequence) => sequence.head(),
        }
    }

    /// The ultimately periodic sequence; `None` if the sequence ends. O(1).
    ///
    /// ```
    /// use ultimate::{FiniteOrPeriodic, Ultimate};
    /// let ones = Ultimate::new(vec![], vec![1]).unwrap();
    /// assert_eq!(FiniteOrPeriodic::Periodic(ones.clone()).periodic(), Some(&ones));
    /// assert_eq!(FiniteOrPeriodic::Finite(vec![1]).periodic(), None);
    /// ```
    pub fn periodic(&self) -> Option<&Ultimate<T>> {
        match self {
            Self::Finite(_) => None,
            Self::Periodic(sequence) => Some(sequence),
        }
    }

    /// The term at an index, which counts from 0; `None` past the end. O(1).
    ///
    /// ```
    /// use ultimate::FiniteOrPeriodic;
    /// let row_1 = FiniteOrPeriodic::Finite(vec![2, 0]);
    /// assert_eq!([0, 1, 2].map(|a| row_1.at(a)), [Some(&2), Some(&0), None]);
    /// ```
    #[inline]
    pub fn at(&self, index: usize) -> Option<&T> {
        match self {
            Self::Finite(terms) => terms.get(index),
            Self::Periodic(sequence) => Some(sequence.at(index)),
        }
    }

    /// The term at an index of any size, which counts from 0; `None` past the end. O(digits of the
    /// index): one division by the length of the cycle.
    ///
    /// ```
    /// use num_bigint::BigUint;
    /// use ultimate::{FiniteOrPeriodic, Ultimate};
    /// let row_1 = FiniteOrPeriodic::Finite(vec![2, 0]);
    /// assert_eq!([0_u8, 1, 2].map(|a| row_1.get(&a.into())), [Some(&2), Some(&0), None]);
    /// let ones = FiniteOrPeriodic::Periodic(Ultimate::new(vec![], vec![1]).unwrap());
    /// assert_eq!(ones.get(&BigUint::from(10_u8).pow(100)), Some(&1_u64));
    /// ```
    pub fn get(&self, index: &BigUint) -> Option<&T> {
        match self {
            Self::Finite(terms) => terms.get(index.to_usize()?),
            Self::Periodic(sequence) => Some(sequence.get(index)),
        }
    }

    /// Term 0; `None` if the sequence is empty. O(1).
    ///
    /// ```
    /// use ultimate::{FiniteOrPeriodic, Ultimate};
    /// let sevens = Ultimate::new(vec![], vec![7]).unwrap();
    /// assert_eq!(FiniteOrPeriodic::Periodic(sevens).first(), Some(&7));
    /// assert_eq!(FiniteOrPeriodic::<u64>::Finite(vec![]).first(), None);
    /// ```
    pub fn first(&self) -> Option<&T> {
        self.at(0)
    }
}

impl<T: fmt::Display> fmt::Display for FiniteOrPeriodic<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(terms) => write_items(f, '[', terms, ']'),
            Self::Periodic(sequence) => sequence.fmt(f),
        }
    }
}

/// Sequences of naturals, finite or ultimately periodic: the index from which all of them repeat or
/// have ended, and the periods of those with a value in a window.
///
/// ```
/// let mut sequences = ultimate::Settled::default();
/// sequences.add(3, &[7, 4]);
/// sequences.add(5, &[1, 7, 7]);
/// sequences.add(4, &[]);
/// assert_eq!(sequences.from(), 5);
/// assert_eq!([sequences.modulus(2..=6), sequences.modulus(7..=7)], [2_u8.into(), 6_u8.into()]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Settled {
    from: u64,
    /// For each value the periods, but for 1, of the sequences that have it.
    periods: BTreeMap<u64, BTreeSet<u64>>,
}

impl Settled {
    /// Adds a sequence that repeats these values, its shortest period, from an index on; without
    /// values it has ended there. O(p log n).
    #[inline]
    pub fn add(&mut self, from: u64, values: &[u64]) {
        self.from = self.from.max(from);
        if values.len() > 1 {
            for &value in values {
                self.periods.entry(value).or_default().insert(values.len() as u64);
            }
        }
    }

    /// The least index from which all of them repeat or have ended.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// The periods, but for 1, of the sequences with a value in the window.
    pub fn periods(&self, window: RangeInclusive<u64>) -> impl Iterator<Item = u64> + '_ {
        self.periods.range(window).flat_map(|(_, periods)| periods).copied()
    }

    /// The least common multiple of these periods.
    pub fn modulus(&self, window: RangeInclusive<u64>) -> BigUint {
        let one = BigUint::from(1_u8);
        self.periods(window).fold(one, |modulus, period| modulus.lcm(&BigUint::from(period)))
    }
}
