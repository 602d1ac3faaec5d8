//! `chomp diff`.

use std::collections::HashMap;
use std::fmt::Debug;
use std::iter;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use driver::{DataSet, Record, RowKey, Statement, records};
use record::data_set::Contents;
use record::{Head, Lower};
use terminal::Watcher;

use crate::failure::{self, Failure};

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
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let one = DataSet::open_any(&arguments.one)?;
    let other = DataSet::open_any(&arguments.other)?;
    let lower = [one.family().lower, other.family().lower];
    if let [Lower::Ideals(_), Lower::Ideals(_)] = &lower
        && lower[0] != lower[1]
    {
        return Err(Failure::usage("these data sets are of different posets"));
    }
    let mut common = 0_u64;
    let mut differing = None;
    for_common_rows(&one, &other, |here, there| {
        common += 1;
        differing = difference(here, there).map(|found| (here.key().clone(), found));
        if differing.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let names = [&arguments.one, &arguments.other].map(|folder| failure::shown(folder));
    if let Some((key, Difference { what, values: [here, there] })) = differing {
        let [a, b] = &names;
        failure::print(format!("{key}: {what} {here} in {a}, and {there} in {b}\n").as_bytes())?;
        return Err(Failure::Nothing(format!("{key} is the first row that differs")));
    }
    if common == 0 {
        return Err(Failure::usage("these data sets have no row in common"));
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
) -> Result<(), Failure> {
    let watcher = Watcher::new()?;
    let mut failed = Ok(());
    let are_rows = |data_set: &DataSet| data_set.manifest().contents == Contents::Rows;
    if are_rows(one) && are_rows(other) {
        let mut others = other.rows();
        records::of_data_set(one, &watcher, |record| match others.next() {
            Some(Ok(there)) => visit(&record, &there),
            Some(Err(error)) => {
                failed = Err(error.into());
                ControlFlow::Break(())
            }
            None => ControlFlow::Break(()),
        })?;
        return failed;
    }
    let (streamed, held, is_swapped) =
        if are_rows(other) { (other, one, true) } else { (one, other, false) };
    let held: HashMap<RowKey, Record> = held
        .rows()
        .map(|record| record.map(|record| (record.key().clone(), record)))
        .collect::<Result<_, _>>()?;
    records::of_data_set(streamed, &watcher, |record| match held.get(record.key()) {
        Some(there) if is_swapped => visit(there, &record),
        Some(there) => visit(&record, there),
        None => ControlFlow::Continue(()),
    })?;
    Ok(())
}

/// The first field in which two records of a row differ, and its values.
struct Difference {
    what: String,
    values: [String; 2],
}

fn difference(one: &Record, other: &Record) -> Option<Difference> {
    if one == other {
        return None;
    }
    let fields = [fields(one), fields(other)];
    let [here, there] = &fields;
    let differs = |(name, value): &&(&str, String)| !there.contains(&(name, value.clone()));
    if let Some((name, value)) = here.iter().find(differs) {
        let other_value = there.iter().find(|(other, _)| other == name);
        let other_value = other_value.map_or_else(|| "none".to_owned(), |(_, value)| value.clone());
        return Some(Difference {
            what: format!("{name} is"),
            values: [value.clone(), other_value],
        });
    }
    head_difference(one.row(), head(one.statement())?, head(other.statement())?)
}

/// All fields but the head, by their names. Records of one kind have the same fields.
fn fields(record: &Record) -> Vec<(&'static str, String)> {
    let shown = |value: &dyn Debug| format!("{value:?}");
    let mut fields = vec![("the kind", record.statement().kind().to_string())];
    if !record.early().is_empty() {
        fields.push(("the list of early positions", shown(&record.early())));
    }
    fields.extend(match record.statement() {
        Statement::Empty { by } => vec![("by", by.to_string())],
        Statement::Finite(row) => {
            vec![("first", row.first.to_string()), ("last", row.last.to_string())]
        }
        Statement::Periodic(row) => vec![
            ("first", row.first.to_string()),
            ("start", row.start.to_string()),
            ("the period", row.values.len().to_string()),
            ("the list of values", shown(&row.values)),
            ("certificate.from", row.certificate.from.to_string()),
            ("certificate.recurs", row.certificate.recurs.to_string()),
            ("certificate.modulus", row.certificate.modulus.to_string()),
            ("certificate.filled", row.certificate.filled.to_string()),
            ("the list certificate.above", shown(&row.certificate.above)),
        ],
    });
    fields
}

fn head(statement: &Statement) -> Option<&Head> {
    match statement {
        Statement::Empty { .. } => None,
        Statement::Finite(row) => Some(&row.head),
        Statement::Periodic(row) => Some(&row.head),
    }
}

fn head_difference(row: u64, one: &Head, other: &Head) -> Option<Difference> {
    if let (Head::Offsets(one), Head::Offsets(other)) = (one, other) {
        let columns = (row..).zip(iter::zip(one, other));
        let (column, (here, there)) =
            columns.into_iter().find(|(_, (here, there))| here != there)?;
        let what = format!("the offset in column {column} is");
        return Some(Difference { what, values: [here.to_string(), there.to_string()] });
    }
    let prints = [one, other].map(|head| head.fingerprint(row));
    let what = "the fingerprint of the head is".to_owned();
    (prints[0] != prints[1])
        .then(|| Difference { what, values: prints.map(|print| format!("{print:016x}")) })
}
