//! A checkpoint of a check of *heads*, between two groups of columns, as bytes.
//!
//! It has only data that the records do not state, or that take long to compute again. Numbers are
//! little-endian.
//!
//! | part | content |
//! |---|---|
//! | check | column q, the first of the next group, 4 bytes; rows, absorbed rows, cells that may still be computed, 8 bytes each |
//! | landmark | 0: a check that resumes begins without one |
//! | each live row | phase (0 computed, 1 repeats, 2 done), 1 byte; attend, last, base, hi, 4 bytes each; low, high, sum, 8 bytes each |
//! | its set | the number of its p, 4 bytes, and each of them, 4 bytes; or 2^32 - 1 if the row keeps words |
//!
//! The live rows are those from the absorbed ones up to row q (exclusive), or the last row. A check
//! that resumes from a checkpoint assumes that it is right. The reader only checks that each number
//! is in its range, so that the check ends.

use std::io::{self, Write};
use std::iter::once;

use super::absorbed::Absorbed;
use super::row::Live;
use super::words::Words;

/// The number of p in the place of a set, if the row keeps words.
pub(super) const NO_SET: u32 = u32::MAX;

/// A check of *heads* between two groups of columns.
pub(crate) struct Checkpoint<'a> {
    /// The first column of the next group.
    pub(crate) column: u32,
    pub(super) absorbed: Absorbed<'a>,
    pub(super) live: Vec<Live<'a>>,
}

/// The largest number of bytes of a checkpoint before this column.
///
/// By fact 8(e), all p of a set are less than 2q + 192.
#[cfg(any(test, feature = "files"))]
pub fn most_bytes(column: u64) -> u64 {
    const BEFORE_ROWS: u64 = 4 + 3 * 8 + 1;
    const OF_ROW: u64 = 1 + 4 * 4 + 3 * 8 + 4 + 192 * 4;
    let of_row = column.saturating_mul(2 * 4).saturating_add(OF_ROW);
    column.saturating_mul(of_row).saturating_add(BEFORE_ROWS)
}

/// Writes a checkpoint of a check of this number of rows. The live rows come in portions.
pub(super) fn save<'r, 'a: 'r>(
    column: u32,
    rows: u64,
    absorbed: &Absorbed,
    live: impl Iterator<Item = &'r Live<'a>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let numbers = [rows, absorbed.rows, absorbed.cells_left].map(u64::to_le_bytes);
    out.write_all(&[&column.to_le_bytes()[..], numbers.as_flattened(), &[0]].concat())?;
    live.map(of_row).try_for_each(|row| out.write_all(&row))
}

fn of_row(row: &Live) -> Vec<u8> {
    let Words { base, low, hi, high } = row.words;
    let set = row.far.as_deref();
    let count = set.map_or(NO_SET, |far| u32::try_from(far.len()).unwrap_or(NO_SET));
    let places = [row.attend, row.last, base, hi].into_iter().flat_map(u32::to_le_bytes);
    let words = [low, high, row.sum].into_iter().flat_map(u64::to_le_bytes);
    let set = once(count).chain(set.into_iter().flatten().copied()).flat_map(u32::to_le_bytes);
    once(row.phase as u8).chain(places).chain(words).chain(set).collect()
}
