//! `chomp check`.

mod merge;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use check::{CheckError, Depth, Part, Refutation, Resumed, Undecided, Verified};
use clap::{ArgGroup, Args};
use driver::{CheckFolder, DataSet, Family, Task, Watch, records, verify_in_folder};
use record::data_set::{DataSetError, is_being_written};
use record::{Exact, Lower, Problem, RowKey};
use serde::Serialize;
use serde_json::{Value, json};
use terminal::Watcher;

use crate::failure::{self, Failure};
use crate::options::{Keep, threads};
use crate::{json, notation};

/// Verify a data set without trusting the program that wrote it.
///
/// Reads the files strictly (structure), and verifies the certificate of every periodic row from
/// the records alone (tails). This assumes that the pre-periods are right. With --heads they are
/// computed again, by another method than that of `chomp rows`, and nothing is assumed. The verdict
/// goes to stdout: what was proved, what was assumed, and what was not checked.
///
/// With --keep a check of heads writes checkpoints, and removes them once all rows are verified.
/// The verdict of a resumed check assumes that its checkpoint is right, and gives its hash.
#[derive(Debug, Args)]
#[command(
    alias = "verify",
    group = ArgGroup::new("kept").arg("folder").requires("heads"),
    after_help = "Examples:\n  chomp check chomp-rows --heads\n\nExit codes: 0 \
    verified, 1 refuted, 3 no readable data set, 4 interrupted or incomplete."
)]
pub struct Arguments {
    /// The folder of the data set, or its archive, if the name ends in .zip.
    #[arg(value_name = "DIR", required_unless_present_any = ["archive", "merge"])]
    data: Option<PathBuf>,
    /// The archive of the data set, a file of any name. Nothing is unpacked; with --rows, only the
    /// files of rows to B are read.
    #[arg(long, value_name = "FILE", conflicts_with = "data")]
    archive: Option<PathBuf>,
    /// Compute every pre-period again. The time grows with the square of the last row.
    #[arg(long)]
    heads: bool,
    /// Check rows A to B only, both included. With --heads the rows below A are computed and
    /// checked as well. Files of later rows are not read.
    #[arg(long, value_name = "A..B", value_parser = notation::range)]
    rows: Option<(u64, u64)>,
    /// Compute pre-periods on this many threads [default: one for each processor]. The verdict is
    /// the same.
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true,
        requires = "heads")]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    keep: Keep,
    /// Time between checkpoints, such as 500ms, 10s or 2min.
    #[arg(long, value_name = "TIME", default_value = "2min", value_parser = humantime::parse_duration,
        requires = "folder")]
    checkpoint_every: Duration,
    /// Stop before the first group of columns from this column on, with a checkpoint. So a check
    /// can be shared out: each part begins at the checkpoint at which another one ends.
    #[arg(long, value_name = "Q", requires = "folder", value_parser = notation::row,
        allow_hyphen_values = true)]
    to_column: Option<u64>,
    /// Put together the verdicts of parts that --to-column and --json have printed to these files.
    #[arg(long, value_name = "VERDICT", num_args = 1.., exclusive = true)]
    merge: Vec<PathBuf>,
    /// Print the verdict as JSON: `chomp help json`.
    #[arg(long)]
    json: bool,
}

/// Verifies a data set, and prints the verdict.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Some(given) = arguments.archive.as_deref().or(arguments.data.as_deref()) else {
        return failure::print(merge::merged(&arguments.merge)?.as_bytes());
    };
    let &Arguments { heads, rows, threads, to_column, .. } = arguments;
    let task = Task { heads, rows, threads };
    let watcher = Watcher::new()?;
    let ends_in_zip = given.extension().is_some_and(|ending| ending == "zip");
    let opened = if arguments.archive.is_some() || ends_in_zip && given.is_file() {
        DataSet::open_archive(given, || watcher.stop())
    } else {
        DataSet::open_any(given)
    };
    let not_opened = |error: DataSetError| {
        if watcher.stop() { CheckError::Interrupted } else { error.into() }
    };
    let outcome = opened.map_err(not_opened).and_then(|data_set| match &arguments.keep.folder {
        None => records::verify_data_set(&data_set, &task, &watcher),
        Some(folder) => {
            let folder = folder.clone();
            let every = arguments.checkpoint_every;
            let folder = CheckFolder { folder, every, to_column };
            verify_in_folder(&data_set, &task, &folder, &watcher)
        }
    });
    if outcome.is_ok() && is_being_written(given) {
        let folder = failure::shown(given);
        tracing::info!(
            "a run is writing to {folder}; what was checked is the data set from before it"
        );
    }
    if arguments.json {
        let object = match &outcome {
            Ok(verdict) => verified(verdict),
            Err(error) => not_verified(error, &task),
        };
        failure::print(json::line(&object).as_bytes())?;
    } else if let Ok(verdict) = &outcome {
        failure::print(verdict.to_string().as_bytes())?;
    }
    outcome.map(drop).map_err(|error| driver::Error::from(error).into())
}

fn verified(verdict: &Verified) -> Value {
    let &Verified { depth, first, last, held, certificates, .. } = verdict;
    let of_rows = verdict.family.is_none();
    let below = (first > 0).then(|| range(0, first - 1));
    let above = (last < held).then(|| range(last + 1, held));
    json!({
        "verdict": "verified",
        "depth": depth,
        "rows": of_rows.then(|| range(first, last)),
        "rows_not_checked": below.into_iter().chain(above).collect::<Vec<_>>(),
        "family": verdict.family.as_ref().map(family),
        "data": verdict.data,
        "periodic": certificates,
        "assumed": verdict.assumed(),
        "checkpoint": verdict.resumed.as_ref().map(|resumed| &resumed.hash),
        "problem": null,
        "words": verdict.to_string(),
    })
}

fn range(first: u64, last: u64) -> Value {
    json!({ "first": first, "last": last })
}

fn family(Family { level, lower }: &Family) -> Value {
    match lower {
        Lower::Within(within) => json!({ "level": level, "within": within.parts() }),
        Lower::Ideals(ideals) => json!({ "level": level, "poset": ideals.poset().lines() }),
    }
}

fn not_verified(error: &CheckError, task: &Task) -> Value {
    let because = match error {
        CheckError::Resumed { source, .. } => source,
        _ => error,
    };
    let verdict = match because {
        CheckError::Interrupted | CheckError::Part(_) | CheckError::Incomplete(_) => "incomplete",
        CheckError::NoSuchRows { .. } | CheckError::WholeFamily { .. } => "usage",
        _ if error.is_refutation() => "refuted",
        _ => "unreadable",
    };
    json!({
        "verdict": verdict,
        "depth": if task.heads { Depth::Heads } else { Depth::Tails },
        "rows": null,
        "rows_not_checked": [],
        "family": null,
        "data": match error {
            CheckError::Part(part) => Some(&part.data),
            _ => None,
        },
        "periodic": null,
        "assumed": null,
        "checkpoint": match error {
            CheckError::Resumed { hash, .. } => Some(hash),
            _ => None,
        },
        "problem": problem(because),
        "words": error.to_string(),
    })
}

/// A problem and its place.
#[derive(Default, Serialize)]
struct ProblemObject {
    file: Option<String>,
    line: Option<u64>,
    /// Of the line.
    column: Option<u64>,
    row: Option<Exact>,
    tail: Option<Vec<Exact>>,
    level: Option<Exact>,
    /// Only rows of order ideals have this field.
    #[serde(skip_serializing_if = "Option::is_none")]
    ideal: Option<String>,
    reason: String,
    details: Value,
}

impl ProblemObject {
    fn of(reason: &str) -> Self {
        Self { reason: reason.to_owned(), details: json!({}), ..Self::default() }
    }

    /// From data with the name of its kind as `reason`.
    fn because(why: impl Serialize) -> Self {
        let mut details = json::value(why);
        let reason = details.as_object_mut().and_then(|fields| fields.remove("reason"));
        let reason = reason.as_ref().and_then(Value::as_str).unwrap_or("other").to_owned();
        Self { reason, details, ..Self::default() }
    }

    fn in_record(self, file: &str, line: u64, key: &RowKey) -> Self {
        Self { file: Some(file.to_owned()), line: Some(line), ..self }.about(key)
    }

    fn about(self, key: &RowKey) -> Self {
        Self {
            row: key.row().map(Exact::from),
            tail: Some(key.tail().parts().iter().map(|&part| part.into()).collect()),
            level: Some(key.level.into()),
            ideal: key.ideal().map(ToString::to_string),
            ..self
        }
    }
}

fn problem(error: &CheckError) -> ProblemObject {
    match error {
        CheckError::Refuted(Refutation { file, line, key, why, .. }) => {
            ProblemObject::because(why).in_record(file, *line, key)
        }
        CheckError::Incomplete(Undecided { file, line, key, why: limit, .. }) => {
            ProblemObject::because(limit).in_record(file, *line, key)
        }
        CheckError::Structure(error) => of_structure(error),
        CheckError::NoSuchRows { .. } => ProblemObject::of("no_such_rows"),
        CheckError::WholeFamily { .. } => ProblemObject::of("whole_family"),
        CheckError::Interrupted => ProblemObject::of("interrupted"),
        CheckError::Part(part) => {
            let Part { last, from, to, .. } = &**part;
            let checkpoint = |it: &Resumed| json!({ "hash": it.hash, "column": it.column });
            let from = from.as_ref().map(checkpoint);
            let details = json!({ "last": last, "from": from, "to": checkpoint(to) });
            ProblemObject { details, ..ProblemObject::of("part") }
        }
        CheckError::Checkpoint { .. } => ProblemObject::of("checkpoint"),
        _ => ProblemObject::of("other"),
    }
}

fn of_structure(error: &DataSetError) -> ProblemObject {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    match error {
        DataSetError::Line { path, key, source } => {
            let is_fault = matches!(source.problem, Problem::Fault(_));
            let found = ProblemObject {
                file: name(path),
                line: u64::try_from(source.line).ok(),
                column: u64::try_from(source.column).ok(),
                ..ProblemObject::of(if is_fault { "not_well_formed" } else { "not_readable" })
            };
            if let Some(key) = key { found.about(key) } else { found }
        }
        DataSetError::Damaged { path, .. } => {
            ProblemObject { file: name(path), ..ProblemObject::of("damaged") }
        }
        DataSetError::Missing { .. } => ProblemObject::of("no_data_set"),
        _ => ProblemObject::of("not_readable"),
    }
}
