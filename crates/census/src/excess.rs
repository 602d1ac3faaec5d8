//! The distance of a row's start from √2·r, exactly.

use std::cmp::Ordering;
use std::fmt;

use serde::Serialize;

use crate::Surd;

/// The number `start - √2·row` of a periodic row, ordered and printed without any rounding error in
/// between.
///
/// ```
/// use census::Excess;
/// let (row_120, row_400) = (Excess { row: 120, start: 170 }, Excess { row: 400, start: 566 });
/// assert!(row_400 > row_120);
/// assert_eq!(row_120.to_string(), "0.294");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "ExcessObject")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Excess {
    /// The row r.
    pub row: u64,
    /// Its start N(r).
    pub start: u64,
}

impl Excess {
    /// The number itself.
    pub fn distance(self) -> Surd {
        Surd::from_line(self.start, Surd::ROOT_2, self.row)
    }
}

impl Ord for Excess {
    /// Equal only for equal rows and starts.
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance().cmp(&other.distance())
    }
}

impl PartialOrd for Excess {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Three decimals, rounded down.
impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.distance().down(3).fmt(f)
    }
}

/// The number in JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExcessObject {
    row: u64,
    start: u64,
    distance: Surd,
}

impl From<Excess> for ExcessObject {
    fn from(excess: Excess) -> Self {
        Self { row: excess.row, start: excess.start, distance: excess.distance() }
    }
}
