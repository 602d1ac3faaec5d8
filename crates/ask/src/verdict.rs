//! The verdict on a data set: what is proved and assumed, or the problem and its place.

use std::path::Path;

use check::{Assumption, CheckError, Depth, Limit, NotVerified, Resumed, Verified, Why};
use record::data_set::DataSetError;
use record::{Family, Lower, Problem, RowKey};
use serde::Serialize;

/// The verdict of a check.
#[derive(Serialize)]
pub struct VerdictObject<'a> {
    verdict: &'static str,
    depth: Depth,
    rows: Option<Range>,
    rows_not_checked: Vec<Range>,
    family: Option<FamilyObject<'a>>,
    data: Option<&'a str>,
    periodic: Option<u64>,
    assumed: Option<Vec<Assumption>>,
    checkpoint: Option<&'a str>,
    problem: Option<ProblemObject<'a>>,
    words: String,
}

#[derive(Serialize)]
struct Range {
    first: u64,
    last: u64,
}

/// The levels of a family, and its tails or its poset.
#[derive(Serialize)]
struct FamilyObject<'a> {
    level: u64,
    #[serde(flatten)]
    lower: LowerRows<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum LowerRows<'a> {
    Within(&'a [u64]),
    Poset(&'a [String]),
}

/// A problem and its place: in the file, and the row that it is about.
#[derive(Serialize)]
struct ProblemObject<'a> {
    file: Option<String>,
    line: Option<u64>,
    /// Of the line.
    column: Option<u64>,
    row: Option<u64>,
    tail: Option<&'a [u64]>,
    level: Option<u64>,
    /// Only rows of order ideals have this field.
    #[serde(skip_serializing_if = "Option::is_none")]
    ideal: Option<String>,
    #[serde(flatten)]
    why: Reason<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Reason<'a> {
    Refuted(&'a Why),
    Limit(&'a Limit),
    Other { reason: &'static str, details: Details<'a> },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Details<'a> {
    None {},
    Part { last: u64, from: Option<&'a Resumed>, to: &'a Resumed },
}

impl<'a> VerdictObject<'a> {
    /// Of a check that was asked to go to the heads, or not.
    #[must_use]
    pub fn of(outcome: &'a Result<Verified, CheckError>, heads: bool) -> Self {
        match outcome {
            Ok(verified) => Self::verified(verified),
            Err(error) => {
                let depth = if heads { Depth::Heads } else { Depth::Tails };
                Self::not_verified(error, depth)
            }
        }
    }

    fn verified(found: &'a Verified) -> Self {
        let &Verified { depth, first, last, held, certificates, .. } = found;
        let below = (first > 0).then(|| Range { first: 0, last: first - 1 });
        let above = (last < held).then(|| Range { first: last + 1, last: held });
        Self {
            verdict: "verified",
            depth,
            rows: found.family.is_none().then_some(Range { first, last }),
            rows_not_checked: below.into_iter().chain(above).collect(),
            family: found.family.as_ref().map(FamilyObject::of),
            data: found.data.as_deref(),
            periodic: Some(certificates),
            assumed: Some(found.assumed()),
            checkpoint: found.resumed.as_ref().map(|resumed| &*resumed.hash),
            problem: None,
            words: found.to_string(),
        }
    }

    fn not_verified(error: &'a CheckError, depth: Depth) -> Self {
        let (because, data, checkpoint) = match error {
            CheckError::Resumed { source, hash } => (&**source, None, Some(&**hash)),
            CheckError::Part(part) => (error, Some(&*part.data), None),
            _ => (error, None, None),
        };
        let verdict = match because {
            CheckError::Interrupted | CheckError::Part(_) | CheckError::Incomplete(_) => {
                "incomplete"
            }
            CheckError::NoSuchRows { .. } | CheckError::WholeFamily { .. } => "usage",
            _ if because.is_refutation() => "refuted",
            _ => "unreadable",
        };
        Self {
            verdict,
            depth,
            rows: None,
            rows_not_checked: Vec::new(),
            family: None,
            data,
            periodic: None,
            assumed: None,
            checkpoint,
            problem: Some(ProblemObject::of(because)),
            words: error.to_string(),
        }
    }
}

impl<'a> FamilyObject<'a> {
    fn of(Family { level, lower }: &'a Family) -> Self {
        let lower = match lower {
            Lower::Within(within) => LowerRows::Within(within.parts()),
            Lower::Ideals(ideals) => LowerRows::Poset(ideals.poset().lines()),
        };
        Self { level: *level, lower }
    }
}

impl<'a> ProblemObject<'a> {
    fn of(error: &'a CheckError) -> Self {
        match error {
            CheckError::Refuted(found) => Self::in_record(found, Reason::Refuted(&found.why)),
            CheckError::Incomplete(found) => Self::in_record(found, Reason::Limit(&found.why)),
            CheckError::Structure(error) => Self::in_file(error),
            CheckError::NoSuchRows { .. } => Self::because("no_such_rows"),
            CheckError::WholeFamily { .. } => Self::because("whole_family"),
            CheckError::Interrupted => Self::because("interrupted"),
            CheckError::Part(part) => {
                let details =
                    Details::Part { last: part.last, from: part.from.as_ref(), to: &part.to };
                Self::at(None, Reason::Other { reason: "part", details })
            }
            CheckError::Checkpoint { .. } => Self::because("checkpoint"),
            _ => Self::because("other"),
        }
    }

    fn because(reason: &'static str) -> Self {
        Self::at(None, Reason::Other { reason, details: Details::None {} })
    }

    fn at(key: Option<&'a RowKey>, why: Reason<'a>) -> Self {
        Self {
            file: None,
            line: None,
            column: None,
            row: key.and_then(RowKey::row),
            tail: key.map(|key| key.tail().parts()),
            level: key.map(|key| key.level),
            ideal: key.and_then(|key| Some(key.ideal()?.to_string())),
            why,
        }
    }

    fn in_record<W>(found: &'a NotVerified<W>, why: Reason<'a>) -> Self {
        let (file, line) = (Some(found.file.clone()), Some(found.line));
        Self { file, line, ..Self::at(Some(&found.key), why) }
    }

    fn in_file(error: &'a DataSetError) -> Self {
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        match error {
            DataSetError::Line { path, key, source } => {
                let is_fault = matches!(source.problem, Problem::Fault(_));
                let reason = if is_fault { "not_well_formed" } else { "not_readable" };
                Self {
                    file: name(path),
                    line: u64::try_from(source.line).ok(),
                    column: u64::try_from(source.column).ok(),
                    ..Self::at(key.as_deref(), Reason::Other { reason, details: Details::None {} })
                }
            }
            DataSetError::Damaged { path, .. } => {
                Self { file: name(path), ..Self::because("damaged") }
            }
            DataSetError::Missing { .. } => Self::because("no_data_set"),
            _ => Self::because("not_readable"),
        }
    }
}
