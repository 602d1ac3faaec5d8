//! `chomp query`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::anyhow;
use driver::{
    Answer, AnyPosition, BoardAnswer, BoardPosition, BoardRow, Engine, LARGEST_ROW, OmegaAnswer,
    OmegaPosition, Position, data_set,
};
use serde_json::{Value, json};

use crate::arguments;
use crate::failure::{self, Failure};
use crate::notation::{self, TypedPosition};
use crate::watcher::Watcher;

/// Answers whether a position is P or N, and why.
pub fn run(arguments: &arguments::QueryArguments) -> anyhow::Result<()> {
    let text = match position(arguments)? {
        TypedPosition::ThreeRows(AnyPosition::Finite(position)) => {
            about_finite(arguments, &position)?
        }
        TypedPosition::ThreeRows(AnyPosition::Omega(position)) => {
            about_omega(arguments, &position)?
        }
        TypedPosition::MoreRows(position) => about_board(arguments, &position)?,
    };
    failure::print(text.as_bytes())
}

fn about_finite(
    arguments: &arguments::QueryArguments,
    position: &Position,
) -> anyhow::Result<String> {
    let answer = match &arguments.data {
        Some(folder) => data_set::query_in(folder, position)?,
        None => arguments.engine.chosen().query(position, &Watcher::new()?)?,
    };
    let source = source(arguments);
    Ok(if arguments.json {
        format!("{}\n", object(&answer, &source))
    } else {
        words(&answer, &source)
    })
}

fn about_omega(
    arguments: &arguments::QueryArguments,
    position: &OmegaPosition,
) -> anyhow::Result<String> {
    let answer = match &arguments.data {
        Some(folder) => data_set::query_omega_in(folder, position)?,
        None => arguments.engine.chosen().query_omega(position, &Watcher::new()?)?,
    };
    let source = source(arguments);
    Ok(if arguments.json {
        format!("{}\n", omega_object(&answer, &source))
    } else {
        omega_words(&answer, &source)
    })
}

fn about_board(
    arguments: &arguments::QueryArguments,
    position: &BoardPosition,
) -> anyhow::Result<String> {
    let answer = match (&arguments.data, arguments.engine.chosen()) {
        (Some(folder), _) => data_set::query_board(folder, position)?,
        (None, Engine::Sweep(options)) => driver::query_board(position, options, &Watcher::new()?)?,
        (None, Engine::Literal) => {
            let words = format!("{position} has more rows than three; leave out --engine literal");
            return Err(Failure::Usage(words).into());
        }
    };
    let source = source(arguments);
    Ok(if arguments.json {
        format!("{}\n", board_object(&answer, &source))
    } else {
        board_words(&answer, &source)
    })
}

/// Where the rows come from.
fn source(arguments: &arguments::QueryArguments) -> String {
    match &arguments.data {
        Some(folder) => format!("read from {}", failure::shown(folder)),
        None => "computed here".to_owned(),
    }
}

/// The longest text of a position, in bytes: such numbers take some twenty seconds.
const LONGEST_POSITION: u64 = 10_000_000;

fn position(arguments: &arguments::QueryArguments) -> anyhow::Result<TypedPosition> {
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
    let position = if bare { columns_of_each(text)? } else { notation::position(text)? };
    let row = match &position {
        TypedPosition::ThreeRows(AnyPosition::Finite(position)) => position.r(),
        TypedPosition::ThreeRows(AnyPosition::Omega(position)) => position.row(),
        TypedPosition::MoreRows(position) => position.tail().first_column(),
    };
    if row > LARGEST_ROW {
        let words = format!(
            "rows go to {LARGEST_ROW} here; only the two longest of a position may be larger"
        );
        return Err(Failure::Usage(words).into());
    }
    Ok(position)
}

/// A position from Zeilberger's numbers without brackets, which an error does not quote either.
fn columns_of_each(typed: &str) -> Result<TypedPosition, Failure> {
    let enclosed = format!("[{typed}]");
    let (quoted, as_typed) = (format!("{enclosed:?}"), format!("{typed:?}"));
    notation::position(&enclosed).map_err(|error| match error {
        Failure::Usage(words) => Failure::Usage(words.replace(&quoted, &as_typed)),
        other => other,
    })
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
    let leaves = bites.iter().map(|bite| (row_of(bite.bitten), named(&bite.leaves)));
    let mut lines = outcome(&named(position), answer.is_p(), leaves);
    let is_poison = position.lengths().iter().map(ToString::to_string).eq(["1", "0", "0"]);
    if is_poison {
        NO_BITE.clone_into(&mut lines[1]);
    }
    let rows = if r == 0 { "row 0".to_owned() } else { format!("rows 0 to {r}") };
    lines.push(format!("This rests on {rows}, {source}, among them:"));
    let below = bites.iter().map(|bite| &bite.record).filter(|below| below.row() != r);
    for record in below.chain([record]) {
        lines.push(format!("  {}", record.abridged()));
    }
    lines.join("\n") + "\n"
}

fn omega_words(answer: &OmegaAnswer, source: &str) -> String {
    let OmegaAnswer { position, bites, record } = answer;
    let leaves = bites.iter().map(|bite| (row_of(bite.bitten), bite.leaves.to_string()));
    let mut lines = outcome(&position.to_string(), answer.is_p(), leaves);
    lines.push(format!(
        "This rests on fact 10 of the proofs, and on row {}, {source}:",
        record.row()
    ));
    lines.push(format!("  {}", record.abridged()));
    lines.join("\n") + "\n"
}

fn board_words(answer: &BoardAnswer, source: &str) -> String {
    let BoardAnswer { position, bites, record, is_p } = answer;
    let leaves = bites.iter().map(|bite| (format!("row {}", bite.row), bite.leaves.to_string()));
    let mut lines = outcome(&position.to_string(), *is_p, leaves);
    lines.push(format!(
        "This rests on fact 12 of the proofs, and on the rows with tails within {}, {source}, \
         among them:",
        position.tail()
    ));
    let others = bites.iter().map(|bite| &bite.record).filter(|other| *other != record);
    lines.extend(others.chain([record]).map(|record| format!("  {}", record.abridged())));
    lines.join("\n") + "\n"
}

/// Said of the board that is nothing but the poison.
const NO_BITE: &str = "There is no bite: the next player must take the poison, and loses.";

/// P or N, and the bites that leave P-positions.
fn outcome(
    position: &str,
    is_p: bool,
    bites: impl Iterator<Item = (String, String)>,
) -> Vec<String> {
    let outcome = if is_p { "a P-position" } else { "an N-position" };
    let then = if is_p {
        "Every bite leaves an N-position."
    } else {
        "These bites leave a P-position, and no other does:"
    };
    let mut lines = vec![format!("{position} is {outcome}."), then.to_owned()];
    lines.extend(bites.map(|(bitten, leaves)| {
        let row = format!("{bitten}:");
        format!("  {row:<11} {leaves}")
    }));
    lines
}

fn row_of(bitten: BoardRow) -> String {
    format!("{bitten} row")
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

fn board_object(answer: &BoardAnswer, source: &str) -> Value {
    let BoardAnswer { position, bites, record, is_p } = answer;
    let lengths = |position: &BoardPosition| -> Vec<String> {
        position.lengths().iter().map(ToString::to_string).collect()
    };
    let bites: Vec<Value> = bites
        .iter()
        .map(|bite| {
            let record = bite.record.abridged();
            json!({ "row": bite.row, "leaves": lengths(&bite.leaves), "record": record })
        })
        .collect();
    json!({
        "position": lengths(position),
        "outcome": if *is_p { "P" } else { "N" },
        "p_bites": bites,
        "record": record.abridged(),
        "rows": source,
    })
}

fn omega_object(answer: &OmegaAnswer, source: &str) -> Value {
    let OmegaAnswer { position, bites, record } = answer;
    let bites: Vec<Value> = bites
        .iter()
        .map(|bite| {
            let leaves = match &bite.leaves {
                AnyPosition::Finite(position) => lengths(position),
                AnyPosition::Omega(position) => omega_lengths(position),
            };
            json!({ "bitten": bite.bitten.to_string(), "leaves": leaves })
        })
        .collect();
    json!({
        "position": omega_lengths(position),
        "outcome": if answer.is_p() { "P" } else { "N" },
        "p_bites": bites,
        "record": record.abridged().statement(),
        "rows": source,
    })
}

fn omega_lengths(position: &OmegaPosition) -> [String; 3] {
    position.lengths().map(|length| length.to_string())
}

fn lengths(position: &Position) -> [String; 3] {
    position.lengths().map(|number| number.to_string())
}

fn columns(position: &Position) -> [String; 3] {
    position.zeilberger().map(|number| number.to_string())
}
