//! The equation that would bound D(r), and the two estimates from which it follows: conditions (Z),
//! (P) and (Q) of `proofs/uniqueness.md`, 5; and the counts of section 4 there, which say the same
//! of the ends. None of them is proved to be bounded.

use serde::Serialize;

use super::tally::index;
use super::{Extreme, Strip};
use crate::Surd;

/// The errors of three estimates for rows 0 to R, all of them integers. F(r) is the number of
/// finite rows below row r.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimates {
    /// Of `F(F(b)) - 4F(b) + 2b`, for all rows b.
    pub equation: Option<Strip>,
    /// Of `E_b - 2b + F(b)`, for the finite rows b, which end at `E_b`.
    pub ends: Option<Strip>,
    /// Of `d_y - y - b(y)`, for all rows y, where b(y) is the greatest b with `2b - F(b) <= y`.
    pub diagonal: Option<Strip>,
    /// Of `2r_n - q_n - n + 1`, for the ends `q_n` to R + 1, by n. In Chomp it is `M - A - l` by
    /// 4.1.
    pub rows_of_ends: Option<Strip>,
    /// Of `q_n + r_n + 1 - d_(q_n)`, for the ends `q_n` to R, by n. In Chomp it is `M - N` by 4.1.
    pub columns_of_ends: Option<Strip>,
    /// F(1), F(2), .., to the next row; F(0) is 0.
    #[serde(skip)]
    finite_below: Vec<u64>,
    /// b(y) for the last row y.
    #[serde(skip)]
    reached: u64,
    /// The last end of those that are known, with its n and its row.
    #[serde(skip)]
    last_end: Option<End>,
}

/// An end `q_n`, in row `r_n`.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// n.
    pub n: u64,
    /// `q_n`.
    pub column: u64,
    /// `r_n`.
    pub row: u64,
}

impl Estimates {
    /// The estimates, with their names and the name of their index.
    pub fn named(&self) -> [(&'static str, &'static str, Option<Strip>); 5] {
        [
            ("F(F(b)) - 4F(b) + 2b", "b", self.equation),
            ("E_b - 2b + F(b)", "b", self.ends),
            ("d_y - y - b(y)", "y", self.diagonal),
            ("2r_n - q_n - n + 1", "n", self.rows_of_ends),
            ("q_n + r_n + 1 - d_(q_n)", "n", self.columns_of_ends),
        ]
    }

    /// Takes the next row, with its diagonal value, and its end if it is finite. The end that is
    /// its number, if there is one, has been taken. O(1) on average.
    pub fn add(&mut self, row: u64, diagonal: u64, end: Option<u64>) {
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
        if let Some(End { n, column, row: of_end }) = self.last_end.filter(|it| it.column == row) {
            let columns = Surd::from_line(column + of_end + 1, Surd::new(1, 0), diagonal);
            extend(&mut self.columns_of_ends, n, columns);
        }
    }

    /// Takes the next end; all rows below its column have been taken.
    pub fn end(&mut self, end: End) {
        let End { n, column, row } = end;
        let rows = Surd::from_line(2 * row + 1, Surd::new(1, 0), column + n);
        extend(&mut self.rows_of_ends, n, rows);
        self.last_end = Some(end);
    }

    /// F(r), r at most the number of rows.
    fn below(&self, row: u64) -> u64 {
        row.checked_sub(1).map_or(0, |last| self.finite_below[index(last)])
    }
}

fn extend(strip: &mut Option<Strip>, n: u64, distance: Surd) {
    *strip = Some(Strip::with(*strip, Extreme { n, distance }));
}
