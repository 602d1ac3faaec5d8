//! The verdict on a data set as JSON: what is proved and assumed, or the problem and its place.

use std::path::Path;

use check::{Assumption, CheckError, Depth, NotVerified, Verified};
use driver::{ErrorKind, kind_of_check};
use record::data_set::DataSetError;
use record::{Family, Lower, Problem, RowKey};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A verdict.
#[derive(Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VerdictObject {
    /// The assumptions, which are not proved.
    pub assumed: Option<Vec<Assumption>>,
    /// The hash of the checkpoint from which the check resumed.
    pub checkpoint: Option<String>,
    /// The hash of the last segment of the data set, which covers all segments.
    pub data: Option<String>,
    /// The depth that was asked for. Both include structure.
    pub depth: Option<Depth>,
    /// The levels and tails that were verified, or the levels of a poset.
    pub family: Option<FamilyObject>,
    /// The number of periodic rows, each with its certificate.
    pub periodic: Option<u64>,
    /// The reason of any verdict but `verified`, and its place.
    pub problem: Option<ProblemObject>,
    /// The rows that were verified, if they are of three-rowed Chomp.
    pub rows: Option<RowRange>,
    /// Rows of the data set that were skipped.
    pub rows_not_checked: Vec<RowRange>,
    /// `verified`, `refuted`, `incomplete`, `unreadable` or `usage`.
    pub verdict: String,
    /// The verdict in words, as `chomp check` prints it.
    pub words: String,
}

/// Rows, both included.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowRange {
    /// The first one.
    pub first: u64,
    /// The last one.
    pub last: u64,
}

/// Levels 0 to `level` of all tails within a tail, or of all order ideals of a poset.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FamilyObject {
    level: u64,
    #[serde(flatten)]
    lower: LowerObject,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum LowerObject {
    /// All tails within this one.
    Within(Vec<u64>),
    /// The relations of the poset.
    Poset(Vec<String>),
}

/// A problem and its place: in the file, and the row that it is about.
#[derive(Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProblemObject {
    /// The column in the line.
    column: Option<usize>,
    /// The numbers of the reason, under names that depend on it.
    pub details: Value,
    /// The name of the file.
    file: Option<String>,
    /// The order ideal of the row. Only rows of order ideals have this field.
    #[serde(skip_serializing_if = "Option::is_none")]
    ideal: Option<String>,
    level: Option<u64>,
    line: Option<u64>,
    /// A name; `docs/JSON.md` lists them.
    pub reason: String,
    row: Option<u64>,
    tail: Option<Vec<u64>>,
}

/// The verdict of a check that was asked to go to the heads, or not.
pub fn verdict_object(outcome: &Result<Verified, CheckError>, heads: bool) -> VerdictObject {
    let depth = if heads { Depth::Heads } else { Depth::Tails };
    outcome.as_ref().map_or_else(|error| not_verified(error, depth), verified)
}

fn verified(found: &Verified) -> VerdictObject {
    let &Verified { depth, first, last, held, certificates, .. } = found;
    let below = (first > 0).then(|| RowRange { first: 0, last: first - 1 });
    let above = (last < held).then(|| RowRange { first: last + 1, last: held });
    VerdictObject {
        assumed: Some(found.assumed()),
        checkpoint: found.resumed.as_ref().map(|resumed| resumed.hash.clone()),
        data: found.data.clone(),
        depth: Some(depth),
        family: found.family.as_ref().map(family_object),
        periodic: Some(certificates),
        problem: None,
        rows: found.family.is_none().then_some(RowRange { first, last }),
        rows_not_checked: below.into_iter().chain(above).collect(),
        verdict: "verified".to_owned(),
        words: found.to_string(),
    }
}

/// The levels of a family, and its tails or its poset.
fn family_object(Family { level, lower }: &Family) -> FamilyObject {
    let lower = match lower {
        Lower::Within(within) => LowerObject::Within(within.parts().to_vec()),
        Lower::Ideals(ideals) => LowerObject::Poset(ideals.poset().lines().to_vec()),
    };
    FamilyObject { level: *level, lower }
}

fn not_verified(error: &CheckError, depth: Depth) -> VerdictObject {
    let (because, data, checkpoint) = match error {
        CheckError::Resumed { source, hash } => (&**source, None, Some(hash)),
        CheckError::Part(part) => (error, Some(&part.data), None),
        _ => (error, None, None),
    };
    let verdict = match kind_of_check(because) {
        ErrorKind::Incomplete => "incomplete",
        ErrorKind::Usage => "usage",
        ErrorKind::Refuted => "refuted",
        _ => "unreadable",
    };
    VerdictObject {
        checkpoint: checkpoint.cloned(),
        data: data.cloned(),
        depth: Some(depth),
        problem: Some(problem(because)),
        verdict: verdict.to_owned(),
        words: error.to_string(),
        ..VerdictObject::default()
    }
}

fn problem(error: &CheckError) -> ProblemObject {
    let because = |reason: &str| ProblemObject::of(None, reason, json!({}));
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    match error {
        CheckError::Refuted(found) | CheckError::Incomplete(found) => {
            let NotVerified { file, line, key, why, .. } = found;
            let problem = ProblemObject::of(Some(key), why.reason, why.details.clone());
            ProblemObject { file: Some(file.clone()), line: Some(*line), ..problem }
        }
        CheckError::Structure(DataSetError::Line { path, key, source }) => {
            let is_fault = matches!(source.problem, Problem::Fault(_));
            let reason = if is_fault { "not_well_formed" } else { "not_readable" };
            ProblemObject {
                column: Some(source.column),
                file: name(path),
                line: Some(source.line as u64),
                ..ProblemObject::of(key.as_deref(), reason, json!({}))
            }
        }
        CheckError::Structure(DataSetError::Damaged { path, .. }) => {
            ProblemObject { file: name(path), ..because("damaged") }
        }
        CheckError::Structure(DataSetError::Missing { .. }) => because("no_data_set"),
        CheckError::Structure(_) => because("not_readable"),
        CheckError::NoSuchRows { .. } => because("no_such_rows"),
        CheckError::WholeFamily { .. } => because("whole_family"),
        CheckError::Interrupted => because("interrupted"),
        CheckError::Part(part) => {
            let details = json!({"last": part.last, "from": part.from, "to": part.to});
            ProblemObject::of(None, "part", details)
        }
        CheckError::Checkpoint { .. } => because("checkpoint"),
        _ => because("other"),
    }
}

impl ProblemObject {
    /// A reason with its details, and the row.
    fn of(key: Option<&RowKey>, reason: &str, details: Value) -> Self {
        Self {
            details,
            ideal: key.and_then(RowKey::ideal).map(ToString::to_string),
            level: key.map(|key| key.level),
            reason: reason.to_owned(),
            row: key.and_then(RowKey::row),
            tail: key.map(|key| key.tail().parts().to_vec()),
            ..Self::default()
        }
    }
}
