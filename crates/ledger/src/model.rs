//! Claims, and the parser of the ledger's file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use record::joined;
use ron::extensions::Extensions;
use serde::{Deserialize, Serialize, Serializer};

use crate::evidence::Costly;
use crate::functions::Test;
use crate::verdict::{Judgement, Range, Verdict, unless_empty};

/// The ledger in the program.
const FILES: [&str; 7] = [
    include_str!("brouwer/claims.ron"),
    include_str!("zeilberger/claims.ron"),
    include_str!("cho/claims.ron"),
    include_str!("garg/claims.ron"),
    include_str!("sheiner/claims.ron"),
    include_str!("padhi/claims.ron"),
    include_str!("nguyen/claims.ron"),
];

/// The sources of claims, in the order of the ledger. `papers.ron` has their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all(serialize = "snake_case"))]
#[expect(missing_docs, reason = "papers.ron has authors, title and place")]
pub enum Paper {
    Paper2005,
    Page,
    OlderPage,
    Zeilberger2003,
    Cho2018,
    Garg2026,
    Sheiner2026,
    Padhi2026,
    Nguyen2026,
}

/// Short names; authors, titles and places, which `experiments/tables.py ledger` prints.
static NAMES: LazyLock<BTreeMap<Paper, (String, String)>> = LazyLock::new(|| {
    ron::from_str(include_str!("papers.ron")).expect("a map from papers to their names")
});

impl Paper {
    /// A short name.
    pub fn name(self) -> &'static str {
        &NAMES[&self].0
    }
}

/// A claim of one or several papers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// A permanent name, such as `2005-8.2-row-782`.
    pub id: String,
    /// Its sources: paper and section. It is listed under the first one.
    #[serde(serialize_with = "places")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Place>"))]
    pub sources: Vec<(Paper, String)>,
    /// The claim, in our words.
    #[serde(rename = "claim")]
    pub statement: String,
    /// Its test, or why there is none.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub decision: Decision,
    /// A note for readers.
    #[serde(default, serialize_with = "unless_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub note: String,
}

/// A place in a paper, in JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Place<'a> {
    paper: Paper,
    section: &'a str,
}

fn places<S: Serializer>(sources: &[(Paper, String)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(sources.iter().map(|&(paper, ref section)| Place { paper, section }))
}

/// The test of a claim, or why there is none.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Decision {
    /// A computation on three rows.
    Computed {
        /// The test.
        test: Test,
        /// The range that the paper claims it for.
        range: Range,
        /// The expected result.
        expected: Expected,
    },
    /// A theorem about things that are infinite, which no computation decides.
    Proved {
        /// Where the proof is, and who checked it.
        by: String,
    },
    /// Beyond computation here.
    Reported {
        /// The reason.
        reason: String,
        /// A computation that illustrates it without deciding it.
        figure: Option<Test>,
    },
}

impl Claim {
    /// Its test, or the computation that illustrates it.
    pub fn test(&self) -> Option<&Test> {
        match &self.decision {
            Decision::Computed { test, .. } => Some(test),
            Decision::Reported { figure, .. } => figure.as_ref(),
            Decision::Proved { .. } => None,
        }
    }
}

impl Costly {
    /// Whether one of these claims needs it.
    pub fn is_needed(self, claims: &[Claim]) -> bool {
        claims.iter().filter_map(Claim::test).any(|test| test.reads == Some(self))
    }
}

/// The expected result of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Expected {
    /// The claim holds, as far as it was tested.
    Holds,
    /// The claim fails.
    Fails {
        /// The last row that is needed to see it.
        from_row: u64,
        /// Whether the posets whose search takes minutes are needed to see it.
        #[serde(default)]
        posets: bool,
        /// Its defect.
        defect: Defect,
    },
    /// The claim is vague; the test searches for rows that support it.
    Sought {
        /// The first row that supports it, if one is known.
        seen: Option<u64>,
    },
}

/// The defect of a claim that fails. It comes from the author of the entry, not from a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Defect {
    /// It is false.
    Wrong,
    /// It is a misprint of a true statement.
    Misprint,
    /// A printed bound was rounded to nearest, and the extreme value passes it.
    Rounding,
}

impl Expected {
    /// The verdict, with the defect in the ledger.
    pub(crate) fn name(self, verdict: Verdict) -> Verdict {
        match (verdict, self) {
            (Verdict::Wrong, Self::Fails { defect: Defect::Misprint, .. }) => Verdict::Misprint,
            (Verdict::Wrong, Self::Fails { defect: Defect::Rounding, .. }) => Verdict::Rounding,
            (verdict, _) => verdict,
        }
    }

    /// Whether this is the expected result, for rows to `last_row`, with or without the long
    /// searches of posets.
    pub(crate) fn agrees(self, judgement: &Judgement, last_row: u64, searched: bool) -> bool {
        let fails = judgement.verdict == Verdict::Wrong;
        match self {
            Self::Holds => !fails,
            Self::Fails { from_row, posets, .. } => {
                fails || last_row < from_row || (posets && !searched)
            }
            Self::Sought { seen } => judgement.seen == seen.filter(|&row| row <= last_row),
        }
    }
}

/// Why a ledger cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// It is not RON, or not of the shape of a ledger.
    #[error("line {}, column {}: {}", .0.span.start.line, .0.span.start.col, .0.code)]
    Syntax(ron::error::SpannedError),
    /// A claim has the id of another one, or none, or no source.
    #[error("the id \"{0}\" is empty or not the only one of its name, or the claim has no source")]
    Entry(String),
    /// No claim is meant by this.
    #[error("no claim has the id {id:?}, and no id begins with it; ids begin with {beginnings}")]
    Unknown {
        /// What was asked for.
        id: String,
        /// The beginnings of all ids.
        beginnings: String,
    },
}

/// The claims, by paper.
///
/// # Errors
/// [`LedgerError`]: a defect of a file `claims.ron`.
pub fn claims() -> Result<Vec<Claim>, LedgerError> {
    parse(&FILES)
}

/// The claims that are meant by these words, in their order; all, if there are no words. The id of
/// a claim means that claim only. Any other word means the claims whose ids begin with it.
///
/// # Errors
/// [`LedgerError::Unknown`] for a word that means no claim, and for an empty one.
pub fn chosen(claims: &[Claim], words: &[String]) -> Result<Vec<Claim>, LedgerError> {
    let is_id = |word: &str| claims.iter().any(|claim| claim.id == word);
    let means = |word: &String, claim: &Claim| {
        claim.id == *word || !word.is_empty() && !is_id(word) && claim.id.starts_with(word)
    };
    if let Some(id) = words.iter().find(|word| !claims.iter().any(|claim| means(word, claim))) {
        let first = claims.iter().filter_map(|claim| claim.id.split_inclusive('-').next());
        let beginnings = joined(first.collect::<BTreeSet<&str>>(), ", ");
        return Err(LedgerError::Unknown { id: id.clone(), beginnings });
    }
    let is_chosen =
        |claim: &&Claim| words.is_empty() || words.iter().any(|word| means(word, claim));
    Ok(claims.iter().filter(is_chosen).cloned().collect())
}

/// Reads the files of a ledger, strictly: no unknown or duplicate field, no id twice. Cost: linear
/// in their length.
///
/// # Errors
/// [`LedgerError`] for anything else.
pub fn parse(files: &[&str]) -> Result<Vec<Claim>, LedgerError> {
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let read = |text: &&str| options.from_str(text).map_err(LedgerError::Syntax);
    let files: Vec<Vec<Claim>> = files.iter().map(read).collect::<Result<_, _>>()?;
    let claims = files.concat();
    let mut ids = BTreeSet::new();
    for claim in &claims {
        if claim.id.is_empty() || claim.sources.is_empty() || !ids.insert(&claim.id) {
            return Err(LedgerError::Entry(claim.id.clone()));
        }
    }
    Ok(claims)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exit code 1 depends on this.
    #[test]
    fn a_claim_that_stops_holding_is_noticed() {
        let judged = |verdict, seen| Judgement { seen, ..Judgement::new(verdict, String::new()) };
        let agrees =
            |expected: Expected, verdict| expected.agrees(&judged(verdict, None), 1000, true);
        assert!(agrees(Expected::Holds, Verdict::Confirmed));
        assert!(agrees(Expected::Holds, Verdict::Extended));
        assert!(agrees(Expected::Holds, Verdict::OutOfReach));
        assert!(!agrees(Expected::Holds, Verdict::Wrong));
        for (from_row, holds) in [(1000, false), (1001, true)] {
            for defect in [Defect::Wrong, Defect::Misprint, Defect::Rounding] {
                let fails = Expected::Fails { from_row, posets: false, defect };
                assert!(agrees(fails, Verdict::Wrong));
                assert_eq!(agrees(fails, Verdict::Confirmed), holds);
                assert_eq!(agrees(fails, Verdict::OutOfReach), holds);
            }
        }
        let posets = Expected::Fails { from_row: 0, posets: true, defect: Defect::Wrong };
        for (searched, verdict, expected) in [
            (true, Verdict::Wrong, true),
            (true, Verdict::Confirmed, false),
            (false, Verdict::Confirmed, true),
        ] {
            assert_eq!(posets.agrees(&judged(verdict, None), 1000, searched), expected);
        }
        let sought = |expected, seen| {
            Expected::Sought { seen: expected }.agrees(&judged(Verdict::Vague, seen), 1000, true)
        };
        assert!(sought(None, None) && sought(Some(7), Some(7)) && sought(Some(1001), None));
        assert!(!sought(None, Some(7)) && !sought(Some(7), Some(8)) && !sought(Some(1000), None));
    }
}
