//! The verdict on a data set as JSON: what is proved and assumed, or the problem and its place.

use std::path::Path;

use check::{CheckError, Depth, NotVerified, Verified};
use record::data_set::DataSetError;
use record::{Family, Lower, Problem, RowKey};
use serde::Serialize;
use serde_json::{Value, json};

use crate::json::value;

/// The verdict of a check that was asked to go to the heads, or not.
#[must_use]
pub fn verdict_object(outcome: &Result<Verified, CheckError>, heads: bool) -> Value {
    let depth = if heads { Depth::Heads } else { Depth::Tails };
    match outcome {
        Ok(found) => verified(found),
        Err(error) => not_verified(error, depth),
    }
}

fn verified(found: &Verified) -> Value {
    let &Verified { depth, first, last, held, certificates, .. } = found;
    let range = |first: u64, last: u64| json!({"first": first, "last": last});
    let below = (first > 0).then(|| range(0, first - 1));
    let above = (last < held).then(|| range(last + 1, held));
    json!({
        "verdict": "verified",
        "depth": depth,
        "rows": found.family.is_none().then(|| range(first, last)),
        "rows_not_checked": below.into_iter().chain(above).collect::<Vec<Value>>(),
        "family": found.family.as_ref().map(family_object),
        "data": found.data,
        "periodic": certificates,
        "assumed": found.assumed(),
        "checkpoint": found.resumed.as_ref().map(|resumed| &resumed.hash),
        "problem": null,
        "words": found.to_string(),
    })
}

/// The levels of a family, and its tails or its poset.
fn family_object(Family { level, lower }: &Family) -> Value {
    match lower {
        Lower::Within(within) => json!({"level": level, "within": within.parts()}),
        Lower::Ideals(ideals) => json!({"level": level, "poset": ideals.poset().lines()}),
    }
}

fn not_verified(error: &CheckError, depth: Depth) -> Value {
    let (because, data, checkpoint) = match error {
        CheckError::Resumed { source, hash } => (&**source, None, Some(hash)),
        CheckError::Part(part) => (error, Some(&part.data), None),
        _ => (error, None, None),
    };
    let verdict = match because {
        CheckError::Interrupted | CheckError::Part(_) | CheckError::Incomplete(_) => "incomplete",
        CheckError::NoSuchRows { .. } | CheckError::WholeFamily { .. } => "usage",
        _ if because.is_refutation() => "refuted",
        _ => "unreadable",
    };
    json!({
        "verdict": verdict,
        "depth": depth,
        "rows": null,
        "rows_not_checked": [],
        "family": null,
        "data": data,
        "periodic": null,
        "assumed": null,
        "checkpoint": checkpoint,
        "problem": problem(because),
        "words": error.to_string(),
    })
}

/// A problem and its place: in the file, and the row that it is about.
fn problem(error: &CheckError) -> Value {
    match error {
        CheckError::Refuted(found) => in_record(found),
        CheckError::Incomplete(found) => in_record(found),
        CheckError::Structure(error) => in_file(error),
        CheckError::NoSuchRows { .. } => at(None, because("no_such_rows")),
        CheckError::WholeFamily { .. } => at(None, because("whole_family")),
        CheckError::Interrupted => at(None, because("interrupted")),
        CheckError::Part(part) => {
            let details = json!({"last": part.last, "from": part.from, "to": part.to});
            at(None, json!({"reason": "part", "details": details}))
        }
        CheckError::Checkpoint { .. } => at(None, because("checkpoint")),
        _ => at(None, because("other")),
    }
}

fn because(reason: &str) -> Value {
    json!({"reason": reason, "details": {}})
}

/// A reason with its details, and the row. Only rows of order ideals have the field `ideal`.
fn at(key: Option<&RowKey>, mut problem: Value) -> Value {
    for field in ["file", "line", "column"] {
        problem[field] = Value::Null;
    }
    problem["row"] = value(key.and_then(RowKey::row));
    problem["tail"] = value(key.map(|key| key.tail().parts()));
    problem["level"] = value(key.map(|key| key.level));
    if let Some(ideal) = key.and_then(RowKey::ideal) {
        problem["ideal"] = value(ideal.to_string());
    }
    problem
}

fn in_record(found: &NotVerified<impl Serialize>) -> Value {
    let mut problem = at(Some(&found.key), value(&found.why));
    problem["file"] = value(&found.file);
    problem["line"] = value(found.line);
    problem
}

fn in_file(error: &DataSetError) -> Value {
    let name = |path: &Path| value(path.file_name().map(|name| name.to_string_lossy()));
    match error {
        DataSetError::Line { path, key, source } => {
            let is_fault = matches!(source.problem, Problem::Fault(_));
            let reason = if is_fault { "not_well_formed" } else { "not_readable" };
            let mut problem = at(key.as_deref(), because(reason));
            problem["file"] = name(path);
            problem["line"] = value(source.line);
            problem["column"] = value(source.column);
            problem
        }
        DataSetError::Damaged { path, .. } => {
            let mut problem = at(None, because("damaged"));
            problem["file"] = name(path);
            problem
        }
        DataSetError::Missing { .. } => at(None, because("no_data_set")),
        _ => at(None, because("not_readable")),
    }
}
