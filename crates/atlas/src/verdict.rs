//! Verdicts of the checker, as `chomp check --json` prints them (`docs/JSON.md`).

use std::path::Path;

use ask::{Assumption, Depth, RowRange, VerdictObject};
use driver::Error;
use record::data_set::Manifest;

use crate::failure::of_file;

/// The largest file of a verdict.
const LARGEST: u64 = 1 << 20;

/// A verdict on rows that are verified.
#[derive(Clone, Debug)]
pub struct Verdict {
    rows: RowRange,
    depth: Depth,
    assumed: Vec<Assumption>,
    /// The statement of the verdict: proved, assumed, not checked.
    pub words: String,
}

impl Verdict {
    /// Reads a verdict on one of the data sets with these hashes.
    ///
    /// # Errors
    /// A file that is no verdict, says something else than `verified`, is
    /// not about rows of three-rowed Chomp, or is about another data set.
    pub fn read(path: &Path, data_sets: &[&str]) -> Result<Self, Error> {
        let refused = |problem: String| Error::file(format!("{}: {problem}", path.display()));
        let text = files::text(path, LARGEST).map_err(of_file(path))?;
        let said: VerdictObject = serde_json::from_str(&text).map_err(|error| {
            refused(format!("no verdict of `chomp check --json` on a verified data set: {error}"))
        })?;
        let (Some(rows), Some(depth), "verified") = (said.rows, said.depth, &*said.verdict) else {
            let what = &said.verdict;
            return Err(refused(format!("it says `{what}`; an atlas needs verified rows")));
        };
        let Some(data) = &said.data else {
            return Err(refused("it does not name its data set; check it again".to_owned()));
        };
        if !data_sets.contains(&&**data) {
            return Err(refused(format!("it is about another data set, with the hash {data}")));
        }
        Ok(Self { rows, depth, assumed: said.assumed.unwrap_or_default(), words: said.words })
    }

    /// Whether it is about this row.
    pub(crate) fn covers(&self, row: u64) -> bool {
        (self.rows.first..=self.rows.last).contains(&row)
    }

    /// Its heading.
    pub(crate) fn title(&self) -> String {
        let RowRange { first, last } = self.rows;
        let depth = if self.depth == Depth::Heads { "heads" } else { "tails" };
        format!("Rows {first} to {last}, depth {depth}")
    }

    /// The heading, and what it assumes.
    pub(crate) fn brief(&self) -> String {
        let assumed = Assumption::all_in_words(&self.assumed).unwrap_or("nothing".to_owned());
        format!("<b>{}.</b> Assumed: {assumed}.", self.title())
    }
}

/// The hash of all rows of a data set: the hash of its last segment, which has the hash of the one
/// before in its header.
pub fn hash(manifest: &Manifest) -> &str {
    manifest.segments.last().map_or("", |segment| &segment.blake3)
}
