//! `chomp diff`.

use std::collections::HashMap;
use std::iter;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use driver::{DataSet, Error, Record, RowKey, Watch, records};
use record::Lower;
use record::data_set::Contents;
use terminal::Watcher;

use crate::failure;
use ask::json;

/// Find the first row in which two data sets differ.
///
/// Rows that both have are compared, field by field: data sets of rows, of levels, of tails and of
/// ideals, with fingerprints or with all offsets (--full). If only one of them has the offsets of
/// heads, their fingerprints are compared. The files are read strictly; `chomp check` says which
/// statement is wrong.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp diff chomp-rows other-rows\n\nExit codes: 1 if a \
    row differs, 2 if the data sets have no row in common.")]
pub struct Arguments {
    /// The folder of a data set.
    #[arg(value_name = "A")]
    one: PathBuf,
    /// The folder of another.
    #[arg(value_name = "B")]
    other: PathBuf,
}

/// Prints how many rows agree, or fails with the first that differs.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let one = DataSet::open_any(&arguments.one)?;
    let other = DataSet::open_any(&arguments.other)?;
    let lower = [one.family().lower, other.family().lower];
    if let [Lower::Ideals(_), Lower::Ideals(_)] = &lower
        && lower[0] != lower[1]
    {
        return Err(Error::usage("these data sets are of different posets"));
    }
    let mut common = 0_u64;
    let mut differing = None;
    for_common_rows(&one, &other, |here, there| {
        common += 1;
        differing = difference(here, there).map(|found| (here.key().clone(), found));
        if differing.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let names = [&arguments.one, &arguments.other].map(|folder| failure::shown(folder));
    if let Some((key, (what, [here, there]))) = differing {
        let [a, b] = &names;
        failure::print(format!("{key}: {what} is {here} in {a}, and {there} in {b}\n").as_bytes())?;
        return Err(Error::nothing(format!("{key} is the first row that differs")));
    }
    if common == 0 {
        return Err(Error::usage("these data sets have no row in common"));
    }
    let mut lines = vec![format!("Rows that agree: {common}.\n")];
    for (name, data_set) in names.iter().zip([&one, &other]) {
        let more = data_set.manifest().rows - common;
        if more > 0 {
            lines.push(format!("Rows that only {name} has: {more}.\n"));
        }
    }
    failure::print(lines.concat().as_bytes())
}

/// Visits the records of each row that both have, until told to stop. Two data sets of rows are
/// read side by side, with the memory of two segments; of other pairs, one is held in memory.
fn for_common_rows(
    one: &DataSet,
    other: &DataSet,
    mut visit: impl FnMut(&Record, &Record) -> ControlFlow<()>,
) -> Result<(), Error> {
    let watcher = Watcher::new()?;
    let stop = || watcher.stop();
    let are_rows = |data_set: &DataSet| data_set.manifest().contents == Contents::Rows;
    if are_rows(one) && are_rows(other) {
        for (here, there) in records::of_data_set(one, &watcher).zip(other.rows_until(stop)) {
            if visit(&here?, &there?).is_break() {
                break;
            }
        }
        return Ok(());
    }
    let (streamed, held, is_swapped) =
        if are_rows(other) { (other, one, true) } else { (one, other, false) };
    let held: HashMap<RowKey, Record> = held
        .rows_until(stop)
        .map(|record| record.map(|record| (record.key().clone(), record)))
        .collect::<Result<_, _>>()?;
    for record in records::of_data_set(streamed, &watcher) {
        let record = record?;
        let Some(there) = held.get(record.key()) else { continue };
        let (here, there) = if is_swapped { (there, &record) } else { (&record, there) };
        if visit(here, there).is_break() {
            break;
        }
    }
    Ok(())
}

/// The name of the first field in which two records of a row differ, and its values.
type Difference = (String, [String; 2]);

/// The fields of the JSON of a row that are compared, in this order.
const FIELDS: [&str; 13] = [
    "kind",
    "ideal/early",
    "empty_by",
    "first",
    "last",
    "start",
    "period",
    "values",
    "certificate/from",
    "certificate/recurs",
    "certificate/modulus",
    "certificate/filled",
    "certificate/above",
];

fn difference(one: &Record, other: &Record) -> Option<Difference> {
    if one == other {
        return None;
    }
    let rows = [one, other].map(json::value);
    let values = |name: &str| rows.each_ref().map(|row| row.pointer(&format!("/{name}")));
    let differing = FIELDS.iter().find(|name| {
        let [here, there] = values(name);
        here != there
    });
    if let Some(name) = differing {
        let shown = values(name).map(|value| value.map_or("none".into(), record::to_json));
        return Some((name.replace('/', "."), shown));
    }
    if let (Some(here), Some(there)) = (one.head_offsets(), other.head_offsets()) {
        let mut columns = (one.row()..).zip(iter::zip(here, there));
        let (column, (here, there)) = columns.find(|(_, (here, there))| here != there)?;
        let values = [here, there].map(u64::to_string);
        return Some((format!("the offset in column {column}"), values));
    }
    let prints = [one, other].map(|row| row.head().map(|head| head.fingerprint(row.row())));
    let shown =
        prints.map(|print| print.map_or("none".to_owned(), |print| format!("{print:016x}")));
    (prints[0] != prints[1]).then(|| ("the fingerprint of the head".to_owned(), shown))
}
