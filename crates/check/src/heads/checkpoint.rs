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
//! | its set | the number of its p, 4 bytes, and each of them, 4 bytes; or 2^32 - 1 if the row keeps words |
//!
//! The live rows are those from the absorbed ones up to row q (exclusive), or the last row. A check
//! that resumes from a checkpoint assumes that it is right. The reader only checks that each number
//! is in its range, so that the check ends.

use std::io::{self, Write};

use record::Record;

use super::absorbed::Absorbed;
use super::row::{Landmark, Live, Phase};
use super::words::Words;

/// The number of p in the place of a set, if the row keeps words.
pub(super) const NO_SET: u32 = u32::MAX;

/// A check of *heads* between two groups of columns.
pub(crate) struct Checkpoint<'a> {
    /// The first column of the next group.
    pub(super) column: u32,
    pub(super) absorbed: Absorbed<'a>,
    pub(super) live: Vec<Live<'a>>,
}

/// The largest number of bytes of a checkpoint before this column.
///
/// By fact 8(e), all p of a set are less than 2q + 192.
#[cfg(any(test, feature = "files"))]
pub fn most_bytes(column: u64) -> u64 {
    const BEFORE_ROWS: u64 = 4 + 3 * 8 + 1 + 3 * 4 + 16;
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
    let Some(far) = &row.far else { return out.write_all(&NO_SET.to_le_bytes()) };
    let count = u32::try_from(far.len()).map_err(io::Error::other)?;
    out.write_all(&count.to_le_bytes())?;
    far.iter().try_for_each(|p| out.write_all(&p.to_le_bytes()))
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
