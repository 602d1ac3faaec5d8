//! The verdict on a claim, with its context for readers.

use driver::{Error, Unit, Watch, Work};

use crate::evidence::Evidence;
use crate::kinds::Test;
use crate::model::{Claim, Decision, Paper};
use crate::verdict::{Examined, Judgement, Range, Verdict};

/// A claim with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedClaim {
    /// The claim's id.
    pub id: String,
    /// Its source: paper and section.
    pub sources: Vec<(Paper, String)>,
    /// The claim, in our words.
    pub claim: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The range that was tested; empty if nothing was.
    pub tested: String,
    /// The last value of the variable that was tested; `None` if the claim has no variable, or
    /// exactly the claimed values were tested.
    pub reached: Option<u64>,
    /// Of a vague claim, the first row that supports it.
    pub seen: Option<u64>,
    /// The method of the test; empty if there was none.
    pub method: String,
    /// The finding; of claims that were not tested, the reason.
    pub figure: String,
    /// A note for readers.
    pub note: String,
    /// Whether the verdict is the one that the ledger expects.
    pub as_expected: bool,
}

impl JudgedClaim {
    /// The verdict in words, with its range: "confirmed to 130000", "vague, not seen to 130000".
    #[must_use]
    pub fn words(&self) -> String {
        match (self.verdict, self.reached) {
            (Verdict::Confirmed | Verdict::Extended, Some(last)) => {
                format!("{} to {last}", self.verdict)
            }
            (Verdict::Vague, Some(last)) => match self.seen {
                Some(row) => format!("vague, seen in row {row}"),
                None => format!("vague, not seen to {last}"),
            },
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
pub(crate) fn place((paper, section): &(Paper, String)) -> String {
    format!("{}, {section}", paper.name())
}

/// The verdicts on these claims, in their order. A claim is a unit of the progress.
///
/// # Errors
/// [`Error::Interrupted`], between two claims.
pub fn judge_all(
    claims: &[Claim],
    evidence: &Evidence,
    watch: &dyn Watch,
) -> Result<Vec<JudgedClaim>, Error> {
    watch.begin(Work { unit: Unit::Claim, all: claims.len() as u64, before: 0, exponent: 0.0 });
    let judged = (1..).zip(claims).map(|(number, claim)| {
        if watch.stop() {
            return Err(Error::Interrupted);
        }
        let judged = claim.judge(evidence);
        watch.done(number);
        Ok(judged)
    });
    let judged = judged.collect();
    watch.end();
    judged
}

/// The number of claims with each verdict, in the order of [`Verdict::ALL`], without verdicts that
/// no claim has.
#[must_use]
pub fn count(judged: &[JudgedClaim]) -> Vec<(Verdict, usize)> {
    let number = |verdict| judged.iter().filter(|claim| claim.verdict == verdict).count();
    let all = Verdict::ALL.into_iter().map(|verdict| (verdict, number(verdict)));
    all.filter(|(_, number)| *number > 0).collect()
}

/// The number of claims in words: "1 claim", "221 claims".
#[must_use]
pub fn how_many(judged: &[JudgedClaim]) -> String {
    format!("{} claim{}", judged.len(), if judged.len() == 1 { "" } else { "s" })
}

impl Claim {
    /// The verdict on the claim. Costs as much as its test, which is at most linear in the number
    /// of rows but for sorting, and the oracles that it is the first to use.
    #[must_use]
    pub fn judge(&self, evidence: &Evidence) -> JudgedClaim {
        let untested = |verdict, figure: String| JudgedClaim {
            id: self.id.clone(),
            sources: self.sources.clone(),
            claim: self.claim.clone(),
            verdict,
            tested: String::new(),
            reached: None,
            seen: None,
            method: String::new(),
            figure,
            note: self.note.clone(),
            as_expected: true,
        };
        match &self.decision {
            Decision::Computed { test, range, expected } => {
                let Examined { finding, method } = test.examine(evidence);
                let judgement = finding.judge(range);
                let searched = !evidence.posets().is_empty();
                let as_expected = expected.agrees(&judgement, evidence.last_row(), searched);
                let Judgement { verdict, tested, reached, seen, figure } = judgement;
                JudgedClaim {
                    tested,
                    reached,
                    seen,
                    method,
                    as_expected,
                    ..untested(expected.name(verdict), figure)
                }
            }
            Decision::Proved { by } => untested(Verdict::Proved, by.clone()),
            Decision::Reported { reason, figure } => {
                let judge = |test: &Test| test.examine(evidence).finding.judge(&Range::Stated);
                let found = figure.as_ref().map(judge);
                let found = found.filter(|found| found.verdict != Verdict::OutOfReach);
                let figure = found.map_or(String::new(), |found| format!("; {}", found.figure));
                untested(Verdict::Reported, reason.clone() + &figure)
            }
        }
    }
}
