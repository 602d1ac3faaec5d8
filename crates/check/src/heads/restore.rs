//! Reads a checkpoint of a check of *heads* ([`super::checkpoint`]).

use std::collections::BTreeSet;
use std::io::{self, Read};

use record::Record;

use super::absorbed::Absorbed;
use super::checkpoint::{Checkpoint, NO_SET};
use super::column::BITS;
use super::row::{Landmark, Live, Phase};
use super::words::Words;
use crate::stated::LARGEST_COLUMN;

impl<'a> Checkpoint<'a> {
    /// Reads a checkpoint of a check of these rows, which may compute `most_cells` cells in all.
    /// The error is [`io::ErrorKind::InvalidData`] if the check had another number of rows, or if
    /// the bytes cannot be a checkpoint.
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
    // By fact 8(e); the words of a row that keeps a set are past all p.
    let end = column.saturating_mul(2).saturating_add(192);
    let are_words = base.saturating_add(8) <= hi && hi <= end / BITS;
    let are_past = base == u32::MAX && hi == u32::MAX;
    let fits = if count == NO_SET { are_words } else { are_past };
    if live.attend > live.last || u64::from(live.last) > LARGEST_COLUMN || !fits {
        return Err(refused("the numbers of a row are out of their ranges"));
    }
    if count != NO_SET {
        let mut far = BTreeSet::new();
        for _ in 0..count {
            let p = u32::from_le_bytes(bytes(source)?);
            if p >= end || far.last().is_some_and(|last| *last >= p) {
                return Err(refused("the set of a row is out of order"));
            }
            far.insert(p);
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
