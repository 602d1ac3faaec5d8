//! The distance of a row's start from √2·r, exactly.

use std::cmp::Ordering;
use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excess {
    /// The row r.
    pub row: u64,
    /// Its start N(r).
    pub start: u64,
}

impl Excess {
    /// The number itself.
    #[must_use]
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

/// An object: row, start, and the number.
impl Serialize for Excess {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Excess", 3)?;
        object.serialize_field("row", &self.row)?;
        object.serialize_field("start", &self.start)?;
        object.serialize_field("distance", &self.distance())?;
        object.end()
    }
}
