//! Verdicts of the checker, as `chomp check --json` prints them (`docs/JSON.md`).

use std::path::Path;

use driver::Error;
use record::data_set::Manifest;
use serde::Deserialize;

use crate::failure::of_file;

/// The largest file of a verdict.
const LARGEST: u64 = 1 << 20;

/// The fields of a verdict that an atlas states.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Verdict {
    #[serde(rename = "verdict")]
    outcome: String,
    /// `tails` or `heads`.
    pub depth: String,
    rows: Option<Rows>,
    /// The hash of the last segment of the data set, and so of all of them.
    data: Option<String>,
    /// The statement of the verdict: proved, assumed, not checked.
    pub words: String,
}

/// Rows, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Rows {
    first: u64,
    last: u64,
}

impl Verdict {
    /// Reads a verdict on one of these data sets.
    ///
    /// # Errors
    /// A file that is no verdict, says something else than `verified`, is
    /// not about rows of three-rowed Chomp, or is about another data set.
    pub fn read(path: &Path, data_sets: &[&Manifest]) -> Result<Self, Error> {
        let refused = |problem: String| Error::file(format!("{}: {problem}", path.display()));
        let text = files::text(path, LARGEST).map_err(of_file(path))?;
        let verdict: Self = serde_json::from_str(&text).map_err(|error| {
            refused(format!("no verdict of `chomp check --json` on a verified data set: {error}"))
        })?;
        if verdict.outcome != "verified" || verdict.rows.is_none() {
            let what = &verdict.outcome;
            return Err(refused(format!("it says `{what}`; an atlas needs verified rows")));
        }
        let Some(data) = &verdict.data else {
            return Err(refused("it does not name its data set; check it again".to_owned()));
        };
        if !data_sets.iter().any(|manifest| hash(manifest) == data) {
            return Err(refused(format!("it is about another data set, with the hash {data}")));
        }
        Ok(verdict)
    }

    /// Whether it is about this row.
    pub(crate) fn covers(&self, row: u64) -> bool {
        self.rows.is_some_and(|rows| (rows.first..=rows.last).contains(&row))
    }

    /// Its heading.
    pub(crate) fn title(&self) -> String {
        let Rows { first, last } = self.rows.unwrap_or(Rows { first: 0, last: 0 });
        format!("Rows {first} to {last}, depth {}", self.depth)
    }

    /// The line of its words that begins so, without that beginning.
    pub(crate) fn line(&self, beginning: &str) -> Option<&str> {
        self.words.lines().find_map(|line| line.strip_prefix(beginning))
    }
}

/// The hash of all rows of a data set: the hash of its last segment, which has the hash of the one
/// before in its header.
pub(crate) fn hash(manifest: &Manifest) -> &str {
    manifest.segments.last().map_or("", |segment| &segment.blake3)
}
