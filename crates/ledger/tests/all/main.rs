//! Every verdict is the expected one, and every verdict can fail.

#[path = "../../../census/tests/all/common/extreme.rs"]
mod extreme;
mod four_rows;
mod mutants;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::LazyLock;
use std::thread;

use census::statistics::{CellCensus, CellStatistics, CellTally, Occurrences};
use game::Outcome;
use game::brouwer::Table;
use ledger::{
    CELLS_ENOUGH, Claim, Costly, Decision, Defect, Evidence, Expected, JudgedClaim, LONG_POSETS,
    LedgerError, Paper, Range, Test, Verdict, claims, parse,
};
use posets::{NamedPoset, Solver};
use record::{HeadForm, Record, Statement};
use sweep::band::{self, Options};

/// Rows that suffice for every claim about records.
const ROWS: u64 = 166_000;

/// Rows whose cells are looked at; the claims about cells reach further, and are then confirmed to
/// there only. `every_claim_about_cells` goes all the way.
const CELLS: u64 = 4000;

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| claims().unwrap());

static EVIDENCE: LazyLock<Evidence> = LazyLock::new(|| {
    let mut evidence = Evidence::default();
    let mut visit = |row: Record| {
        evidence.add(&row);
        ControlFlow::Continue(())
    };
    band::rows(ROWS + 1, Options::default(), &mut visit).unwrap();
    evidence.cells = Some(cells_to(CELLS));
    // Brouwer and Christensen. `the_long_posets_are_searched` finds it.
    evidence.add_poset(LONG_POSETS[0], Outcome::P);
    evidence
});

/// All claims, shared: it takes long to judge them.
static JUDGED: LazyLock<Vec<JudgedClaim>> = LazyLock::new(|| judged_by(&EVIDENCE));

/// All claims by rows 0 to 199 only.
static JUDGED_BY_FEW_ROWS: LazyLock<Vec<JudgedClaim>> = LazyLock::new(|| {
    let mut evidence = Evidence::default();
    for row in byrnes::Rows::new().take(200) {
        evidence.add(&row.unwrap().record(HeadForm::Fingerprint).unwrap());
    }
    judged_by(&evidence)
});

/// The verdicts on all claims, by two threads, since other tests wait for them.
fn judged_by(evidence: &Evidence) -> Vec<JudgedClaim> {
    let judge = |claims: &[Claim]| -> Vec<JudgedClaim> {
        claims.iter().map(|claim| claim.judge(evidence)).collect()
    };
    let (one, other) = CLAIMS.split_at(CLAIMS.len() / 2);
    thread::scope(|scope| {
        let other = scope.spawn(|| judge(other));
        [judge(one), other.join().unwrap()].concat()
    })
}

fn cells_to(last: u64) -> CellStatistics {
    let mut census = CellCensus::default();
    let mut visit = |row: Record| {
        census.add(&row);
        ControlFlow::Continue(())
    };
    let tally = || CellTally::new(last);
    let (_, tallies) =
        band::rows_and_cells(last + 1, Options::default(), &mut visit, tally).unwrap();
    census.finish(tallies)
}

fn with_cells(cells: CellStatistics) -> Evidence {
    let mut evidence = Evidence::default();
    evidence.cells = Some(cells);
    evidence
}

/// A claim of that test by itself.
fn judged(test: &Test, range: &Range, expected: Expected, evidence: &Evidence) -> JudgedClaim {
    let (test, range) = (test.clone(), range.clone());
    let decision = Decision::Computed { test, range, expected };
    let (id, statement, note) = Default::default();
    Claim { id, sources: Vec::new(), statement, decision, note }.judge(evidence)
}

fn verdict(claim: &Claim, test: &Test) -> Verdict {
    let Decision::Computed { range, .. } = &claim.decision else { panic!("{}", claim.id) };
    judged(test, range, Expected::Holds, &EVIDENCE).judgement.verdict
}

fn computed() -> impl Iterator<Item = (&'static Claim, &'static Test, Expected)> {
    CLAIMS.iter().filter_map(|claim| match &claim.decision {
        Decision::Computed { test, expected, .. } => Some((claim, test, *expected)),
        Decision::Proved { .. } | Decision::Reported { .. } => None,
    })
}

#[test]
fn every_verdict_is_as_expected() {
    for judged in &*JUDGED {
        let (id, figure) = (&judged.claim.id, &judged.judgement.figure);
        assert!(judged.as_expected, "{id}: {}, {figure}", judged.words());
    }
    assert!(JUDGED.len() >= 50);
    for (claim, judged) in CLAIMS.iter().zip(&*JUDGED) {
        let Decision::Computed { test, expected, .. } = &claim.decision else { continue };
        let defect = match expected {
            Expected::Holds => None,
            Expected::Fails { defect: Defect::Wrong, .. } => Some(Verdict::Wrong),
            Expected::Fails { defect: Defect::Misprint, .. } => Some(Verdict::Misprint),
            Expected::Fails { defect: Defect::Rounding, .. } => Some(Verdict::Rounding),
            Expected::Sought { .. } => Some(Verdict::Vague),
        };
        let found = judged.judgement.verdict;
        if four_rows::is_long(test) {
            assert_eq!(found, Verdict::OutOfReach, "{}", claim.id);
            continue;
        }
        let holds = matches!(found, Verdict::Confirmed | Verdict::Extended);
        assert_eq!((!holds).then_some(found), defect, "{}", claim.id);
    }
}

/// The issue of a claim at a range that does not reach it.
#[test]
fn a_short_range_confirms_in_part_or_not_at_all() {
    let judged = |id: &str| JUDGED_BY_FEW_ROWS.iter().find(|judged| judged.claim.id == id).unwrap();
    let unique = judged("page-unique");
    assert_eq!(
        (unique.words().as_str(), unique.judgement.tested.as_str()),
        ("confirmed to 199", "n <= 199 of 130000")
    );
    assert_eq!(judged("2005-7.1-gale-3xn").words(), "extended to 199");
    // Row 120, the first of period 2, lies beyond what is claimed.
    let simple = judged("page-zeilberger-115");
    assert_eq!(
        (simple.words().as_str(), simple.judgement.tested.as_str()),
        ("confirmed", "r <= 115")
    );
    assert!(simple.judgement.figure.contains("row 120"), "{}", simple.judgement.figure);
    assert_eq!(judged("2005-8.4-differences").judgement.verdict, Verdict::OutOfReach);
    assert_eq!(judged("2005-8.10-ends").judgement.verdict, Verdict::OutOfReach);
    assert_eq!(judged("2005-8.2-row-782").judgement.verdict, Verdict::OutOfReach);
    assert!(JUDGED_BY_FEW_ROWS.iter().all(|claim| claim.as_expected));
}

#[test]
fn every_claim_that_holds_would_be_refuted_if_it_said_something_else() {
    let mut mutants = 0;
    let hold = computed()
        .filter(|(_, test, expected)| *expected == Expected::Holds && !four_rows::is_long(test));
    for (claim, test, _) in hold {
        for mutant in mutants::mutants_of(test) {
            let changed = mutant.to_string().replace(' ', "") != test.to_string().replace(' ', "");
            assert!(changed, "{}: nothing was changed", claim.id);
            assert_eq!(verdict(claim, &mutant), Verdict::Wrong, "{}: {mutant:?}", claim.id);
            mutants += 1;
        }
    }
    assert!(mutants > 130, "{mutants} mutants");
}

#[test]
fn every_claim_that_fails_would_hold_if_it_said_something_else() {
    for (claim, test, expected) in computed() {
        if matches!(expected, Expected::Fails { .. }) {
            let corrected = mutants::corrected(test);
            let found = verdict(claim, &corrected);
            assert!(
                matches!(found, Verdict::Confirmed | Verdict::Extended),
                "{}: {corrected:?} is {found}",
                claim.id
            );
        }
    }
}

/// Rounding is the only defect if the printed bounds, read as rounded extremes, are right.
#[test]
fn what_fails_by_rounding_is_right_as_rounded() {
    let rounded = computed().filter(|(_, _, expected)| {
        matches!(expected, Expected::Fails { defect: Defect::Rounding, .. })
    });
    let mut number = 0;
    for (claim, test, _) in rounded {
        let (sequence, above, below): (mutants::Raw, String, String) = mutants::arguments(test);
        let extremes = claim.id.replace("-strip", "-extremes");
        let extremes = CLAIMS.iter().find(|claim| claim.id == extremes).unwrap();
        let of_extremes = extremes.test().unwrap();
        let (of, _, least, largest): (mutants::Raw, u64, String, String) =
            mutants::arguments(of_extremes);
        assert_eq!((of, least, largest), (sequence, above, below), "{}", claim.id);
        assert_eq!(verdict(extremes, of_extremes), Verdict::Confirmed, "{}", extremes.id);
        number += 1;
    }
    assert_eq!(number, 5);
}

/// A vague claim is never refuted; but what is looked for is there, or not, and another number
/// would be somewhere else.
#[test]
fn every_vague_claim_would_come_out_otherwise_if_it_said_something_else() {
    let vague = computed().filter(|(_, _, expected)| matches!(expected, Expected::Sought { .. }));
    let mut words = Vec::new();
    for (claim, test, expected) in vague {
        words.push(claim.judge(&EVIDENCE).words());
        let (rows, number): (u64, u64) = mutants::arguments(test);
        let others = match mutants::call(test).0.as_str() {
            "take_over" => vec![4],
            "largest_period" => vec![number - 16, number + 3],
            name => panic!("no mutant of {name}"),
        };
        for mutant in others.into_iter().map(|number| mutants::with(test, &(rows, number))) {
            let judged = judged(&mutant, &Range::Stated, expected, &EVIDENCE);
            assert_eq!(judged.judgement.verdict, Verdict::Vague, "{mutant:?}");
            assert!(!judged.as_expected, "{mutant:?}");
        }
    }
    assert_eq!(words, ["vague, not seen to 166000", "vague, seen in row 112742"]);
}

/// An exception in row or column 7.
const ONE: Occurrences<u64> = Occurrences { number: 1, first: Some(7) };

/// Statistics of cells say how many exceptions there are; here one is put in.
#[test]
fn exceptions_among_the_cells_refute() {
    let cells = cells_to(CELLS);
    let changed = |change: fn(&mut CellStatistics)| {
        let mut cells = cells.clone();
        change(&mut cells);
        with_cells(cells)
    };
    let cases: [(_, fn(&mut CellStatistics)); 6] = [
        ("diagonal_largest", |cells| cells.diagonal_not_largest = ONE),
        ("end_occurs", |cells| {
            cells.frequencies.exceptions = Occurrences { number: 1, first: Some((3, 7)) };
        }),
        ("minima_rise", |cells| cells.minima.decreases = ONE),
        ("minima_columns", |cells| cells.minima.repeated_before = ONE),
        ("minima_after_ends", |cells| cells.minima.repeated_after_end = ONE),
        ("end_is_minimum", |cells| cells.minima.end_not_minimum = ONE),
    ];
    for (test, change) in cases {
        let range = Range::All("r".to_owned());
        let test = test.parse().unwrap();
        let before = judged(&test, &range, Expected::Holds, &EVIDENCE).judgement.verdict;
        let after = judged(&test, &range, Expected::Holds, &changed(change)).judgement.verdict;
        assert_eq!((before, after), (Verdict::Confirmed, Verdict::Wrong), "{test:?}");
    }
}

/// What refutes a printed number, found again by engines that know nothing of the band engine.
#[test]
fn counterexamples_are_confirmed_by_other_engines() {
    // Page, (a): 95 for 94.
    let table = Table::up_to(200);
    let offsets = |row: u64| -> BTreeSet<u64> {
        (150..=200).filter_map(|q| table.f(q, row)?.checked_sub(q)).collect()
    };
    assert_eq!(offsets(94).len(), 1);
    assert_eq!(offsets(95).len(), 0, "row 95 has ended");
    // Page: at least p/3 P-positions (q,q,r) with q < p.
    let ends = |p: u64| {
        table
            .p_positions()
            .filter(|position| position.p() == position.q() && position.q() < p)
            .count()
    };
    assert_eq!([1, 2, 4, 5, 7].map(ends), [0, 0, 1, 1, 2]);
    // 2005 paper, 8.2: row 782 by the literal recurrence, proved twice.
    let row_782 = byrnes::Rows::new().nth(782).unwrap().unwrap();
    let record = row_782.record(HeadForm::Fingerprint).unwrap();
    let periodic = record.periodic().unwrap();
    assert_eq!((periodic.start, periodic.values.as_slice()), (1106, [459].as_slice()));
    // Row 7751 by the pointer engine.
    let mut last_row: Option<Record> = None;
    let mut visit = |row: Record| {
        last_row = Some(row);
        ControlFlow::Continue(())
    };
    sweep::pointer::rows(7752, &mut visit).unwrap();
    let record = last_row.unwrap();
    let Statement::Finite(finite) = record.statement() else { panic!("{record}") };
    assert_eq!((finite.row, finite.last), (7751, 10962));
}

/// The search of the subsets of at most 3 of 7 elements.
#[test]
#[ignore = "a quarter of an hour"]
fn the_long_posets_are_searched() {
    let poset = LONG_POSETS[0].parse::<NamedPoset>().unwrap().poset().unwrap();
    let go_on = |_| ControlFlow::Continue(());
    let outcome = Solver::new(&poset, 14_000_000, &go_on).outcome(&poset.full());
    assert_eq!(outcome, Ok(Outcome::P));
}

/// Without the long searches the conjecture of Gale and Neyman stands to n = 6.
#[test]
fn what_needs_the_long_posets_says_so() {
    let judged =
        |id: &str, evidence| CLAIMS.iter().find(|claim| claim.id == id).unwrap().judge(evidence);
    let none = Evidence::default();
    let found = judged("page-subsets-7-3", &none);
    assert_eq!(found.judgement.verdict, Verdict::OutOfReach);
    assert_eq!(found.judgement.figure, "a search of subsets 7 3 is enough");
    let conjecture = judged("2005-2-gale-neyman", &none);
    assert_eq!((conjecture.words().as_str(), conjecture.as_expected), ("confirmed to 6", true));
    let conjecture = judged("2005-2-gale-neyman", &EVIDENCE);
    assert_eq!((conjecture.judgement.verdict, conjecture.as_expected), (Verdict::Wrong, true));
    assert_eq!(conjecture.judgement.figure, "n = 7, k = 3 is P");
    let mut other = Evidence::default();
    other.add_poset(LONG_POSETS[0], Outcome::N);
    assert!(!judged("page-subsets-7-3", &other).as_expected);
    assert!(!judged("2005-2-gale-neyman", &other).as_expected);
}

/// The claims about cells to the end of their ranges: three thousand million cells.
#[test]
#[ignore = "half a minute on two idle processors"]
fn every_claim_about_cells() {
    let evidence = with_cells(cells_to(CELLS_ENOUGH));
    let by_cells = |claim: &Claim| Costly::Cells.is_needed(std::slice::from_ref(claim));
    for (claim, ..) in computed().filter(|(claim, ..)| by_cells(claim)) {
        let Decision::Computed { range, .. } = &claim.decision else { unreachable!() };
        let found = claim.judge(&evidence).judgement;
        assert_ne!(found.verdict, Verdict::Wrong, "{}: {}", claim.id, found.figure);
        if let Range::To(_, last) = range {
            assert!(found.reached.is_none_or(|reached| reached >= *last), "{}", claim.id);
        }
    }
}

#[test]
fn a_ledger_is_read_strictly() {
    let good = r#"[Claim(id: "a", sources: [(Page, "1")], claim: "c", decision: Reported(reason: "n", figure: None))]"#;
    assert_eq!(parse(&[good]).unwrap().len(), 1);
    let twice = format!("[{0}, {0}]", &good[1..good.len() - 1]);
    assert!(matches!(parse(&[&twice]), Err(LedgerError::Entry(id)) if id == "a"));
    assert!(matches!(parse(&[good, good]), Err(LedgerError::Entry(id)) if id == "a"));
    for (from, to) in [
        ("claim: \"c\"", "claim: \"c\", colour: \"red\""),
        ("claim: \"c\"", "claim: \"c\", claim: \"d\""),
        ("claim: \"c\", ", ""),
        ("Page", "Pages"),
        ("figure: None", "figure: None, why: \"w\""),
        ("figure: None", "figure: Some(guess(1))"),
        ("figure: None", "figure: Some(followed(Diagonal, 89))"),
        ("figure: None", "figure: Some(followed(Diagonal, 89, \"88\"))"),
        ("figure: None", "figure: Some(strip(Diagonal, \"1\", \"one\"))"),
        ("figure: None", "figure: Some(minima_rise(1))"),
        ("Reported(reason: \"n\", figure: None)", "Guessed"),
        ("\"a\"", "\"\""),
        ("[(Page, \"1\")]", "[]"),
    ] {
        let bad = good.replace(from, to);
        assert_ne!(bad, good);
        assert!(parse(&[&bad]).is_err(), "{bad}");
    }
    assert!(parse(&[&good.replace("Claim(id", "Claim(id: \"b\", id")]).is_err());
}

#[test]
fn each_paper_has_its_claims() {
    use Paper::{
        Cho2018, Garg2026, Nguyen2026, OlderPage, Padhi2026, Page, Paper2005, Sheiner2026,
        Zeilberger2003,
    };
    let papers = CLAIMS.iter().map(|claim| claim.sources[0].0);
    let papers: Vec<Paper> = papers.collect::<BTreeSet<Paper>>().into_iter().collect();
    let six = [Paper2005, Page, OlderPage, Zeilberger2003, Cho2018, Garg2026];
    assert_eq!(papers, [&six[..], &[Sheiner2026, Padhi2026, Nguyen2026]].concat());
    let words = ["2005-8.2-row-782", "2005-8.2-row-7751", "2003-take-over", "page-unique"];
    assert!(words.iter().all(|id| CLAIMS.iter().any(|claim| claim.id == *id)));
}

/// A record can have the largest numbers that a file can state. No claim whose test reads records
/// may break on them.
#[test]
fn nothing_panics_on_the_largest_numbers_of_a_record() {
    let methods = JUDGED.iter().map(|judged| &judged.judgement.method);
    let reads_records = |method: &str| {
        method.is_empty() || method.contains("record") || method.starts_with("every cell")
    };
    let claims = CLAIMS.iter().zip(methods).filter(|(_, method)| reads_records(method));
    let claims: Vec<&Claim> = claims.map(|(claim, _)| claim).collect();
    assert!(claims.len() > 70, "{} claims", claims.len());
    for records in extreme::all() {
        let mut evidence = Evidence::default();
        for record in &records {
            evidence.add(record);
        }
        for claim in &claims {
            println!("{:?}", claim.judge(&evidence).judgement.verdict);
        }
    }
}
