//! D(r), the number of periodic rows to row r less (√2 - 1)(r + 1), and its rises, in integers.

use std::cmp::Ordering;
use std::ops::{Add, Sub};

/// `periodic - (√2 - 1)·rows`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    pub periodic: i64,
    pub rows: i64,
}

impl Balance {
    /// The change of D over the `difference` rows after a periodic row, up to the next one.
    pub fn step(difference: u64) -> Self {
        Self { periodic: 1, rows: difference.cast_signed() }
    }

    /// `⌊scale · D⌋`.
    pub fn floor(self, scale: i128) -> i128 {
        let whole = scale * i128::from(self.periodic + self.rows);
        let roots = scale * i128::from(self.rows);
        // √2 is irrational: no multiple of it but 0 is an integer.
        let root = (2 * roots * roots).isqrt();
        match roots.cmp(&0) {
            Ordering::Greater => whole - root - 1,
            Ordering::Equal => whole,
            Ordering::Less => whole + root,
        }
    }

    /// To the nearest decimal with three places.
    pub fn decimal(self) -> String {
        let thousandths = (self.floor(2000) + 1).div_euclid(2);
        let sign = if thousandths < 0 { "-" } else { "" };
        let thousandths = thousandths.abs();
        format!("{sign}{}.{:03}", thousandths / 1000, thousandths % 1000)
    }
}

impl Add for Balance {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { periodic: self.periodic + other.periodic, rows: self.rows + other.rows }
    }
}

impl Sub for Balance {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { periodic: self.periodic - other.periodic, rows: self.rows - other.rows }
    }
}

impl Ord for Balance {
    /// By the sign of the difference, which is that of its floor, or it is 0.
    fn cmp(&self, other: &Self) -> Ordering {
        let difference = *self - *other;
        if difference == Self::default() {
            return Ordering::Equal;
        }
        if difference.floor(1) < 0 { Ordering::Less } else { Ordering::Greater }
    }
}

impl PartialOrd for Balance {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
