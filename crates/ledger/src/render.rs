//! `LEDGER.md`: the ledger as a document.

use std::fmt::Write;

use crate::model::Paper;
use crate::outcome::{Outcome, count, place};
use crate::verdict::Verdict;

/// What stands above the claims.
const INTRODUCTION: &str = "\
Every computable claim of five papers on Chomp, tested again: what the paper says, in our words; the
verdict; what was found, in which range, and how.

- *confirmed*: it holds on all of the range that it is made for. \"Confirmed to R\": as far as R, where
  that range has no end or reaches further than the rows at hand.
- *extended to R*: it holds on all of the range that it is made for, and further, as far as R.
- *refuted*: there is a counterexample, and it is given.
- *reported*: beyond computation here, and why.
- *pending*: about Grundy values, four and more rows, or other posets; for later work.

P-positions are `(p,q,r)`, row lengths from the top down; `f(q,r)` is the p that makes `(p,q,r)` a
P-position, `d_n = f(n,n)`; the finite rows `r_n` end with `(q_n,q_n,r_n)`. Cho's `[a,b,c]` is `(c,b,a)`,
Zeilberger's `[c,a,b]` is `(c+a+b,c+a,c)`. Row records are proved by the engine that writes them; see
`proofs/README.md`. Frequencies are compared as fractions and distances from lines in integers.
";

/// The ledger as a document in Markdown. The same outcomes give the same bytes.
#[must_use]
pub fn markdown(outcomes: &[Outcome], last_row: u64) -> String {
    let mut text = format!("# The claims ledger\n\n{INTRODUCTION}\n");
    let counts: Vec<String> =
        count(outcomes).iter().map(|(verdict, number)| format!("{number} {verdict}")).collect();
    line(
        &mut text,
        &format!("Rows 0 to {last_row}. {} claims: {}.", outcomes.len(), counts.join(", ")),
    );
    line(
        &mut text,
        &format!("This file is what `chomp reproduce --to {last_row} --markdown` prints."),
    );

    line(&mut text, "\n## What does not hold\n");
    for outcome in outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Refuted) {
        line(&mut text, &format!("- `{}`, {}: {}", outcome.id, outcome.source(), outcome.claim));
        line(&mut text, &format!("  Found: {}.", outcome.figure));
    }
    for paper in Paper::ALL {
        let of_paper =
            |outcome: &&Outcome| outcome.sources.first().is_some_and(|(p, _)| *p == paper);
        let claims: Vec<&Outcome> = outcomes.iter().filter(of_paper).collect();
        write_paper(&mut text, paper, &claims);
    }
    text
}

fn write_paper(text: &mut String, paper: Paper, claims: &[&Outcome]) {
    line(text, &format!("\n## {}", paper.title()));
    let mut section = "";
    for outcome in claims {
        let here = outcome.sources[0].1.as_str();
        if here != section {
            section = here;
            line(text, &format!("\n### {}: {section}\n", paper.name()));
        }
        write_claim(text, outcome);
    }
}

fn write_claim(text: &mut String, outcome: &Outcome) {
    line(text, &format!("- **{}**. {} (`{}`)", outcome.words(), outcome.claim, outcome.id));
    match outcome.verdict {
        Verdict::Reported | Verdict::Pending | Verdict::OutOfReach => {
            line(text, &format!("  - {}", outcome.figure));
        }
        Verdict::Confirmed | Verdict::Extended | Verdict::Refuted => {
            line(text, &format!("  - found: {}", outcome.figure));
            line(text, &format!("  - tested: {}; {}", outcome.tested, outcome.method));
        }
    }
    if !outcome.note.is_empty() {
        line(text, &format!("  - note: {}", outcome.note));
    }
    let others: Vec<String> = outcome.sources.iter().skip(1).map(place).collect();
    if !others.is_empty() {
        line(text, &format!("  - also: {}", others.join("; ")));
    }
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string can always be written to");
}
