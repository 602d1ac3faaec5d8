//! The ledger as a document.

use ledger::{JudgedClaim, Verdict, markdown};

use super::{JUDGED, JUDGED_BY_FEW_ROWS, ROWS};

#[test]
fn the_document_has_every_claim_and_says_what_fails() {
    let judged = &JUDGED[..];
    let text = markdown(judged, ROWS, "chomp reproduce");
    for claim in judged {
        let (words, JudgedClaim { claim, .. }) = (claim.words(), claim);
        let line = format!("**{words}**. {} (`{}`)", claim.statement, claim.id);
        assert!(text.contains(&line), "{line}");
    }
    assert_eq!(text, markdown(judged, ROWS, "chomp reproduce"));
    let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}"));
    let first = place("\n## A. E. Brouwer, G. ");
    // The table of verdicts, what is wrong with the true figure, the papers.
    assert!(place("| all |") < place("\n## Wrong"));
    assert!(place("  - found: row 782 has period 1, the offset 459 from column 1106 on") < first);
    assert!(place("\n## Vague") < first && first < place("\n## I.-S. Cho"));
    // The columns and the rows of the table add up.
    let table = text.lines().filter(|line| line.starts_with("| ")).skip(1);
    let table: Vec<Vec<usize>> = table
        .map(|line| line.split('|').filter_map(|cell| cell.trim().parse().ok()).collect())
        .collect();
    let (all, papers) = table.split_last().unwrap();
    assert_eq!((papers.len(), *all.last().unwrap()), (9, judged.len()));
    for column in 0..all.len() {
        assert_eq!(papers.iter().map(|paper| paper[column]).sum::<usize>(), all[column]);
    }
    for row in &table {
        assert_eq!(row[..row.len() - 1].iter().sum::<usize>(), row[row.len() - 1]);
    }
}

/// With few rows some claims are out of reach; the words above the claims say what that means.
#[test]
fn the_document_explains_each_verdict_that_occurs() {
    for judged in [JUDGED_BY_FEW_ROWS.clone(), JUDGED.clone()] {
        assert!(judged.iter().any(|claim| claim.judgement.verdict == Verdict::OutOfReach));
        let text = markdown(&judged, ROWS, "chomp reproduce");
        for claim in &judged {
            let explained = text.contains(&format!("\n- *{}", claim.judgement.verdict));
            assert!(explained, "{}", claim.judgement.verdict);
        }
        let decided: Vec<JudgedClaim> = judged
            .into_iter()
            .filter(|claim| claim.judgement.verdict != Verdict::OutOfReach)
            .collect();
        assert!(!markdown(&decided, ROWS, "chomp reproduce").contains("*out of reach*"));
    }
}
