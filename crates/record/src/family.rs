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
    /// What contains the tails.
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
    pub fn keys(&self) -> impl Iterator<Item = RowKey> + '_ {
        Tails::within(&self.within)
            .flat_map(|tail| (0..=self.level).map(move |level| RowKey::new(level, tail.clone())))
    }

    /// How many rows there are; `None` if that is 2^32 or more.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        let levels = self.level.checked_add(1)?;
        let count = Tails::count_within(&self.within)?.checked_mul(levels)?;
        (count < 1 << 32).then_some(count)
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
