//! The statistics of section 8 of the 2005 paper on a sequence that seems to follow a line:
//! differences of successive terms with their frequencies, and the strip about the line.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::summary::Occurrences;
use crate::{Decimal, Surd};

/// The differences of successive terms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Differences {
    /// Difference `a(n+1) - a(n)` -> how often, and the n of its first occurrence.
    pub counts: BTreeMap<i64, Occurrences<u64>>,
}

impl Differences {
    /// Number of differences: one less than there are terms.
    pub fn number(&self) -> u64 {
        self.counts.values().map(|occurrences| occurrences.number).sum()
    }

    /// The fraction of the differences that equal `difference`, to the nearest decimal with
    /// `places` places. `None` if there are no differences at all.
    pub fn frequency(&self, difference: i64, places: u32) -> Option<Decimal> {
        let met = self.counts.get(&difference).map_or(0, |occurrences| occurrences.number);
        let all = self.number();
        (all > 0).then(|| Decimal::ratio(met, all, places))
    }
}

/// A distance from a line, and where it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Extreme {
    /// The n of the term.
    pub n: u64,
    /// Its distance from the line, `a(n) - slope·n`.
    pub distance: Surd,
}

/// The narrowest strip along a line that holds the terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Strip {
    /// The least distance; of several terms with the same, the first.
    pub least: Extreme,
    /// The largest distance; of several terms with the same, the first.
    pub largest: Extreme,
}

impl Strip {
    /// Whether all terms lie strictly between `slope·n + low` and `slope·n + high`, as the papers
    /// print it. Decided in integers.
    ///
    /// ```
    /// use census::{Surd, statistics::Terms};
    /// let mut diagonal = Terms::new(Surd::ALPHA, 0);
    /// [1, 3, 4, 6, 8, 10, 11, 13, 15, 16].into_iter().for_each(|term| diagonal.push(term));
    /// let strip = diagonal.strip.unwrap();
    /// assert!(strip.within(&"-1.242".parse().unwrap(), &"2.141".parse().unwrap()));
    /// assert!(!strip.within(&"-1.242".parse().unwrap(), &"1".parse().unwrap())); // d_0 = 1
    /// ```
    pub fn within(&self, low: &Decimal, high: &Decimal) -> bool {
        self.least.distance.compare(low).is_gt() && self.largest.distance.compare(high).is_lt()
    }

    /// The least and the largest distance, to the nearest decimals with `places` places. This is
    /// how the 2005 paper and Brouwer's page print strips: for three places, the terms lie between
    /// the two with half a thousandth to spare on each side, but not always strictly between.
    pub fn nearest(&self, places: u32) -> [Decimal; 2] {
        [self.least, self.largest].map(|extreme| extreme.distance.nearest(places))
    }

    /// Its width: the largest distance minus the least.
    pub fn width(&self) -> Surd {
        self.largest.distance - self.least.distance
    }

    /// Takes one more term.
    pub fn extend(strip: &mut Option<Self>, n: u64, distance: Surd) {
        let extreme = Extreme { n, distance };
        let strip = strip.get_or_insert(Self { least: extreme, largest: extreme });
        if distance < strip.least.distance {
            strip.least = extreme;
        }
        if distance > strip.largest.distance {
            strip.largest = extreme;
        }
    }
}

/// A sequence as far as it is known, next to a line through 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Terms {
    /// The slope of the line.
    pub slope: Surd,
    /// The n of the first term.
    pub first_index: u64,
    /// The number of terms.
    pub number: u64,
    /// The last of them.
    pub last: Option<u64>,
    /// Their differences.
    pub differences: Differences,
    /// The strip along the line that holds them; `None` if there are none.
    pub strip: Option<Strip>,
}

impl Terms {
    /// No term yet; the first one will have the index `first_index`.
    pub fn new(slope: Surd, first_index: u64) -> Self {
        Self { slope, first_index, ..Self::default() }
    }

    /// The n of the last term.
    pub fn last_index(&self) -> Option<u64> {
        (self.number > 0).then(|| self.first_index + self.number - 1)
    }

    /// Takes the next term, below 2⁶³. A few comparisons.
    pub fn push(&mut self, term: u64) {
        let n = self.first_index + self.number;
        if let Some(last) = self.last {
            let difference = term.cast_signed() - last.cast_signed();
            self.differences.counts.entry(difference).or_default().add(n - 1);
        }
        let distance = Surd::from_line(term, self.slope, n);
        Strip::extend(&mut self.strip, n, distance);
        self.last = Some(term);
        self.number += 1;
    }
}
