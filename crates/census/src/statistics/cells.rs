//! Statistics that need the cells of rows 0 to R: how often values occur, minima of rows, maxima of
//! columns.

use std::cmp::Reverse;

use record::{Record, Statement};
use serde::Serialize;

use super::ends::{Ascending, Complementarity, Ends};
use super::tally::{CellTally, Progressions, index};
use super::{End, Occurrences, Strip, Terms};
use crate::Surd;

/// The records that belong to the cells: rows 0 to R in order.
///
/// Diagonal values, ends, and the parts of periodic rows that are not visited cell by cell. Memory:
/// constant for each row.
#[derive(Clone, Debug, Default)]
pub struct CellCensus {
    diagonal: Vec<u64>,
    /// By row; `None` for a periodic one.
    ends: Vec<Option<u64>>,
    progressions: Progressions,
}

/// The statistics of the cells of rows 0 to R.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CellStatistics {
    /// The last row, R.
    pub last_row: u64,
    /// The P-positions `(p,q,r)` with p to this number all lie in rows 0 to R: the larger of R + 1
    /// and `m_R - 1` (fact 5), as far as values were counted.
    pub complete_to: u64,
    /// How often values occur (8.10).
    pub frequencies: ElementFrequencies,
    /// Row minima (8.11).
    pub minima: RowMinima,
    /// Columns, of 1 to R, whose diagonal value is not the largest of the column (8.3).
    pub diagonal_not_largest: Occurrences<u64>,
    /// The largest `f(q,r) - q - r`, and the first `(r, q)`, row by row, where it occurs. The paper
    /// says that it is at most 1 (8.1).
    pub highest: Option<(i64, u64, u64)>,
    /// The pairs `(q_n, r_n)` in order of q, as far as they are complete.
    pub ends: Ends,
    /// Whether diagonal values and ends are complementary, for the numbers 1 to `complete_to`.
    pub complementarity: Complementarity,
}

/// How often values occur, for values to [`CellStatistics::complete_to`]: the number of cells
/// `(q,r)`, `r <= q`, with `f(q,r) = c` and `q < c`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ElementFrequencies {
    /// The number of ends `q_n` that were tested.
    pub ends: u64,
    /// Those that do not occur exactly n times, at the offsets 1 to n: pairs `(n, q_n)`.
    pub exceptions: Occurrences<(u64, u64)>,
    /// How often diagonal values occur.
    pub diagonal: DiagonalFrequencies,
    /// Number of P-positions `(p,q,r)` with `p <= n`, for n from 0 to `complete_to`: A029899.
    #[serde(skip)]
    pub positions: Vec<u64>,
}

/// How often diagonal values `d_n` occur: about n/2 times, the 2005 paper says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiagonalFrequencies {
    /// The number of n that were tested: from 0 on, as long as `d_n` is at most `complete_to`.
    pub number: u64,
    /// *Twice* the number of occurrences, minus n. `None` for no n.
    pub twice: Option<Strip>,
}

/// Minima of rows off the diagonal, `m_r = min f(q,r)`, `q > r`, and the columns `k_r` where they
/// occur.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowMinima {
    /// `m_r`, r from 0 to R, next to √2·r.
    pub minima: Terms,
    /// Rows r + 1 with `m_(r+1) < m_r`; a theorem says that there are none.
    pub decreases: Occurrences<u64>,
    /// Rows r + 1 with `m_(r+1) = m_r`.
    pub repeated: Occurrences<u64>,
    /// Those of them where the column does not increase; a theorem says that there are none.
    pub repeated_before: Occurrences<u64>,
    /// Rows r + 1 with `d_(r+1) < m_r`; a theorem says that there are none.
    pub diagonal_below: Occurrences<u64>,
    /// The number of finite rows that were tested.
    pub finite: u64,
    /// Those of them whose end is not `m_r`: that there are none is open in the paper.
    pub end_not_minimum: Occurrences<u64>,
    /// Rows r + 1 with `m_(r+1) = m_r`, row r ending there; a theorem says that there are none.
    pub repeated_after_end: Occurrences<u64>,
}

impl CellCensus {
    /// Takes the next row. O(period).
    ///
    /// # Panics
    /// If rows do not come in order from row 0.
    pub fn add(&mut self, record: &Record) {
        assert_eq!(record.row(), self.diagonal.len() as u64, "rows come in order from row 0");
        self.diagonal.push(record.diagonal());
        match record.statement() {
            Statement::Empty { .. } => {}
            Statement::Finite(finite) => self.ends.push(Some(finite.last)),
            Statement::Periodic(periodic) => {
                self.ends.push(None);
                self.progressions.add(periodic);
            }
        }
    }

    /// The statistics, from the cells of the same rows: all `(q,r)` with `r <= q <= last` in a
    /// finite row and `r <= q < recurs` in a periodic one, each once. O(R log R), times the number
    /// of different periods.
    ///
    /// # Panics
    /// If there is no row, or if the tallies are not of these rows.
    pub fn finish(self, tallies: impl IntoIterator<Item = CellTally>) -> CellStatistics {
        let Self { diagonal, ends, progressions } = self;
        let last_row = (diagonal.len() as u64).checked_sub(1).expect("there is a row");
        let mut tally = CellTally::new(last_row);
        for part in tallies {
            tally.merge(&part);
        }
        progressions.complete(&mut tally);

        let minima = RowMinima::new(&tally, &diagonal, &ends);
        let decided = (last_row + 1).max(tally.minima[index(last_row)].0 - 1);
        let complete_to = decided.min(tally.values.len() as u64 - 1);
        let mut ascending = Ascending::default();
        for ((row, &value), end) in (0..).zip(&diagonal).zip(&ends) {
            ascending.add(value, None);
            if let Some(last) = end {
                ascending.add(*last, Some(row));
            }
        }
        let (mut complementarity, mut sorted) = (Complementarity::default(), Ends::default());
        let mut frequencies = ElementFrequencies::new(&tally, &diagonal, complete_to);
        ascending.decide(complete_to, &mut complementarity, &mut sorted, |end| {
            frequencies.end(end, &tally);
        });
        CellStatistics {
            last_row,
            complete_to,
            frequencies,
            minima,
            diagonal_not_largest: not_largest(&tally, &diagonal),
            highest: tally.highest.map(|(excess, Reverse((row, column)))| (excess, row, column)),
            ends: sorted,
            complementarity,
        }
    }
}

impl ElementFrequencies {
    fn new(tally: &CellTally, diagonal: &[u64], complete_to: u64) -> Self {
        let mut sum = 0;
        let counted = tally.values[..=index(complete_to)].iter().map(|value| {
            sum += value.number;
            sum
        });
        let positions = counted.collect();
        let diagonal = DiagonalFrequencies::new(tally, diagonal, complete_to);
        Self { ends: 0, exceptions: Occurrences::default(), diagonal, positions }
    }

    /// Takes `q_n`. Distinct cells of one value have distinct columns, so n of them below `q_n`
    /// have offsets of sum at least `1 + .. + n`, and exactly that only if the offsets are 1 to n.
    fn end(&mut self, End { n, column: last, .. }: End, tally: &CellTally) {
        self.ends += 1;
        let value = tally.values[index(last)];
        let others = value.number.saturating_sub(1);
        let is_as_said = others == n && value.offsets == n * (n + 1) / 2;
        self.exceptions.add_if(!is_as_said, (n, last));
    }
}

impl DiagonalFrequencies {
    fn new(tally: &CellTally, diagonal: &[u64], complete_to: u64) -> Self {
        let mut found = Self::default();
        for (n, &value) in (0..).zip(diagonal).take_while(|(_, value)| **value <= complete_to) {
            let twice = 2 * tally.values[index(value)].number;
            let distance = Surd::from_line(twice, Surd::new(1, 0), n);
            found.number += 1;
            Strip::extend(&mut found.twice, n, distance);
        }
        found
    }
}

impl RowMinima {
    fn new(tally: &CellTally, diagonal: &[u64], ends: &[Option<u64>]) -> Self {
        let mut found = Self { minima: Terms::new(Surd::ROOT_2, 0), ..Self::default() };
        for ((row, &(minimum, _)), end) in (0..).zip(&tally.minima).zip(ends) {
            found.minima.push(minimum);
            if let Some(last) = end {
                found.finite += 1;
                found.end_not_minimum.add_if(*last != minimum, row);
            }
        }
        for (next, pair) in (1_u64..).zip(tally.minima.windows(2)) {
            let [(low, low_column), (high, high_column)] = [pair[0], pair[1]];
            let (repeats, ends_there) = (high == low, ends[index(next - 1)] == Some(low));
            found.decreases.add_if(high < low, next);
            found.diagonal_below.add_if(diagonal[index(next)] < low, next);
            found.repeated.add_if(repeats, next);
            found.repeated_before.add_if(repeats && high_column <= low_column, next);
            found.repeated_after_end.add_if(repeats && ends_there, next);
        }
        found
    }
}

/// Columns `q >= 1` in which some cell below the diagonal has a value no less than the diagonal's.
fn not_largest(tally: &CellTally, diagonal: &[u64]) -> Occurrences<u64> {
    let mut found = Occurrences::default();
    for ((q, largest), on_diagonal) in (0..).zip(&tally.maxima).zip(diagonal) {
        found.add_if(largest >= on_diagonal, q);
    }
    found
}
