//! Many rows: the list with periods, its figure, and the data set.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use census::PeriodLine;
use driver::{Engine, HeadForm, Record, Texts, Watch};
use figures::{PeriodsPlot, Plot};
use record::Statement;
use serde::Serialize;
use serde_json::Value;

use crate::bytes::Bytes;
use crate::{object, require_row, words};

/// Rows 0, 1, 2, ..., and the figure of their periods.
#[derive(Serialize)]
struct List<'a> {
    rows: Vec<Listed>,
    svg: String,
    caption: &'a str,
    /// The table of periods, tab-separated, without the rows of period 1.
    tsv: String,
}

/// What the list says of a row.
#[derive(Serialize)]
#[serde(untagged)]
enum Listed {
    Periodic(PeriodLine),
    Finite { row: u64, last: u64 },
}

/// The records of rows 0 to this one.
pub fn computed(to: u64, watch: &dyn Watch) -> Result<Vec<Record>, String> {
    require_row(to)?;
    let mut records = Vec::new();
    let visit = |found: driver::ProvedRow| {
        records.push(found.record);
        ControlFlow::Continue(())
    };
    Engine::default().rows(to, HeadForm::Fingerprint, watch, visit).map_err(words)?;
    Ok(records)
}

/// The list of these rows.
pub fn list(records: &[Record]) -> Result<Value, String> {
    let mut plot = PeriodsPlot::default();
    for record in records {
        plot.add(record).map_err(words)?;
    }
    let figure = plot.figure().map_err(words)?;
    let lines = records.iter().filter_map(Record::periodic).map(PeriodLine::of);
    let lines = lines.filter(|line| line.period > 1).map(|line| line.tsv() + "\n");
    let tsv = format!("{}\n{}", PeriodLine::TSV_HEADER, lines.collect::<String>());
    let rows = records.iter().map(listed).collect();
    Ok(object(&List { rows, svg: figure.svg(), caption: figure.caption(), tsv }))
}

fn listed(record: &Record) -> Listed {
    match record.statement() {
        Statement::Finite(finite) => Listed::Finite { row: finite.row, last: finite.last },
        Statement::Periodic(periodic) => Listed::Periodic(PeriodLine::of(periodic)),
    }
}

/// The data set of these rows: names and bytes of its files.
pub fn files(records: &[Record]) -> Value {
    let texts = Texts::of(records);
    let files = texts.iter().map(|(name, bytes)| (name, Bytes(bytes.to_vec())));
    object(&BTreeMap::from([("files", files.collect::<Vec<_>>())]))
}
