//! `LEDGER.md`: the ledger as a document.

use std::collections::BTreeMap;

use record::joined;

use crate::judged::{JudgedClaim, count, how_many, place};
use crate::model::{Claim, Paper};
use crate::verdict::{Judgement, Verdict};

/// The text above the claims.
const INTRODUCTION: &str = include_str!("introduction.md");

/// The verdicts that come first, for all papers together.
const FIRST: [(Verdict, &str); 4] = [
    (Verdict::Wrong, "Wrong, and what is true"),
    (Verdict::Misprint, "Misprints, and what is true"),
    (Verdict::Rounding, "True but for rounding"),
    (Verdict::Vague, "Vague"),
];

/// The ledger as a document in Markdown, which says that this command prints it. The same verdicts
/// give the same bytes.
pub fn markdown(judged: &[JudgedClaim], last_row: u64, command: &str) -> String {
    // Only if a claim is out of reach its line explains that.
    let explained = |line: &&str| {
        !line.starts_with("- *out of reach*") || !of_verdict(judged, Verdict::OutOfReach).is_empty()
    };
    let mut lines = vec![
        joined(INTRODUCTION.lines().filter(explained), "\n") + "\n",
        format!("Rows 0 to {last_row}, {}.", how_many(judged)),
        format!("This file is what `{command}` prints.\n"),
    ];
    write_counts(&mut lines, judged);
    for (verdict, heading) in FIRST {
        write_first(&mut lines, heading, &of_verdict(judged, verdict));
    }
    for (paper, claims) in by_paper(judged) {
        write_paper(&mut lines, paper, &claims);
    }
    lines.join("\n") + "\n"
}

fn of_verdict(judged: &[JudgedClaim], verdict: Verdict) -> Vec<&JudgedClaim> {
    judged.iter().filter(|judged| judged.judgement.verdict == verdict).collect()
}

/// The claims that are listed under each paper.
fn by_paper(judged: &[JudgedClaim]) -> BTreeMap<Paper, Vec<&JudgedClaim>> {
    let mut papers: BTreeMap<Paper, Vec<&JudgedClaim>> = BTreeMap::new();
    for judged in judged {
        papers.entry(judged.claim.sources[0].0).or_default().push(judged);
    }
    papers
}

/// The number of claims of each paper and verdict.
fn write_counts(lines: &mut Vec<String>, judged: &[JudgedClaim]) {
    let verdicts: Vec<Verdict> = count(judged).into_iter().map(|(verdict, _)| verdict).collect();
    let row = |name: &str, claims: &[&JudgedClaim]| {
        let of = |&verdict| claims.iter().filter(|of| of.judgement.verdict == verdict).count();
        let numbers = verdicts.iter().map(of).chain([claims.len()]);
        format!("| {name} | {} |", joined(numbers, " | "))
    };
    lines.push(format!("| first stands in | {} | all |", joined(&verdicts, " | ")));
    lines.push(format!("|---|{}", "---:|".repeat(verdicts.len() + 1)));
    lines.extend(by_paper(judged).iter().map(|(paper, claims)| row(paper.name(), claims)));
    lines.push(row("all", &judged.iter().collect::<Vec<_>>()));
}

/// Claims that a reader looks for first, with the findings that replace them.
fn write_first(lines: &mut Vec<String>, heading: &str, claims: &[&JudgedClaim]) {
    if !claims.is_empty() {
        lines.push(format!("\n## {heading}\n"));
    }
    for judged in claims {
        let JudgedClaim { claim, judgement, .. } = judged;
        lines.push(format!("- `{}`, {}: {}", claim.id, judged.source(), claim.statement));
        let found = match judgement.verdict {
            Verdict::Vague => judged.words(),
            _ => "found".to_owned(),
        };
        lines.push(format!("  - {found}: {}", judgement.figure));
        write_note(lines, claim);
    }
}

fn write_paper(lines: &mut Vec<String>, paper: Paper, claims: &[&JudgedClaim]) {
    lines.push(format!("\n## {}", paper.title()));
    let mut section = "";
    for judged in claims {
        let (_, here) = &judged.claim.sources[0];
        if here != section {
            section = here;
            lines.push(format!("\n### {}: {section}\n", paper.name()));
        }
        write_claim(lines, judged);
    }
}

fn write_claim(lines: &mut Vec<String>, judged: &JudgedClaim) {
    let JudgedClaim { claim, judgement: Judgement { verdict, tested, method, figure, .. }, .. } =
        judged;
    lines.push(format!("- **{}**. {} (`{}`)", judged.words(), claim.statement, claim.id));
    if matches!(verdict, Verdict::Proved | Verdict::Reported | Verdict::OutOfReach) {
        lines.push(format!("  - {figure}"));
    } else {
        lines.push(format!("  - found: {figure}"));
        lines.push(format!("  - tested: {tested}; {method}"));
    }
    write_note(lines, claim);
    if claim.sources.len() > 1 {
        lines.push(format!("  - also: {}", joined(claim.sources[1..].iter().map(place), "; ")));
    }
}

fn write_note(lines: &mut Vec<String>, claim: &Claim) {
    if !claim.note.is_empty() {
        lines.push(format!("  - note: {}", claim.note));
    }
}
