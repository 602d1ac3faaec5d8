//! The verdict on a claim, with its context for readers.

use driver::{Error, Unit, Watch, Work};
use serde::Serialize;

use crate::evidence::{Evidence, LONG_POSETS};
use crate::functions::Test;
use crate::model::{Claim, Decision, Paper};
use crate::verdict::{Judgement, Range, Verdict};

/// A claim with its verdict.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Claim"))]
pub struct JudgedClaim {
    /// The claim.
    #[serde(flatten)]
    pub claim: Claim,
    /// The verdict on it.
    #[serde(flatten)]
    pub judgement: Judgement,
    /// Whether the verdict is the one that the ledger expects.
    pub as_expected: bool,
}

impl JudgedClaim {
    /// The verdict in words, with its range: "confirmed to 130000", "vague, not seen to 130000".
    pub fn words(&self) -> String {
        let Judgement { verdict, reached, seen, .. } = self.judgement;
        match (verdict, reached, seen) {
            (Verdict::Confirmed | Verdict::Extended, Some(last), _) => {
                format!("{verdict} to {last}")
            }
            (Verdict::Vague, _, Some(row)) => format!("vague, seen in row {row}"),
            (Verdict::Vague, Some(last), None) => format!("vague, not seen to {last}"),
            _ => verdict.to_string(),
        }
    }

    /// "2005 paper, 8.2".
    pub fn source(&self) -> String {
        self.claim.sources.first().map_or_else(String::new, place)
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
pub fn count(judged: &[JudgedClaim]) -> Vec<(Verdict, usize)> {
    let number =
        |verdict| judged.iter().filter(|judged| judged.judgement.verdict == verdict).count();
    let all = Verdict::ALL.into_iter().map(|(verdict, _)| (verdict, number(verdict)));
    all.filter(|(_, number)| *number > 0).collect()
}

/// The number of claims in words: "1 claim", "221 claims".
pub fn how_many(judged: &[JudgedClaim]) -> String {
    format!("{} claim{}", judged.len(), if judged.len() == 1 { "" } else { "s" })
}

impl Claim {
    /// The verdict on the claim. Costs as much as its test, which is at most linear in the number
    /// of rows but for sorting, and the oracles that it is the first to use.
    pub fn judge(&self, evidence: &Evidence) -> JudgedClaim {
        let mut as_expected = true;
        let judgement = match &self.decision {
            Decision::Computed { test, range, expected } => {
                let judgement = test.examine(evidence).judge(range);
                let searched = LONG_POSETS.iter().all(|of| evidence.searched(of).is_some());
                as_expected = expected.agrees(&judgement, evidence.last_row(), searched);
                Judgement { verdict: expected.name(judgement.verdict), ..judgement }
            }
            Decision::Proved { by } => Judgement::new(Verdict::Proved, by.clone()),
            Decision::Reported { reason, figure } => {
                let judge = |test: &Test| test.examine(evidence).judge(&Range::Stated);
                let is_found = |found: &Judgement| found.verdict != Verdict::OutOfReach;
                let found = figure.as_ref().map(judge).filter(is_found);
                let figure = found.map_or(String::new(), |found| format!("; {}", found.figure));
                Judgement::new(Verdict::Reported, reason.clone() + &figure)
            }
        };
        JudgedClaim { claim: self.clone(), judgement, as_expected }
    }
}
