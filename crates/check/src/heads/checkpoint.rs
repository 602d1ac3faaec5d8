//! A checkpoint of a check of *heads*, between two groups of columns, as bytes.
//!
//! It has only data that the records do not state, or that take long to compute again. Numbers are
//! little-endian.
//!
//! | part | content |
//! |---|---|
//! | check | column q, the first of the next group, 4 bytes; rows, absorbed rows, cells that may still be computed, 8 bytes each |
//! | landmark | 1 and row, column, filled, 4 bytes each, above, 16 bytes; or 0 |
//! | each live row | phase (0 computed, 1 repeats, 2 done), 1 byte; attend, last, base, hi, 4 bytes each; low, high, sum, 8 bytes each |
//! | its intervals | their number, 4 bytes, and the two ends of each, 4 bytes each; or 2^32 - 1 if it keeps words |
//!
//! The live rows are those from the absorbed ones up to row q (exclusive), or the last row. A check
//! that resumes from a checkpoint assumes that it is right. The reader only checks that each number
//! is in its range, so that the check ends.

use std::io::{self, Write};

use record::Record;

use super::absorbed::Absorbed;
use super::row::{Landmark, Live, Phase};
use super::words::Words;

/// A row that keeps words has this number of intervals.
pub(super) const NO_INTERVALS: u32 = u32::MAX;

/// A check of *heads* between two groups of columns.
pub(crate) struct Checkpoint<'a> {
    /// The first column of the next group.
    pub(super) column: u32,
    pub(super) absorbed: Absorbed<'a>,
    pub(super) live: Vec<Live<'a>>,
}

/// The largest number of bytes of a checkpoint before this column.
///
/// A row that began before column q keeps an interval for each p that it has taken since, and at
/// most 65 for the bits of its words.
#[cfg(any(test, feature = "files"))]
pub fn most_bytes(column: u64) -> u64 {
    const BEFORE_ROWS: u64 = 4 + 3 * 8 + 1 + 3 * 4 + 16;
    const OF_ROW: u64 = 1 + 4 * 4 + 3 * 8 + 4 + 65 * 8;
    let taken = column.saturating_mul(column.saturating_add(1)).saturating_mul(4);
    column.saturating_mul(OF_ROW).saturating_add(taken).saturating_add(BEFORE_ROWS)
}

/// Writes a checkpoint of a check of this number of rows. The live rows come in portions.
pub(super) fn save<'r, 'a: 'r>(
    column: u32,
    rows: u64,
    absorbed: &Absorbed,
    live: impl Iterator<Item = &'r Live<'a>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(&column.to_le_bytes())?;
    for number in [rows, absorbed.rows, absorbed.cells_left] {
        out.write_all(&number.to_le_bytes())?;
    }
    out.write_all(&[u8::from(absorbed.landmark.is_some())])?;
    if let Some(Landmark { row, column, filled, above }) = &absorbed.landmark {
        for number in [row, column, filled] {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(&above.to_le_bytes())?;
    }
    for row in live {
        save_row(row, out)?;
    }
    Ok(())
}

fn save_row(row: &Live, out: &mut dyn Write) -> io::Result<()> {
    let phase = match row.phase {
        Phase::Compute => 0,
        Phase::Repeat => 1,
        Phase::Done => 2,
    };
    out.write_all(&[phase])?;
    let Words { base, low, hi, high } = row.words;
    for number in [row.attend, row.last, base, hi] {
        out.write_all(&number.to_le_bytes())?;
    }
    for number in [low, high, row.sum] {
        out.write_all(&number.to_le_bytes())?;
    }
    let Some(far) = &row.far else { return out.write_all(&NO_INTERVALS.to_le_bytes()) };
    let intervals = far.all();
    let count = u32::try_from(intervals.len()).map_err(io::Error::other)?;
    out.write_all(&count.to_le_bytes())?;
    for (begin, end) in intervals {
        out.write_all(&begin.to_le_bytes())?;
        out.write_all(&end.to_le_bytes())?;
    }
    Ok(())
}

impl Checkpoint<'_> {
    /// The first column that is not done.
    #[cfg(feature = "files")]
    pub(crate) fn column(&self) -> u64 {
        self.column.into()
    }

    /// The cells that were computed, as far as the records say where rows end.
    pub(super) fn cells(&self, rows: &[Record]) -> u64 {
        let rows = (0..self.column).zip(rows);
        let cells = rows.map(|(row, record)| {
            let end = crate::stated::last_column(record).saturating_add(1).min(self.column.into());
            end.saturating_sub(row.into())
        });
        cells.fold(0, u64::saturating_add)
    }
}
