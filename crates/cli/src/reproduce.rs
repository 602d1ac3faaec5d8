//! `chomp reproduce`: the claims ledger.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use driver::{Engine, HeadForm};
use ledger::{CELLS_ENOUGH, Evidence, JudgedClaim, Paper, Verdict, claims, count, markdown};
use serde_json::{Value, json};
use terminal::Watcher;

use crate::arguments::ReproduceArguments;
use crate::failure::{self, Failure};
use crate::held;
use crate::json;

/// The end of Brouwer's computation.
const LAST_ROW: u64 = 130_000;

/// Finds the verdict on every claim, and fails if one is not what it was.
pub fn run(arguments: &ReproduceArguments) -> anyhow::Result<()> {
    let claims = claims()?;
    let (engine, watcher) = (arguments.engine.chosen(), Watcher::new()?);
    let mut evidence = match &arguments.data {
        Some(folder) => read(folder, arguments.to, &watcher)?,
        None => compute(engine, arguments.to.unwrap_or(LAST_ROW), &watcher)?,
    };
    let cells = arguments.cells.unwrap_or(CELLS_ENOUGH).min(evidence.last_row());
    // Records do not hold the cells, so the sweep visits them.
    let sweep = Engine::Sweep(arguments.engine.sweep());
    evidence.add_cells(sweep.cell_statistics(cells, &watcher, |_| {})?);

    let judged: Vec<JudgedClaim> = claims.iter().map(|claim| claim.judge(&evidence)).collect();
    let last_row = evidence.last_row();
    let text = if arguments.json {
        json::line(&object(&judged, last_row, arguments.data.as_deref()))?
    } else if arguments.markdown {
        markdown(&judged, last_row)
    } else {
        table(&judged, last_row)
    };
    failure::print(text.as_bytes())?;
    unchanged(&judged)
}

fn compute(engine: Engine, last: u64, watcher: &Watcher) -> anyhow::Result<Evidence> {
    let mut evidence = Evidence::default();
    engine.rows(last, HeadForm::Fingerprint, watcher, |row| {
        evidence.add(&row.record);
        ControlFlow::Continue(())
    })?;
    Ok(evidence)
}

fn read(folder: &Path, to: Option<u64>, watcher: &Watcher) -> anyhow::Result<Evidence> {
    let mut evidence = Evidence::default();
    held::rows(folder, to, watcher, |record| evidence.add(record))?;
    Ok(evidence)
}

fn object(judged: &[JudgedClaim], last_row: u64, folder: Option<&Path>) -> Value {
    let number = |verdict| judged.iter().filter(|claim| claim.verdict == verdict).count();
    let counts: BTreeMap<Verdict, usize> =
        Verdict::ALL.into_iter().map(|verdict| (verdict, number(verdict))).collect();
    json::value(json!({
        "source": json::source(folder),
        "last_row": last_row,
        "counts": counts,
        "claims": judged.iter().map(claim_object).collect::<Vec<Value>>(),
    }))
}

fn claim_object(claim: &JudgedClaim) -> Value {
    let source = |(paper, section): &(Paper, String)| json!({"paper": paper, "section": section});
    let unless_empty = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    json!({
        "id": claim.id,
        "sources": claim.sources.iter().map(source).collect::<Vec<Value>>(),
        "claim": claim.claim,
        "verdict": claim.verdict,
        "tested": unless_empty(&claim.tested),
        "reached": claim.reached,
        "seen": claim.seen,
        "method": unless_empty(&claim.method),
        "figure": claim.figure,
        "note": unless_empty(&claim.note),
        "as_expected": claim.as_expected,
    })
}

/// One line a claim, and how many have which verdict.
fn table(judged: &[JudgedClaim], last_row: u64) -> String {
    let width = |cell: fn(&JudgedClaim) -> String| {
        judged.iter().map(|claim| cell(claim).chars().count()).max().unwrap_or(0)
    };
    let (ids, words) = (width(|claim| claim.id.clone()), width(JudgedClaim::words));
    let lines = judged.iter().map(|claim| {
        let JudgedClaim { id, figure, .. } = claim;
        format!("{id:ids$}  {:words$}  {figure} ({})\n", claim.words(), claim.source())
    });
    let header = format!("{:ids$}  {:words$}  figure found (source)\n", "claim", "verdict");
    let counts: Vec<String> =
        count(judged).iter().map(|(verdict, number)| format!("{number} {verdict}")).collect();
    let counts = counts.join(", ");
    let last = format!("\nRows 0 to {last_row}. {} claims: {counts}.\n", judged.len());
    [header].into_iter().chain(lines).chain([last]).collect()
}

/// A claim that held when the ledger was written holds, and one that failed fails.
fn unchanged(judged: &[JudgedClaim]) -> anyhow::Result<()> {
    let changed: Vec<String> = judged
        .iter()
        .filter(|claim| !claim.as_expected)
        .map(|claim| format!("{} ({})", claim.id, claim.words()))
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    let problem = format!(
        "claims came out otherwise than when the ledger was written; these rows are wrong, or this \
         program is: {}",
        changed.join(", ")
    );
    Err(Failure::Refuted(problem).into())
}
