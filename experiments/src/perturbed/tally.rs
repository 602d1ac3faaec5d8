//! The statements, counted column by column.

use std::collections::BTreeSet;

use byrnes::Perturbation;
use cascade::{LawReader, NoLaw, Queue};
use census::statistics::{End, PeriodicRows, Strip};
use ultimate::least_period;

use super::statistics::{PeriodicRow, PerturbedStatistics, READ, Read};

/// Takes the columns of a recurrence, and counts on rows 0 to R where the statements fail.
#[derive(Clone, Debug)]
pub struct PerturbedTally {
    last_row: u32,
    /// The columns so far.
    column: u32,
    /// The first column from which periods are read.
    from: u32,
    found: PerturbedStatistics,
    /// The numbers that count as diagonal values from the outset, in increasing order.
    more: Vec<u32>,
    diagonal: BTreeSet<u32>,
    /// The columns of each number to R.
    numbers: Vec<Columns>,
    /// The ends to R, each with its row.
    ends: Vec<(u32, u32)>,
    /// By row: its diagonal value, its end, its least value off the diagonal, and its offsets in
    /// the last columns.
    rows: Vec<Row>,
}

/// The columns q of a number `p > q`, and the highest row that has it there.
#[derive(Clone, Copy, Debug, Default)]
struct Columns {
    number: u32,
    least: u32,
    greatest: u32,
    highest_row: u32,
}

#[derive(Clone, Debug)]
struct Row {
    diagonal: u32,
    end: Option<u32>,
    least: u32,
    last: Vec<u32>,
}

impl PerturbedTally {
    /// A tally for rows 0 to R of a recurrence, before column 0. Memory: 8 KB for each row that
    /// does not end.
    pub fn new(last_row: u32, perturbation: &Perturbation) -> Self {
        let cells = perturbation.cells().map(|(_, number)| number);
        let reach = perturbation.diagonal().chain(cells).max().unwrap_or(0);
        Self {
            more: perturbation.diagonal().collect(),
            last_row,
            column: 0,
            from: 2 * last_row + reach + 1,
            found: PerturbedStatistics::default(),
            diagonal: BTreeSet::new(),
            numbers: vec![Columns::default(); last_row as usize + 1],
            ends: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// The number of columns that are needed.
    pub fn columns(&self) -> u32 {
        self.from + READ
    }

    /// Takes the values of the next column: row and number, in row order. Some steps for each.
    ///
    /// # Panics
    /// If the column has other rows than those to R that have not ended.
    pub fn add(&mut self, values: &[(u32, u32)]) {
        let column = self.column;
        self.column += 1;
        if column <= self.last_row {
            let (_, diagonal) = *values.last().expect("column q has a value in row q");
            self.diagonal.insert(diagonal);
            let greatest = values.iter().all(|&(_, number)| number <= diagonal);
            self.found.diagonal_greatest.add(column.into(), greatest);
            self.rows.push(Row { diagonal, end: None, least: u32::MAX, last: Vec::new() });
        }
        for &(row, number) in values {
            let at = &mut self.rows[row as usize];
            if number == column {
                at.end = Some(column);
                self.end(row, column);
                continue;
            }
            if row != column {
                at.least = at.least.min(number);
            }
            if column >= self.from {
                at.last.push(number - column);
            }
            if let Some(columns) = self.numbers.get_mut(number as usize) {
                columns.add(column, row);
            }
        }
    }

    /// Row `row` ends in the column.
    fn end(&mut self, row: u32, column: u32) {
        let Some(columns) = self.numbers.get(column as usize) else { return };
        let is_above = columns.number > 0 && columns.highest_row > row;
        self.found.ends_not_above.add(column.into(), !is_above);
        let is_diagonal = self.diagonal.contains(&column);
        self.found.ends_not_diagonal.add(column.into(), !is_diagonal);
        self.ends.push((column, row));
    }

    /// The statistics of the rows.
    ///
    /// # Panics
    /// If there were fewer columns than [`Self::columns`].
    pub fn finish(mut self) -> PerturbedStatistics {
        assert_eq!(self.column, self.columns(), "all columns were added");
        self.numbers();
        self.columns_of_ends();
        let rows = std::mem::take(&mut self.rows);
        self.found.rows = rows.len() as u64;
        self.estimates(&rows);
        Walk::default().rows(&mut self.found, rows);
        self.found
    }

    fn estimates(&mut self, rows: &[Row]) {
        let mut ends = (1..).zip(&self.ends).peekable();
        for (number, row) in (0..).zip(rows) {
            let end = row.end.map(u64::from);
            self.found.estimates.add(number.into(), row.diagonal.into(), end);
            if let Some((n, &(column, row))) = ends.next_if(|(_, at)| at.0 == number + 1) {
                let end = End { n, column: column.into(), row: row.into() };
                self.found.estimates.end(end);
            }
        }
    }

    /// Numbers from 1 to R.
    fn numbers(&mut self) {
        let ends: BTreeSet<u32> = self.ends.iter().map(|&(end, _)| end).collect();
        for number in (1..=self.last_row).filter(|it| self.more.binary_search(it).is_err()) {
            let is_one = ends.contains(&number) || self.diagonal.contains(&number);
            self.found.ends_or_diagonal.add(number.into(), is_one);
        }
    }

    fn columns_of_ends(&mut self) {
        let less = |(n, &(end, _)): (usize, &(u32, u32))| {
            let expected = n + self.more.partition_point(|&number| number < end);
            i64::from(self.numbers[end as usize].number) - i64::try_from(expected).expect("a row")
        };
        let last = (1..).zip(&self.ends).last().map(less);
        for (n, at) in (1..).zip(&self.ends) {
            let end = at.0;
            let is_last = Some(less((n, at))) == last;
            self.found.columns_of_ends.add(end.into(), is_last);
            let Columns { number, least, greatest, .. } = self.numbers[end as usize];
            let successive = number == 0 || greatest - least + 1 == number;
            self.found.successive_columns.add(end.into(), successive);
        }
    }
}

impl Columns {
    fn add(&mut self, column: u32, row: u32) {
        if self.number == 0 {
            self.least = column;
        }
        self.number += 1;
        self.greatest = column;
        self.highest_row = self.highest_row.max(row);
    }
}

/// The rows in order.
#[derive(Default)]
struct Walk {
    row: u64,
    queue: Queue,
    laws: LawReader,
    furthest: u32,
    /// `μ - F` of the periodic rows that were read.
    means: Vec<(u64, i64)>,
}

impl Walk {
    fn rows(mut self, found: &mut PerturbedStatistics, rows: Vec<Row>) {
        for row in rows {
            match row.end {
                Some(end) => self.finite(found, end, row.least),
                None => self.periodic(found, &row.last),
            }
            let periodic = found.periodic.len() as u64;
            let distance = PeriodicRows::discrepancy_at(periodic, self.row);
            Strip::extend(&mut found.discrepancy, self.row, distance);
            self.row += 1;
        }
        found.mean_less_finite = self.means.last().map(|&(_, less)| less);
        for &(row, less) in &self.means {
            found.means.add(row, Some(less) == found.mean_less_finite);
        }
        found.largest_excess = self.queue.largest_excess().map_or(0, |(excess, _)| excess);
    }

    fn finite(&mut self, found: &mut PerturbedStatistics, end: u32, least: u32) {
        self.queue.next(true);
        found.ends.insert(self.row, end.into());
        found.ends_least.add(self.row, end <= least);
        found.ends_increase.add(self.row, end >= self.furthest);
        self.furthest = self.furthest.max(end);
    }

    fn periodic(&mut self, found: &mut PerturbedStatistics, last: &[u32]) {
        let row = self.row;
        let h = self.queue.next(false).unwrap_or_default();
        found.one_hole.add(row, h <= 1);
        // The period must show twice.
        let shows_twice = |period: &usize| (1..=last.len() / 2).contains(period);
        let read = Some(least_period(last)).filter(shows_twice).and_then(|period| {
            let values: Vec<u64> = last[..period].iter().map(|&value| value.into()).collect();
            let sum: u64 = values.iter().sum();
            sum.is_multiple_of(period as u64).then_some((values, sum / period as u64))
        });
        let finite = row - found.periodic.len() as u64;
        let read = read.map(|(values, mean)| {
            *found.periods.entry(values.len() as u64).or_default() += 1;
            self.means.push((row, mean.cast_signed() - finite.cast_signed()));
            let met = self.met(found, h, &values, mean);
            Read { values, mean, met }
        });
        if read.is_none() {
            found.unread += 1;
            // The law of the rows to this one is not known, so there is none until the next reset:
            // no row has no values.
            let _contradicted = self.laws.next(row, 0, &[]);
        }
        found.periodic.push(PeriodicRow { row, h, read });
    }

    /// The law that a row meets. All rows were read from the same column, which counts as column 0.
    fn met(
        &mut self,
        found: &mut PerturbedStatistics,
        h: i64,
        values: &[u64],
        mean: u64,
    ) -> Option<(u64, u64)> {
        let met = self.laws.next(self.row, 0, values);
        if matches!(met, Ok(_) | Err(NoLaw::Contradicted(_))) {
            found.laws.add(self.row, met.is_ok());
        }
        let Ok(met) = met else {
            if h < 0 {
                self.laws.reset(mean);
            }
            return None;
        };
        found.queue.add(self.row, met.holes == h);
        if met.holes >= 2 {
            let (all, fewer) = &mut found.taken;
            *if met.taken.cast_signed() == met.holes { all } else { fewer } += 1;
        }
        Some((met.law.balls(), met.taken))
    }
}
