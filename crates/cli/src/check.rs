//! `chomp check`.

use std::sync::{Mutex, OnceLock};

use check::{CheckError, Depth, Task, Verdict, Watch, check_data_set};
use record::data_set::DataSet;
use serde_json::{Value, json};

use crate::arguments::Check;
use crate::failure::{self, Failure};
use crate::interrupt::Interrupt;
use crate::progress::Progress;

/// Verifies a data set, and prints the verdict.
pub fn run(arguments: &Check) -> anyhow::Result<()> {
    let watcher = Watcher { interrupt: Interrupt::catch()?, progress: OnceLock::new() };
    let task = Task { heads: arguments.heads, rows: arguments.rows };
    let outcome = DataSet::open(&arguments.data)
        .map_err(CheckError::from)
        .and_then(|data_set| check_data_set(&data_set, &task, &watcher));
    watcher.finish();
    if arguments.json {
        let object = match &outcome {
            Ok(verdict) => verified(verdict),
            Err(error) => not_verified(error),
        };
        failure::print(format!("{object}\n").as_bytes())?;
    } else if let Ok(verdict) = &outcome {
        failure::print(verdict.to_string().as_bytes())?;
    }
    outcome.map(drop).map_err(failed)
}

/// Verifies structure and tails of a data set, for another command.
pub fn tails(data_set: &DataSet) -> anyhow::Result<Verdict> {
    let watcher = Watcher { interrupt: Interrupt::catch()?, progress: OnceLock::new() };
    check_data_set(data_set, &Task::default(), &watcher).map_err(failed)
}

fn verified(verdict: &Verdict) -> Value {
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
        CheckError::NoSuchRows { .. } => "usage",
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

fn failed(error: CheckError) -> anyhow::Error {
    match error {
        CheckError::Interrupted => Failure::Interrupted("; nothing is proved".to_owned()).into(),
        CheckError::Incomplete(_) => Failure::Incomplete(error.to_string()).into(),
        CheckError::NoSuchRows { .. } => Failure::Usage(error.to_string()).into(),
        error if error.is_refutation() => Failure::Refuted(error.to_string()).into(),
        error => error.into(),
    }
}

/// Shows how far the heads are, and passes Ctrl-C on.
struct Watcher {
    interrupt: Interrupt,
    progress: OnceLock<Mutex<Progress>>,
}

impl Watcher {
    fn finish(&self) {
        if let Some(Ok(progress)) = self.progress.get().map(Mutex::lock) {
            progress.finish();
        }
    }
}

impl Watch for Watcher {
    fn progress(&self, done: u64, all: u64) {
        let progress = self.progress.get_or_init(|| Mutex::new(Progress::of("column", all, 2.0)));
        if let Ok(mut progress) = progress.lock() {
            progress.set(done);
        }
    }

    fn stop(&self) -> bool {
        self.interrupt.asked()
    }
}
