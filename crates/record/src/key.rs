//! The row of a record.

use std::fmt;
use std::sync::{Arc, LazyLock};

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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowKey {
    lower: LowerRows,
    /// The Grundy value.
    pub level: u64,
}

/// The lower rows, or the order ideal in their place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum LowerRows {
    Tail(Tail),
    Ideal(Arc<Ideal>),
}

static NO_TAIL: LazyLock<Tail> = LazyLock::new(Tail::default);

/// Row 0 of level 0.
impl Default for RowKey {
    fn default() -> Self {
        Self::of_row(0, 0)
    }
}

impl RowKey {
    /// The row of this level and tail.
    pub fn new(level: u64, tail: Tail) -> Self {
        Self { lower: LowerRows::Tail(tail), level }
    }

    /// Row r of three-rowed Chomp at this level.
    ///
    /// # Panics
    /// If r is 2^63 or more.
    pub fn of_row(level: u64, r: u64) -> Self {
        Self::new(level, Tail::of_row(r))
    }

    /// The row of this level and order ideal.
    pub fn of_ideal(level: u64, ideal: Ideal) -> Self {
        Self { lower: LowerRows::Ideal(Arc::new(ideal)), level }
    }

    /// The lower rows; none in the place of an order ideal.
    pub fn tail(&self) -> &Tail {
        match &self.lower {
            LowerRows::Tail(tail) => tail,
            LowerRows::Ideal(_) => &NO_TAIL,
        }
    }

    /// The order ideal; `None` if the row has lower rows.
    pub fn ideal(&self) -> Option<&Ideal> {
        match &self.lower {
            LowerRows::Tail(_) => None,
            LowerRows::Ideal(ideal) => Some(ideal),
        }
    }

    /// The first column of the statement: no shorter second row fits on the tail.
    pub fn first_column(&self) -> u64 {
        match &self.lower {
            LowerRows::Tail(tail) => tail.first_column(),
            LowerRows::Ideal(ideal) => ideal.column,
        }
    }

    /// The largest offset that the row can have (fact 12): `|t| + g + 1`. That of an ideal depends
    /// on its poset; here it is only less than 2^62.
    pub fn most_offset(&self) -> u64 {
        match &self.lower {
            LowerRows::Tail(tail) => tail.size().saturating_add(self.level).saturating_add(1),
            LowerRows::Ideal(_) => 1 << 62,
        }
    }

    /// The bottom row r, if the tail has no second part: then this is a row of three-rowed Chomp,
    /// and row 0 is that of two-rowed Chomp.
    pub fn row(&self) -> Option<u64> {
        match &self.lower {
            LowerRows::Tail(tail) if tail.parts().len() <= 1 => Some(tail.first_column()),
            _ => None,
        }
    }

    /// Whether this is a row of P-positions of three-rowed Chomp.
    pub fn is_three_rowed(&self) -> bool {
        self.level == 0 && self.row().is_some()
    }
}

/// `row 120 of level 3`, `tail (3,2)`.
impl fmt::Display for RowKey {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (&self.lower, self.row()) {
            (LowerRows::Ideal(ideal), _) => write!(f, "ideal {ideal}")?,
            (LowerRows::Tail(_), Some(row)) => write!(f, "row {row}")?,
            (LowerRows::Tail(tail), None) => write!(f, "tail {tail}")?,
        }
        if self.level == 0 { Ok(()) } else { write!(f, " of level {}", self.level) }
    }
}
