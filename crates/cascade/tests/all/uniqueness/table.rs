//! Fact 1 as it stands, cell by cell.

use std::iter;

use crate::window::cases::Random;

/// `f(q,r)` in all columns before some one, with more numbers that count as diagonal values:
/// section 7 of `proofs/uniqueness.md`. Chomp has none.
pub struct Table {
    /// The numbers that count as diagonal values, in increasing order.
    pub more: Vec<usize>,
    /// Column q has the values of rows 0 to q; `None` where the row ended before.
    columns: Vec<Vec<Option<usize>>>,
    /// For each column and number, the row that has it there.
    rows: Vec<Vec<Option<usize>>>,
    /// For each row, the column in which it ends, if that was reached.
    pub ends: Vec<Option<usize>>,
}

impl Table {
    pub fn of_chomp(columns: usize) -> Self {
        Self::new(columns, Vec::new())
    }

    /// With some numbers below 60 as diagonal values.
    pub fn perturbed(columns: usize, random: &mut Random) -> Self {
        let one_in = 2 + random.below(12);
        Self::new(columns, (1..60).filter(|_| random.below(one_in) == 0).collect())
    }

    pub fn new(columns: usize, more: Vec<usize>) -> Self {
        let numbers = 2 * columns + more.len() + 70;
        let mut table =
            Self { more, columns: Vec::new(), rows: Vec::new(), ends: vec![None; columns] };
        // (D), with 0.
        let mut on_diagonal = Numbers::below(numbers);
        iter::once(0).chain(table.more.iter().copied()).for_each(|p| on_diagonal.insert(p));
        // For each row that has begun, by (D) and (R).
        let mut by_the_row: Vec<Numbers> = Vec::new();
        for q in 0..columns {
            by_the_row.push(on_diagonal.clone());
            let mut column = Vec::new();
            let mut row_of = vec![None; numbers];
            // (C)
            let mut by_the_column = Numbers::below(numbers);
            for (r, by_the_row) in by_the_row.iter_mut().enumerate() {
                if table.ends[r].is_some() {
                    column.push(None);
                    continue;
                }
                let p = by_the_row.least_in_neither(&by_the_column, q);
                column.push(Some(p));
                row_of[p] = Some(r);
                by_the_column.insert(p);
                by_the_row.insert(p);
                if q == r {
                    on_diagonal.insert(p);
                }
                if p == q {
                    table.ends[r] = Some(q);
                }
            }
            table.columns.push(column);
            table.rows.push(row_of);
        }
        table
    }

    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    pub fn f(&self, q: usize, r: usize) -> Option<usize> {
        self.columns[q][r]
    }

    pub fn d(&self, q: usize) -> usize {
        self.f(q, q).unwrap()
    }

    /// The row that has a number in a column.
    pub fn row(&self, column: usize, number: usize) -> Option<usize> {
        self.rows[column][number]
    }

    pub fn has_below(&self, column: usize, number: usize, row: usize) -> bool {
        self.row(column, number).is_some_and(|b| b < row)
    }

    pub fn ended_before(&self, row: usize, column: usize) -> bool {
        self.ends[row].is_some_and(|end| end < column)
    }

    /// The ends in increasing order, each with its row: all that are less than the number of
    /// columns.
    pub fn sorted_ends(&self) -> Vec<(usize, usize)> {
        let ends = self.ends.iter().enumerate();
        let mut ends: Vec<_> = ends.filter_map(|(row, end)| Some(((*end)?, row))).collect();
        ends.sort_unstable();
        ends
    }

    /// How many of the numbers that count as diagonal values are less than this one.
    pub fn more_below(&self, number: usize) -> usize {
        self.more.partition_point(|&p| p < number)
    }

    /// Whether each row is finite, for the rows that have to end before the last column if at all
    /// (3.6).
    pub fn finite_rows(&self) -> Vec<bool> {
        (0..self.columns() / 2).map(|row| self.ends[row].is_some()).collect()
    }
}

/// A set of numbers, a bit each.
#[derive(Clone)]
struct Numbers(Vec<u64>);

impl Numbers {
    /// An empty set, for numbers below this one.
    fn below(end: usize) -> Self {
        Self(vec![0; end.div_ceil(64)])
    }

    fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// The least number from this one on that is in neither set.
    fn least_in_neither(&self, other: &Self, from: usize) -> usize {
        let mut wanted = u64::MAX << (from % 64);
        for word in from / 64.. {
            let free = !(self.0[word] | other.0[word]) & wanted;
            if free != 0 {
                return word * 64 + free.trailing_zeros() as usize;
            }
            wanted = u64::MAX;
        }
        unreachable!("a table has enough numbers")
    }
}
