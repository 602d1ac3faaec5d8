//! Sums and extremes over cells: a few additions and comparisons for each cell.
//!
//! The cells of periodic rows from column `recurs` of their certificates on repeat for ever, and
//! are never visited one by one. A row of period P is P *progressions*: cells `(q + kP, r)`, k = 0,
//! 1, ..., with one and the same offset. [`Progressions::complete`] adds them to a tally.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use record::Periodic;
use record::listeners::Cells;

/// Counts and extremes over cells `(q,r)`, `r <= q`, with values `p = f(q,r)`.
///
/// Cells may come in any order, divided in any way among any number of tallies: after
/// [`merge`](Self::merge) the result is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellTally {
    /// By p, from 0 on.
    pub(super) values: Vec<ValueTally>,
    /// By r: the least p with `q > r`, and its column; of two columns the first.
    pub(super) minima: Vec<(u64, u64)>,
    /// By q: the largest p with `r < q`, or 0.
    pub(super) maxima: Vec<u64>,
    /// The largest `p - q - r`, and the least `(r,q)` where it occurs.
    pub(super) highest: Option<(i64, Reverse<(u64, u64)>)>,
}

/// The cells with one value p.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ValueTally {
    /// Their number.
    pub number: u64,
    /// The sum of their offsets `p - q`.
    pub offsets: u64,
}

impl ValueTally {
    fn add(&mut self, cells: Self) {
        self.number += cells.number;
        self.offsets += cells.offsets;
    }
}

impl CellTally {
    /// A tally of rows 0 to `last_row`, without cells yet. It counts the values p up to
    /// `3/2·last_row + 2`. For all R tried so far, rows 0 to R determine the counts of fewer values
    /// than that.
    pub fn new(last_row: u64) -> Self {
        let rows = index(last_row + 1);
        Self {
            values: vec![ValueTally::default(); index(last_row + last_row / 2 + 3)],
            minima: vec![(u64::MAX, u64::MAX); rows],
            maxima: vec![0; rows],
            highest: None,
        }
    }

    /// The bytes of a tally of rows 0 to `last_row`.
    pub fn memory(last_row: u64) -> u64 {
        let bytes_of_row = 3 * size_of::<ValueTally>() / 2 + size_of::<[u64; 3]>();
        (last_row + 2) * bytes_of_row as u64
    }

    /// Adds the cells of another tally of the same rows.
    ///
    /// # Panics
    /// If it is one of other rows.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(self.minima.len(), other.minima.len(), "tallies of the same rows");
        for (here, &there) in self.values.iter_mut().zip(&other.values) {
            here.add(there);
        }
        for (here, there) in self.minima.iter_mut().zip(&other.minima) {
            *here = (*here).min(*there);
        }
        for (here, there) in self.maxima.iter_mut().zip(&other.maxima) {
            *here = (*here).max(*there);
        }
        self.highest = self.highest.max(other.highest);
    }
}

impl Cells for CellTally {
    #[inline]
    fn cell(&mut self, q: u64, r: u64, p: u64) {
        if let Some(value) = self.values.get_mut(index(p)) {
            value.add(ValueTally { number: 1, offsets: p - q });
        }
        if q > r {
            let minimum = &mut self.minima[index(r)];
            *minimum = (*minimum).min((p, q));
            if let Some(maximum) = self.maxima.get_mut(index(q)) {
                *maximum = (*maximum).max(p);
            }
        }
        let excess = (p - q).cast_signed() - r.cast_signed();
        if self.highest.is_none_or(|(most, _)| excess >= most) {
            self.highest = self.highest.max(Some((excess, Reverse((r, q)))));
        }
    }
}

/// An index into memory.
#[inline]
pub(super) fn index(n: u64) -> usize {
    usize::try_from(n).expect("what is indexed is in memory")
}

/// The progressions of all rows, by period.
#[derive(Clone, Debug, Default)]
pub(super) struct Progressions(BTreeMap<u64, Vec<Progression>>);

#[derive(Clone, Copy, Debug)]
struct Progression {
    row: u64,
    /// Its first column, at most `recurs + P - 1`.
    column: u64,
    offset: u64,
}

impl Progressions {
    /// Adds the values of a row. O(P).
    pub(super) fn add(&mut self, periodic: &Periodic) {
        let period = periodic.period();
        let progressions = self.0.entry(period).or_default();
        let first = periodic.certificate.recurs;
        progressions.extend((first..first + period).map(|column| {
            let offset = periodic.values[index((column - periodic.start) % period)];
            Progression { row: periodic.row, column, offset }
        }));
    }

    /// Adds the cells of all progressions to a tally that knows all other cells of the rows. For
    /// each period one walk along the values and one along the columns: a cell of a progression is
    /// one period after the cell before it.
    pub(super) fn complete(self, tally: &mut CellTally) {
        for (period, progressions) in self.0 {
            let mut values = vec![ValueTally::default(); tally.values.len()];
            let mut offsets = vec![0; tally.maxima.len()];
            for Progression { row, column, offset } in progressions {
                let p = column + offset;
                let minimum = &mut tally.minima[index(row)];
                *minimum = (*minimum).min((p, column));
                if let Some(value) = values.get_mut(index(p)) {
                    value.add(ValueTally { number: 1, offsets: offset });
                }
                if let Some(largest) = offsets.get_mut(index(column)) {
                    *largest = offset.max(*largest);
                }
            }
            for place in index(period)..values.len() {
                let before = values[place - index(period)];
                values[place].add(before);
            }
            tally.values.iter_mut().zip(values).for_each(|(value, more)| value.add(more));
            for place in index(period)..offsets.len() {
                offsets[place] = offsets[place].max(offsets[place - index(period)]);
            }
            for ((q, maximum), offset) in (0..).zip(&mut tally.maxima).zip(offsets) {
                if offset > 0 {
                    *maximum = (*maximum).max(q + offset);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use game::brouwer::Table;
    use record::listeners::{Cells, Visitor};
    use record::{Record, Statement};
    use sweep::band::{self, Options};
    use sweep::pointer;

    use super::super::tally::ValueTally;
    use super::*;

    /// The cells of the pointer engine, divided among three tallies, and the statements about its
    /// rows.
    struct Collected {
        tallies: [CellTally; 3],
        statements: Vec<Statement>,
    }

    impl Visitor for Collected {
        fn row(&mut self, row: Record, offsets: Option<&[u64]>) -> ControlFlow<()> {
            let r = row.row();
            for (q, offset) in (r..).zip(offsets.unwrap()) {
                self.tallies[index((q * q + r) % 3)].cell(q, r, q + offset);
            }
            self.statements.push(row.statement().clone());
            ControlFlow::Continue(())
        }
    }

    fn completed(last_row: u64) -> (CellTally, Vec<Statement>) {
        let tallies = [(); 3].map(|()| CellTally::new(last_row));
        let mut collected = Collected { tallies, statements: Vec::new() };
        pointer::rows(last_row + 1, &mut collected).unwrap();
        let Collected { tallies: [mut tally, second, third], statements } = collected;
        tally.merge(&third);
        tally.merge(&second);
        progressions(&statements).complete(&mut tally);
        (tally, statements)
    }

    fn progressions(statements: &[Statement]) -> Progressions {
        let mut progressions = Progressions::default();
        for statement in statements {
            if let Statement::Periodic(periodic) = statement {
                progressions.add(periodic);
            }
        }
        progressions
    }

    /// The tally of the P-positions of rows 0 to `last_row`, one by one, with columns to `columns`.
    fn one_by_one(last_row: u64, positions: impl Iterator<Item = (u64, u64, u64)>) -> CellTally {
        let mut tally = CellTally::new(last_row);
        let mut highest = Vec::new();
        for (p, q, r) in positions.filter(|(_, _, r)| *r <= last_row) {
            if let Some(ValueTally { number, offsets }) = tally.values.get_mut(index(p)) {
                (*number, *offsets) = (*number + 1, *offsets + p - q);
            }
            if q > r {
                tally.minima[index(r)] = tally.minima[index(r)].min((p, q));
            }
            if q > r && q <= last_row {
                tally.maxima[index(q)] = tally.maxima[index(q)].max(p);
            }
            highest.push((i64::try_from(p).unwrap() - i64::try_from(q + r).unwrap(), r, q));
        }
        let excess = highest.iter().map(|(excess, ..)| *excess).max().unwrap();
        let first =
            highest.iter().filter(|cell| cell.0 == excess).min_by_key(|cell| (cell.1, cell.2));
        tally.highest = first.map(|&(excess, row, column)| (excess, Reverse((row, column))));
        tally
    }

    fn assert_same(found: &CellTally, expected: &CellTally) {
        for (p, values) in found.values.iter().zip(&expected.values).enumerate() {
            assert_eq!(values.0, values.1, "value {p}");
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn tallies_are_those_of_brouwers_table() {
        // Every value that is counted is at most 3/2·260 + 2, and lies in a column to that number.
        let table = Table::up_to(393);
        let positions =
            || table.p_positions().map(|position| (position.p(), position.q(), position.r()));
        for last_row in (0..=25).chain([119, 120, 121, 200, 260]) {
            assert_same(&completed(last_row).0, &one_by_one(last_row, positions()));
        }
    }

    /// Periods 2, 3 and 4 (rows 120, 2027, 402), expanded column by column.
    #[test]
    fn progressions_are_all_cells_of_their_rows() {
        let last_row = 2100;
        let (found, statements) = completed(last_row);
        let mut expanded = CellTally::new(last_row);
        for statement in &statements {
            let Statement::Periodic(periodic) = statement else { continue };
            for q in periodic.certificate.recurs..=2 * last_row {
                let phase = (q - periodic.start) % periodic.period();
                expanded.cell(q, periodic.row, q + periodic.values[index(phase)]);
            }
        }
        let mut visited = CellTally::new(last_row);
        let mut progressions_only = CellTally::new(last_row);
        progressions(&statements).complete(&mut progressions_only);
        expanded.highest = None;
        assert_same(&progressions_only, &expanded);

        // The threads of the band engine divide the cells among them, and the sums are the same.
        let tally = || CellTally::new(last_row);
        let visit = &mut |_: Record| ControlFlow::Continue(());
        let (_, parts) =
            band::rows_and_cells(last_row + 1, Options::default(), visit, tally).unwrap();
        for part in &parts {
            visited.merge(part);
        }
        progressions(&statements).complete(&mut visited);
        assert_same(&visited, &found);
    }
}
