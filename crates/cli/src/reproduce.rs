//! `chomp reproduce`: the claims ledger.

use std::ops::ControlFlow;
use std::path::Path;

use driver::{Engine, HeadForm};
use ledger::{CELLS_ENOUGH, Evidence, JudgedClaim, claims, count, markdown};
use serde_json::json;
use terminal::Watcher;

use crate::arguments::ReproduceArguments;
use crate::failure::{self, Failure};
use crate::held;

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
        json_object(&judged, last_row)? + "\n"
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

fn json_object(judged: &[JudgedClaim], last_row: u64) -> anyhow::Result<String> {
    let counts: serde_json::Map<String, serde_json::Value> = count(judged)
        .into_iter()
        .map(|(verdict, number)| (verdict.to_string(), number.into()))
        .collect();
    let object = json!({ "last_row": last_row, "counts": counts, "claims": judged });
    Ok(serde_json::to_string(&object)?)
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
