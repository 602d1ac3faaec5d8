//! The state of a check of *heads* between two groups of columns, as bytes.
//!
//! It has only what the records do not state, or what takes long to compute again. Numbers are
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
//! that resumes from a state assumes that it is right. The reader only checks that each number is
//! in its range, so that the check ends.

use std::io::{self, Read, Write};

use record::Record;

use super::absorbed::Absorbed;
use super::column::BITS;
use super::row::{LARGEST_COLUMN, Landmark, Live, Phase};
use super::words::Words;
use crate::intervals::Intervals;

/// A row that keeps words has this number of intervals.
const NO_INTERVALS: u32 = u32::MAX;

/// A check of *heads* between two groups of columns.
pub(crate) struct State<'a> {
    /// The first column of the next group.
    pub(super) column: u32,
    pub(super) absorbed: Absorbed<'a>,
    pub(super) live: Vec<Live<'a>>,
}

/// Writes a state of a check of this number of rows, the live rows of which come in parts.
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

impl<'a> State<'a> {
    /// Reads the state of a check of these rows, which may compute `most_cells` cells in all. The
    /// error is [`io::ErrorKind::InvalidData`] if the check had another number of rows, or if the
    /// bytes cannot be a state.
    pub(crate) fn restore(
        rows: &'a [Record],
        most_cells: u64,
        source: &mut dyn Read,
    ) -> io::Result<Self> {
        let column = u32::from_le_bytes(bytes(source)?);
        let [of, absorbed, left] = [(); 3].map(|()| bytes(source).map(u64::from_le_bytes));
        let (of, absorbed, left) = (of?, absorbed?, left?);
        let count = rows.len() as u64;
        if of != count {
            let last = of.saturating_sub(1);
            return Err(refused(format!("it is the state of a check of rows 0 to {last}")));
        }
        let begun = u64::from(column).min(count);
        if u64::from(column) > LARGEST_COLUMN || absorbed > begun || left > most_cells {
            return Err(refused("its numbers are out of their ranges"));
        }
        let landmark = match bytes(source)? {
            [0] => None,
            _ => Some(Landmark {
                row: u32::from_le_bytes(bytes(source)?),
                column: u32::from_le_bytes(bytes(source)?),
                filled: u32::from_le_bytes(bytes(source)?),
                above: u128::from_le_bytes(bytes(source)?),
            }),
        };
        let mut numbered = (0..column).zip(rows);
        let mut below = Absorbed::none(most_cells);
        (below.landmark, below.cells_left) = (landmark, left);
        for (row, record) in numbered.by_ref().take(usize::try_from(absorbed).unwrap_or(0)) {
            below.add(record, first(record, row)?);
        }
        let live = numbered.map(|(row, record)| restore_row(record, row, column, source));
        let live = live.collect::<io::Result<_>>()?;
        match source.read(&mut [0])? {
            0 => Ok(Self { column, absorbed: below, live }),
            _ => Err(refused("it is too long")),
        }
    }

    /// The first column that is not done.
    #[cfg(feature = "files")]
    pub(crate) fn column(&self) -> u64 {
        self.column.into()
    }

    /// The cells that were computed, as far as the records say where rows end.
    pub(super) fn cells(&self, rows: &[Record]) -> u64 {
        let rows = (0..self.column).zip(rows);
        let cells = rows.map(|(row, record)| {
            let end = super::row::last_column(record).saturating_add(1).min(self.column.into());
            end.saturating_sub(row.into())
        });
        cells.fold(0, u64::saturating_add)
    }
}

fn restore_row<'a>(
    record: &'a Record,
    row: u32,
    column: u32,
    source: &mut dyn Read,
) -> io::Result<Live<'a>> {
    let mut live = Live::new(record, row).map_err(|_| refused("a row is out of its range"))?;
    live.first = first(record, row)?;
    live.phase = match bytes(source)? {
        [0] => Phase::Compute,
        [1] if record.periodic().is_some() => Phase::Repeat,
        [2] if record.periodic().is_none() => Phase::Done,
        _ => return Err(refused("a row has no such phase")),
    };
    let [attend, last, base, hi] = [(); 4].map(|()| bytes(source).map(u32::from_le_bytes));
    let [low, high, sum] = [(); 3].map(|()| bytes(source).map(u64::from_le_bytes));
    (live.attend, live.last, live.sum) = (attend?, last?, sum?);
    live.words = Words { base: base?, low: low?, hi: hi?, high: high? };
    let Words { base, hi, .. } = live.words;
    let count = u32::from_le_bytes(bytes(source)?);
    // By fact 8(e); the words of a row that keeps intervals are past all p.
    let end = column.saturating_mul(2).saturating_add(192);
    let are_words = base.saturating_add(8) <= hi && hi <= end / BITS;
    let are_past = base == u32::MAX && hi == u32::MAX;
    let fits = if count == NO_INTERVALS { are_words } else { are_past };
    if live.attend > live.last || u64::from(live.last) > LARGEST_COLUMN || !fits {
        return Err(refused("the numbers of a row are out of their ranges"));
    }
    if count != NO_INTERVALS {
        let mut far = Intervals::default();
        let mut least = 0;
        for _ in 0..count {
            let begin = u32::from_le_bytes(bytes(source)?);
            let stop = u32::from_le_bytes(bytes(source)?);
            if begin < least || stop <= begin || stop > end {
                return Err(refused("the intervals of a row are out of order"));
            }
            far.append(begin..stop);
            least = stop;
        }
        live.far = Some(Box::new(far));
    }
    Ok(live)
}

/// The diagonal value of a row that has begun: the check has compared the one of its record.
fn first(record: &Record, row: u32) -> io::Result<u32> {
    let first = record.first().and_then(|first| u32::try_from(first).ok());
    let most = row.saturating_mul(2).saturating_add(1);
    let refused = || refused("a row that has begun states no diagonal value");
    first.filter(|first| (row..=most).contains(first)).ok_or_else(refused)
}

fn bytes<const N: usize>(source: &mut dyn Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => refused("it is too short"),
        _ => error,
    })?;
    Ok(bytes)
}

fn refused(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.into())
}
