//! Diagonal values and ends of finite rows as sets of numbers: each number is one or the other, or
//! both.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::Serialize;

use super::{End, Occurrences, Terms};
use crate::Surd;

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

/// Sorts numbers that come in row order, as far as no later row can add a number between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ascending {
    diagonal: BinaryHeap<Reverse<u64>>,
    ends: BinaryHeap<Reverse<(u64, u64)>>,
}

impl Ascending {
    /// Row r has the diagonal value d.
    pub(crate) fn diagonal(&mut self, value: u64) {
        self.diagonal.push(Reverse(value));
    }

    /// Row `row` ends at column `last`.
    pub(crate) fn end(&mut self, last: u64, row: u64) {
        self.ends.push(Reverse((last, row)));
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
            while let Some(value) = pop(&mut self.diagonal, |value| *value <= number) {
                on_diagonal |= value == number;
            }
            while let Some((last, row)) = pop(&mut self.ends, |(last, _)| *last <= number) {
                is_end |= last == number;
                ends.push(last, row);
                found(End { n: ends.columns.number, column: last, row });
            }
            match (on_diagonal, is_end) {
                (true, true) => complementarity.both.add(number),
                (false, false) => complementarity.neither.add(number),
                _ => {}
            }
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

/// The least member, if it is wanted.
fn pop<T: Ord>(heap: &mut BinaryHeap<Reverse<T>>, wanted: impl Fn(&T) -> bool) -> Option<T> {
    heap.peek()
        .is_some_and(|Reverse(least)| wanted(least))
        .then(|| heap.pop())?
        .map(|least| least.0)
}
