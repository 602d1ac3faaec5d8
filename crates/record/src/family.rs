//! Families: the rows of levels and tails, or of levels and order ideals, that belong together.

use std::fmt;
use std::sync::Arc;

use crate::relations::RelationsError;
use crate::{GrowingPoset, Ideal, RowKey, Tail};

/// All rows of levels 0 to `level` with these lower rows: a set that holds, with a row, all rows
/// that it needs (facts 12 and 13). They are ordered by tail or ideal, then by level.
///
/// ```
/// use record::Family;
/// let family = Family::of_tails(1, "2,1".parse()?);
/// assert_eq!(family.to_string(), "levels 0 to 1, tails within (2,1)");
/// assert_eq!(family.keys().nth(7).unwrap().to_string(), "row 2 of level 1");
/// assert_eq!(family.count(), Some(10));
/// let family = Family::of_poset(0, "c[i] < d[i]\nd[2] < a".parse()?)?;
/// assert_eq!(family.to_string(), "level 0, 1 element beside two chains (2 ideals)");
/// assert_eq!(family.key(1).unwrap().to_string(), "ideal {a}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The highest level.
    pub level: u64,
    /// The lower rows of each level.
    pub lower: Lower,
}

/// The lower rows of a family, or the order ideals in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lower {
    /// All tails within this one.
    Within(Tail),
    /// The order ideals of a finite poset beside two growing chains.
    Ideals(Arc<Ideals>),
}

impl Family {
    /// The rows of levels 0 to `level` with the tails within `within`.
    pub fn of_tails(level: u64, within: Tail) -> Self {
        Self { level, lower: Lower::Within(within) }
    }

    /// The rows of levels 0 to `level` of a poset beside two growing chains.
    ///
    /// # Errors
    /// Too many ideals.
    pub fn of_poset(level: u64, poset: GrowingPoset) -> Result<Self, RelationsError> {
        Ok(Self { level, lower: Lower::Ideals(Arc::new(Ideals::new(poset)?)) })
    }

    /// Rows 0 to `last` of three-rowed Chomp at levels 0 to `level`.
    ///
    /// # Panics
    /// If `last` is 2^63 or more.
    pub fn three_rowed(level: u64, last: u64) -> Self {
        Self::of_tails(level, Tail::of_row(last))
    }

    /// The tail that contains the tails of the family; `None` if it has none.
    pub fn within(&self) -> Option<&Tail> {
        match &self.lower {
            Lower::Within(within) => Some(within),
            Lower::Ideals(_) => None,
        }
    }

    /// The rows, in their order.
    pub fn keys(&self) -> Box<dyn Iterator<Item = RowKey>> {
        let (level, family) = (self.level, self.clone());
        match &self.lower {
            Lower::Within(within) => Box::new(
                within
                    .within()
                    .flat_map(move |tail| (0..=level).map(move |g| RowKey::new(g, tail.clone()))),
            ),
            Lower::Ideals(_) => Box::new((0..).map_while(move |number| family.key(number))),
        }
    }

    /// The row of this number, counted from 0 in their order; `None` past the last one.
    ///
    /// O(1) if tails have one part, in proportion to the elements for an ideal, otherwise
    /// O(number).
    pub fn key(&self, number: u64) -> Option<RowKey> {
        let levels = self.level.checked_add(1)?;
        match &self.lower {
            Lower::Within(within) if within.parts().len() <= 1 => {
                let r = number / levels;
                (r <= within.first_column()).then(|| RowKey::of_row(number % levels, r))
            }
            Lower::Within(_) => self.keys().nth(usize::try_from(number).ok()?),
            Lower::Ideals(ideals) => {
                let ideal = usize::try_from(number / levels).ok()?;
                ideals.key(ideal, number % levels, self.level)
            }
        }
    }

    /// The number of a row, counted from 0 in their order; `None` if it is not in the family.
    ///
    /// O(1) if tails have one part, otherwise O(number).
    pub fn number(&self, key: &RowKey) -> Option<u64> {
        if self.last_of_rows().is_none() {
            return self.keys().position(|own| own == *key).map(|number| number as u64);
        }
        let row = key.row().filter(|row| Some(*row) <= self.last_of_rows())?;
        let level = Some(key.level).filter(|level| *level <= self.level)?;
        row.checked_mul(self.level.checked_add(1)?)?.checked_add(level)
    }

    /// The last row, if the tails have one part at most.
    fn last_of_rows(&self) -> Option<u64> {
        self.within().filter(|tail| tail.parts().len() <= 1).map(Tail::first_column)
    }

    /// Whether these are rows 0 to R of three-rowed Chomp at level 0; the R.
    pub fn last_row(&self) -> Option<u64> {
        self.last_of_rows().filter(|_| self.level == 0)
    }

    /// How many rows there are; `None` if that is 2^32 or more.
    pub fn count(&self) -> Option<u64> {
        let levels = self.level.checked_add(1)?;
        let of_level = match &self.lower {
            Lower::Within(within) => within.count_within()?,
            Lower::Ideals(ideals) => ideals.list().len() as u64,
        };
        of_level.checked_mul(levels).filter(|count| *count < 1 << 32)
    }
}

/// `rows 0 to 400, levels 0 to 6`; `level 0, tails within (3,2)`.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let levels = match self.level {
            0 => "level 0".to_owned(),
            level => format!("levels 0 to {level}"),
        };
        match &self.lower {
            Lower::Ideals(ideals) => write!(f, "{levels}, {ideals}"),
            Lower::Within(within) => match within.parts() {
                [] => write!(f, "{levels}, row 0"),
                [last] => write!(f, "{levels}, rows 0 to {last}"),
                _ => write!(f, "{levels}, tails within {within}"),
            },
        }
    }
}

/// A poset beside two growing chains, and the order ideals of its finite part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ideals {
    poset: GrowingPoset,
    list: Vec<Vec<usize>>,
}

impl Ideals {
    /// The order ideals of this poset.
    ///
    /// # Errors
    /// Too many of them.
    pub fn new(poset: GrowingPoset) -> Result<Self, RelationsError> {
        let list = poset.ideals()?;
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
        for &below in ideal.iter().flat_map(|element| poset.lower(*element)) {
            is_covered[below] = true;
        }
        let maximal = ideal.iter().filter(|element| !is_covered[**element]);
        let generators = maximal.map(|element| poset.name(*element).to_owned()).collect();
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
            let begins =
                (0..self.poset.len()).map(|element| self.poset.heights(element).over_d).max();
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
