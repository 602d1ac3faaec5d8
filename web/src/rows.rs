//! Many rows: the list with periods, its figure, and the data set.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use census::PeriodLine;
use driver::{Engine, HeadForm, KeyColumns, Record, Statement, Texts, Watch};
use figures::{OverlayPlot, PeriodsPlot, Plot, StripsPlot};
use serde::Serialize;

use crate::bytes::Bytes;
use crate::{Shown, json, require_row, words};

/// Rows 0, 1, 2, ..., and the figure of their periods.
#[derive(Serialize)]
struct List {
    rows: Rows,
    #[serde(flatten)]
    figure: Shown,
    /// The same rows as strips: D(r), and the distances of d, r and q from their lines. A few rows
    /// alone make none.
    strips: Option<Shown>,
    /// The table of periods, tab-separated, without the rows of period 1.
    tsv: String,
}

/// All rows from row 0 on, in columns: the browser takes long to pass a hundred thousand objects
/// from one thread to another.
#[derive(Default, Serialize)]
struct Rows {
    /// 0 if the row is finite.
    periods: Vec<u64>,
    /// The start of a periodic row, and the last column of a finite one.
    ends: Vec<u64>,
    /// Of the rows with a period of 2 or more.
    patterns: BTreeMap<u64, Vec<i64>>,
}

impl Rows {
    fn add(&mut self, record: &Record) {
        let (period, end) = match record.statement() {
            Statement::Empty { .. } => (0, 0),
            Statement::Finite(row) => (0, row.last),
            Statement::Periodic(row) => (row.period(), row.start),
        };
        self.periods.push(period);
        self.ends.push(end);
        if let Some(row) = record.periodic().filter(|_| period > 1) {
            self.patterns.insert(record.row(), row.pattern());
        }
    }
}

/// The records of rows 0 to this one.
pub fn computed(to: u64, watch: &dyn Watch) -> Result<Vec<Record>, String> {
    require_row(to)?;
    records(to, HeadForm::Fingerprint, watch)
}

/// The largest row R such that all offsets of rows 0 to R are held.
const LARGEST_IN_FULL: u64 = 2000;

/// The records of rows 0 to this one, with all offsets.
pub fn in_full(to: u64, watch: &dyn Watch) -> Result<Vec<Record>, String> {
    if to > LARGEST_IN_FULL {
        return Err(format!("rows are drawn one over the other to row {LARGEST_IN_FULL} here"));
    }
    records(to, HeadForm::Offsets, watch)
}

fn records(to: u64, form: HeadForm, watch: &dyn Watch) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    let visit = |found: driver::ProvedRow| {
        records.push(found.record);
        ControlFlow::Continue(())
    };
    Engine::default().rows(to, form, watch, visit).map_err(words)?;
    Ok(records)
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
    let mut rows = Rows::default();
    for record in records {
        rows.add(record);
    }
    let figure = drawn(PeriodsPlot::default(), records)?;
    let lines = records.iter().filter_map(PeriodLine::of).filter(|line| line.period > 1);
    let lines: String = lines.map(|line| line.tsv(KeyColumns::Row) + "\n").collect();
    let tsv = format!("{}\n{lines}", PeriodLine::tsv_header(KeyColumns::Row));
    let strips = drawn(StripsPlot::default(), records).ok();
    Ok(json(&List { rows, figure, strips, tsv }))
}

/// The data set of these rows: names and bytes of its files.
pub fn files(records: &[Record]) -> String {
    let texts = Texts::of(records);
    let files = texts.iter().map(|(name, bytes)| (name, Bytes(bytes.to_vec())));
    json(&BTreeMap::from([("files", files.collect::<Vec<_>>())]))
}
