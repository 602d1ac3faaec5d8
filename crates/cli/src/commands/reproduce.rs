//! `chomp reproduce`: the claims ledger.

use ask::SourceObject;
use ask::input::{row, source};
use driver::Error;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use boards::four_rows::FourRows;
use clap::Args;
use ledger::{
    Claim, Costly, Evidence, JudgedClaim, Scope, Verdict, chosen, claims, count, how_many,
    judge_all,
};
use record::joined;
use serde::Serialize;
use terminal::Watcher;

use crate::none;
use crate::options::{Threads, within};
use crate::output;
use ask::json;

/// Test the claims of six papers, a project and a web page again: the claims ledger.
///
/// Computable claims of the 2005 paper, Zeilberger 2003, Cho 2018, Garg 2026, Sheiner 2026, Padhi
/// 2026, the project dannguyen111/chomp and Brouwer's page (in two versions) are tested on rows 0
/// to R, on P-positions of four rows, on game trees and on the literal recurrence. Each gets a
/// verdict: confirmed, extended (it holds further than it is claimed), wrong, misprint or rounding
/// (with the counterexample), vague (with what was seen of it), proved (no computation decides it),
/// or reported (beyond computation here). A claim made for more rows than R is confirmed to R only,
/// or out of reach. The exit code does not say whether the claims hold. It is 1 if a verdict
/// differs from that of the ledger: a claim that held fails, one that failed holds, or a vague one
/// is met in another row. Then the rows are wrong, or this program is.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp reproduce 2005-8 --to 2000 | grep wrong\n  \
    chomp reproduce 2005-8.2 garg-500 --to 2000")]
pub struct Arguments {
    /// Test only these claims. CLAIM is an id, such as 2005-8.2-row-782 (the first column of the
    /// table), or the beginning of ids. A whole id means that claim only.
    #[arg(value_name = "CLAIM")]
    words: Vec<String>,
    /// Compute rows 0 to R, for any claims; by default to 130000, the end of Brouwer's computation.
    /// With --data, read no rows beyond R.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    to: Option<u64>,
    /// Read the rows of this data set instead of computing them.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Visit the cells of rows 0 to C, for claims that records do not decide. By default as many
    /// rows as these claims are made for.
    #[arg(long, value_name = "C", value_parser = row, allow_hyphen_values = true)]
    cells: Option<u64>,
    /// Find the P-positions of four rows whose longest row has up to N squares, 500 or more. All
    /// claims about four rows need 3000: some minutes, and a gigabyte of memory. By default 500.
    #[arg(long, value_name = "N", value_parser = within::<u16>(FourRows::DETAILED.into()..=6000), allow_hyphen_values = true)]
    four_rows: Option<u16>,
    /// Search the subsets of at most 3 of 7 elements as well, a counterexample to the conjecture of
    /// Gale and Neyman: a quarter of an hour, and 1 GB of memory must be free.
    #[arg(long)]
    posets: bool,
    /// Print one JSON object: `chomp help json`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
}

/// Tests every claim, and fails if a verdict differs from the ledger.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let claims = claims().map_err(Error::defect)?;
    let claims = chosen(&claims, &arguments.words).map_err(Error::usage)?;
    refuse_useless(arguments, &claims)?;
    let source = source(arguments.data.as_deref(), arguments.threads.engine())?;
    let &Arguments { to, cells, four_rows, posets, .. } = arguments;
    let scope = Scope { to, cells, four_rows, posets, sweep: arguments.threads.sweep() };
    let watcher = Watcher::new()?;
    let evidence = Evidence::gather(&claims, &*source, &scope, &watcher)?;
    let judged = judge_all(&claims, &evidence, &watcher)?;
    let last_row = evidence.last_row();
    let object = || json::value(object(&judged, last_row, arguments.data.as_deref()));
    output::print_or(arguments.json, object, || table(&judged, last_row))?;
    unchanged(&judged)
}

/// Refuses options without effect on these claims.
fn refuse_useless(arguments: &Arguments, claims: &[Claim]) -> Result<(), Error> {
    for (option, is_given, costly) in [
        ("--cells", arguments.cells.is_some(), Costly::Cells),
        ("--four-rows", arguments.four_rows.is_some(), Costly::FourRows),
        ("--posets", arguments.posets, Costly::Posets),
    ] {
        let is_useless = is_given && !costly.is_needed(claims);
        none(is_useless.then_some(option), "no claim that is tested needs it")?;
    }
    let is_read = arguments.data.is_some() && !Costly::Cells.is_needed(claims);
    let threads = arguments.threads.given().filter(|_| is_read);
    none(threads, "the rows are read from --data, not computed")
}

/// The verdicts on the claims that were tested.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Ledger<'a> {
    claims: &'a [JudgedClaim],
    /// How many claims have each verdict.
    counts: BTreeMap<Verdict, usize>,
    /// Rows 0 to this one were used.
    last_row: u64,
    source: SourceObject,
}

fn object<'a>(judged: &'a [JudgedClaim], last_row: u64, folder: Option<&Path>) -> Ledger<'a> {
    let number =
        |verdict| judged.iter().filter(|judged| judged.judgement.verdict == verdict).count();
    let counts = Verdict::ALL.into_iter().map(|(verdict, _)| (verdict, number(verdict))).collect();
    Ledger { claims: judged, counts, last_row, source: SourceObject::of(folder) }
}

/// One line for each claim, and the number of claims with each verdict.
fn table(judged: &[JudgedClaim], last_row: u64) -> String {
    let width = |cell: fn(&JudgedClaim) -> String| {
        judged.iter().map(|claim| cell(claim).chars().count()).max().unwrap_or(0)
    };
    let (ids, words) = (width(|judged| judged.claim.id.clone()), width(JudgedClaim::words));
    let lines = judged.iter().map(|judged| {
        let (id, figure) = (&judged.claim.id, &judged.judgement.figure);
        format!("{id:ids$}  {:words$}  {figure} ({})\n", judged.words(), judged.source())
    });
    let header = format!("{:ids$}  {:words$}  figure found (source)\n", "claim", "verdict");
    let counts = count(judged).into_iter().map(|(verdict, number)| format!("{number} {verdict}"));
    let counts = joined(counts, ", ");
    let last = format!("\nRows 0 to {last_row}. {}: {counts}.\n", how_many(judged));
    [header].into_iter().chain(lines).chain([last]).collect()
}

/// Fails if a verdict differs from the ledger.
fn unchanged(judged: &[JudgedClaim]) -> Result<(), Error> {
    let changed = judged.iter().filter(|judged| !judged.as_expected);
    let changed = changed.map(|judged| format!("{} ({})", judged.claim.id, judged.words()));
    let changed = joined(changed, ", ");
    if changed.is_empty() {
        return Ok(());
    }
    Err(Error::refuted(format!(
        "claims came out otherwise than when the ledger was written; these rows are wrong, or this \
         program is: {changed}"
    )))
}
