//! Depth *heads*: every pre-period computed again from the rules (fact 1 of `proofs/README.md`).
//! That this module does so is fact 8: its invariants H1 to H5, and what keeps each of them.
//!
//! A cell (q, r) is column q in row r. It needs the cells (q, c) with c < r, which block offsets in
//! its column, and the cells (x, r) with x < q, which block p in its row. So any order will do in
//! which these come first. Here the columns go in groups: for q = 0, 16, 32, ... each row computes
//! its cells of 16 columns, one row after the other. A row's state stays in registers for these 16
//! cells, and the columns stay in the cache. Threads take the groups in turns; each row goes from
//! one thread to the next (module `ring`).
//!
//! A cell takes the least p that is blocked neither in its column nor by the row itself. The
//! column's p are one set of bits ([`column::Column`]). Those that the row itself blocks, by the
//! diagonal or by its own past, are an interval that holds its diagonal value, and a few p near its
//! two ends: a row goes down on the p that the diagonal left, and up past its highest. So two words
//! are enough, of the p that the row leaves free below the interval, and above it ([`row::Live`]).
//! The words follow the interval, and nothing is assumed about where it is: a row that does not fit
//! its words is kept as intervals, and costs a search.
//!
//! In practice a cell takes constant time, rows 0 to R about 0.21·R² cells, a row 80 bytes, and a
//! column one bit for each p to 2·q.
//!
//! This stands on the verdict of depth *tails*, and both together prove every record (fact 9): if
//! the rows below r are as stated, then the column holds what fact 1 says, so the offsets of row r
//! up to `from`, and U(from), are computed rightly, and its certificate gives the rest. A row whose
//! `from` is reached, or a column that is like it (Corollary 3a), serves the rows above by its
//! `values`.

mod absorbed;
mod column;
mod compare;
mod diagonal;
mod ring;
mod row;
mod settled;
mod words;

use std::num::NonZero;

use record::Record;

use self::ring::{Heads, Tile};
use crate::CheckWatch;
use crate::error::EarlyEnd;

/// Cells beyond R² that rows 0 to R may take. They take about 0.23·R², counted with the words of
/// the columns. Where true certificates begin late, rows stay unsettled, and nothing bounds the
/// cost.
const CELLS_TO_LINGER: u64 = 1 << 31;

/// Checks the heads of rows 0, 1, ..., all of them certified at depth *tails*.
pub(crate) fn check(
    rows: &[Record],
    threads: Option<NonZero<usize>>,
    watch: &dyn CheckWatch,
) -> Result<(), EarlyEnd> {
    let count = rows.len() as u64;
    let cells = count.saturating_mul(count).saturating_add(CELLS_TO_LINGER);
    Heads::new(rows, Tile::with(threads), watch).check(cells)
}

#[cfg(test)]
mod tests;
