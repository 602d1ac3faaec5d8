//! The ends of finite rows. Diagonal values and ends as sets of numbers: each number is one or the
//! other, or both. And the equation that would bound D(r), the two estimates from which it follows:
//! conditions (Z), (P) and (Q) of `proofs/uniqueness.md`, 5; and the counts of section 4 there,
//! which say the same of the ends. None of them is proved to be bounded.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::Serialize;

use super::tally::index;
use super::terms::{Strip, Terms};
use crate::Surd;
use crate::summary::Occurrences;

/// The ends of finite rows in ascending order: the pairs `(q,r)` with `f(q,r) = q` of the 2005
/// paper, section 8.6.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ends {
    /// `q_n`, n from 1, next to β·n: A029901.
    pub columns: Terms,
    /// `r_n`, n from 1, next to α·n: the row that ends at `q_n`. This is A029902 as long as it
    /// ascends.
    pub rows: Terms,
    /// `q_n - 3n` (8.8: `q_n <= 3n - 1`).
    pub thrice: Terms,
}

/// Whether A029900 and A029901 are complementary: whether each positive number is either a diagonal
/// value or the end of a finite row, and not both.
///
/// The first player's winning moves in the full board `(n,n,n)`, `n >= 1`, are one to `(n,q,q)`, if
/// n is the diagonal value `d_q`, and one to `(n,n,r)`, if n is the end of row r; so it is unique
/// exactly if n is not both. That n is one or the other is proved in the 2005 paper, section 8.5.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Complementarity {
    /// The numbers from 1 to this one are decided.
    pub decided: u64,
    /// Numbers that are both.
    pub both: Occurrences<u64>,
    /// Numbers that are neither; a theorem says that there are none.
    pub neither: Occurrences<u64>,
}

impl Default for Ends {
    fn default() -> Self {
        Self {
            columns: Terms::new(Surd::BETA, 1),
            rows: Terms::new(Surd::ALPHA, 1),
            thrice: Terms::new(Surd::new(3, 0), 1),
        }
    }
}

/// Sorts numbers that come in row order, as far as no later row can add a number between them:
/// diagonal values, and ends with their rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ascending(BinaryHeap<Reverse<(u64, Option<u64>)>>);

impl Ascending {
    /// A diagonal value, or the end of a row.
    pub(crate) fn add(&mut self, number: u64, row: Option<u64>) {
        self.0.push(Reverse((number, row)));
    }

    /// Decides all numbers to `limit`, which no later row has as diagonal value or end. Calls
    /// `found` with every end that becomes known.
    pub(crate) fn decide(
        &mut self,
        limit: u64,
        complementarity: &mut Complementarity,
        ends: &mut Ends,
        mut found: impl FnMut(End),
    ) {
        for number in complementarity.decided + 1..=limit {
            let (mut on_diagonal, mut is_end) = (false, false);
            while let Some(&Reverse((column, row))) = self.0.peek()
                && column <= number
            {
                self.0.pop();
                match row {
                    None => on_diagonal |= column == number,
                    Some(row) => {
                        is_end |= column == number;
                        ends.push(column, row);
                        found(End { n: ends.columns.number, column, row });
                    }
                }
            }
            complementarity.both.add_if(on_diagonal && is_end, number);
            complementarity.neither.add_if(!on_diagonal && !is_end, number);
            complementarity.decided = number;
        }
    }
}

impl Ends {
    fn push(&mut self, last: u64, row: u64) {
        self.columns.push(last);
        self.rows.push(row);
        self.thrice.push(last);
    }
}

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
        Strip::extend(&mut self.equation, row, Surd::from_line(twice, Surd::new(4, 0), below));
        if let Some(end) = end {
            Strip::extend(&mut self.ends, row, Surd::from_line(end + below, Surd::new(2, 0), row));
        }
        // 2b - F(b) is at least b, so b(y) <= y.
        while 2 * (self.reached + 1) <= row + self.below(self.reached + 1) {
            self.reached += 1;
        }
        let line = row + self.reached;
        Strip::extend(&mut self.diagonal, row, Surd::from_line(diagonal, Surd::new(1, 0), line));
        if let Some(End { n, column, row: of_end }) = self.last_end.filter(|it| it.column == row) {
            let columns = Surd::from_line(column + of_end + 1, Surd::new(1, 0), diagonal);
            Strip::extend(&mut self.columns_of_ends, n, columns);
        }
    }

    /// Takes the next end; all rows below its column have been taken.
    pub fn end(&mut self, end: End) {
        let End { n, column, row } = end;
        let rows = Surd::from_line(2 * row + 1, Surd::new(1, 0), column + n);
        Strip::extend(&mut self.rows_of_ends, n, rows);
        self.last_end = Some(end);
    }

    /// F(r), r at most the number of rows.
    fn below(&self, row: u64) -> u64 {
        row.checked_sub(1).map_or(0, |last| self.finite_below[index(last)])
    }
}
