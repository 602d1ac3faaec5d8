//! Many rows: the list with periods, its figure, and the data set.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use census::{RowColumns, periods};
use driver::{Engine, HeadForm, KeyColumns, ProvedRow, Record, Source, Watch};
use figures::{OverlayPlot, PeriodsPlot, Plot, StripsPlot};
use serde::Serialize;

use crate::bytes::Bytes;
use crate::{Shown, json, require_row, words};

/// Rows 0, 1, 2, ..., and the figure of their periods.
#[derive(Serialize)]
struct List {
    rows: RowColumns,
    #[serde(flatten)]
    figure: Shown,
    /// The same rows as strips: D(r), and the distances of d, r and q from their lines. A few rows
    /// alone make none.
    strips: Option<Shown>,
    /// The table of periods, tab-separated, without the rows of period 1.
    tsv: String,
}

/// The records of rows 0 to this one.
pub fn computed(to: u64, watch: &dyn Watch) -> Result<Vec<Record>, String> {
    require_row(to)?;
    records(to, HeadForm::Fingerprint, watch)
}

/// The largest row R such that all offsets of rows 0 to R are held.
const LARGEST_IN_FULL: u64 = 2000;

/// The largest row in whose offsets the page searches.
const LARGEST_FOUND: u64 = 10_000;

/// The records of rows 0 to this one, with all offsets.
pub fn in_full(to: u64, watch: &dyn Watch) -> Result<Vec<Record>, String> {
    if to > LARGEST_IN_FULL {
        return Err(format!("rows are drawn one over the other to row {LARGEST_IN_FULL} here"));
    }
    records(to, HeadForm::Offsets, watch)
}

fn records(to: u64, form: HeadForm, watch: &dyn Watch) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    let mut visit = |found: ProvedRow| {
        records.push(found.record);
        ControlFlow::Continue(())
    };
    Engine::default().rows(to, form, watch, &mut visit).map_err(words)?;
    Ok(records)
}

/// The rows to this one that have these offsets one after the other: row, and the first column with
/// the first of them.
pub fn find(offsets: &[u64], to: u64, watch: &dyn Watch) -> Result<String, String> {
    if offsets.is_empty() || to > LARGEST_FOUND {
        return Err(format!("one offset or more is found in rows 0 to {LARGEST_FOUND}"));
    }
    let mut found = Vec::new();
    let mut visit = |row: ProvedRow| {
        let record = row.record;
        let values = record.periodic().map_or(&[][..], |row| &row.values);
        let repeated = values.iter().cycle().take(values.len() + offsets.len());
        let head = record.head_offsets().into_iter().flatten();
        let all: Vec<u64> = head.chain(repeated).copied().collect();
        let place =
            all.windows(offsets.len()).zip(record.row()..).find(|(part, _)| *part == offsets);
        found.extend(place.map(|(_, column)| [record.row(), column]));
        ControlFlow::Continue(())
    };
    Engine::default().rows(to, HeadForm::Offsets, watch, &mut visit).map_err(words)?;
    Ok(json(&BTreeMap::from([("found", found)])))
}

/// Rows one over the other, from the records of all rows to the last of them.
pub fn overlay(records: &[Record], rows: Vec<u64>) -> Result<String, String> {
    Ok(json(&drawn(OverlayPlot::new(rows), records)?))
}

/// The figure of these records.
fn drawn(mut plot: impl Plot, records: &[Record]) -> Result<Shown, String> {
    records.iter().try_for_each(|record| plot.add(record)).map_err(words)?;
    Ok(Shown::of(&plot.figure().map_err(words)?))
}

/// The list of these rows.
pub fn list(records: &[Record]) -> Result<String, String> {
    let mut rows = RowColumns::default();
    for record in records {
        rows.add(record);
    }
    let figure = drawn(PeriodsPlot::default(), records)?;
    let moving = records.iter().filter(|row| row.periodic().is_some_and(|row| row.period() > 1));
    let lines = moving.filter_map(|row| Some(periods::tsv(row, KeyColumns::Row)? + "\n"));
    let lines: String = lines.collect();
    let tsv = format!("{}\n{lines}", periods::tsv_header(KeyColumns::Row));
    let strips = drawn(StripsPlot::default(), records).ok();
    Ok(json(&List { rows, figure, strips, tsv }))
}

/// The data set of these rows: names and bytes of its files.
pub fn files(records: &[Record]) -> String {
    let files = driver::texts(records).into_iter().map(|(name, bytes)| (name, Bytes(bytes)));
    json(&BTreeMap::from([("files", files.collect::<Vec<_>>())]))
}
