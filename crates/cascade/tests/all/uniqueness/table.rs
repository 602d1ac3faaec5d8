//! Fact 1 as it stands, cell by cell.

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
        // (D), with 0; the row whose diagonal value a number is.
        let mut diagonal = vec![usize::MAX; numbers];
        diagonal[0] = 0;
        let mut always = vec![false; numbers];
        always[0] = true;
        table.more.iter().for_each(|&p| always[p] = true);
        let mut in_row = vec![vec![false; numbers]; columns];
        // All numbers from the column on and before this one are blocked by (D) or (R).
        let mut from = vec![0; columns];
        for q in 0..columns {
            let mut column = Vec::new();
            let mut row_of = vec![None; numbers];
            for (r, in_row) in in_row.iter_mut().enumerate().take(q + 1) {
                if table.ends[r].is_some() {
                    column.push(None);
                    continue;
                }
                let by_the_row = |p: usize| always[p] || diagonal[p] < r || in_row[p];
                from[r] = (from[r].max(q)..numbers).find(|&p| !by_the_row(p)).unwrap();
                let is_free = |p: &usize| row_of[*p].is_none() && !by_the_row(*p);
                let p = (from[r]..numbers).find(is_free).unwrap();
                column.push(Some(p));
                row_of[p] = Some(r);
                in_row[p] = true;
                if q == r {
                    diagonal[p] = r;
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
