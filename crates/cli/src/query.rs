//! `chomp query`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::anyhow;
use census::query::{Answer, Position, Query, QueryError};
use record::HeadForm;
use record::data_set::DataSet;
use serde_json::{Value, json};

use crate::arguments::{self, LARGEST_ROW};
use crate::compute::Engine;
use crate::failure::{self, Failure};
use crate::progress::Progress;

/// Answers whether a position is P or N, and why.
pub fn run(arguments: &arguments::Query) -> anyhow::Result<()> {
    let position = position(arguments)?;
    let (answer, source) = match &arguments.data {
        Some(folder) => (read(position, folder)?, format!("read from {}", failure::shown(folder))),
        None => (compute(&position, arguments.engine.chosen())?, "computed here".to_owned()),
    };
    let text = if arguments.json {
        format!("{}\n", object(&answer, &source))
    } else {
        words(&answer, &source)
    };
    failure::print(text.as_bytes())
}

/// The longest text of a position, in bytes: such numbers take some twenty seconds.
const LONGEST_POSITION: u64 = 10_000_000;

fn position(arguments: &arguments::Query) -> anyhow::Result<Position> {
    let text = match &arguments.from {
        None => arguments.position.join(" "),
        Some(path) if path == Path::new("-") => text_of(io::stdin(), "standard input")?,
        Some(path) => {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| anyhow!("cannot read {name}: {error}"))?;
            text_of(file, &name)?
        }
    };
    let text = text.trim();
    let bare = arguments.cab && !text.starts_with('[');
    let text = if bare { &format!("[{text}]") } else { text };
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let position: Position = text.parse().map_err(|error| usage(&error))?;
    if position.r() > LARGEST_ROW {
        let words = format!("rows go to {LARGEST_ROW} here; only P and Q may be larger");
        return Err(Failure::Usage(words).into());
    }
    Ok(position)
}

fn text_of(source: impl Read, name: &str) -> anyhow::Result<String> {
    let mut text = String::new();
    let read = source.take(LONGEST_POSITION + 1).read_to_string(&mut text);
    if read.map_err(|error| anyhow!("cannot read {name}: {error}"))? as u64 > LONGEST_POSITION {
        let words = format!("the position in {name} is longer than {LONGEST_POSITION} characters");
        return Err(Failure::Usage(words).into());
    }
    Ok(text)
}

fn read(position: Position, folder: &Path) -> anyhow::Result<Answer> {
    let data_set = DataSet::open(folder)?;
    let (r, last) = (position.r(), data_set.last_row());
    let mut query = Query::new(position);
    for record in data_set.rows() {
        if let Some(answer) = query.add(&record?)? {
            return Ok(answer);
        }
    }
    let folder = folder.display();
    Err(Failure::Usage(format!("{folder} holds rows 0 to {last}, not row {r}")).into())
}

/// From fingerprints, and where they are not enough, from the cells of row r and column q as well.
fn compute(position: &Position, engine: Engine) -> anyhow::Result<Answer> {
    let (mut query, r) = (Query::new(position.clone()), position.r());
    if matches!(engine, Engine::Literal) {
        return ask(query, r, engine, HeadForm::Offsets);
    }
    if query.likely_settled() {
        match ask(query.clone(), r, engine, HeadForm::Fingerprint) {
            Err(error) if matches!(error.downcast_ref(), Some(QueryError::NeedsHead { .. })) => {}
            result => return result,
        }
    }
    let progress = Progress::of("row", r + 1, engine.exponent());
    let q = u64::try_from(position.q()).ok();
    let mut unsettled = Vec::new();
    let below = |record| match query.add(&record) {
        Err(QueryError::NeedsHead { .. }) => {
            unsettled.push(record);
            Ok(())
        }
        result => Ok(result.map(drop)?),
    };
    let (own, column) = engine.row_and_column(r, q, progress, below)?;
    let column: BTreeMap<u64, u64> = column.into_iter().collect();
    for record in unsettled {
        let row = record.row();
        let offset = column
            .get(&row)
            .ok_or_else(|| anyhow!("row {row}: a cell is not known, a defect of this program"))?;
        query.add_with_offset(&record, *offset);
    }
    Ok(query.add(&own)?.expect("row r is the last"))
}

fn ask(mut query: Query, last: u64, engine: Engine, form: HeadForm) -> anyhow::Result<Answer> {
    let mut answer = None;
    let progress = Progress::of("row", last + 1, engine.exponent());
    engine.visit_all(last, form, progress, |row| {
        answer = query.add(&row.record)?;
        Ok(())
    })?;
    answer.ok_or_else(|| Failure::Interrupted(String::new()).into())
}

fn words(answer: &Answer, source: &str) -> String {
    let Answer { position, bites, record } = answer;
    let r = position.r();
    let outcome = if answer.is_p() { "a P-position" } else { "an N-position" };
    let mut lines = vec![format!("{} is {outcome}.", named(position))];
    lines.push(if answer.is_p() {
        "Every bite leaves an N-position.".to_owned()
    } else {
        "These bites leave a P-position, and no other does:".to_owned()
    });
    for bite in bites {
        let (row, leaves) = (format!("{} row:", bite.bitten), named(&bite.leaves));
        lines.push(format!("  {row:<11} {leaves}"));
    }
    let rows = if r == 0 { "row 0".to_owned() } else { format!("rows 0 to {r}") };
    lines.push(format!("This rests on {rows}, {source}, among them:"));
    let below = bites.iter().map(|bite| &bite.record).filter(|below| below.row() != r);
    for record in below.chain([record]) {
        lines.push(format!("  {}", record.abridged()));
    }
    lines.join("\n") + "\n"
}

/// Row lengths, and the same in Zeilberger's notation.
fn named(position: &Position) -> String {
    let [c, a, b] = position.zeilberger();
    format!("{position} = [{c},{a},{b}]")
}

fn object(answer: &Answer, source: &str) -> Value {
    let Answer { position, bites, record } = answer;
    let bites: Vec<Value> = bites
        .iter()
        .map(|bite| {
            json!({
                "bitten": bite.bitten.to_string(),
                "leaves": lengths(&bite.leaves),
                "leaves_cab": columns(&bite.leaves),
                "record": bite.record.abridged().statement(),
            })
        })
        .collect();
    json!({
        "position": lengths(position),
        "cab": columns(position),
        "outcome": if answer.is_p() { "P" } else { "N" },
        "p_bites": bites,
        "record": record.abridged().statement(),
        "rows": source,
    })
}

fn lengths(position: &Position) -> [String; 3] {
    position.lengths().map(|number| number.to_string())
}

fn columns(position: &Position) -> [String; 3] {
    position.zeilberger().map(|number| number.to_string())
}
