//! The order ideals of the finite part, and the keys of their rows.

use std::fmt;

use thiserror::Error;

use super::poset::GrowingPoset;
use crate::{Ideal, RowKey};

/// A poset beside two growing chains, and the order ideals of its finite part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ideals {
    poset: GrowingPoset,
    list: Vec<Vec<usize>>,
}

/// There are too many rows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the finite part has more than {} order ideals, whose rows would take minutes and gigabytes, or \
     they are too large; give fewer elements, or more relations",
    GrowingPoset::MOST_IDEALS
)]
pub struct TooManyIdeals;

impl Ideals {
    /// The order ideals of this poset.
    ///
    /// # Errors
    /// Too many of them.
    pub fn new(poset: GrowingPoset) -> Result<Self, TooManyIdeals> {
        let list = poset.ideals().ok_or(TooManyIdeals)?;
        Ok(Self { poset, list })
    }

    /// The poset.
    pub fn poset(&self) -> &GrowingPoset {
        &self.poset
    }

    /// The order ideals, each as its elements in ascending order: by their number of elements,
    /// then element by element.
    pub fn list(&self) -> &[Vec<usize>] {
        &self.list
    }

    /// The first column of the statements about the row of the ideal with this number.
    ///
    /// # Panics
    /// If there is no such ideal.
    pub fn column(&self, number: usize, level: u64) -> u64 {
        self.poset.regular_from(&self.list[number], level)
    }

    /// The row of the ideal with this number, in a family of levels 0 to `highest`.
    pub(crate) fn key(&self, number: usize, level: u64, highest: u64) -> Option<RowKey> {
        let ideal = self.list.get(number)?;
        let poset = &self.poset;
        let mut is_covered = vec![false; poset.len()];
        for &below in ideal.iter().flat_map(|element| &poset.lower[*element]) {
            is_covered[below] = true;
        }
        let maximal = ideal.iter().filter(|element| !is_covered[**element]);
        let generators = maximal.map(|element| poset.names[*element].clone()).collect();
        let (begins, column) = (poset.begins(ideal), self.column(number, level));
        Some(RowKey::of_ideal(
            level,
            Ideal { generators, begins, column, shift: self.shift(highest) },
        ))
    }

    /// The shift (fact 13 (d)) of levels 0 to `highest`: the shift of the rule of the chains, and
    /// without a rule one that leaves no offset less than 1.
    pub fn shift(&self, highest: u64) -> i64 {
        self.poset.rule.unwrap_or_else(|| {
            let begins = self.poset.heights.iter().map(|heights| heights.over_d).max();
            let least = begins.unwrap_or(0).saturating_add(highest) + self.poset.len() as u64 + 1;
            i64::try_from(least).unwrap_or(i64::MAX)
        })
    }
}

/// `7 elements beside two chains (12 ideals)`.
impl fmt::Display for Ideals {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (elements, ideals) = (self.poset.len(), self.list.len());
        let plural = if elements == 1 { "" } else { "s" };
        let of = if ideals == 1 { "1 ideal".to_owned() } else { format!("{ideals} ideals") };
        write!(f, "{elements} element{plural} beside two chains ({of})")
    }
}
