//! `chomp query`.

use std::io;
use std::iter;
use std::path::{Path, PathBuf};

use ask::options::RowsFrom;
use ask::{SourceObject, Sourced};
use clap::Args;
use driver::{Answer, Basis, Cost, Error, Position, Reach, Record, Square, Way, with_length};
use serde_json::Value;
use terminal::{Watcher, cost_in_words};

use crate::commands::product;
use crate::drawing::{self, Marks};
use crate::failure;
use crate::options;
use ask::json;
use ask::notation;

/// Say whether a position is P or N, and which bites leave a P-position.
///
/// The position is P Q R or '(P,Q,R)', the row lengths from the top down. In square brackets it is
/// `[C,A,B]` as in Zeilberger's paper: C columns of three squares, A of two, B of one. A position
/// may have more rows than three, or fewer; `chomp help notation` has all ways to type it. The
/// lengths of the two longest rows may have any number of digits, even millions of them if they
/// come from a file (--from). R is a row that can be computed, or that the data set has. Rows of ω
/// squares, one for each natural number, are written `ω`, `omega` or `inf`: the board 2×ω is
/// `ω ω 0`. A product of chains such as ωxω or 2x2xω is answered by a strategy, or is not decided;
/// 3x4x5 is the poset `chains 3 4 5` of `chomp poset`.
///
/// A board of at most 24 rows and 24 columns is drawn, with the bites that win. If it takes a
/// hundredth of a second, or with --all ten seconds, the answer says how many turns the game takes
/// if the player who wins hurries, and the other one delays. Rows 0 to R are
/// computed, or read with --data. If that takes longer than a second, the rows of the transposed
/// position or all positions of the rectangle decide it, whichever takes the least time. Records
/// with fingerprints are enough if Q lies beyond the starts and ends of all these rows, and P
/// beyond them by more than R, and for 3xN; otherwise the rows are computed in spite of --data.
///
/// Theorems decide some positions without a computation (fact 14 of the proofs): two rows or two
/// columns, a row and a column, every rectangle, and positions from which one bite leaves such a
/// P-position, as the bite in row 2 and column 2 of a square does. If all bites that win would take
/// more than ten seconds or 1 GB, the answer by a theorem says that they were not computed; --all
/// computes them.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
#[command(
    alias = "solve",
    after_help = "Examples:\n  chomp query 1000 900 120\n  \
    chomp query '[120,780,100]'\n  chomp query 7,5,5,4\n  chomp query ω 5 3\n\nExit codes: 0 \
    for P and for N, 2 if this is no position or the data set cannot tell, 4 for an infinite \
    board that is not decided."
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
    /// Read the numbers as C A B, or as one number for each row.
    #[arg(long)]
    cab: bool,
    #[command(flatten)]
    rows: RowsFrom,
    /// Print the records that the answer rests on. It is found by rows, even where a rectangle
    /// takes less time.
    #[arg(long, conflicts_with = "json")]
    proof: bool,
    /// Find all bites that win, whatever it costs.
    #[arg(long)]
    all: bool,
    /// Print the answer as JSON: `chomp help json`.
    #[arg(long)]
    json: bool,
}

/// Answers whether a position is P or N, and why.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let position = match (position(arguments), arguments.position.join(" ").parse()) {
        (Err(_), Ok(product)) => {
            let why = "a product of chains is decided without records";
            options::none(arguments.proof.then_some("--proof"), why)?;
            return product::print(&product, arguments.all, arguments.json);
        }
        (position, _) => position?,
    };
    let (source, watcher) = (arguments.rows.open()?, Watcher::new()?);
    let engine = arguments.rows.threads.engine();
    let answer = if arguments.proof && arguments.rows.data().is_none() {
        engine.answer_by(Way::Rows, &position, &watcher)?
    } else if arguments.all {
        source.answer_with_all_bites(&position, &watcher)?
    } else {
        source.answer(&position, &watcher)?
    };
    let answer = with_length(answer, arguments.all, &watcher)?;
    let data = source.folder_of(&answer);
    let words = || {
        let cost = || Some(Way::of_all_bites(&position, engine, &Reach::ALL)?.1);
        words(&answer, &source_in_words(data), arguments.proof, cost)
    };
    failure::print_or(arguments.json, || with_source(&answer, data), words)
}

fn with_source(answer: &Answer, data: Option<&Path>) -> Value {
    json::value(Sourced { result: answer, source: SourceObject::of(data) })
}

fn source_in_words(data: Option<&Path>) -> String {
    data.map_or("computed here".to_owned(), |data| format!("read from {}", failure::shown(data)))
}

/// The longest text of a position, in bytes: such numbers take some twenty seconds.
const LONGEST_POSITION: u64 = 10_000_000;

fn position(arguments: &Arguments) -> Result<Position, Error> {
    let text = match &arguments.from {
        None => arguments.position.join(" "),
        Some(path) => {
            let is_standard = path == Path::new("-");
            let file = path.display().to_string();
            let name = if is_standard { "standard input" } else { &file };
            files::text_or_stdin(path, LONGEST_POSITION).map_err(|error| match error.kind() {
                io::ErrorKind::FileTooLarge => Error::usage(format!(
                    "the position in {name} is longer than {LONGEST_POSITION} characters"
                )),
                _ if is_standard => Error::file(format!("cannot read {name}: {error}")),
                _ => Error::file(format!(
                    "cannot read {name}: {error}; --from - reads standard input"
                )),
            })?
        }
    };
    let text = text.trim();
    let bare = arguments.cab && !text.starts_with('[');
    if bare { columns_of_each(text) } else { notation::position(text) }
}

/// A position from Zeilberger's numbers without brackets, which an error does not quote either.
fn columns_of_each(typed: &str) -> Result<Position, Error> {
    let enclosed = format!("[{typed}]");
    let (quoted, as_typed) = (format!("{enclosed:?}"), format!("{typed:?}"));
    notation::position(&enclosed)
        .map_err(|error| Error::usage(error.to_string().replace(&quoted, &as_typed)))
}

/// The answer in words. `cost` is that of all bites that win, if they can be found.
pub fn words(
    answer: &Answer,
    source: &str,
    proof: bool,
    cost: impl FnOnce() -> Option<Cost>,
) -> String {
    let Answer { position, bites, basis, .. } = answer;
    let leaves = bites
        .iter()
        .map(|bite| (position.name_of_row(bite.square.row), named(&bite.leaves, position)));
    let mut lines = outcome(&named(position, position), answer, leaves);
    if position.as_board() == "(1)" {
        NO_BITE.clone_into(&mut lines[1]);
    } else if position.longest_two().is_some() {
        lines.extend(drawn(position, bites.iter().map(|bite| bite.square.clone())));
    }
    lines.extend(length(answer));
    lines.extend(match basis {
        Basis::Rows(record) => by_rows(answer, record, source, proof),
        Basis::Theorem(theorem) => {
            let mut lines = vec![format!("{theorem}.")];
            if let Some(record) = bites.iter().find_map(|bite| bite.record.as_ref()) {
                let on = format!("rows 0 to {}, {source}", record.row());
                let printed = iter::once(record.abridged().to_string());
                lines.extend(rests(&on, &[name_of_record(record)], printed, proof));
            }
            if !answer.has_all_bites() {
                lines.push(not_computed(bites.is_empty(), cost()));
            }
            lines
        }
        Basis::Columns => {
            vec![format!("This rests on rows of the transposed position, {source}.")]
        }
        Basis::Rectangle { rows, columns } => {
            vec![format!("This rests on all positions of {rows}x{columns}, {source}.")]
        }
    });
    lines.join("\n") + "\n"
}

/// The number of turns that are left.
pub fn length(answer: &Answer) -> Option<String> {
    let turns = answer.length.filter(|&turns| turns > 1)?;
    Some(format!("With best play the game takes {turns} turns."))
}

/// The records that the answer rests on, or their names.
fn by_rows(answer: &Answer, own: &Record, source: &str, proof: bool) -> Vec<String> {
    let others = answer.bites.iter().filter_map(|bite| bite.record.as_ref());
    let records = others.filter(|other| *other != own).chain([own]);
    let names: Vec<_> = records.clone().map(name_of_record).collect();
    let printed = records.map(|record| record.abridged().to_string());
    rests(&foundation(&answer.position, source), &names, printed, proof)
}

/// `120`, `(3,2)`.
fn name_of_record(record: &Record) -> String {
    let key = record.key();
    key.row().map_or_else(|| key.tail().to_string(), |row| row.to_string())
}

/// The rows and the fact that an answer rests on.
fn foundation(position: &Position, source: &str) -> String {
    let tail = position.tail();
    let row = tail.first_column();
    if position.longest_two().is_none() {
        let row = if tail.parts().len() > 1 { tail.to_string() } else { row.to_string() };
        format!("fact 10 of the proofs, and on row {row}, {source}")
    } else if position.height() > 3 {
        format!("fact 12 of the proofs, and on the rows with tails within {tail}, {source}")
    } else if row == 0 {
        format!("row 0, {source}")
    } else {
        format!("rows 0 to {row}, {source}")
    }
}

/// The board with the bites that win, and lines around it; nothing if it is too large.
fn drawn(board: &Position, bites: impl Iterator<Item = Square>) -> impl Iterator<Item = String> {
    let (marks, bites): (_, Vec<Square>) = (Marks::of_stdout(), bites.collect());
    let mut lines = drawing::position(board, &bites, marks);
    if !lines.is_empty() {
        lines.insert(0, String::new());
        lines.extend([String::new(), marks.legend(!bites.is_empty())]);
    }
    lines.into_iter()
}

/// The basis of the answer: in a line, with `--proof` followed by the records.
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

/// Says which bites are not known, and how they can be found.
fn not_computed(is_none_known: bool, cost: Option<Cost>) -> String {
    let which = if is_none_known { "Which bites win" } else { "Whether other bites win" };
    match cost {
        Some(cost) => {
            format!("{which} was not computed; with --all, {}.", cost_in_words("will", cost))
        }
        None => format!("{which} was not computed, and no way to it is known here."),
    }
}

/// Printed for the board that is the poison alone.
const NO_BITE: &str = "There is no bite: the next player must take the poison, and loses.";

/// P or N, and the bites that leave P-positions.
fn outcome(
    position: &str,
    answer: &Answer,
    bites: impl Iterator<Item = (String, String)>,
) -> Vec<String> {
    let outcome = if answer.is_p() { "a P-position" } else { "an N-position" };
    let then = match answer.bites.len() {
        _ if answer.is_p() => Some("Every bite leaves an N-position."),
        _ if answer.has_all_bites() => Some("These bites leave a P-position, and no other does:"),
        0 => None,
        1 => Some("This bite leaves a P-position:"),
        _ => Some("These bites leave a P-position:"),
    };
    let mut lines = vec![format!("{position} is {outcome}.")];
    lines.extend(then.map(str::to_owned));
    lines.extend(bites.map(|(bitten, leaves)| {
        let row = format!("{bitten}:");
        format!("  {row:<11} {leaves}")
    }));
    lines
}

/// Row lengths, and with three rows at most, all finite, the same in Zeilberger's notation.
fn named(position: &Position, asked: &Position) -> String {
    let is_of_three = asked.height() <= 3 && asked.longest_two().is_some();
    match position.zeilberger().filter(|_| is_of_three) {
        Some([c, a, b]) => format!("{position} = [{c},{a},{b}]"),
        None if asked.height() > 3 => position.as_board(),
        None => position.to_string(),
    }
}
