//! `chomp query`.

use std::fmt::Display;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use driver::{
    Answer, AnyPosition, BoardAnswer, BoardPosition, BoardRow, BoardSquare, Engine, OmegaAnswer,
    OmegaPosition, Position, data_set,
};
use serde_json::{Value, json};
use terminal::Watcher;

use crate::drawing::{self, Marks};
use crate::failure::{self, Failure};
use crate::input;
use crate::json;
use crate::notation::{self, TypedPosition};
use crate::options::{self, EngineChoice};

/// Say whether a position is P or N, and which bites leave a P-position.
///
/// The position is P Q R or '(P,Q,R)', the row lengths from the top down. In square brackets it is
/// `[C,A,B]` as in Zeilberger's paper: C columns of three squares, A of two, B of one. There may be
/// more rows than three, or less; docs/NOTATION.md has all ways to type a position. The two longest
/// rows may have any number of digits, and millions of them if they come from a file (--from). R is
/// a row that can be computed, or that the data set has. Rows of ω squares, one for each natural
/// number, are written `ω` or `omega`: the board 2×ω is `ω ω 0`.
///
/// A board of at most 12 rows and 20 columns is drawn, with the bites that win. Rows 0 to R are
/// computed, or read with --data. Records with fingerprints are enough if Q lies
/// beyond the starts and ends of all these rows, and P beyond them by more than R.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: chomp query 1000 900 120, chomp query '[120,780,100]', chomp query 7,5,5,4, \
    chomp query ω 5 3\n\n\
    Exit codes: 0 for P and for N, 2 if this is no position or the data set cannot tell."
)]
pub struct Arguments {
    /// The position.
    #[arg(
        value_name = "P Q R ...", required_unless_present = "from", num_args = 1..,
        allow_negative_numbers = true
    )]
    position: Vec<String>,
    /// Read the position from this file, or from standard input if FILE is -. This is for numbers
    /// that are too long for a command line. At most 10 000 000 characters.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    from: Option<PathBuf>,
    /// The numbers are C A B, or as many as there are rows.
    #[arg(long)]
    cab: bool,
    /// Read the rows of this data set instead of computing them.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print the records that the answer rests on.
    #[arg(long, conflicts_with = "json")]
    proof: bool,
    /// Print the answer as JSON: docs/JSON.md.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineChoice,
}

/// Answers whether a position is P or N, and why.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    arguments.engine.refuse_useless(arguments.data.is_some())?;
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

fn about_finite(arguments: &Arguments, position: &Position) -> anyhow::Result<String> {
    let answer = match &arguments.data {
        Some(folder) => data_set::query_in(folder, position)?,
        None => arguments.engine.chosen().query(position, &Watcher::new()?)?,
    };
    let source = source(arguments);
    Ok(if arguments.json {
        json::line(&object(&answer, arguments))?
    } else {
        words(&answer, &source, arguments.proof)
    })
}

fn about_omega(arguments: &Arguments, position: &OmegaPosition) -> anyhow::Result<String> {
    let answer = match &arguments.data {
        Some(folder) => data_set::query_omega_in(folder, position)?,
        None => arguments.engine.chosen().query_omega(position, &Watcher::new()?)?,
    };
    let source = source(arguments);
    Ok(if arguments.json {
        json::line(&omega_object(&answer, arguments))?
    } else {
        omega_words(&answer, &source, arguments.proof)
    })
}

fn about_board(arguments: &Arguments, position: &BoardPosition) -> anyhow::Result<String> {
    let why = "rows with more than one row below them are found without vectors";
    options::none(arguments.engine.given().kernel, why)?;
    let answer = match (&arguments.data, arguments.engine.chosen()) {
        (Some(folder), _) => data_set::query_board(folder, position)?,
        (None, Engine::Sweep(options)) => driver::query_board(position, options, &Watcher::new()?)?,
        (None, Engine::Literal) => {
            let words = format!("{position} has more rows than three; leave out --engine literal");
            return Err(Failure::Usage(words).into());
        }
    };
    Ok(if arguments.json {
        json::line(&board_object(&answer, arguments))?
    } else {
        board_words(&answer, &source(arguments), arguments.proof)
    })
}

/// Where the rows come from.
fn source(arguments: &Arguments) -> String {
    match &arguments.data {
        Some(folder) => format!("read from {}", failure::shown(folder)),
        None => "computed here".to_owned(),
    }
}

/// The longest text of a position, in bytes: such numbers take some twenty seconds.
const LONGEST_POSITION: u64 = 10_000_000;

fn position(arguments: &Arguments) -> anyhow::Result<TypedPosition> {
    let text = match &arguments.from {
        None => arguments.position.join(" "),
        Some(path) => {
            let is_standard = path == Path::new("-");
            let file = path.display().to_string();
            let name = if is_standard { "standard input" } else { &file };
            input::text(path, LONGEST_POSITION).map_err(|error| match error.kind() {
                io::ErrorKind::FileTooLarge => Failure::Usage(format!(
                    "the position in {name} is longer than {LONGEST_POSITION} characters"
                ))
                .into(),
                _ if is_standard => anyhow!("cannot read {name}: {error}"),
                _ => anyhow!("cannot read {name}: {error}; --from - reads standard input"),
            })?
        }
    };
    let text = text.trim();
    let bare = arguments.cab && !text.starts_with('[');
    let position = if bare { columns_of_each(text)? } else { notation::position(text)? };
    position.require_computable()?;
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

fn words(answer: &Answer, source: &str, proof: bool) -> String {
    let Answer { position, bites, record } = answer;
    let r = position.r();
    let leaves = bites.iter().map(|bite| (row_of(bite.bitten), named(&bite.leaves)));
    let mut lines = outcome(&named(position), answer.is_p(), leaves);
    let is_poison = position.lengths().iter().map(ToString::to_string).eq(["1", "0", "0"]);
    if is_poison {
        NO_BITE.clone_into(&mut lines[1]);
    } else if let Ok(board) = BoardPosition::new(position.lengths().to_vec()) {
        let left = bites.iter().map(|bite| BoardPosition::new(bite.leaves.lengths().to_vec()));
        lines.extend(drawn(&board, left.filter_map(Result::ok)));
    }
    let below = bites.iter().map(|bite| &bite.record).filter(|below| below.row() != r);
    let records = below.chain([record]);
    let rows = if r == 0 { "row 0".to_owned() } else { format!("rows 0 to {r}") };
    let names: Vec<_> = records.clone().map(|record| record.row().to_string()).collect();
    let printed = records.map(|record| record.abridged().to_string());
    lines.extend(rests(&format!("{rows}, {source}"), &names, printed, proof));
    lines.join("\n") + "\n"
}

fn omega_words(answer: &OmegaAnswer, source: &str, proof: bool) -> String {
    let OmegaAnswer { position, bites, record } = answer;
    let leaves = bites.iter().map(|bite| (row_of(bite.bitten), bite.leaves.to_string()));
    let mut lines = outcome(&position.to_string(), answer.is_p(), leaves);
    let row = record.row().to_string();
    let on = format!("fact 10 of the proofs, and on row {row}, {source}");
    lines.extend(rests(&on, &[row], [record.abridged().to_string()].into_iter(), proof));
    lines.join("\n") + "\n"
}

fn board_words(answer: &BoardAnswer, source: &str, proof: bool) -> String {
    let BoardAnswer { position, bites, record, is_p } = answer;
    let leaves = bites.iter().map(|bite| (format!("row {}", bite.row), bite.leaves.to_string()));
    let mut lines = outcome(&position.to_string(), *is_p, leaves);
    lines.extend(drawn(position, bites.iter().map(|bite| bite.leaves.clone())));
    let others = bites.iter().map(|bite| &bite.record).filter(|other| *other != record);
    let records = others.chain([record]);
    let names: Vec<_> = records.clone().map(|record| record.key().tail.to_string()).collect();
    let printed = records.map(|record| record.abridged().to_string());
    let tail = position.tail();
    let on = format!("fact 12 of the proofs, and on the rows with tails within {tail}, {source}");
    lines.extend(rests(&on, &names, printed, proof));
    lines.join("\n") + "\n"
}

/// The board with the bites that win, and lines around it; nothing if it is too large.
fn drawn(
    board: &BoardPosition,
    left: impl Iterator<Item = BoardPosition>,
) -> impl Iterator<Item = String> {
    let marks = Marks::of_stdout();
    let bites: Vec<BoardSquare> = left.filter_map(|left| board.bite_to(&left)).collect();
    let mut lines = drawing::board(board, &bites, marks);
    if !lines.is_empty() {
        lines.insert(0, String::new());
        lines.extend([String::new(), drawing::legend(&bites, marks)]);
    }
    lines.into_iter()
}

/// What the answer rests on: in a line, and with the records below it if they are wanted.
fn rests(
    on: &str,
    names: &[String],
    records: impl Iterator<Item = String>,
    proof: bool,
) -> Vec<String> {
    if proof {
        let records = records.map(|record| format!("  {record}"));
        return iter::once(format!("This rests on {on}, among them:")).chain(records).collect();
    }
    let which = match names {
        [row] => format!("the record of row {row}"),
        [rows @ .., last] => format!("the records of rows {} and {last}", rows.join(", ")),
        [] => "the records".to_owned(),
    };
    vec![format!("This rests on {on}; --proof prints {which}.")]
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

fn object(answer: &Answer, arguments: &Arguments) -> Value {
    let Answer { position, bites, record } = answer;
    let bites: Vec<Value> = bites
        .iter()
        .map(|bite| {
            json!({
                "bitten": number_of(bite.bitten),
                "leaves": written(bite.leaves.lengths()),
                "leaves_cab": written(bite.leaves.zeilberger()),
                "record": json::row(&bite.record.abridged()),
            })
        })
        .collect();
    json!({
        "position": written(position.lengths()),
        "cab": written(position.zeilberger()),
        "outcome": letter(answer.is_p()),
        "winning_bites": bites,
        "record": json::row(&record.abridged()),
        "source": json::source(arguments.data.as_deref()),
    })
}

fn board_object(answer: &BoardAnswer, arguments: &Arguments) -> Value {
    let BoardAnswer { position, bites, record, is_p } = answer;
    let bites: Vec<Value> = bites
        .iter()
        .map(|bite| {
            json!({
                "bitten": bite.row,
                "leaves": written(bite.leaves.lengths()),
                "leaves_cab": null,
                "record": json::row(&bite.record.abridged()),
            })
        })
        .collect();
    json!({
        "position": written(position.lengths()),
        "cab": null,
        "outcome": letter(*is_p),
        "winning_bites": bites,
        "record": json::row(&record.abridged()),
        "source": json::source(arguments.data.as_deref()),
    })
}

fn omega_object(answer: &OmegaAnswer, arguments: &Arguments) -> Value {
    let OmegaAnswer { position, bites, record } = answer;
    let bites: Vec<Value> = bites
        .iter()
        .map(|bite| {
            let leaves = match &bite.leaves {
                AnyPosition::Finite(position) => written(position.lengths()),
                AnyPosition::Omega(position) => written(position.lengths()),
            };
            let bitten = number_of(bite.bitten);
            json!({ "bitten": bitten, "leaves": leaves, "leaves_cab": null, "record": null })
        })
        .collect();
    json!({
        "position": written(position.lengths()),
        "cab": null,
        "outcome": letter(answer.is_p()),
        "winning_bites": bites,
        "record": json::row(&record.abridged()),
        "source": json::source(arguments.data.as_deref()),
    })
}

/// Rows of a board are counted from the longest one.
fn number_of(row: BoardRow) -> u8 {
    match row {
        BoardRow::Top => 1,
        BoardRow::Middle => 2,
        BoardRow::Bottom => 3,
    }
}

fn letter(is_p: bool) -> &'static str {
    if is_p { "P" } else { "N" }
}

/// Numbers of any size, as strings.
fn written<N: Display>(numbers: impl IntoIterator<Item = N>) -> Vec<String> {
    numbers.into_iter().map(|number| number.to_string()).collect()
}
