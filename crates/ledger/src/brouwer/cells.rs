//! Claims that only the cells decide: `census::statistics::CellStatistics`.

use census::Surd;
use census::statistics::{CellStatistics, Extreme, Occurrences, Strip};

use crate::evidence::{Evidence, too_few_cells};
use crate::verdict::{Finding, Found};

/// There are no exceptions.
fn none<T: Copy>(
    exceptions: Occurrences<T>,
    place: impl Fn(T) -> (u64, String),
    last: u64,
) -> Finding {
    let failure = exceptions.first.map(place).map(|(value, what)| {
        (value, format!("{} exceptions, the first at {what}", exceptions.number))
    });
    Finding::to(last, failure)
}

fn at_row(row: u64) -> (u64, String) {
    (row, format!("row {row}"))
}

/// `f(q,r) <= q + r + constant`; the constant is 1 in the paper.
pub fn bound(evidence: &Evidence, (constant,): (i64,)) -> Found {
    let cells = evidence.cells()?;
    let (excess, row, column) = cells.highest.ok_or_else(too_few_cells)?;
    let at = format!("first at q = {column}, r = {row}");
    let words = format!("the largest f(q,r) - q - r is {excess}, {at}");
    let (failure, figure) =
        if excess > constant { (Some((row, words)), String::new()) } else { (None, words) };
    Ok(Finding::to(cells.last_row, failure).with(figure))
}

/// The diagonal value is the largest of its column.
pub fn diagonal_largest(evidence: &Evidence, (): ()) -> Found {
    let (cells, place) = (evidence.cells()?, |column| (column, format!("column {column}")));
    Ok(none(cells.diagonal_not_largest, place, cells.last_row))
}

/// The last column `q_n` of a finite row occurs n times before it, and at the offsets 1 to n.
pub fn end_occurs(evidence: &Evidence, (): ()) -> Found {
    let (cells, place) = (evidence.cells()?, |(n, end)| (end, format!("q_{n} = {end}")));
    let found = none(cells.frequencies.exceptions, place, cells.complete_to);
    Ok(found.with(format!("{} ends", cells.frequencies.ends)))
}

/// Twice the number of times that the diagonal value `d_n` occurs differs from n by at most this.
pub fn diagonal_occurs(evidence: &Evidence, (within,): (i64,)) -> Found {
    let found = &evidence.cells()?.frequencies.diagonal;
    let Strip { least, largest } = found.twice.ok_or_else(too_few_cells)?;
    let too_small = least.distance < Surd::new(-within, 0);
    let right = !too_small && largest.distance <= Surd::new(within, 0);
    let [low, high] = [least, largest]
        .map(|extreme| format!("{} at n = {}", extreme.distance.nearest(0), extreme.n));
    let figure = format!("twice the number of occurrences, less n: least {low}, largest {high}");
    let Extreme { n, .. } = if too_small { least } else { largest };
    let failure = (!right).then(|| (n, format!("outside at n = {n}")));
    Ok(Finding::to(found.number.saturating_sub(1), failure).with(figure))
}

/// The off-diagonal minima of rows do not decrease.
pub fn minima_rise(evidence: &Evidence, (): ()) -> Found {
    minima(evidence, |cells| cells.minima.decreases)
}

/// Where minima stay the same, their column increases.
pub fn minima_columns(evidence: &Evidence, (): ()) -> Found {
    minima(evidence, |cells| cells.minima.repeated_before)
}

/// Where the minimum is the end of the row, the next one is larger.
pub fn minima_after_ends(evidence: &Evidence, (): ()) -> Found {
    minima(evidence, |cells| cells.minima.repeated_after_end)
}

fn minima(evidence: &Evidence, exceptions: fn(&CellStatistics) -> Occurrences<u64>) -> Found {
    let cells = evidence.cells()?;
    let found = none(exceptions(cells), at_row, cells.last_row);
    Ok(found.with(format!("the minimum stays the same {} times", cells.minima.repeated.number)))
}

/// The end of a finite row is its off-diagonal minimum.
pub fn end_is_minimum(evidence: &Evidence, (): ()) -> Found {
    let cells = evidence.cells()?;
    let found = none(cells.minima.end_not_minimum, at_row, cells.last_row);
    Ok(found.with(format!("{} finite rows", cells.minima.finite)))
}
