//! The families HIGH and LOW in numbers: their shares, and the medians of d/a.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use super::{FourRows, Fraction, HighOrLow, Lower};

/// The families of the a up to n. All medians are of d/a.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Families {
    /// n.
    pub to: u16,
    /// The number of LOW a from 1 to n; the others are HIGH.
    pub low: u16,
    /// The least median of a HIGH a, `5n/6 < a <= n`.
    pub least_high: Option<Fraction>,
    /// The largest median of a LOW a, `5n/6 < a <= n`.
    pub largest_low: Option<Fraction>,
    /// The median of all positions with a HIGH a, `9n/10 < a <= n`.
    pub high_median: Option<Fraction>,
    /// That with a LOW a.
    pub low_median: Option<Fraction>,
    /// x/a of the largest LOW a, whose winning opening leaves `(a,x,x,x)`: it is larger than all
    /// other d/a with this a, and tends to the share of LOW if it has a limit
    /// (`proofs/four-rows.md`, 2).
    pub bound: Option<Fraction>,
}

impl FourRows {
    /// The families of the a from 1 to `to`, at most the largest a that was taken. Costs
    /// `O(to²·log(to))` steps.
    ///
    /// # Panics
    /// If `to` is larger.
    pub fn families(&self, to: u16) -> Families {
        let above = |part: u32, whole: u32| {
            let a = u32::from(to) * part / whole + 1;
            u16::try_from(a).expect("at most the largest a")..=to
        };
        let [least_high, largest_low] = self.extreme_medians(above(5, 6));
        let is_low = |&a: &u16| self.of(a).family() == HighOrLow::Low;
        let median =
            |family| self.median(Lower::Last, above(9, 10), |counts| counts.family() == family);
        let bound = (1..=to)
            .rev()
            .find(is_low)
            .map(|a| Fraction { part: self.of(a).longest_last().into(), whole: a.into() });
        Families {
            to,
            low: u16::try_from((1..=to).filter(is_low).count()).expect("at most n"),
            least_high: least_high.map(|(_, median)| median),
            largest_low: largest_low.map(|(_, median)| median),
            high_median: median(HighOrLow::High),
            low_median: median(HighOrLow::Low),
            bound,
        }
    }

    /// The HIGH a of a range with the least median of d/a, and the LOW one with the largest, each
    /// with the median.
    ///
    /// # Panics
    /// If a position of the range was not taken.
    pub fn extreme_medians(&self, range: RangeInclusive<u16>) -> [Option<(u16, Fraction)>; 2] {
        let of = |family: HighOrLow, order: Ordering| {
            let members = range.clone().filter(|&a| self.of(a).family() == family);
            let medians =
                members.filter_map(|a| Some((a, self.median(Lower::Last, a..=a, |_| true)?)));
            medians.reduce(|best, next| if next.1.compare(best.1) == order { next } else { best })
        };
        [of(HighOrLow::High, Ordering::Less), of(HighOrLow::Low, Ordering::Greater)]
    }
}

impl Families {
    /// The least median of HIGH less the largest of LOW; `None` if a family is empty or the
    /// families overlap.
    pub fn gap(&self) -> Option<Fraction> {
        let (high, low) = (self.least_high?, self.largest_low?);
        high.minus(low)
    }
}
