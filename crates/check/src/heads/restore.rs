//! Reads a checkpoint of a check of *heads* ([`super::checkpoint`]).

use std::collections::BTreeSet;
use std::io::{self, Read};

use record::Record;

use super::absorbed::Absorbed;
use super::checkpoint::{Checkpoint, NO_SET};
use super::column::BITS;
use super::row::{Live, Phase};
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
        let [column] = places(source)?;
        let [of, absorbed, left] = words(source)?;
        let count = rows.len() as u64;
        if of != count {
            let last = of.saturating_sub(1);
            return Err(refused(format!("it is the state of a check of rows 0 to {last}")));
        }
        let begun = u64::from(column).min(count);
        if u64::from(column) > LARGEST_COLUMN || absorbed > begun || left > most_cells {
            return Err(refused("its numbers are out of their ranges"));
        }
        if bytes(source)? != [[0]] {
            return Err(refused("an earlier version kept a landmark in it"));
        }
        let mut numbered = (0..column).zip(rows);
        let mut below = Absorbed::none(most_cells);
        below.cells_left = left;
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
        [[0]] => Phase::Compute,
        [[1]] if record.periodic().is_some() => Phase::Repeat,
        [[2]] if record.periodic().is_none() => Phase::Done,
        _ => return Err(refused("a row has no such phase")),
    };
    let [attend, last, base, hi] = places(source)?;
    let [low, high, sum] = words(source)?;
    let [count] = places(source)?;
    live.words = Words { base, low, hi, high };
    (live.attend, live.last, live.sum) = (attend, last, sum);
    // By fact 8(e); the words of a row that keeps a set are past all p.
    let end = column.saturating_mul(2).saturating_add(192);
    let are_words = base.saturating_add(8) <= hi && hi <= end / BITS;
    let are_past = base == u32::MAX && hi == u32::MAX;
    let fits = if count == NO_SET { are_words } else { are_past };
    if attend > last || u64::from(last) > LARGEST_COLUMN || !fits {
        return Err(refused("the numbers of a row are out of their ranges"));
    }
    if count != NO_SET {
        let mut far = BTreeSet::new();
        for _ in 0..count {
            let [p] = places(source)?;
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

fn places<const N: usize>(source: &mut dyn Read) -> io::Result<[u32; N]> {
    Ok(bytes(source)?.map(u32::from_le_bytes))
}

fn words<const N: usize>(source: &mut dyn Read) -> io::Result<[u64; N]> {
    Ok(bytes(source)?.map(u64::from_le_bytes))
}

fn bytes<const SIZE: usize, const N: usize>(source: &mut dyn Read) -> io::Result<[[u8; SIZE]; N]> {
    let mut bytes = [[0; SIZE]; N];
    source.read_exact(bytes.as_flattened_mut()).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => refused("it is too short"),
        _ => error,
    })?;
    Ok(bytes)
}

fn refused(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.into())
}
