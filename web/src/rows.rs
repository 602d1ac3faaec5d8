//! Many rows: the list with periods, its figure, and the data set.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use census::PeriodLine;
use driver::{Engine, HeadForm, KeyColumns, Record, RowObject, Texts, Watch};
use figures::{PeriodsPlot, Plot};
use serde::Serialize;

use crate::bytes::Bytes;
use crate::{json, require_row, words};

/// Rows 0, 1, 2, ..., and the figure of their periods.
#[derive(Serialize)]
struct List<'a> {
    rows: Vec<RowObject>,
    svg: String,
    caption: &'a str,
    /// The table of periods, tab-separated, without the rows of period 1.
    tsv: String,
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
pub fn list(records: &[Record]) -> Result<String, String> {
    let mut plot = PeriodsPlot::default();
    for record in records {
        plot.add(record).map_err(words)?;
    }
    let figure = plot.figure().map_err(words)?;
    let lines = records.iter().filter_map(PeriodLine::of).filter(|line| line.period > 1);
    let lines: String = lines.map(|line| line.tsv(KeyColumns::Row) + "\n").collect();
    let tsv = format!("{}\n{lines}", PeriodLine::tsv_header(KeyColumns::Row));
    let rows = records.iter().map(RowObject::from).collect();
    Ok(json(&List { rows, svg: figure.svg(), caption: figure.caption(), tsv }))
}

/// The data set of these rows: names and bytes of its files.
pub fn files(records: &[Record]) -> String {
    let texts = Texts::of(records);
    let files = texts.iter().map(|(name, bytes)| (name, Bytes(bytes.to_vec())));
    json(&BTreeMap::from([("files", files.collect::<Vec<_>>())]))
}
