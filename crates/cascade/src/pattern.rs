//! Patterns of rows. Stands on `proofs/cascade.md`, 1 and 2.

use std::fmt;

use record::joined;
use ultimate::Ultimate;

/// The values of a periodic row minus their mean, over one least period, in the rotation that is
/// least in the order of lists. So two patterns are equal if and only if they are rotations of each
/// other.
///
/// ```
/// use cascade::Pattern;
/// // Row 402, as on Brouwer's page.
/// let row_402 = Pattern::new(&[0, 1, 1, -2]);
/// assert_eq!((row_402.to_string(), row_402.period()), ("-2,0,1,1".to_owned(), 4));
/// assert_eq!(row_402, Pattern::new(&[1, 1, -2, 0, 1, 1, -2, 0]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern(Vec<i64>);

impl Pattern {
    /// The pattern of a row that has these values minus their mean in successive columns, for ever.
    /// Linear in their number.
    ///
    /// # Panics
    /// If the list is empty.
    pub fn new(values: &[i64]) -> Self {
        assert!(!values.is_empty(), "a pattern has values");
        Self(least_rotation(least_period(values.to_vec())))
    }

    /// The values minus their mean, one period of them.
    pub fn values(&self) -> &[i64] {
        &self.0
    }

    /// The least period.
    pub fn period(&self) -> usize {
        self.0.len()
    }
}

/// The values, comma-separated, as in the tables of periods.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&joined(&self.0, ","))
    }
}

/// The first period, of the least length, of a list that repeats for ever.
pub(crate) fn least_period<T: Eq + Clone>(list: Vec<T>) -> Vec<T> {
    let least = Ultimate::new(Vec::new(), list).map(|sequence| sequence.cycle().to_vec());
    least.unwrap_or_default()
}

/// The rotation that is least in the order of lists: of two candidates, each comparison moves the
/// loser past all places that it has lost, so the time is linear.
pub(crate) fn least_rotation<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    let length = list.len();
    let (mut one, mut other, mut same) = (0, 1, 0);
    while one < length && other < length && same < length {
        match list[(one + same) % length].cmp(&list[(other + same) % length]) {
            std::cmp::Ordering::Equal => {
                same += 1;
                continue;
            }
            std::cmp::Ordering::Greater => one += same + 1,
            std::cmp::Ordering::Less => other += same + 1,
        }
        if one == other {
            other += 1;
        }
        same = 0;
    }
    list.rotate_left(one.min(other));
    list
}
