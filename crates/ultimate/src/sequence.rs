//! Ultimately periodic sequences of anything, in the paper's notation `[head][cycle]^∞`.
//!
//! Text: `[4, 2][3]^∞`, or `[3]^∞` where the head is empty; read also with `[]` for the empty head
//! and `^oo` for `^∞`, and not necessarily reduced. Terms may contain commas within brackets.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use crate::text::{Cursor, ParseError, write_items};

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

/// The least common multiple of two periods is more than [`MAX_TERMS`].
///
/// ```
/// use ultimate::{FiniteOrPeriodic, SetSequence, TooLong, Ultimate};
/// let [mut a, b] = [10_007, 10_009]
///     .map(|p| Ultimate::new(vec![], (0..p).collect()).unwrap())
///     .map(|numbers| SetSequence::singletons(&FiniteOrPeriodic::Periodic(numbers)));
/// assert_eq!(a.try_union_with(&b), Err(TooLong { periods: [10_007, 10_009] }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "sequences with the periods {} and {} cannot be combined: more than {MAX_TERMS} terms",
    periods[0], periods[1]
)]
pub struct TooLong {
    /// The two periods.
    pub periods: [usize; 2],
}

/// The least common multiple of two periods, if that many terms may be written out.
pub(crate) fn common_period(p: usize, q: usize) -> Result<usize, TooLong> {
    let period = (p / p.gcd(&q)).checked_mul(q).filter(|&period| period <= MAX_TERMS);
    period.ok_or(TooLong { periods: [p, q] })
}

/// An ultimately periodic sequence: a head, then a cycle repeated for ever.
///
/// Both are the shortest possible, however the sequence was made: `==`, `Hash` and the printed form
/// are those of the sequence. "h" and "p" below are the lengths of head and cycle.
///
/// Serde writes the fields `head` and `period`, rather than the text, so that the terms need be
/// neither printable nor readable; it refuses other forms.
///
/// ```
/// use ultimate::Ultimate;
/// let sequence = Ultimate::new(vec![4, 2, 3], vec![3, 3]).unwrap();
/// assert_eq!(sequence.to_string(), "[4, 2][3]^∞");
/// assert_eq!(sequence, "[4, 2][3]^oo".parse().unwrap());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Fields<T>", bound(deserialize = "T: Deserialize<'de> + Eq"))]
pub struct Ultimate<T> {
    head: Vec<T>,
    // Not empty; no power of a shorter cycle; its last term is not the last of the head.
    #[serde(rename = "period")]
    cycle: Vec<T>,
}

impl<T> Ultimate<T> {
    /// The sequence that is the same everywhere. O(1).
    ///
    /// ```
    /// assert_eq!(ultimate::Ultimate::constant(1).to_string(), "[1]^∞");
    /// ```
    #[must_use]
    pub fn constant(term: T) -> Self {
        Self { head: Vec::new(), cycle: vec![term] }
    }

    /// The terms before the least place from which the sequence repeats. O(1).
    ///
    /// ```
    /// let sequence: ultimate::Ultimate<u64> = "[4, 2][3]^∞".parse().unwrap();
    /// assert_eq!(sequence.head(), [4, 2]);
    /// ```
    #[must_use]
    pub fn head(&self) -> &[T] {
        &self.head
    }

    /// The shortest list of terms that repeats; it is not empty. O(1).
    ///
    /// ```
    /// let sequence: ultimate::Ultimate<u64> = "[4, 2][3]^∞".parse().unwrap();
    /// assert_eq!(sequence.cycle(), [3]);
    /// ```
    #[must_use]
    pub fn cycle(&self) -> &[T] {
        &self.cycle
    }

    /// The term at an index, which counts from 0. O(1).
    ///
    /// ```
    /// let sequence: ultimate::Ultimate<u64> = "[4][3, 5]^∞".parse().unwrap();
    /// assert_eq!([0, 1, 2, 9].map(|a| *sequence.at(a)), [4, 3, 5, 3]);
    /// ```
    #[must_use]
    pub fn at(&self, index: usize) -> &T {
        match index.checked_sub(self.head.len()) {
            None => &self.head[index],
            Some(beyond) => &self.cycle[beyond % self.cycle.len()],
        }
    }

    /// The term at an index of any size. O(digits of the index): one division by p.
    ///
    /// ```
    /// let sequence: ultimate::Ultimate<u64> = "[4][3, 5]^∞".parse().unwrap();
    /// assert_eq!(*sequence.get(&num_bigint::BigUint::from(10_u8).pow(100)), 5);
    /// ```
    #[must_use]
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
        cycle.truncate(shortest_period(&cycle));
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
    /// let sequence: ultimate::Ultimate<u64> = "[4, 2][3, 5]^∞".parse().unwrap();
    /// assert_eq!(sequence.map(|n| n % 2).to_string(), "[0, 0][1]^∞");
    /// ```
    #[must_use]
    pub fn map<U: Eq>(&self, mut f: impl FnMut(&T) -> U) -> Ultimate<U> {
        let head = self.head.iter().map(&mut f).collect();
        let cycle = self.cycle.iter().map(f).collect();
        Ultimate::new(head, cycle).expect("a cycle's image has as many terms")
    }

    /// Whether the representation is canonical: always. For tests; it uses the definition.
    #[doc(hidden)]
    #[must_use]
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

/// The least p such that the cyclic list repeats after p: n less the longest border, where that
/// divides n, and otherwise n.
fn shortest_period<T: Eq>(cycle: &[T]) -> usize {
    // borders[i] is the length of the longest proper border of the first i + 1 terms.
    let mut borders = vec![0_usize; cycle.len()];
    let mut border = 0;
    for index in 1..cycle.len() {
        while border > 0 && cycle[index] != cycle[border] {
            border = borders[border - 1];
        }
        if cycle[index] == cycle[border] {
            border += 1;
        }
        borders[index] = border;
    }
    let period = cycle.len() - border;
    if cycle.len().is_multiple_of(period) { period } else { cycle.len() }
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

impl<T> FromStr for Ultimate<T>
where
    T: FromStr + Eq,
    T::Err: fmt::Display,
{
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut cursor = Cursor::new(text);
        let (head, cycle) = cursor.head_and_cycle(|cursor| {
            let offset = cursor.offset();
            cursor
                .term()
                .parse()
                .map_err(|error| cursor.error_at(offset, format!("a term ({error})")))
        })?;
        let cycle = cycle.ok_or_else(|| cursor.error("`[`"))?;
        cursor.end()?;
        Ok(Self::new(head, cycle).expect("no empty cycle is read"))
    }
}

/// The stored form of a sequence, before it is known to be canonical.
#[derive(Deserialize)]
#[serde(rename = "Ultimate", deny_unknown_fields)]
struct Fields<T> {
    head: Vec<T>,
    #[serde(rename = "period")]
    cycle: Vec<T>,
}

impl<T: Eq> TryFrom<Fields<T>> for Ultimate<T> {
    type Error = String;

    fn try_from(Fields { head, cycle }: Fields<T>) -> Result<Self, String> {
        let stored = [head.len(), cycle.len()];
        let sequence = Self::new(head, cycle).map_err(|error| error.to_string())?;
        let shortest = [sequence.head.len(), sequence.cycle.len()];
        if stored == shortest {
            return Ok(sequence);
        }
        let [[h, p], [least_h, least_p]] = [stored, shortest];
        Err(format!(
            "a sequence is stored with a head of {h} and a period of {p} terms; the shortest are \
             {least_h} and {least_p}"
        ))
    }
}
