//! Compares every record of a data set with its prediction from the sequence of finite rows, and
//! writes the expectations for later rows: `outputs/PREDICTIONS.md`. With a table of later rows, it
//! compares the expectations with what came: `outputs/PREDICTIONS-SCORE.md`.
//!
//! `cargo run --release -p chomp-cascade --example predictions -- DIR`; [`USAGE`] has the options.

mod balance;
mod document;
mod estimate;
mod later;
mod markdown;
mod score;
mod seen;
mod two_holes;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use seen::{Problem, Seen};

/// What was typed.
struct Arguments {
    folder: PathBuf,
    /// The last row from which predictions are made; by default that of the data set.
    to: Option<u64>,
    /// A table of `chomp show --periods --tsv`, and its last row.
    score: Option<(PathBuf, u64)>,
}

const USAGE: &str = "usage: predictions DIR [--to R] [--score TABLE LAST]
  DIR     a data set that `chomp rows` has written
  R       the last row from which predictions are made; by default that of DIR
  TABLE   the output of `chomp show --periods --tsv` for rows 0 to LAST: compare the predictions with it";

fn main() -> ExitCode {
    let Some(arguments) = arguments(env::args_os().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(&arguments) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(if matches!(problem, Problem::Refuted(_)) { 1 } else { 3 })
        }
    }
}

fn run(arguments: &Arguments) -> Result<String, Problem> {
    let seen = seen::read(&arguments.folder, arguments.to)?;
    Ok(match &arguments.score {
        None => document::Document(&seen).to_string(),
        Some((table, last)) => score_of(&seen, table, *last)?.to_string(),
    })
}

fn score_of<'a>(seen: &'a Seen, table: &Path, last: u64) -> Result<score::Score<'a>, Problem> {
    let later = later::read(table, seen, last)?;
    Ok(score::Score { seen, later })
}

fn arguments(mut typed: impl Iterator<Item = OsString>) -> Option<Arguments> {
    let folder = typed.next().filter(|folder| !folder.to_string_lossy().starts_with('-'))?;
    let mut arguments = Arguments { folder: folder.into(), to: None, score: None };
    let number = |text: OsString| text.to_str()?.parse().ok();
    while let Some(option) = typed.next() {
        match option.to_str()? {
            "--to" => arguments.to = Some(number(typed.next()?)?),
            "--score" => arguments.score = Some((typed.next()?.into(), number(typed.next()?)?)),
            _ => return None,
        }
    }
    Some(arguments)
}
