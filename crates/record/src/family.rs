//! Which rows of levels and tails belong together.

use std::fmt;

use crate::{RowKey, Tail, Tails};

/// All rows of levels 0 to `level` with the tails within `within`: a set that holds, with a row,
/// all rows that it needs (fact 12). They are ordered by tail, then by level.
///
/// ```
/// use record::Family;
/// let family = Family { level: 1, within: "2,1".parse()? };
/// assert_eq!(family.to_string(), "levels 0 to 1, tails within (2,1)");
/// assert_eq!(family.keys().nth(7).unwrap().to_string(), "row 2 of level 1");
/// assert_eq!(family.count(), Some(10));
/// # Ok::<(), record::TailError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The highest level.
    pub level: u64,
    /// The tail that contains the tails of the family.
    pub within: Tail,
}

impl Family {
    /// Rows 0 to `last` of three-rowed Chomp at levels 0 to `level`.
    ///
    /// # Panics
    /// If `last` is 2^63 or more.
    #[must_use]
    pub fn three_rowed(level: u64, last: u64) -> Self {
        Self { level, within: Tail::of_row(last) }
    }

    /// The rows, in their order: by tail, then by level.
    pub fn keys(&self) -> impl Iterator<Item = RowKey> + use<> {
        let level = self.level;
        Tails::within(&self.within)
            .flat_map(move |tail| (0..=level).map(move |level| RowKey::new(level, tail.clone())))
    }

    /// The row of this number, counted from 0 in their order; `None` past the last one.
    ///
    /// O(1) if tails have one part, otherwise O(number).
    #[must_use]
    pub fn key(&self, number: u64) -> Option<RowKey> {
        match self.within.parts() {
            [] | [_] => {
                let levels = self.level.checked_add(1)?;
                let r = number / levels;
                (r <= self.within.first_column()).then(|| RowKey::of_row(number % levels, r))
            }
            _ => self.keys().nth(usize::try_from(number).ok()?),
        }
    }

    /// The number of a row, counted from 0 in their order; `None` if it is not in the family.
    ///
    /// O(1) if tails have one part, otherwise O(number).
    #[must_use]
    pub fn number(&self, key: &RowKey) -> Option<u64> {
        if key.level > self.level || !self.within.contains(&key.tail) {
            return None;
        }
        match self.within.parts() {
            [] | [_] => key.row()?.checked_mul(self.level.checked_add(1)?)?.checked_add(key.level),
            _ => self.keys().position(|own| own == *key).map(|number| number as u64),
        }
    }

    /// Whether these are rows 0 to R of three-rowed Chomp at level 0; the R.
    #[must_use]
    pub fn last_row(&self) -> Option<u64> {
        let is_three_rowed = self.level == 0 && self.within.parts().len() <= 1;
        is_three_rowed.then(|| self.within.first_column())
    }

    /// How many rows there are; `None` if that is 2^32 or more.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        let levels = self.level.checked_add(1)?;
        let tails = match self.within.parts() {
            [] | [_] => self.within.first_column() + 1,
            _ => Tails::count_within(&self.within)?,
        };
        tails.checked_mul(levels).filter(|count| *count < 1 << 32)
    }
}

/// `rows 0 to 400, levels 0 to 6`; `level 0, tails within (3,2)`.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let levels = match self.level {
            0 => "level 0".to_owned(),
            level => format!("levels 0 to {level}"),
        };
        match self.within.parts() {
            [] => write!(f, "{levels}, row 0"),
            [last] => write!(f, "{levels}, rows 0 to {last}"),
            _ => write!(f, "{levels}, tails within {}", self.within),
        }
    }
}
