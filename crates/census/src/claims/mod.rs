//! The claims ledger: every computable claim of five papers on Chomp, tested again.
//!
//! `claims.ron` has one entry a claim: where it stands, what it says in our words, and the numbers
//! that the paper prints, as parameters of a [`Test`]; how a test is done is here in code. Verdicts
//! are found anew each time, from an [`Evidence`], and never stored. What is stored with a claim is
//! what came out when it was written, so that a change is noticed.
//!
//! | module | what its claims are about | what decides them |
//! |---|---|---|
//! | `positions` | single positions, small tables | game tree, Brouwer's recurrence (`game`) |
//! | `rows` | periods, patterns, ends of rows | row records |
//! | `sequences` | the sequences of the 2005 paper, section 8 | row records |
//! | `cells` | how often values occur, row minima | statistics of all cells |
//! | `recurrences` | Zeilberger's recurrences | literal recurrence (`byrnes`), all small cases |
//!
//! Frequencies are compared as fractions and strips in integers; no float is used.

mod cells;
mod evidence;
mod model;
mod positions;
mod recurrences;
mod render;
mod rows;
mod sequences;
mod verdict;

#[cfg(test)]
mod tests;

pub use evidence::Evidence;
pub use model::{Claim, Decision, Expected, LedgerError, Paper, Range, Test, ledger, parse};
pub use render::markdown;
pub use verdict::Verdict;

use serde::Serialize;

use verdict::{Finding, Judgement};

/// The cells of rows 0 to this one decide all that the claims about cells are made for: they hold
/// all P-positions with p <= 100000 ([`crate::statistics::CellStatistics::complete_to`]).
pub const CELLS_ENOUGH: u64 = 71_000;

/// A claim with its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The claim's id.
    pub id: String,
    /// Where it stands: paper and section.
    pub sources: Vec<(Paper, String)>,
    /// The claim, in our words.
    pub claim: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The range that was tested; empty if nothing was.
    pub tested: String,
    /// The last value that was tested, of claims about the values of a variable, unless those are
    /// just the values that the claim is about.
    pub reached: Option<u64>,
    /// How it was tested; empty if it was not.
    pub method: String,
    /// What was found; of claims that were not tested, why.
    pub figure: String,
    /// What a reader should know besides.
    pub note: String,
    /// Whether the verdict is the one that the ledger was written with.
    pub as_expected: bool,
}

impl Outcome {
    /// The verdict in words, with how far it goes: "confirmed to 130000".
    #[must_use]
    pub fn words(&self) -> String {
        match (self.verdict, self.reached) {
            (Verdict::Confirmed | Verdict::Extended, Some(last)) => {
                format!("{} to {last}", self.verdict)
            }
            _ => self.verdict.to_string(),
        }
    }

    /// "2005 paper, 8.2".
    #[must_use]
    pub fn source(&self) -> String {
        self.sources.first().map_or_else(String::new, place)
    }
}

/// "2005 paper, 8.2".
fn place((paper, section): &(Paper, String)) -> String {
    format!("{}, {section}", paper.name())
}

/// How many claims have which verdict, in the order of [`Verdict::ALL`]; verdicts that no claim has
/// are left out.
#[must_use]
pub fn count(outcomes: &[Outcome]) -> Vec<(Verdict, usize)> {
    let number = |verdict| outcomes.iter().filter(|outcome| outcome.verdict == verdict).count();
    let all = Verdict::ALL.into_iter().map(|verdict| (verdict, number(verdict)));
    all.filter(|(_, number)| *number > 0).collect()
}

impl Claim {
    /// The verdict on the claim. Cost: that of its test, at most linear in the number of rows but
    /// for sorting, and what oracles it is the first to ask.
    #[must_use]
    pub fn judge(&self, evidence: &Evidence) -> Outcome {
        let untested = |verdict, figure: String| Outcome {
            id: self.id.clone(),
            sources: self.sources.clone(),
            claim: self.claim.clone(),
            verdict,
            tested: String::new(),
            reached: None,
            method: String::new(),
            figure,
            note: self.note.clone(),
            as_expected: true,
        };
        match &self.decision {
            Decision::Computed { test, range, expected } => {
                let Judgement { verdict, tested, reached, figure } =
                    test.evaluate(evidence).judge(range);
                Outcome {
                    tested,
                    reached,
                    method: test.method(),
                    as_expected: expected.agrees(verdict, evidence.last_row()),
                    ..untested(verdict, figure)
                }
            }
            Decision::Reported { reason, figure } => {
                let found =
                    figure.as_ref().map(|test| test.evaluate(evidence).judge(&Range::Stated));
                let found = found.filter(|found| found.verdict != Verdict::OutOfReach);
                let figure = found.map_or(String::new(), |found| format!("; {}", found.figure));
                untested(Verdict::Reported, reason.clone() + &figure)
            }
            Decision::Pending { needs } => untested(Verdict::Pending, format!("needs {needs}")),
        }
    }
}

impl Test {
    fn evaluate(&self, evidence: &Evidence) -> Finding {
        match self {
            Self::Positions(test) => test.evaluate(&evidence.oracles),
            Self::Rows(test) => test.evaluate(evidence),
            Self::Sequences(test) => test.evaluate(evidence),
            Self::Cells(test) => test.evaluate(evidence),
            Self::Recurrences(test) => test.evaluate(&evidence.oracles),
        }
    }

    fn method(&self) -> String {
        match self {
            Self::Positions(test) => test.method(),
            Self::Rows(test) => test.method(),
            Self::Sequences(test) => test.method(),
            Self::Cells(test) => test.method(),
            Self::Recurrences(test) => test.method(),
        }
    }
}
