//! The equation that would bound D(r), and the two estimates from which it follows: conditions (Z),
//! (P) and (Q) of `proofs/uniqueness.md`, 5. None of them is proved.

use serde::Serialize;

use super::tally::index;
use super::{Extreme, Strip};
use crate::Surd;

/// The errors of three estimates for rows 0 to R, all of them integers. F(r) is the number of
/// finite rows below row r.
#[derive(Clone, Debug, Serialize)]
pub struct Estimates {
    /// Of `F(F(b)) - 4F(b) + 2b`, for all rows b.
    pub equation: Option<Strip>,
    /// Of `E_b - 2b + F(b)`, for the finite rows b, which end at `E_b`.
    pub ends: Option<Strip>,
    /// Of `d_y - y - b(y)`, for all rows y, where b(y) is the greatest b with `2b - F(b) <= y`.
    pub diagonal: Option<Strip>,
    /// F(0), F(1), .., to the next row.
    #[serde(skip)]
    finite_below: Vec<u64>,
    /// b(y) for the last row y.
    #[serde(skip)]
    reached: u64,
}

impl Default for Estimates {
    /// No row yet.
    fn default() -> Self {
        Self { equation: None, ends: None, diagonal: None, finite_below: vec![0], reached: 0 }
    }
}

impl Estimates {
    /// Takes the next row, with its diagonal value, and its end if it is finite. O(1) on average.
    pub(super) fn add(&mut self, row: u64, diagonal: u64, end: Option<u64>) {
        let below = self.below(row);
        self.finite_below.push(below + u64::from(end.is_some()));

        let twice = self.below(below) + 2 * row;
        extend(&mut self.equation, row, Surd::from_line(twice, Surd::new(4, 0), below));
        if let Some(end) = end {
            extend(&mut self.ends, row, Surd::from_line(end + below, Surd::new(2, 0), row));
        }
        // 2b - F(b) is at least b, so b(y) <= y.
        while 2 * (self.reached + 1) <= row + self.below(self.reached + 1) {
            self.reached += 1;
        }
        let line = row + self.reached;
        extend(&mut self.diagonal, row, Surd::from_line(diagonal, Surd::new(1, 0), line));
    }

    /// F(r), r at most the number of rows.
    fn below(&self, row: u64) -> u64 {
        self.finite_below[index(row)]
    }
}

fn extend(strip: &mut Option<Strip>, n: u64, distance: Surd) {
    *strip = Some(Strip::with(*strip, Extreme { n, distance }));
}
