//! Rows by level and tail (format 2), at all depths.
//!
//! The rules are those of fact 12 of `proofs/README.md`, and nothing is shared with the engines. A
//! row is checked against the *rows below* it, those that (C) and (H) name, each looked up in each
//! column. Where the check of three-rowed Chomp keeps what a column blocks from row to row, this
//! one gathers it anew for each row: tails have no single row before them. So a cell costs as many
//! look-ups as there are rows below, |t| + g.

mod heads;
mod rows;
mod tails;

#[cfg(feature = "files")]
use record::data_set::KeyedDataSet;
use record::segments::{file_name, line_of, segment_of};
use record::{Family, KeyedRecord};

use crate::error::EarlyEnd;
use crate::{CheckError, CheckWatch, Depth, Refutation, Task, Undecided, Verified, Why, first_end};

use rows::Rows;

/// Checks a data set of levels or tails on disk.
///
/// # Errors
/// Anything but a verdict of *verified*: see [`CheckError`]. Such a data set is checked as a whole:
/// to ask for some of its rows is an error.
#[cfg(feature = "files")]
pub fn check_keyed_data_set(
    data_set: &KeyedDataSet,
    task: &Task,
    watch: &dyn CheckWatch,
) -> Result<Verified, CheckError> {
    let records = data_set.rows()?;
    let names = data_set.segments();
    check_keyed_records(data_set.family(), &records, task, watch).map_err(|error| {
        let name = |number: u64| {
            let entry = names.iter().find(|entry| (entry.first..=entry.last).contains(&number));
            entry.map_or(String::new(), record::data_set::SegmentEntry::file_name)
        };
        match error {
            CheckError::Refuted(found) => Refutation { file: name(found.row), ..found }.into(),
            CheckError::Incomplete(found) => Undecided { file: name(found.row), ..found }.into(),
            error => error,
        }
    })
}

/// Checks the records of a family, all of them in their order, at depths *tails* and *heads*.
///
/// # Errors
/// As for a data set on disk.
pub fn check_keyed_records(
    family: &Family,
    records: &[KeyedRecord],
    task: &Task,
    watch: &dyn CheckWatch,
) -> Result<Verified, CheckError> {
    let held = (records.len() as u64).saturating_sub(1);
    if task.rows.is_some() || family.count() != Some(records.len() as u64) {
        return Err(CheckError::WholeFamily { family: family.to_string() });
    }
    let place = |number: u64| {
        let record = usize::try_from(number).ok().and_then(|place| records.get(place));
        let file = file_name(&segment_of(number, held));
        (file, line_of(number), record.map(|record| Box::new(record.key().clone())))
    };
    let error = |end: EarlyEnd| match end {
        EarlyEnd::Interrupted => CheckError::Interrupted,
        EarlyEnd::Refuted { row, why } => {
            let (file, line, key) = place(row);
            CheckError::Refuted(Refutation { file, row, line, key, why })
        }
        EarlyEnd::Limit { row, limit } => {
            let (file, line, key) = place(row);
            CheckError::Incomplete(Undecided { file, row, line, key, limit })
        }
    };
    let wrong = family.keys().zip(records).position(|(due, record)| due != *record.key());
    if let Some(row) = wrong {
        return Err(error(EarlyEnd::Refuted { row: row as u64, why: Why::OutOfOrder }));
    }
    let rows = Rows::new(family, records);
    first_end(&rows.numbers(), |number| tails::check(&rows, *number, watch).err())
        .map_err(error)?;
    if task.heads {
        heads::check(&rows, watch).map_err(error)?;
    }
    Ok(Verified {
        depth: if task.heads { Depth::Heads } else { Depth::Tails },
        first: 0,
        last: held,
        held,
        certificates: records.iter().filter(|record| record.periodic().is_some()).count() as u64,
        asked: None,
        family: Some(family.clone()),
    })
}
