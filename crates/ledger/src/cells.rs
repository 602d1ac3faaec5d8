//! Claims that only the cells decide: `census::statistics::CellStatistics`.

use census::Surd;
use census::statistics::{CellStatistics, Extreme, Occurrences, Strip};
use serde::Deserialize;

use crate::evidence::Evidence;
use crate::verdict::{Examined, Finding};

/// A test on all cells of rows 0 to R.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum CellTest {
    /// `f(q,r) <= q + r + constant`.
    Bound {
        /// 1 in the paper.
        constant: i64,
    },
    /// The diagonal value is the largest of its column.
    DiagonalLargest,
    /// The last column `q_n` of a finite row occurs n times before it, and at the offsets 1 to n.
    EndOccurs,
    /// Twice the number of times that the diagonal value `d_n` occurs differs from n by at most
    /// this.
    DiagonalOccurs {
        /// The bound.
        within: u32,
    },
    /// The off-diagonal minima of rows do not decrease.
    MinimaRise,
    /// Where minima stay the same, their column increases.
    MinimaColumns,
    /// Where the minimum is the end of the row, the next one is larger.
    MinimaAfterEnds,
    /// The end of a finite row is its off-diagonal minimum.
    EndIsMinimum,
}

impl CellTest {
    /// The method, and the finding.
    pub(crate) fn examine(&self, evidence: &Evidence) -> Examined {
        let finding = evidence.cells.as_ref().map(|cells| match self {
            Self::Bound { constant } => bound(cells, *constant),
            Self::DiagonalLargest => none(
                cells.diagonal_not_largest,
                |column| (column, format!("column {column}")),
                cells.last_row,
                String::new(),
            ),
            Self::EndOccurs => none(
                cells.frequencies.exceptions,
                |(n, end)| (end, format!("q_{n} = {end}")),
                cells.complete_to,
                format!("{} ends", cells.frequencies.ends),
            ),
            Self::DiagonalOccurs { within } => diagonal_occurs(cells, *within),
            Self::MinimaRise => minima(cells, cells.minima.decreases),
            Self::MinimaColumns => minima(cells, cells.minima.repeated_before),
            Self::MinimaAfterEnds => minima(cells, cells.minima.repeated_after_end),
            Self::EndIsMinimum => none(
                cells.minima.end_not_minimum,
                |row| (row, format!("row {row}")),
                cells.last_row,
                format!("{} finite rows", cells.minima.finite),
            ),
        });
        let finding = finding.unwrap_or(Finding::OutOfReach { needs: 1 });
        finding.by("every cell of the rows, as the sweep decides it")
    }
}

/// There are no exceptions.
fn none<T: Copy>(
    exceptions: Occurrences<T>,
    place: impl Fn(T) -> (u64, String),
    last: u64,
    figure: String,
) -> Finding {
    let failure = exceptions.first.map(place).map(|(value, what)| {
        (value, format!("{} exceptions, the first at {what}", exceptions.number))
    });
    Finding::Each { failure, last, figure }
}

fn minima(cells: &CellStatistics, exceptions: Occurrences<u64>) -> Finding {
    let repeated = cells.minima.repeated.number;
    let place = |row: u64| (row, format!("row {row}"));
    none(exceptions, place, cells.last_row, format!("the minimum stays the same {repeated} times"))
}

fn bound(cells: &CellStatistics, constant: i64) -> Finding {
    let Some((excess, row, column)) = cells.highest else {
        return Finding::OutOfReach { needs: 1 };
    };
    let words = format!("the largest f(q,r) - q - r is {excess}, first at q = {column}, r = {row}");
    Finding::Each {
        failure: (excess > constant).then(|| (row, words.clone())),
        last: cells.last_row,
        figure: if excess > constant { String::new() } else { words },
    }
}

fn diagonal_occurs(cells: &CellStatistics, within: u32) -> Finding {
    let found = &cells.frequencies.diagonal;
    let Some(Strip { least, largest }) = found.twice else {
        return Finding::OutOfReach { needs: 1 };
    };
    let within = i64::from(within);
    let right = least.distance >= Surd::new(-within, 0) && largest.distance <= Surd::new(within, 0);
    let words = |extreme: Extreme| format!("{} at n = {}", extreme.distance.nearest(0), extreme.n);
    let words = format!(
        "twice the number of occurrences, less n: least {}, largest {}",
        words(least),
        words(largest)
    );
    let outside = if least.distance < Surd::new(-within, 0) { least } else { largest };
    Finding::Each {
        failure: (!right).then(|| (outside.n, format!("outside at n = {}", outside.n))),
        last: found.number.saturating_sub(1),
        figure: words,
    }
}
