//! Depth *heads*: computes every pre-period again, from the rules (fact 1 of `proofs/README.md`).
//! Fact 8 proves that this module does so; the invariants H1 to H4 are defined there.
//!
//! A cell (q,r) is column q in row r. It depends on the cells (q,c) with c < r, which block p in
//! its column, and on the cells (x,r) with x < q, which block p in its row. Any order in which
//! these come first will do. Here the columns are taken in groups of 24, and in each group the rows
//! in ascending order; a row computes its cells of the 24 columns at once. Meanwhile its state
//! stays in registers, and the columns stay in the cache. The threads take the groups in turns, and
//! pass the rows on to each other (module `ring`).
//!
//! A cell takes the least p that neither its column nor the row itself blocks. The p that a column
//! leaves free are a set of bits ([`column::Column`]). The p that the row itself blocks, by the
//! diagonal or by its past, are an interval that contains its diagonal value, and a few p near the
//! two ends: the row takes the p that the diagonal left free, downwards, and p above its largest,
//! upwards. So two words are enough: the p that the row leaves free below the interval, and above
//! it ([`words::Words`]). The words follow the interval, and nothing is assumed about its place: a
//! row that does not fit into its words is kept as intervals, and costs a search.
//!
//! In practice a cell takes constant time. Rows 0 to R have about 0.21·R² cells. A row takes 80
//! bytes, and a column one bit for each p up to 2q.
//!
//! The records must be certified at depth *tails* first. Both depths together prove every record
//! (fact 9): if the rows below r are as stated, the column blocks the p that fact 1 says, so the
//! offsets of row r up to `from`, and U(from), are right, and its certificate proves the rest. From
//! `from` on, or from an equivalent column on (Corollary 3a), the rows above use the `values` of
//! the row.

mod absorbed;
mod checkpoint;
mod column;
#[cfg(any(test, feature = "files"))]
mod restore;
mod ring;
mod row;
mod words;

use std::num::NonZero;

use record::Record;

pub(crate) use self::checkpoint::Checkpoint;
#[cfg(any(test, feature = "files"))]
pub use self::checkpoint::most_bytes;
use self::ring::{Heads, Tile};
use crate::CheckWatch;
use crate::error::EarlyEnd;

/// Cells beyond R² that rows 0 to R may take. They take about 0.23·R², counted with the words of
/// the columns. Where true certificates begin late, rows stay unsettled, and nothing bounds the
/// cost.
const CELLS_TO_LINGER: u64 = 1 << 31;

/// Checks the heads of rows 0, 1, ..., all of them certified at depth *tails*, from column 0 on, or
/// from a checkpoint that is assumed to be right.
pub(crate) fn check(
    rows: &[Record],
    threads: Option<NonZero<usize>>,
    start: Option<Checkpoint>,
    watch: &dyn CheckWatch,
) -> Result<(), EarlyEnd> {
    Heads::new(rows, Tile::with(threads), watch).check(start, most_cells(rows))
}

/// The most cells of a check of these rows.
pub(crate) fn most_cells(rows: &[Record]) -> u64 {
    let count = rows.len() as u64;
    count.saturating_mul(count).saturating_add(CELLS_TO_LINGER)
}

#[cfg(test)]
mod resume_tests;
#[cfg(test)]
mod tests;
