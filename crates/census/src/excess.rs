//! How far a row's start lies from √2·r, exactly.

use std::cmp::Ordering;
use std::fmt;

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
    /// The row r, at most 2⁵⁰.
    pub row: u64,
    /// Its start N(r), at most 2⁵⁰.
    pub start: u64,
}

impl Ord for Excess {
    /// `s1 - √2·r1 < s2 - √2·r2` iff `s1 - s2 < √2·(r1 - r2)`, and both sides may be squared if their
    /// signs are kept. Equal only for equal rows and starts, √2 being irrational.
    fn cmp(&self, other: &Self) -> Ordering {
        let signed_square = |a: u64, b: u64| {
            let difference = i128::from(a) - i128::from(b);
            difference * difference.abs()
        };
        signed_square(self.start, other.start).cmp(&(2 * signed_square(self.row, other.row)))
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
        let square = 2_000_000 * u128::from(self.row) * u128::from(self.row);
        let root = square.isqrt();
        let rounded_up = root + u128::from(root * root < square);
        let thousandths = 1000 * i128::from(self.start) - rounded_up.cast_signed();
        let sign = if thousandths < 0 { "-" } else { "" };
        let (whole, rest) = (thousandths.abs() / 1000, thousandths.abs() % 1000);
        f.pad(&format!("{sign}{whole}.{rest:03}"))
    }
}
