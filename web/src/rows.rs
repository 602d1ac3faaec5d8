//! Many rows: the list with periods, its figure, and the data set.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use census::PeriodLine;
use driver::{Engine, HeadForm, KeyColumns, Record, Statement, Texts, Watch};
use figures::{OverlayPlot, PeriodsPlot, Plot, StripsPlot};
use serde::Serialize;

use crate::bytes::Bytes;
use crate::{json, require_row, words};

/// Rows 0, 1, 2, ..., and the figure of their periods.
#[derive(Serialize)]
struct List<'a> {
    rows: Vec<Line>,
    svg: String,
    caption: &'a str,
    /// The same rows as strips: D(r), and the distances of d, r and q from their lines.
    strips: Option<Drawn>,
    /// The table of periods, tab-separated, without the rows of period 1.
    tsv: String,
}

/// A line of the list. All of a row would take five times as long to read.
#[derive(Serialize)]
struct Line {
    row: u64,
    /// 0 if it is finite.
    period: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<u64>,
    pattern: Vec<i64>,
}

impl From<&Record> for Line {
    fn from(record: &Record) -> Self {
        let row = record.row();
        let line = Self { row, period: 0, start: None, last: None, pattern: Vec::new() };
        match record.statement() {
            Statement::Empty { .. } => line,
            Statement::Finite(row) => Self { last: Some(row.last), ..line },
            Statement::Periodic(row) => Self {
                period: row.period(),
                start: Some(row.start),
                pattern: row.pattern(),
                ..line
            },
        }
    }
}

/// A figure with its caption.
#[derive(Serialize)]
struct Drawn {
    svg: String,
    caption: String,
}

impl Drawn {
    fn of(plot: &impl Plot) -> Result<Self, String> {
        let figure = plot.figure().map_err(words)?;
        Ok(Self { svg: figure.svg(), caption: figure.caption().to_owned() })
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
    let mut plot = OverlayPlot::new(rows);
    for record in records {
        plot.add(record).map_err(words)?;
    }
    Ok(json(&Drawn::of(&plot)?))
}

/// The list of these rows.
pub fn list(records: &[Record]) -> Result<String, String> {
    let mut plot = PeriodsPlot::default();
    for record in records {
        plot.add(record).map_err(words)?;
    }
    let figure = plot.figure().map_err(words)?;
    let lines = records.iter().filter_map(PeriodLine::of).filter(|line| line.period > 1);
    let lines: String = lines.map(|line| line.tsv(KeyColumns::Row) + "\n").collect();
    let tsv = format!("{}\n{lines}", PeriodLine::tsv_header(KeyColumns::Row));
    let rows = records.iter().map(Line::from).collect();
    let strips = strips(records).ok();
    Ok(json(&List { rows, svg: figure.svg(), caption: figure.caption(), strips, tsv }))
}

/// The data set of these rows: names and bytes of its files.
pub fn files(records: &[Record]) -> String {
    let texts = Texts::of(records);
    let files = texts.iter().map(|(name, bytes)| (name, Bytes(bytes.to_vec())));
    json(&BTreeMap::from([("files", files.collect::<Vec<_>>())]))
}

/// A few rows alone make no strips.
fn strips(records: &[Record]) -> Result<Drawn, String> {
    let mut plot = StripsPlot::default();
    for record in records {
        plot.add(record).map_err(words)?;
    }
    Drawn::of(&plot)
}
