//! Evidence from a source of rows, and from the searches that claims need besides; and the verdicts
//! on claims by this evidence, with their context for readers.

use std::ops::ControlFlow;

use driver::{
    Engine, Error, HeadForm, PosetAnswer, PositionsRun, ProvedRow, Source, Spending, SweepOptions,
    Watch, Work,
};
use game::Outcome;
use serde::Serialize;

use crate::evidence::{CELLS_ENOUGH, Costly, Evidence, LONG_POSETS};
use crate::functions::Test;
use crate::model::{Claim, Decision, Paper};
use crate::verdict::{Judgement, Range, Verdict};
use posets::NamedPoset;

/// The end of Brouwer's computation.
const LAST_ROW: u64 = 130_000;

/// The range in which claims are tested.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scope {
    /// The last row; by default the last of the source, or 130 000, the end of Brouwer's
    /// computation.
    pub to: Option<u64>,
    /// The last row whose cells are visited; by default as many rows as the claims need.
    pub cells: Option<u64>,
    /// The longest row of the P-positions of four rows; by default 500.
    pub four_rows: Option<u16>,
    /// Whether posets that take a quarter of an hour are searched.
    pub posets: bool,
    /// The options of the sweep, which visits the cells.
    pub sweep: SweepOptions,
}

impl Evidence {
    /// The evidence of this scope for these claims, and for no others: rows of the source; and, if
    /// one of the claims needs them, cells from the sweep, P-positions of four rows, and posets.
    ///
    /// # Errors
    /// [`Error`]; of work that was not finished, [`Error::incomplete`].
    pub fn gather(
        claims: &[Claim],
        source: &dyn Source,
        scope: &Scope,
        watch: &dyn Watch,
    ) -> Result<Self, Error> {
        let mut evidence = Self::default();
        let last = scope.to.or(source.last()).unwrap_or(LAST_ROW);
        source.rows(last, HeadForm::Fingerprint, watch, &mut |row: ProvedRow| {
            evidence.add(&row.record);
            ControlFlow::Continue(())
        })?;
        if Costly::Cells.is_needed(claims) {
            let cells = scope.cells.unwrap_or(CELLS_ENOUGH).min(evidence.last_row());
            // Records do not hold the cells, so the sweep visits them.
            let engine = Engine::Sweep(scope.sweep);
            evidence.cells = Some(engine.cell_statistics(cells, watch, |_| {})?);
        }
        if let Some(to) = scope.four_rows.filter(|_| Costly::FourRows.is_needed(claims)) {
            let (_, four_rows) = PositionsRun::new(4, to).four_rows(watch)?;
            evidence.add_four_rows(four_rows);
        }
        if scope.posets && Costly::Posets.is_needed(claims) {
            for named in LONG_POSETS {
                evidence.add_poset(named, search(named, watch)?);
            }
        }
        Ok(evidence)
    }
}

/// Decides a poset whose search takes minutes.
fn search(named: &str, watch: &dyn Watch) -> Result<Outcome, Error> {
    let poset = named.parse().and_then(|named: NamedPoset| named.poset());
    let poset = poset.map_err(|error| Error::defect(format!("{named}: {error}")))?;
    let spending = Spending { grundy: 0, ..Spending::USUAL };
    let PosetAnswer { outcome, limit, .. } =
        driver::solve_poset(&poset, &poset.full(), spending, watch)?;
    let undecided = || Error::incomplete(format!("{named} is not decided by {limit} positions"));
    outcome.ok_or_else(undecided)
}

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
        let place = |(paper, section): &(Paper, String)| format!("{}, {section}", paper.name());
        self.claim.sources.first().map_or_else(String::new, place)
    }
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
    watch.begin(Work { unit: "claim", all: claims.len() as u64, before: 0, exponent: 0.0 });
    let judge = |(number, claim): (u64, &Claim)| {
        let judged = (!watch.stop()).then(|| claim.judge(evidence)).ok_or(Error::Interrupted)?;
        watch.done(number);
        Ok(judged)
    };
    let judged = (1..).zip(claims).map(judge).collect();
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
