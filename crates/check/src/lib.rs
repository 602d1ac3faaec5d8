//! An independent checker of row records: it reads them, trusts nothing, and knows no engine.
//!
//! | depth | what it proves | module |
//! |---|---|---|
//! | *structure* | the files are whole, canonical and in order; nothing about Chomp | `record` |
//! | *tails* | assuming the heads, `first`, `last` and each U(from): every periodic row is as stated from `from` on | `certificate`, `tails` |
//! | *heads* | those assumptions; minimal starts; the fingerprints. With *tails*: every row, unconditionally (fact 9) | `heads` |
//!
//! Rows of levels and tails (format 2) are checked at the same depths by the module `keyed`.
//!
//! The strict reader of `record` is shared with the programs that write records. It computes no
//! offset, and every offset, column and state that a record states is computed again here. What
//! rests on the reader alone is the syntax, the hash chain, the order of the rows, and that
//! `values` has no shorter period. A second checker that shares no code, `tests/check.py`, written
//! from `docs/FORMAT.md`, decides all of that again.
//!
//! A check ends, whatever the records say: what would take more than a bound that true records are
//! far from is [incomplete](CheckError::Incomplete), neither verified nor refuted.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

mod bit_set;
mod certificate;
mod error;
#[cfg(feature = "files")]
mod growing;
mod heads;
mod intervals;
mod keyed;
mod tails;
mod verified;
mod watch;

pub use error::{CheckError, Limit, Refutation, Undecided, Why};
#[cfg(feature = "files")]
pub use growing::Growing;
#[cfg(feature = "files")]
pub use keyed::check_keyed_data_set;
pub use keyed::check_keyed_records;
pub use verified::{Assumption, Depth, Verified};
pub use watch::CheckWatch;

use error::EarlyEnd;
use record::RowRecord;
#[cfg(feature = "files")]
use record::data_set::{DataSet, SegmentEntry};
use record::segments::{file_name, line_of, segment_of};
use tails::ValuesBelow;

/// What to check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Compute every head again.
    pub heads: bool,
    /// Judge these rows only, both included. *Heads* needs the rows below them as well, and judges
    /// those too.
    pub rows: Option<(u64, u64)>,
}

/// Checks a data set on disk.
///
/// # Errors
/// Anything but a verdict of *verified*: see [`CheckError`]. Of several wrong certificates the one
/// of the least row is reported; of several wrong heads, the first one that is met.
#[cfg(feature = "files")]
pub fn check_data_set(
    data_set: &DataSet,
    task: &Task,
    watch: &dyn CheckWatch,
) -> Result<Verified, CheckError> {
    let mut records = Vec::new();
    for record in data_set.rows() {
        records.push(record?);
        if watch.stop() {
            return Err(CheckError::Interrupted);
        }
    }
    check_records(&records, task, watch).map_err(|error| in_files(error, data_set))
}

/// The same with the names of this data set's files.
#[cfg(feature = "files")]
fn in_files(error: CheckError, data_set: &DataSet) -> CheckError {
    let segments = &data_set.manifest().segments;
    let name = |row| {
        let entry = segments.iter().find(|entry| (entry.first..=entry.last).contains(&row));
        entry.map_or(String::new(), SegmentEntry::file_name)
    };
    match error {
        CheckError::Refuted(found) => Refutation { file: name(found.row), ..found }.into(),
        CheckError::Incomplete(found) => Undecided { file: name(found.row), ..found }.into(),
        error => error,
    }
}

/// Checks the records of rows 0, 1, 2, ... at depths *tails* and *heads*, as those of a data set.
///
/// # Errors
/// As for a data set on disk.
///
/// ```
/// use check::{Depth, Task, check_records};
/// use record::parse_line;
/// let rows = [
///     r#"Periodic(row: 0, first: 1, start: 0, values: [1], certificate: (from: 0, recurs: 1, modulus: "1", filled: 1, above: []), head: "0000000000000000")"#,
///     r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#,
/// ];
/// let rows = rows.map(|line| parse_line(line, 1).unwrap());
/// let verified = check_records(&rows, &Task { heads: true, rows: None }, &()).unwrap();
/// assert_eq!(verified.depth, Depth::Heads);
/// ```
pub fn check_records(
    records: &[RowRecord],
    task: &Task,
    watch: &dyn CheckWatch,
) -> Result<Verified, CheckError> {
    let held = (records.len() as u64).saturating_sub(1);
    let (first, last) = task.rows.unwrap_or((0, held));
    if records.is_empty() || first > last || last > held {
        return Err(CheckError::NoSuchRows { first, last, held });
    }
    let place = Place { held };
    if let Some((row, _)) = (0..).zip(records).find(|(row, record)| record.row() != *row) {
        return Err(place.refuted(row, Why::OutOfOrder));
    }
    let first = if task.heads { 0 } else { first };
    let mut below = ValuesBelow::default();
    below.extend(records);
    let judged = between(records, first, last);
    let certificates = check_tails(&below, judged, watch).map_err(|end| place.error(end))?;
    let depth = if task.heads { Depth::Heads } else { Depth::Tails };
    if task.heads {
        heads::check(judged, watch).map_err(|end| place.error(end))?;
    }
    let asked = task.rows;
    Ok(Verified { depth, first, last, held, certificates, asked, family: None })
}

/// The records of rows `first` to `last`, which are among them.
fn between(records: &[RowRecord], first: u64, last: u64) -> &[RowRecord] {
    let range = usize::try_from(first).ok().zip(usize::try_from(last).ok());
    range.and_then(|(first, last)| records.get(first..=last)).unwrap_or(records)
}

/// The certificates of these rows; their number.
fn check_tails(
    below: &ValuesBelow,
    judged: &[RowRecord],
    watch: &dyn CheckWatch,
) -> Result<u64, EarlyEnd> {
    first_end(judged, |record| check_tail(below, record, watch).err())?;
    Ok(certificates(judged))
}

/// What ends the check of these early, of several the first.
fn first_end<T: Sync>(
    all: &[T],
    check: impl Fn(&T) -> Option<EarlyEnd> + Sync,
) -> Result<(), EarlyEnd> {
    #[cfg(feature = "parallel")]
    let found = {
        use rayon::prelude::*;
        match rayon::ThreadPoolBuilder::new().build() {
            Ok(pool) => pool.install(|| all.par_iter().find_map_first(&check)),
            // The operating system creates no threads; this one takes longer, and is enough.
            Err(_) => all.iter().find_map(&check),
        }
    };
    #[cfg(not(feature = "parallel"))]
    let found = all.iter().find_map(check);
    found.map_or(Ok(()), Err)
}

fn check_tail(
    below: &ValuesBelow,
    record: &RowRecord,
    watch: &dyn CheckWatch,
) -> Result<(), EarlyEnd> {
    if record.row().is_multiple_of(1024) && watch.stop() {
        return Err(EarlyEnd::Interrupted);
    }
    below.check(record, watch)
}

/// The number of periodic rows.
fn certificates(records: &[RowRecord]) -> u64 {
    records.iter().filter(|record| record.periodic().is_some()).count() as u64
}

/// Where records stand in the files of a data set.
struct Place {
    /// The last row.
    held: u64,
}

impl Place {
    /// The file and line of a row's record.
    fn of(&self, row: u64) -> (String, u64) {
        (file_name(&segment_of(row, self.held)), line_of(row))
    }

    fn error(&self, end: EarlyEnd) -> CheckError {
        match end {
            EarlyEnd::Refuted { row, why } => self.refuted(row, why),
            EarlyEnd::Interrupted => CheckError::Interrupted,
            EarlyEnd::Limit { row, limit } => {
                let (file, line) = self.of(row);
                CheckError::Incomplete(Undecided { file, row, line, key: None, limit })
            }
        }
    }

    fn refuted(&self, row: u64, why: Why) -> CheckError {
        let (file, line) = self.of(row);
        CheckError::Refuted(Refutation { file, row, line, key: None, why })
    }
}
