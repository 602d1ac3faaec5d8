//! Ultimately periodic sequences of anything, in the paper's notation `[head][cycle]^∞`.
//!
//! Text: `[4, 2][3]^∞`, or `[3]^∞` where the head is empty.

use std::fmt;

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

    /// The number of a head's last terms that also end the cycle repeated backwards.
    fn spare(&self) -> usize
    where
        T: Eq,
    {
        let backwards = self.cycle.iter().rev().cycle();
        self.head.iter().rev().zip(backwards).take_while(|(head, cycle)| head == cycle).count()
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
    pub fn new(head: Vec<T>, mut cycle: Vec<T>) -> Result<Self, EmptyCycle> {
        if cycle.is_empty() {
            return Err(EmptyCycle);
        }
        let period = least_period(&cycle);
        if cycle.len().is_multiple_of(period) {
            cycle.truncate(period);
        }
        let mut sequence = Self { head, cycle };
        let spare = sequence.spare();
        sequence.head.truncate(sequence.head.len() - spare);
        let turn = spare % sequence.cycle.len();
        sequence.cycle.rotate_right(turn);
        Ok(sequence)
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

    /// Whether the representation is canonical: always. For tests; it uses the definition.
    #[doc(hidden)]
    pub fn is_valid(&self) -> bool {
        let long = self.cycle.len();
        let repeats = |p: &usize| (0..long).all(|i| self.cycle[i] == self.cycle[(i + p) % long]);
        long > 0 && !(1..long).any(|p| repeats(&p)) && self.head.last() != self.cycle.last()
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
