//! `chomp query`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::anyhow;
use driver::{Answer, DataSet, LARGEST_ROW, Position, data_set};
use serde_json::{Value, json};

use crate::arguments;
use crate::failure::{self, Failure};
use crate::watcher::Watcher;

/// Answers whether a position is P or N, and why.
pub fn run(arguments: &arguments::Query) -> anyhow::Result<()> {
    let position = position(arguments)?;
    let (answer, source) = if let Some(folder) = &arguments.data {
        let answer = data_set::query(&DataSet::open(folder)?, &position)?;
        (answer, format!("read from {}", failure::shown(folder)))
    } else {
        let answer = arguments.engine.chosen().query(&position, &Watcher::new()?)?;
        (answer, "computed here".to_owned())
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
