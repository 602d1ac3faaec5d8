//! The row of a record.

use std::fmt;
use std::sync::Arc;

use crate::{Ideal, Tail};

/// A row: all positions with these lower rows and this Grundy value (fact 12 of
/// `proofs/README.md`). Row r of three-rowed Chomp is level 0 and the tail `(r)`. A row of a poset
/// beside two growing chains has an order ideal in the place of lower rows (fact 13).
///
/// A record needs three things of its key: the first column, the largest offset, and how it is
/// written.
///
/// ```
/// use record::RowKey;
/// assert_eq!(RowKey::new(0, "120".parse()?).to_string(), "row 120");
/// assert_eq!(RowKey::new(3, "120".parse()?).to_string(), "row 120 of level 3");
/// assert_eq!(RowKey::new(0, "3,2".parse()?).to_string(), "tail (3,2)");
/// assert_eq!(RowKey::new(1, "()".parse()?).to_string(), "row 0 of level 1");
/// # Ok::<(), record::TailError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowKey {
    /// The lower rows.
    pub tail: Tail,
    /// The Grundy value.
    pub level: u64,
    /// The order ideal; then there is no tail.
    pub ideal: Option<Arc<Ideal>>,
}

impl RowKey {
    /// The row of this level and tail.
    #[must_use]
    pub fn new(level: u64, tail: Tail) -> Self {
        Self { tail, level, ideal: None }
    }

    /// Row r of three-rowed Chomp at this level.
    ///
    /// # Panics
    /// If r is 2^63 or more.
    #[must_use]
    pub fn of_row(level: u64, r: u64) -> Self {
        Self::new(level, Tail::of_row(r))
    }

    /// The row of this level and order ideal.
    #[must_use]
    pub fn of_ideal(level: u64, ideal: Ideal) -> Self {
        Self { tail: Tail::default(), level, ideal: Some(Arc::new(ideal)) }
    }

    /// The first column of the statement: no shorter second row fits on the tail.
    #[must_use]
    pub fn first_column(&self) -> u64 {
        self.ideal.as_ref().map_or_else(|| self.tail.first_column(), |ideal| ideal.column)
    }

    /// The largest offset that the row can have (fact 12): `|t| + g + 1`. That of an ideal depends
    /// on its poset; here it is only less than 2^62.
    #[must_use]
    pub fn most_offset(&self) -> u64 {
        if self.ideal.is_some() {
            return 1 << 62;
        }
        self.tail.size().saturating_add(self.level).saturating_add(1)
    }

    /// The bottom row r, if the tail has no second part: then this is a row of three-rowed Chomp,
    /// and row 0 is that of two-rowed Chomp.
    #[must_use]
    pub fn row(&self) -> Option<u64> {
        (self.ideal.is_none() && self.tail.parts().len() <= 1).then(|| self.first_column())
    }

    /// Whether this is a row of P-positions of three-rowed Chomp.
    #[must_use]
    pub fn is_three_rowed(&self) -> bool {
        self.level == 0 && self.row().is_some()
    }
}

/// `row 120 of level 3`, `tail (3,2)`.
impl fmt::Display for RowKey {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (&self.ideal, self.row()) {
            (Some(ideal), _) => write!(f, "ideal {ideal}")?,
            (None, Some(row)) => write!(f, "row {row}")?,
            (None, None) => write!(f, "tail {}", self.tail)?,
        }
        if self.level == 0 { Ok(()) } else { write!(f, " of level {}", self.level) }
    }
}
