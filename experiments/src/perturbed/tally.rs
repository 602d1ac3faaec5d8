//! Tests which statements about Chomp hold in a recurrence that differs from Chomp's near the
//! origin (`proofs/uniqueness.md`, 7).
//!
//! The values come column by column, up to column 2R or so, and no row has a certificate. A row is
//! finite if it ends in one of these columns. Otherwise it is taken for periodic, and its period is
//! *read* from the last [`READ`] columns, which show at least two periods. Statements about the
//! columns in which a number occurs are decided for the numbers to R, since no later row has these.

use std::collections::BTreeSet;

use cascade::{LawReader, NoLaw, Perturbation, PerturbedColumns, Queue};
use census::statistics::{End, Estimates, PeriodicRows};
use ultimate::least_period;

/// The number of columns from which periods are read. They show periods to half of it.
pub const READ: u32 = 2048;

/// The cases of a statement in ascending order, each with whether it holds. A case is a row, a
/// column or a number; the statement says which.
pub type Cases = Vec<(u32, bool)>;

/// A statement: its name in the documents, and its cases in a recurrence.
pub type Statement = (&'static str, fn(&Tally) -> Cases);

/// The statements, in the order of the table.
pub const STATEMENTS: [Statement; 12] = [
    // Periodic rows r that were read. It fails for those with another `μ(r) - F(r)` than the last.
    ("(M): mean - F is constant", |of| {
        let last = of.means().last();
        of.means().map(|(row, less)| (row, last.is_some_and(|last| last.1 == less))).collect()
    }),
    // Ends to R. It fails for those that are in a row above the one that ends.
    ("(M*): no end in a row above", |of| {
        of.ends(|_, end, row| of.numbers[end as usize].highest_row <= Some(row))
    }),
    // Ends to R.
    ("no end is a diagonal value", |of| {
        let diagonal = of.diagonal();
        of.ends(|_, end, _| !diagonal.contains(&end))
    }),
    // Numbers from 1 to R that do not count as diagonal values from the outset.
    ("each n is end or diagonal value", |of| {
        let mut found = of.diagonal();
        found.extend(of.ends.iter().map(|&(end, _)| end));
        let numbers = (1..=of.last_row).filter(|n| !of.perturbation.diagonal.contains(n));
        numbers.map(|n| (n, found.contains(&n))).collect()
    }),
    // Columns to R.
    ("8.3: diagonal value is greatest", |of| {
        (0..).zip(&of.rows).map(|(q, row)| (q, row.is_greatest)).collect()
    }),
    // Ends x to R. Let x be the n-th end, and k the number of those numbers less than x that count
    // as diagonal values from the outset. It fails for those with another number of columns q < x
    // that have x, less n + k, than the last one.
    ("8.10: n-th end in n + k columns", |of| {
        let less = |n: usize, end: u32| {
            let expected = n + of.perturbation.diagonal.range(..end).count();
            i64::from(of.numbers[end as usize].number) - i64::try_from(expected).expect("a row")
        };
        let last = (1..).zip(&of.ends).last().map(|(n, at)| less(n, at.0));
        of.ends(|n, end, _| Some(less(n, end)) == last)
    }),
    // Theorem 5.1 of `proofs/cascade.md`: periodic rows that meet a known law. It fails for those
    // whose values contradict it.
    ("5.1: laws of all rows", |of| {
        let read = of.periodic.iter().filter(|row| row.mean.is_some());
        let known = read.filter(|row| matches!(row.met, Ok(_) | Err(NoLaw::Contradicted(_))));
        known.map(|row| (row.row, row.met.is_ok())).collect()
    }),
    // Corollary 5.2 there: periodic rows that meet a known law. It fails for those that have
    // another h by that law than by the finite rows.
    ("5.2: h from the finite rows", |of| {
        let met = |row: &PeriodicRow| Some((row.row, row.met.ok()?.holes == row.h));
        of.periodic.iter().filter_map(met).collect()
    }),
    // 8.10, second half: ends x to R. It fails for those whose columns q < x are not successive.
    ("8.10: these are successive", |of| {
        of.ends(|_, end, _| {
            let Columns { number, least, greatest, .. } = of.numbers[end as usize];
            number == 0 || greatest - least + 1 == number
        })
    }),
    // Finite rows.
    ("8.11: end is least off diagonal", |of| {
        of.finite().map(|(r, row, end)| (r, row.least.is_none_or(|least| end <= least))).collect()
    }),
    // Finite rows. It fails for those that end before a row below them.
    ("8.6: ends increase", |of| {
        let mut furthest = 0;
        of.finite()
            .map(|(r, _, end)| {
                let increases = end >= furthest;
                furthest = furthest.max(end);
                (r, increases)
            })
            .collect()
    }),
    // Periodic rows, with h by the finite rows.
    ("h <= 1", |of| of.periodic.iter().map(|row| (row.row, row.h <= 1)).collect()),
];

/// Rows 0 to R of a recurrence, from its columns.
#[derive(Debug, Default)]
pub struct Tally {
    pub perturbation: Perturbation,
    last_row: u32,
    pub rows: Vec<Row>,
    pub periodic: Vec<PeriodicRow>,
    /// The ends to R, each with its row.
    ends: Vec<(u32, u32)>,
    /// The columns of each number to R.
    numbers: Vec<Columns>,
}

/// The columns q of a number `p > q`, and the highest row that has it there.
#[derive(Clone, Copy, Debug, Default)]
struct Columns {
    number: u32,
    least: u32,
    greatest: u32,
    highest_row: Option<u32>,
}

#[derive(Debug, Default)]
pub struct Row {
    /// The diagonal value, and whether it is the greatest of its column.
    diagonal: u32,
    is_greatest: bool,
    /// The column in which it ends.
    pub end: Option<u32>,
    /// The least value off the diagonal before that.
    least: Option<u32>,
    /// The offsets in the last columns.
    last: Vec<u32>,
}

/// A periodic row.
#[derive(Debug)]
pub struct PeriodicRow {
    pub row: u32,
    /// Its h by the finite rows (`proofs/cascade.md`, 5.2).
    pub h: i64,
    /// One period of the offsets, from the first column on that was read; empty if the last columns
    /// do not repeat with a period to `READ / 2`.
    pub values: Vec<u64>,
    /// The mean of these.
    pub mean: Option<u64>,
    /// An error if a row below in the cluster was not read, or if the row contradicts the theorem.
    pub met: Result<MetLaw, NoLaw>,
}

/// The holes of a row by the law that it meets, the number of balls of the law, and how many of
/// them the row takes out (`proofs/cascade.md`, 5.1).
#[derive(Clone, Copy, Debug)]
pub struct MetLaw {
    pub holes: i64,
    pub balls: u64,
    pub taken: u64,
}

/// The first column from which periods are read, and the number of columns that are needed.
pub fn columns(perturbation: &Perturbation, last_row: u32) -> (u32, u32) {
    let cells = perturbation.cells.iter().map(|(_, number)| number);
    let reach = perturbation.diagonal.iter().chain(cells).max().unwrap_or(&0);
    let from = 2 * last_row + reach + 1;
    (from, from + READ)
}

impl Tally {
    /// Rows 0 to R of a recurrence; `None` once a column is not to be computed any more. Memory: 8
    /// KB for each row that does not end.
    pub fn of(
        perturbation: &Perturbation,
        last_row: u32,
        mut go_on: impl FnMut() -> bool,
    ) -> Option<Self> {
        let numbers = vec![Columns::default(); last_row as usize + 1];
        let own = perturbation.clone();
        let mut tally = Self { perturbation: own, last_row, numbers, ..Self::default() };
        let (from, columns) = columns(perturbation, last_row);
        for (column, values) in (0..columns).zip(PerturbedColumns::new(perturbation, last_row)) {
            tally.add(column, &values, column >= from);
            go_on().then_some(())?;
        }
        tally.read();
        Some(tally)
    }

    /// Takes the values of the next column: row and number, in row order.
    fn add(&mut self, column: u32, values: &[(u32, u32)], is_read: bool) {
        if column <= self.last_row {
            let (_, diagonal) = *values.last().expect("column q has a value in row q");
            let is_greatest = values.iter().all(|&(_, number)| number <= diagonal);
            self.rows.push(Row { diagonal, is_greatest, ..Row::default() });
        }
        for &(row, number) in values {
            let at = &mut self.rows[row as usize];
            let columns = self.numbers.get_mut(number as usize);
            if number == column {
                at.end = Some(column);
                self.ends.extend(columns.map(|_| (column, row)));
                continue;
            }
            if row != column {
                at.least = Some(at.least.map_or(number, |least| least.min(number)));
            }
            if is_read {
                at.last.push(number - column);
            }
            if let Some(of) = columns {
                let least = if of.number == 0 { column } else { of.least };
                let highest_row = of.highest_row.max(Some(row));
                *of = Columns { number: of.number + 1, least, greatest: column, highest_row };
            }
        }
    }

    /// Reads the periodic rows.
    fn read(&mut self) {
        let (mut queue, mut laws) = (Queue::default(), LawReader::default());
        for (row, of) in (0..).zip(&self.rows) {
            let Some(h) = queue.next(of.end.is_some()) else { continue };
            let (values, mean) = read(&of.last).unzip();
            let values = values.unwrap_or_default();
            // The law of the rows to one that was not read is not known, so there is none until the
            // next reset: no row has no values.
            let met = laws.next(row.into(), 0, &values);
            if let Some(mean) = mean.filter(|_| met.is_err() && h < 0) {
                laws.reset(mean);
            }
            let met =
                met.map(|of| MetLaw { holes: of.holes, balls: of.law.balls(), taken: of.taken });
            self.periodic.push(PeriodicRow { row, h, values, mean, met });
        }
    }

    /// `μ(r) - F(r)` of the periodic rows r that were read. For Chomp it is 1.
    pub fn means(&self) -> impl Iterator<Item = (u32, i64)> {
        let finite = |(place, of): (u32, &PeriodicRow)| {
            Some((of.row, of.mean?.cast_signed() - i64::from(of.row - place)))
        };
        (0..).zip(&self.periodic).filter_map(finite)
    }

    /// The finite rows, with their ends.
    fn finite(&self) -> impl Iterator<Item = (u32, &Row, u32)> {
        (0..).zip(&self.rows).filter_map(|(number, row)| Some((number, row, row.end?)))
    }

    /// The ends to R as cases, each from its n, itself and its row.
    fn ends(&self, holds: impl Fn(usize, u32, u32) -> bool) -> Cases {
        (1..).zip(&self.ends).map(|(n, &(end, row))| (end, holds(n, end, row))).collect()
    }

    fn diagonal(&self) -> BTreeSet<u32> {
        self.rows.iter().map(|row| row.diagonal).collect()
    }

    /// The periodic rows with D(r), and the estimates of D(r), of the ends and of the diagonal.
    pub fn statistics(&self) -> (PeriodicRows, Estimates) {
        let (mut periodic, mut estimates) = (PeriodicRows::default(), Estimates::default());
        let mut ends = (1..).zip(&self.ends).peekable();
        for (number, row) in (0..).zip(&self.rows) {
            periodic.add(number.into(), row.end.is_none());
            estimates.add(number.into(), row.diagonal.into(), row.end.map(u64::from));
            if let Some((n, &(column, row))) = ends.next_if(|(_, at)| at.0 == number + 1) {
                estimates.end(End { n, column: column.into(), row: row.into() });
            }
        }
        (periodic, estimates)
    }
}

/// One period of these offsets, if they show it twice, and its mean, if it is an integer.
fn read(last: &[u32]) -> Option<(Vec<u64>, u64)> {
    let period = least_period(last);
    let is_shown = (1..=last.len() / 2).contains(&period);
    let values: Vec<u64> = last[..period].iter().map(|&value| value.into()).collect();
    let (sum, number) = (values.iter().sum::<u64>(), period as u64);
    (is_shown && sum.is_multiple_of(number)).then(|| (values, sum / number))
}
