//! One row: its description, and its sheet.

use std::ops::ControlFlow;

use ask::{Detail, Language, RowInWords};
use driver::{Engine, Family, HeadForm, ProvedRow, Record, RowKey, Source, Watch, records, value};
use figures::{FigureError, Part, Plot, SheetPlot, row_figure};
use serde_json::json;

use crate::{Shown, json, json_with, require_row, words};

/// The row in words.
pub fn describe(row: u64, watch: &dyn Watch) -> Result<String, String> {
    require_row(row)?;
    let found = Engine::for_row(row).row_in_full(row, watch).map_err(words)?;
    Ok(described(&found))
}

/// The same of a record that was computed elsewhere. A line of text is one record.
pub fn describe_record(line: &str) -> Result<String, String> {
    let record = records::read(line).map_err(words)?.pop().ok_or("there is no record")?;
    Ok(described(&record.into()))
}

/// A row without its head, with the entries of its description and their names; its record as a
/// data set has it, but for the head; the hash of that; and its JSON.
fn described(found: &ProvedRow) -> String {
    let (said, record) = (RowInWords::of(found, Detail::Full), found.record.abridged());
    let entries = said.entries.iter().map(|entry| (entry.name, &entry.lines));
    let entries: Vec<(&str, &Vec<String>)> = entries.collect();
    let line = record.to_string();
    let hash = blake3::hash(line.as_bytes()).to_string();
    let more = json!({
        "title": said.title,
        "entries": entries,
        "line": line,
        "hash": hash,
        "json": json(&record),
    });
    json_with(&record, more)
}

/// Draws all offsets of a row, and writes them in each language; `line` is its record, as a data
/// set has it, but for the head.
pub fn in_full(row: u64, watch: &dyn Watch) -> Result<String, String> {
    require_row(row)?;
    let record = Engine::for_row(row).row_in_full(row, watch).map_err(words)?.record;
    let figure = row_figure(&record).map_err(words)?;
    let text = |language: Language| {
        let text = language.expression(&record).map_err(words)?;
        Ok::<_, String>((language.name(), text))
    };
    let texts = Language::ALL.into_iter().map(text).collect::<Result<Vec<_>, _>>()?;
    let more = json!({"texts": texts, "line": record.abridged().to_string()});
    Ok(json_with(&Shown::of(&figure), more))
}

/// The most rows of levels that are computed: levels 0 to 30 to row 322 take some seconds.
const LEVEL_ROWS: u64 = 10_000;

/// The row of a level in words, with the fields that `chomp family --json` prints.
pub fn of_level(level: u64, row: u64, watch: &dyn Watch) -> Result<String, String> {
    let family = Family::three_rowed(level, row);
    if family.count().is_none_or(|rows| rows > LEVEL_ROWS) {
        return Err(format!(
            "level {level} to row {row} needs more than {LEVEL_ROWS} rows; the program chomp goes \
             further"
        ));
    }
    let visit = |_: &Record| ControlFlow::Continue(());
    let rows = Engine::default().family(&family, HeadForm::Offsets, watch, visit);
    let key = RowKey::of_row(level, row);
    let found = rows.map_err(words)?.into_iter().find(|record| *record.key() == key);
    let record = found.ok_or_else(|| format!("{key} was not found"))?;
    Ok(described(&record.into()))
}

/// The sheet of a row.
pub struct Sheet {
    plot: SheetPlot,
    record: Record,
}

impl Sheet {
    /// The sheet of a row, from the offsets of all rows to it.
    pub fn new(row: u64, watch: &dyn Watch) -> Result<Self, String> {
        if row > SheetPlot::LARGEST_ROW {
            return Err(format!("sheets are drawn to row {}", SheetPlot::LARGEST_ROW));
        }
        let mut plot = SheetPlot::new(row);
        let (mut failure, mut own) = (None, None);
        let mut visit = |found: ProvedRow| {
            if let Err(error) = plot.add(&found.record) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            own = (found.record.row() == row).then_some(found.record);
            ControlFlow::Continue(())
        };
        Engine::default().rows(row, HeadForm::Offsets, watch, &mut visit).map_err(words)?;
        let missing = || FigureError::Missing { row }.to_string();
        match failure {
            Some(error) => Err(error.to_string()),
            None => Ok(Self { plot, record: own.ok_or_else(missing)? }),
        }
    }

    pub fn row(&self) -> u64 {
        self.record.row()
    }

    /// Draws a part: the least y and z, and the number of each. `span` is the number of positions
    /// that are drawn each way, and `length` that of the whole sheet.
    pub fn part(&self, part: Option<[u64; 3]>) -> Result<String, String> {
        let length = self.plot.length();
        let [y, z, size] = part.unwrap_or([0, 0, length]);
        let size = size.clamp(1, length);
        let (y, z) = (y.min(length - size), z.min(length - size));
        let part = Part { y, z, size };
        let figure = Shown::of(&self.plot.part(part).map_err(words)?);
        let more = json!({"y": y, "z": z, "span": part.span(), "length": length});
        Ok(json_with(&figure, more))
    }

    /// The kind of the position with these y and z; the offset of the row in this column, and the
    /// P-position there, are null if the row has ended.
    pub fn point(&self, y: u64, z: u64) -> Result<String, String> {
        if y.max(z) > SheetPlot::LARGEST_ROW {
            return Err("the sheet does not go so far".to_owned());
        }
        let row = self.row();
        let (q, p) = (row + y, row + y + z);
        let found = value(&self.record, &q.into()).map_err(words)?.p();
        let kind = if found == Some(p.into()) {
            "P-position"
        } else if self.plot.is_instant_winner(y, z) {
            "instant winner"
        } else {
            "N-position"
        };
        let name = |p: u64| format!("({p},{q},{row})");
        let value = found.and_then(|p| u64::try_from(p).ok());
        Ok(json(&json!({
            "name": name(p),
            "kind": kind,
            "q": q,
            "offset": value.map(|p| p - q),
            "p_position": value.map(name),
        })))
    }
}
