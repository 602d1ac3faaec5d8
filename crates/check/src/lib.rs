//! An independent checker of row records: it reads them, trusts nothing, and knows no engine.
//!
//! | depth | what it proves | module |
//! |---|---|---|
//! | *structure* | the files are whole, canonical and in order; nothing about Chomp | `record` |
//! | *tails* | assuming the heads, `first`, `last` and each U(from): every periodic row is as stated from `from` on | `certificate`, `tails` |
//! | *heads* | those assumptions; minimal starts; the fingerprints. With *tails*: every row, unconditionally (fact 9) | `heads` |
//!
//! These modules are for rows of three-rowed Chomp. The module `family` checks any family of rows
//! at the same depths, more slowly.
//!
//! This crate shares the strict reader of `record` with the programs that write records. The reader
//! computes no offset, and this crate computes every offset, column and state of a record again. It
//! relies on the reader only for the syntax, the hash chain, the order of the rows, and the
//! shortest period of `values`. A second checker, `tests/check.py`, was written from
//! `docs/FORMAT.md`, shares no code with this one, and checks all of this again.
//!
//! Every check ends: there is a bound on the work for a record. True records take far less. A
//! record that would take more is neither verified nor refuted, and the check is
//! [incomplete](CheckError::Incomplete).
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

mod certificate;
mod error;
mod family;
mod heads;
#[cfg(feature = "files")]
mod on_disk;
mod sets;
mod stated;
mod tails;
mod verified;
mod watch;

pub use error::{CheckError, NotVerified, Part, Why};
#[cfg(feature = "files")]
pub use heads::most_bytes as most_bytes_of_checkpoint;
#[cfg(feature = "files")]
pub use on_disk::{Growing, Start, check_data_set};
pub use verified::{Assumption, Depth, Resumed, Verified};
pub use watch::CheckWatch;

use std::num::NonZero;

use error::{EarlyEnd, refuted};
use record::data_set::{Manifest, SegmentEntry, file_name, line_of, segment_of};
use record::{Family, Record};
use serde_json::json;
use tails::{MOST_LOOKUPS, ValuesBelow};
use watch::first_end;

/// The depth and the range of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Compute every head again.
    pub heads: bool,
    /// Judge these rows only, both included. *Heads* needs the rows below them as well, and judges
    /// those too.
    pub rows: Option<(u64, u64)>,
    /// The number of threads for the heads of three-rowed Chomp; as many as there are processors
    /// if it is `None`. The verdict does not depend on it.
    pub threads: Option<NonZero<usize>>,
}

/// Checks the records of a family, all of them in their order, at depths *tails* and *heads*: rows
/// 0, 1, 2, ... of three-rowed Chomp by the modules for them, others as [`check_family`].
///
/// # Errors
/// As for a data set on disk.
///
/// ```
/// use check::{Depth, Task, check_records};
/// use record::{Family, parse_line};
/// let rows = [
///     r#"Periodic(row: 0, first: 1, start: 0, values: [1], certificate: (from: 0, recurs: 1, modulus: "1", filled: 1, above: []), head: "0000000000000000")"#,
///     r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#,
/// ];
/// let rows = rows.map(|line| parse_line(line, 1).unwrap());
/// let (family, task) = (Family::three_rowed(0, 1), Task { heads: true, ..Task::default() });
/// assert_eq!(check_records(&family, &rows, &task, &()).unwrap().depth, Depth::Heads);
/// ```
pub fn check_records(
    family: &Family,
    records: &[Record],
    task: &Task,
    watch: &dyn CheckWatch,
) -> Result<Verified, CheckError> {
    let check = Check { family, held: held(records), manifest: None, watch };
    if check.is_of_rows() { check.rows(records, task, None) } else { check.family(records, task) }
}

/// The number of the last record.
fn held(records: &[Record]) -> u64 {
    (records.len() as u64).saturating_sub(1)
}

/// Checks the records of any family, also of rows of three-rowed Chomp. The tests compare
/// [`check_records`] with it.
///
/// # Errors
/// As for a data set on disk, and [`CheckError::WholeFamily`] if some of the rows are asked for, or
/// some are missing.
pub fn check_family(
    family: &Family,
    records: &[Record],
    task: &Task,
    watch: &dyn CheckWatch,
) -> Result<Verified, CheckError> {
    Check { family, held: held(records), manifest: None, watch }.family(records, task)
}

/// The records of rows `first` to `last`, which are among them.
fn between(records: &[Record], first: u64, last: u64) -> &[Record] {
    let range = usize::try_from(first).ok().zip(usize::try_from(last).ok());
    range.and_then(|(first, last)| records.get(first..=last)).unwrap_or(records)
}

/// The verdict on these records, from row `first` on, if the data set goes to row `held`.
fn verified(task: &Task, (first, held): (u64, u64), records: &[Record]) -> Verified {
    let last = first.saturating_add(self::held(records));
    let certificates = certificates(records);
    let depth = if task.heads { Depth::Heads } else { Depth::Tails };
    Verified { depth, first, last, held, read: held, certificates, ..Verified::default() }
}

/// The number of periodic rows.
fn certificates(records: &[Record]) -> u64 {
    records.iter().filter(|record| record.periodic().is_some()).count() as u64
}

/// A check of the records of a family.
struct Check<'a> {
    family: &'a Family,
    /// The number of the last record.
    held: u64,
    /// That of the files in which the records stand, if there are any.
    manifest: Option<&'a Manifest>,
    watch: &'a dyn CheckWatch,
}

impl Check<'_> {
    /// Whether these are rows of three-rowed Chomp.
    fn is_of_rows(&self) -> bool {
        self.family.last_row() == Some(self.held)
    }

    /// Checks the first records of three-rowed Chomp, which go at least to the last row that is
    /// judged.
    fn rows(
        &self,
        records: &[Record],
        task: &Task,
        start: Option<heads::Checkpoint>,
    ) -> Result<Verified, CheckError> {
        let &Self { held, watch, .. } = self;
        let (first, last) = task.rows.unwrap_or((0, held));
        if records.is_empty() || first > last || last > held {
            return Err(CheckError::NoSuchRows { first, last, held });
        }
        self.require_order(records)?;
        let first = if task.heads { 0 } else { first };
        let mut below = ValuesBelow::default();
        for record in records {
            below.take(record);
        }
        let judged = between(records, first, last);
        first_end(judged, |record| self.tail(&below, record).err())
            .map_err(|end| self.error(end))?;
        if task.heads {
            heads::check(judged, task.threads, start, watch).map_err(|end| self.error(end))?;
        }
        Ok(Verified { asked: task.rows, ..verified(task, (first, held), judged) })
    }

    /// Checks the certificate of a row of three-rowed Chomp.
    fn tail(&self, below: &ValuesBelow, record: &Record) -> Result<(), EarlyEnd> {
        let (row, below) = ((self.family, record.row()), below.below(record.row()));
        certificate::check(record, row, &below, MOST_LOOKUPS, self.watch)
    }

    /// Checks all records of any family.
    fn family(&self, records: &[Record], task: &Task) -> Result<Verified, CheckError> {
        let &Self { family, held, watch, .. } = self;
        if task.rows.is_some() || family.count() != Some(records.len() as u64) {
            return Err(CheckError::WholeFamily { family: family.to_string() });
        }
        self.require_order(records)?;
        family::check(family, records, task.heads, watch).map_err(|end| self.error(end))?;
        Ok(Verified { family: Some(family.clone()), ..verified(task, (0, held), records) })
    }

    /// An error unless these are the first records of the family, in its order.
    fn require_order(&self, records: &[Record]) -> Result<(), CheckError> {
        let mut due = self.family.keys();
        let wrong = records.iter().position(|record| due.next().as_ref() != Some(record.key()));
        wrong.map_or(Ok(()), |row| {
            let words = "another row's record stands here".to_owned();
            refuted(row as u64, "out_of_order", json!({}), words).map_err(|end| self.error(end))
        })
    }

    fn error(&self, end: EarlyEnd) -> CheckError {
        match end {
            EarlyEnd::Interrupted => CheckError::Interrupted,
            EarlyEnd::Refuted { row, why } => CheckError::Refuted(self.not_verified(row, why)),
            EarlyEnd::Limit { row, why } => CheckError::Incomplete(self.not_verified(row, why)),
        }
    }

    fn not_verified(&self, number: u64, why: Why) -> NotVerified {
        let key = Box::new(self.family.key(number).unwrap_or_default());
        let entry = self.manifest.and_then(|manifest| manifest.entry_of(number));
        let in_memory = || file_name(&segment_of(number, self.held));
        let file = entry.map_or_else(in_memory, SegmentEntry::file_name);
        NotVerified { file, number, line: line_of(number), key, why }
    }
}
