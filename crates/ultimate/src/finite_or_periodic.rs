//! A sequence that is *finite or ultimately periodic*, as the papers say.
//!
//! Text: `[3, 1, 0]` if it is finite, and otherwise the text of the [`Ultimate`], `[4, 2][3]^∞`.

use std::fmt;

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::Ultimate;
use crate::text::write_items;

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
