//! `LEDGER.md`: the ledger as a document.

use std::fmt::Write;

use record::joined;

use crate::judged::{JudgedClaim, count, how_many, place};
use crate::model::Paper;
use crate::verdict::Verdict;

/// The text above the claims.
const INTRODUCTION: &str = "\
Four papers and a page in two versions make claims about Chomp that can be computed. Each claim is
tested again here, with its statement in our words, the verdict, the finding, its range, and the
method.

- *confirmed*: it holds on the whole range of the claim. \"Confirmed to R\": to R, where that range is
  infinite or exceeds the known rows.
- *extended to R*: it holds on the whole range of the claim and beyond, to R.
- *wrong*: there is a counterexample, and it is given.
- *misprint*: as printed it is wrong, by a slip of the pen.
- *rounding*: as printed it is wrong, because a bound was rounded to nearest.
- *vague*: it has no exact meaning, so no computation refutes it. It was given one, and supporting
  evidence was seen in a row, or not seen to R.
- *proved*: no computation decides it; the finding names the proof.
- *reported*: beyond computation here, with the reason.
";

/// The text for claims with this verdict, if there are any.
const OUT_OF_REACH: &str = "\
- *out of reach*: it needs more rows than are known, or a longer search; the finding says which.
";

/// The words in which claims are written.
const NOTATION: &str = "
P-positions are `(p,q,r)`, row lengths from the top down. `f(q,r)` is the p that makes `(p,q,r)` a
P-position, and `d_n = f(n,n)`. The finite rows `r_n` end with `(q_n,q_n,r_n)`. Cho's `[a,b,c]` is
`(c,b,a)`, and Zeilberger's `[c,a,b]` is `(c+a+b,c+a,c)`. Garg's `(a,b,c,d)` are row lengths, too.
The engine that writes a row record also proves it (fact 3 of the proofs). Frequencies are compared
as fractions, and distances from lines in integers.
";

/// The verdicts that come first, for all papers together.
const FIRST: [(Verdict, &str); 4] = [
    (Verdict::Wrong, "Wrong, and what is true"),
    (Verdict::Misprint, "Misprints, and what is true"),
    (Verdict::Rounding, "True but for rounding"),
    (Verdict::Vague, "Vague"),
];

/// The ledger as a document in Markdown, which says that this command prints it. The same verdicts
/// give the same bytes.
#[must_use]
pub fn markdown(judged: &[JudgedClaim], last_row: u64, command: &str) -> String {
    let legend = if of_verdict(judged, Verdict::OutOfReach).is_empty() { "" } else { OUT_OF_REACH };
    let mut text = format!("# The claims ledger\n\n{INTRODUCTION}{legend}{NOTATION}\n");
    line(&mut text, &format!("Rows 0 to {last_row}, {}.", how_many(judged)));
    line(&mut text, &format!("This file is what `{command}` prints.\n"));
    write_counts(&mut text, judged);
    for (verdict, heading) in FIRST {
        write_first(&mut text, heading, &of_verdict(judged, verdict));
    }
    for paper in Paper::ALL {
        write_paper(&mut text, paper, &of_paper(judged, paper).collect::<Vec<_>>());
    }
    text
}

fn of_verdict(judged: &[JudgedClaim], verdict: Verdict) -> Vec<&JudgedClaim> {
    judged.iter().filter(|claim| claim.verdict == verdict).collect()
}

/// The claims that are listed under a paper.
fn of_paper(judged: &[JudgedClaim], paper: Paper) -> impl Iterator<Item = &JudgedClaim> {
    judged.iter().filter(move |claim| claim.sources.first().is_some_and(|(p, _)| *p == paper))
}

/// The number of claims of each paper and verdict.
fn write_counts(text: &mut String, judged: &[JudgedClaim]) {
    let verdicts: Vec<Verdict> = count(judged).into_iter().map(|(verdict, _)| verdict).collect();
    let row = |name: &str, claims: &[&JudgedClaim]| {
        let of = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
        let numbers = verdicts.iter().map(|&verdict| of(verdict)).chain([claims.len()]);
        format!("| {name} | {} |", joined(numbers, " | "))
    };
    let mut lines = vec![
        format!("| first stands in | {} | all |", joined(&verdicts, " | ")),
        format!("|---|{}", "---:|".repeat(verdicts.len() + 1)),
    ];
    for paper in Paper::ALL {
        let claims: Vec<&JudgedClaim> = of_paper(judged, paper).collect();
        if !claims.is_empty() {
            lines.push(row(paper.name(), &claims));
        }
    }
    lines.push(row("all", &judged.iter().collect::<Vec<_>>()));
    for row in &lines {
        line(text, row);
    }
}

/// Claims that a reader looks for first, with the findings that replace them.
fn write_first(text: &mut String, heading: &str, claims: &[&JudgedClaim]) {
    if claims.is_empty() {
        return;
    }
    line(text, &format!("\n## {heading}\n"));
    for claim in claims {
        line(text, &format!("- `{}`, {}: {}", claim.id, claim.source(), claim.claim));
        let found = if claim.verdict == Verdict::Vague { claim.words() } else { "found".into() };
        line(text, &format!("  - {found}: {}", claim.figure));
        write_note(text, claim);
    }
}

fn write_paper(text: &mut String, paper: Paper, claims: &[&JudgedClaim]) {
    if claims.is_empty() {
        return;
    }
    line(text, &format!("\n## {}", paper.title()));
    let mut section = "";
    for claim in claims {
        let here = claim.sources[0].1.as_str();
        if here != section {
            section = here;
            line(text, &format!("\n### {}: {section}\n", paper.name()));
        }
        write_claim(text, claim);
        write_sources(text, claim.sources.iter().skip(1));
    }
}

fn write_claim(text: &mut String, claim: &JudgedClaim) {
    line(text, &format!("- **{}**. {} (`{}`)", claim.words(), claim.claim, claim.id));
    match claim.verdict {
        Verdict::Proved | Verdict::Reported | Verdict::OutOfReach => {
            line(text, &format!("  - {}", claim.figure));
        }
        Verdict::Confirmed
        | Verdict::Extended
        | Verdict::Wrong
        | Verdict::Misprint
        | Verdict::Rounding
        | Verdict::Vague => {
            line(text, &format!("  - found: {}", claim.figure));
            line(text, &format!("  - tested: {}; {}", claim.tested, claim.method));
        }
    }
    write_note(text, claim);
}

fn write_note(text: &mut String, claim: &JudgedClaim) {
    if !claim.note.is_empty() {
        line(text, &format!("  - note: {}", claim.note));
    }
}

/// The other sources of a claim.
fn write_sources<'a>(text: &mut String, sources: impl Iterator<Item = &'a (Paper, String)>) {
    let sources = joined(sources.map(place), "; ");
    if !sources.is_empty() {
        line(text, &format!("  - also: {sources}"));
    }
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string can always be written to");
}
