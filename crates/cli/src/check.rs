//! `chomp check`.

use check::{CheckError, Depth, Verified};
use driver::{Task, data_set};
use serde_json::{Value, json};

use crate::arguments::CheckArguments;
use crate::failure;
use crate::watcher::Watcher;

/// Verifies a data set, and prints the verdict.
pub fn run(arguments: &CheckArguments) -> anyhow::Result<()> {
    let task = Task { heads: arguments.heads, rows: arguments.rows };
    let outcome = data_set::verify(&arguments.data, &task, &Watcher::new()?);
    if arguments.json {
        let object = match &outcome {
            Ok(verdict) => verified(verdict),
            Err(error) => not_verified(error),
        };
        failure::print(format!("{object}\n").as_bytes())?;
    } else if let Ok(verdict) = &outcome {
        failure::print(verdict.to_string().as_bytes())?;
    }
    outcome.map(drop).map_err(|error| driver::Error::from(error).into())
}

fn verified(verdict: &Verified) -> Value {
    let depth = if verdict.depth == Depth::Heads { "heads" } else { "tails" };
    json!({
        "verdict": "verified",
        "depth": depth,
        "first": verdict.first,
        "last": verdict.last,
        "proved": verdict.proved(),
        "assumed": verdict.assumptions(),
        "not_checked": verdict.not_checked(),
    })
}

fn not_verified(error: &CheckError) -> Value {
    let verdict = match error {
        CheckError::Interrupted | CheckError::Incomplete(_) => "incomplete",
        CheckError::NoSuchRows { .. } | CheckError::WholeFamily { .. } => "usage",
        _ if error.is_refutation() => "refuted",
        _ => "unreadable",
    };
    let place = match error {
        CheckError::Refuted(found) => Some((found.row, found.line, &found.file)),
        CheckError::Incomplete(found) => Some((found.row, found.line, &found.file)),
        _ => None,
    };
    json!({
        "verdict": verdict,
        "row": place.map(|(row, _, _)| row),
        "line": place.map(|(_, line, _)| line),
        "file": place.map(|(_, _, file)| file),
        "why": error.to_string(),
    })
}
