//! Every verdict is the expected one, and every verdict can fail.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use census::statistics::{CellCensus, CellStatistics, CellTally, Occurrences};
use game::brouwer::Table;
use record::{HeadForm, Record, Statement};
use sweep::band::{self, Options};

use crate::positions::{Before, PN};
use crate::sequences;
use crate::verdict::Judgement;
use crate::{
    CELLS_ENOUGH, Claim, Decision, Defect, Evidence, Expected, JudgedClaim, LedgerError, Paper,
    Range, Test, Verdict, claims, markdown, parse,
};

#[path = "../../census/tests/all/common/extreme.rs"]
mod extreme;

/// Rows that suffice for every claim about records.
const ROWS: u64 = 153_000;

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
    evidence.add_cells(cells_to(CELLS));
    evidence
});

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

fn verdict(claim: &Claim, test: &Test) -> Verdict {
    let Decision::Computed { range, .. } = &claim.decision else { panic!("{}", claim.id) };
    test.examine(&EVIDENCE).finding.judge(range).verdict
}

fn computed() -> impl Iterator<Item = (&'static Claim, &'static Test, Expected)> {
    CLAIMS.iter().filter_map(|claim| match &claim.decision {
        Decision::Computed { test, expected, .. } => Some((claim, test, *expected)),
        Decision::Reported { .. } => None,
    })
}

#[test]
fn every_verdict_is_as_expected() {
    let judged: Vec<JudgedClaim> = CLAIMS.iter().map(|claim| claim.judge(&EVIDENCE)).collect();
    for claim in &judged {
        assert!(claim.as_expected, "{}: {}, {}", claim.id, claim.words(), claim.figure);
        assert_ne!(claim.verdict, Verdict::OutOfReach, "{}", claim.id);
    }
    assert!(judged.len() >= 50);
    for (claim, _, expected) in computed() {
        let defect = match expected {
            Expected::Holds => None,
            Expected::Fails { defect: Defect::Wrong, .. } => Some(Verdict::Wrong),
            Expected::Fails { defect: Defect::Misprint, .. } => Some(Verdict::Misprint),
            Expected::Fails { defect: Defect::Rounding, .. } => Some(Verdict::Rounding),
            Expected::Sought { .. } => Some(Verdict::Vague),
        };
        let found = claim.judge(&EVIDENCE).verdict;
        let holds = matches!(found, Verdict::Confirmed | Verdict::Extended);
        assert_eq!((!holds).then_some(found), defect, "{}", claim.id);
    }
}

/// The issue of a claim at a range that does not reach it.
#[test]
fn a_short_range_confirms_in_part_or_not_at_all() {
    let mut evidence = Evidence::default();
    for row in byrnes::Rows::new().take(200) {
        evidence.add(&row.unwrap().record(HeadForm::Fingerprint).unwrap());
    }
    let judged = |id: &str| CLAIMS.iter().find(|claim| claim.id == id).unwrap().judge(&evidence);
    let unique = judged("page-unique");
    assert_eq!(
        (unique.words(), unique.tested),
        ("confirmed to 199".into(), "n <= 199 of 130000".into())
    );
    assert_eq!(judged("2005-7.1-gale-3xn").words(), "extended to 199");
    // Row 120, the first of period 2, lies beyond what is claimed.
    let simple = judged("page-zeilberger-115");
    assert_eq!((simple.words(), simple.tested), ("confirmed".into(), "r <= 115".into()));
    assert!(simple.figure.contains("row 120"), "{}", simple.figure);
    assert_eq!(judged("2005-8.4-differences").verdict, Verdict::OutOfReach);
    assert_eq!(judged("2005-8.10-ends").verdict, Verdict::OutOfReach);
    assert_eq!(judged("2005-8.2-row-782").verdict, Verdict::OutOfReach);
    assert!(CLAIMS.iter().all(|claim| claim.judge(&evidence).as_expected));
}

/// Exit code 1 hangs on this.
#[test]
fn a_claim_that_stops_holding_is_noticed() {
    let judged = |verdict, seen| {
        let (tested, figure) = (String::new(), String::new());
        Judgement { verdict, tested, reached: None, seen, figure }
    };
    let agrees = |expected: Expected, verdict| expected.agrees(&judged(verdict, None), 1000);
    assert!(agrees(Expected::Holds, Verdict::Confirmed));
    assert!(agrees(Expected::Holds, Verdict::Extended));
    assert!(agrees(Expected::Holds, Verdict::OutOfReach));
    assert!(!agrees(Expected::Holds, Verdict::Wrong));
    for (from_row, holds) in [(1000, false), (1001, true)] {
        for defect in [Defect::Wrong, Defect::Misprint, Defect::Rounding] {
            let fails = Expected::Fails { from_row, defect };
            assert!(agrees(fails, Verdict::Wrong));
            assert_eq!(agrees(fails, Verdict::Confirmed), holds);
            assert_eq!(agrees(fails, Verdict::OutOfReach), holds);
        }
    }
    let sought = |expected, seen| {
        Expected::Sought { seen: expected }.agrees(&judged(Verdict::Vague, seen), 1000)
    };
    assert!(sought(None, None) && sought(Some(7), Some(7)) && sought(Some(1001), None));
    assert!(!sought(None, Some(7)) && !sought(Some(7), Some(8)) && !sought(Some(1000), None));
}

#[test]
fn every_claim_that_holds_would_be_refuted_if_it_said_something_else() {
    let mut mutants = 0;
    for (claim, test, _) in computed().filter(|(_, _, expected)| *expected == Expected::Holds) {
        for mutant in mutants_of(test) {
            assert_ne!(mutant, *test, "{}: nothing was changed", claim.id);
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
            let corrected = corrected(test);
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
        let Test::Sequences(sequences::SequenceTest::Strip { sequence, above, below }) = test
        else {
            panic!("{}", claim.id)
        };
        let extremes = claim.id.replace("-strip", "-extremes");
        let extremes = CLAIMS.iter().find(|claim| claim.id == extremes).unwrap();
        let Decision::Computed { test: of_extremes, .. } = &extremes.decision else { panic!() };
        let Test::Sequences(sequences::SequenceTest::Extremes {
            sequence: of, least, largest, ..
        }) = of_extremes
        else {
            panic!("{}", extremes.id)
        };
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
    use crate::rows::RowTest as T;
    let vague = computed().filter(|(_, _, expected)| matches!(expected, Expected::Sought { .. }));
    let mut words = Vec::new();
    for (claim, test, expected) in vague {
        words.push(claim.judge(&EVIDENCE).words());
        let mutants = match test.clone() {
            Test::Rows(T::TakeOver { rows, .. }) => vec![T::TakeOver { rows, percent: 4 }],
            Test::Rows(T::LargestPeriod { rows, at_least }) => {
                let period = |at_least| T::LargestPeriod { rows, at_least };
                vec![period(at_least - 16), period(at_least + 3)]
            }
            test => panic!("no mutant of {test:?}"),
        };
        for mutant in mutants.into_iter().map(Test::Rows) {
            let judgement = mutant.examine(&EVIDENCE).finding.judge(&Range::Stated);
            assert_eq!(judgement.verdict, Verdict::Vague, "{mutant:?}");
            assert!(!expected.agrees(&judgement, ROWS), "{mutant:?}");
        }
    }
    assert_eq!(words, ["vague, not seen to 153000", "vague, seen in row 112742"]);
}

/// An exception in row or column 7.
const ONE: Occurrences<u64> = Occurrences { number: 1, first: Some(7) };

/// Statistics of cells say how many exceptions there are; here one is put in.
#[test]
fn exceptions_among_the_cells_refute() {
    use crate::cells::CellTest::{
        DiagonalLargest, EndIsMinimum, EndOccurs, MinimaAfterEnds, MinimaColumns, MinimaRise,
    };
    let changed = |change: fn(&mut CellStatistics)| {
        let mut cells = EVIDENCE.cells.clone().unwrap();
        change(&mut cells);
        Evidence { cells: Some(cells), ..Evidence::default() }
    };
    let cases: [(_, fn(&mut CellStatistics)); 6] = [
        (DiagonalLargest, |cells| cells.diagonal_not_largest = ONE),
        (EndOccurs, |cells| {
            cells.frequencies.exceptions = Occurrences { number: 1, first: Some((3, 7)) };
        }),
        (MinimaRise, |cells| cells.minima.decreases = ONE),
        (MinimaColumns, |cells| cells.minima.repeated_before = ONE),
        (MinimaAfterEnds, |cells| cells.minima.repeated_after_end = ONE),
        (EndIsMinimum, |cells| cells.minima.end_not_minimum = ONE),
    ];
    for (test, change) in cases {
        let range = Range::All("r".to_owned());
        let before = test.examine(&EVIDENCE).finding.judge(&range).verdict;
        let after = test.examine(&changed(change)).finding.judge(&range).verdict;
        assert_eq!((before, after), (Verdict::Confirmed, Verdict::Wrong), "{test:?}");
    }
}

/// Claims with another number, none of which is true.
fn mutants_of(test: &Test) -> Vec<Test> {
    match test {
        Test::Positions(test) => positions_mutants(test).into_iter().map(Test::Positions).collect(),
        Test::Boards(test) => boards_mutants(test).into_iter().map(Test::Boards).collect(),
        Test::Rows(test) => rows_mutants(test).into_iter().map(Test::Rows).collect(),
        Test::Sequences(test) => sequences_mutants(test).into_iter().map(Test::Sequences).collect(),
        Test::Cells(test) => cells_mutants(test).into_iter().map(Test::Cells).collect(),
        Test::Recurrences(test) => {
            recurrences_mutants(test).into_iter().map(Test::Recurrences).collect()
        }
        Test::Grundy(test) => grundy_mutants(test).into_iter().map(Test::Grundy).collect(),
        Test::Posets(test) => posets_mutants(test).into_iter().map(Test::Posets).collect(),
    }
}

fn other(outcome: PN) -> PN {
    if outcome == PN::P { PN::N } else { PN::P }
}

/// All lists with one member left out.
fn without_one<T: Clone>(list: &[T]) -> impl Iterator<Item = Vec<T>> {
    (0..list.len()).map(|place| {
        let mut list = list.to_vec();
        list.remove(place);
        list
    })
}

fn grundy_mutants(test: &crate::grundy::GrundyTest) -> Vec<crate::grundy::GrundyTest> {
    use crate::grundy::GrundyTest as T;
    match test.clone() {
        T::Rectangles { terms } => (0..terms.len())
            .map(|place| {
                let mut terms = terms.clone();
                terms[place] += 1;
                T::Rectangles { terms }
            })
            .collect(),
        T::Kinds { kinds } => without_one(&kinds).map(|kinds| T::Kinds { kinds }).collect(),
        T::LargerPeriods { .. } => vec![T::LargerPeriods { than: 1000 }],
    }
}

fn posets_mutants(test: &crate::posets::PosetTest) -> Vec<crate::posets::PosetTest> {
    use crate::posets::PosetTest as T;
    match test.clone() {
        T::Bites { family, from, bite, win } => vec![T::Bites { family, from, bite, win: !win }],
        T::Solids { solids, bite, win } => solids
            .into_iter()
            .map(|solid| T::Solids { solids: vec![solid], bite, win: !win })
            .collect(),
        T::LostIf { family, from, divisor } => {
            vec![T::LostIf { family, from, divisor: divisor + 1 }]
        }
        T::Subsets { plus, only_if } => {
            vec![T::Subsets { plus: plus + 1, only_if }, T::Subsets { plus: plus - 1, only_if }]
        }
        T::Forests { divisor } => {
            vec![T::Forests { divisor: divisor + 1 }, T::Forests { divisor: divisor - 1 }]
        }
        T::Bipartite { vertices, edges } => vec![
            T::Bipartite { vertices: edges, edges: vertices },
            T::Bipartite { vertices, edges: edges + 1 },
        ],
        T::TwoByTwo { less } => {
            vec![T::TwoByTwo { less: less + 1 }, T::TwoByTwo { less: less - 1 }]
        }
    }
}

fn positions_mutants(test: &crate::positions::PositionTest) -> Vec<crate::positions::PositionTest> {
    use crate::positions::PositionTest as T;
    match test.clone() {
        T::Replies { lists } => (0..lists.len())
            .map(|place| {
                let mut lists = lists.clone();
                lists[place].1.pop();
                T::Replies { lists }
            })
            .collect(),
        T::Leaves { from, mut to } => {
            to.push((1, 1, 0));
            vec![T::Leaves { from, to }]
        }
        T::Outcomes { outcome, positions } => {
            vec![T::Outcomes { outcome: other(outcome), positions }]
        }
        T::Transposed { outcome, boards } => {
            vec![T::Transposed { outcome: other(outcome), boards }]
        }
        T::PPositions { longest, shortest, positions } => {
            let less = without_one(&positions)
                .map(|positions| T::PPositions { longest, shortest, positions })
                .collect::<Vec<_>>();
            let more = T::PPositions { longest: (longest.0, longest.1 + 1), shortest, positions };
            less.into_iter().chain([more]).collect()
        }
        T::Blocked { row, middle, from, by } => vec![
            T::Blocked { row, middle, from, by: (by.0, by.1, by.2 - 1) },
            T::Blocked { row, middle: (middle.0.max(row + 1) - 1, middle.1), from: from - 2, by },
        ],
        T::TopRowOne { from, outcome } => vec![T::TopRowOne { from, outcome: other(outcome) }],
        T::TwoRowOpening { shorter } => vec![T::TwoRowOpening { shorter: shorter + 1 }],
        T::UniqueP { values } => {
            vec![T::UniqueP { values: values + 1 }, T::UniqueP { values: values - 1 }]
        }
        T::Recurrence { least } => vec![T::Recurrence { least: least + 1 }],
        T::Table { rows } => (0..rows.len())
            .map(|place| {
                let mut rows = rows.clone();
                *rows[place].2.last_mut().unwrap() += 1;
                T::Table { rows }
            })
            .collect(),
        T::ColumnDistinct { more } => vec![T::ColumnDistinct { more: more + 1 }],
        T::OffDiagonal { first } => vec![T::OffDiagonal { first: first - 1 }],
        T::CountsTo { mut terms } => {
            *terms.last_mut().unwrap() += 1;
            vec![T::CountsTo { terms }]
        }
        T::LegalMoves { families } => {
            without_one(&families).map(|families| T::LegalMoves { families }).collect()
        }
        T::Predecessors { of, families } => {
            let less = without_one(&families).map(|families| T::Predecessors { of, families });
            less.collect()
        }
        T::Implied { by, families, outcome } => {
            vec![T::Implied { by, families, outcome: other(outcome) }]
        }
    }
}

fn boards_mutants(test: &crate::boards::BoardTest) -> Vec<crate::boards::BoardTest> {
    use crate::boards::BoardTest as T;
    match test.clone() {
        T::All(tests) => {
            let with = |place: usize, mutant: T| {
                let mut tests = tests.clone();
                tests[place] = mutant;
                T::All(tests)
            };
            let of_one = |(place, test): (usize, &T)| {
                let mutants = boards_mutants(test);
                mutants.into_iter().map(|mutant| with(place, mutant)).collect::<Vec<_>>()
            };
            tests.iter().enumerate().flat_map(of_one).collect()
        }
        T::Outcomes { outcome, boards } => vec![T::Outcomes { outcome: other(outcome), boards }],
        T::Blocked { boards, .. } => {
            let by = ["[13]", "[9999]", "[11111118]"];
            let mutant = |by: &str| T::Blocked { by: by.to_owned(), boards: boards.clone() };
            by.into_iter().map(mutant).collect()
        }
        T::Family { mut rows, by } => {
            let place = rows.iter().rposition(|&(least, largest)| least < largest);
            rows[place.expect("a range")].0 = 1;
            vec![T::Family { rows, by }]
        }
        T::PPositions { rows, columns, trivial, boards } => {
            let more = [boards.clone(), vec!["[1115]".to_owned()]].concat();
            let lists = without_one(&boards).chain([more]);
            lists.map(|boards| T::PPositions { rows, columns, trivial, boards }).collect()
        }
        T::Openings { rows, columns, leave } => {
            let more = [leave.clone(), vec!["[1115]".to_owned()]].concat();
            let lists = without_one(&leave).chain([more]);
            lists.map(|leave| T::Openings { rows, columns, leave }).collect()
        }
        T::OpeningMove { rows, columns, .. } => {
            vec![T::OpeningMove { rows, columns, square: (2, 2) }]
        }
        T::NumberOfOpenings { mut rectangles } => {
            rectangles[0].2 += 1;
            vec![T::NumberOfOpenings { rectangles }]
        }
        T::Square { from, alone, .. } => vec![T::Square { from, square: (3, 3), alone }],
        T::CornerLoses { .. } => vec![T::CornerLoses { from: 2 }],
        T::FewestSquares { rows, columns } => {
            vec![T::FewestSquares { rows: rows + 1, columns }]
        }
        T::AnyTwo { board, mut squares } => {
            squares.push((2, 1));
            vec![T::AnyTwo { board, squares }]
        }
    }
}

fn rows_mutants(test: &crate::rows::RowTest) -> Vec<crate::rows::RowTest> {
    use crate::rows::RowTest as T;
    match test.clone() {
        T::Rectangles { outcome } => vec![T::Rectangles { outcome: other(outcome) }],
        T::Row { row, positions, forever } => {
            let shorter = without_one(&positions)
                .map(|positions| T::Row { row, positions, forever })
                .collect::<Vec<_>>();
            let other = T::Row { row, positions, forever: forever.map_or(Some((9, 9)), |_| None) };
            shorter.into_iter().chain([other]).collect()
        }
        T::Periods { mut rows } => {
            rows[0].1 += 1;
            vec![T::Periods { rows }]
        }
        T::Patterns { rows, complete_to } => {
            let (mut start, mut period) = (rows.clone(), rows.clone());
            start[0].1 += 1;
            period[0].2.rotate_left(1);
            let mut mutants = vec![
                T::Patterns { rows: start, complete_to },
                T::Patterns { rows: period, complete_to },
            ];
            if complete_to.is_some() {
                mutants.extend(without_one(&rows).map(|rows| T::Patterns { rows, complete_to }));
            }
            mutants
        }
        T::PeriodList { period, to, rows } => {
            let more = [rows.clone(), vec![5]].concat();
            let less = without_one(&rows).take(7).collect::<Vec<_>>();
            let lists = less.into_iter().chain([more]);
            lists.map(|rows| T::PeriodList { period, to, rows }).collect()
        }
        T::OnlyPeriods { periods } => {
            without_one(&periods).map(|periods| T::OnlyPeriods { periods }).collect()
        }
        T::FirstOfLargerPeriod { row } => {
            vec![T::FirstOfLargerPeriod { row: row - 1 }, T::FirstOfLargerPeriod { row: 400 }]
        }
        T::OpeningUnique { ways } => {
            vec![T::OpeningUnique { ways: ways + 1 }, T::OpeningUnique { ways: ways - 1 }]
        }
        T::OpeningExists { ways } => vec![T::OpeningExists { ways: ways + 1 }],
        T::TopSquareLoses { from } => vec![T::TopSquareLoses { from: from - 1 }],
        T::DiagonalAbove { by } => vec![T::DiagonalAbove { by: by + 1 }],
        T::Kinds { kinds } => without_one(&kinds).map(|kinds| T::Kinds { kinds }).collect(),
        T::EndsIncrease { by } => vec![T::EndsIncrease { by: by + 1 }],
        T::Rare { rows, .. } => {
            vec![T::Rare { rows, percent: 4 }, T::Rare { rows: 119, percent: 10 }]
        }
        T::TakeOver { .. } | T::LargestPeriod { .. } => unreachable!("they are vague"),
    }
}

/// The same decimal with another last digit, further from 0 if that is possible in one digit.
fn other_decimal(text: &str) -> String {
    let (rest, last) = text.split_at(text.len() - 1);
    let digit: u8 = last.parse().unwrap();
    format!("{rest}{}", if digit == 9 { 8 } else { digit + 1 })
}

fn sequences_mutants(test: &crate::sequences::SequenceTest) -> Vec<crate::sequences::SequenceTest> {
    use crate::sequences::SequenceTest as T;
    match test.clone() {
        T::Terms { sequence, terms } => (0..terms.len())
            .step_by(9)
            .map(|place| {
                let mut terms = terms.clone();
                terms[place] += 1;
                T::Terms { sequence, terms }
            })
            .collect(),
        T::Followed { sequence, first, next } => {
            vec![T::Followed { sequence, first, next: next + 1 }]
        }
        T::NoDecrease { sequence, beyond } => vec![T::NoDecrease { sequence, beyond: beyond - 1 }],
        T::Differences { sequence, terms, frequencies } => {
            let changed = (0..frequencies.len()).map(|place| {
                let mut frequencies = frequencies.clone();
                frequencies[place].1 = other_decimal(&frequencies[place].1);
                frequencies
            });
            let less = without_one(&frequencies);
            let more = [frequencies.clone(), vec![(17, "0.000".to_owned())]].concat();
            let lists: Vec<_> = changed.chain(less).chain([more]).collect();
            let test = |frequencies| T::Differences { sequence, terms, frequencies };
            lists.into_iter().map(test).collect()
        }
        T::Extremes { sequence, terms, least, largest } => vec![
            T::Extremes { sequence, terms, least: other_decimal(&least), largest: largest.clone() },
            T::Extremes { sequence, terms, least, largest: other_decimal(&largest) },
        ],
        T::Strip { sequence, above, below } => vec![
            T::Strip { sequence, above: "-1.852".to_owned(), below },
            T::Strip { sequence, above, below: "0.779".to_owned() },
        ],
        T::Width { sequence, .. } => vec![T::Width { sequence, width: "2.5".to_owned() }],
        T::Ratio { sequence, tenths, from } => vec![
            T::Ratio { sequence, tenths: tenths + 1, from },
            T::Ratio { sequence, tenths: tenths - 1, from },
            T::Ratio { sequence, tenths, from: from - 2 },
        ],
        T::LinearBound { sequence, factor, constant } => {
            vec![T::LinearBound { sequence, factor, constant: constant - 1 }]
        }
        T::CountBelow { sequence, below, count } => vec![
            T::CountBelow { sequence, below, count: count + 1 },
            T::CountBelow { sequence, below: below + 3, count },
        ],
        T::AtLeastThird { thirds, floor } => {
            vec![
                T::AtLeastThird { thirds: thirds + 1, floor },
                T::AtLeastThird { thirds, floor: !floor },
            ]
        }
        T::Families { offsets, starts, rows } => {
            let one_more = |list: &[u64]| {
                let mut list = list.to_vec();
                list[1] += 1;
                list
            };
            vec![
                T::Families {
                    offsets: one_more(&offsets),
                    starts: starts.clone(),
                    rows: rows.clone(),
                },
                T::Families {
                    offsets: offsets.clone(),
                    starts: one_more(&starts),
                    rows: rows.clone(),
                },
                T::Families { rows: one_more(&rows), offsets, starts },
            ]
        }
    }
}

/// Those without a number are in `exceptions_among_the_cells_refute`.
fn cells_mutants(test: &crate::cells::CellTest) -> Vec<crate::cells::CellTest> {
    use crate::cells::CellTest as T;
    match test {
        T::Bound { constant } => vec![T::Bound { constant: constant - 1 }],
        T::DiagonalOccurs { .. } => vec![T::DiagonalOccurs { within: 2 }],
        T::DiagonalLargest
        | T::EndOccurs
        | T::MinimaRise
        | T::MinimaColumns
        | T::MinimaAfterEnds
        | T::EndIsMinimum => Vec::new(),
    }
}

fn recurrences_mutants(
    test: &crate::recurrences::RecurrenceTest,
) -> Vec<crate::recurrences::RecurrenceTest> {
    use crate::recurrences::RecurrenceTest as T;
    match test.clone() {
        T::Mex { mut examples } => {
            examples[0].1 += 1;
            vec![T::Mex { examples }]
        }
        T::InstantWinners { winners, losers } => vec![
            T::InstantWinners { winners, losers: losers.replace('2', "3") },
            T::InstantWinners { winners: "[{0}][∅]^∞".to_owned(), losers },
        ],
        T::FundamentalRecurrence { shift } => vec![
            T::FundamentalRecurrence { shift: shift + 1 },
            T::FundamentalRecurrence { shift: shift - 1 },
        ],
        T::Bounded { over_largest } => vec![T::Bounded { over_largest: over_largest - 1 }],
        T::PosterioriBound { .. } => vec![T::PosterioriBound { less: 100 }],
        T::Scheme { .. } => vec![T::Scheme { row_0: "[2]^∞".to_owned() }],
        T::MexOfMultiples { .. } => unreachable!("it decides nothing"),
    }
}

/// A claim that fails, put right.
fn corrected(test: &Test) -> Test {
    use crate::boards::BoardTest as Boards;
    use crate::positions::PositionTest as Positions;
    use crate::rows::RowTest as Rows;
    use crate::sequences::SequenceTest as Sequences;
    match test.clone() {
        Test::Positions(Positions::TopRowOne { outcome, .. }) => {
            Test::Positions(Positions::TopRowOne { from: 3, outcome })
        }
        Test::Positions(Positions::Predecessors { of, mut families }) => {
            families.push(Before::MoreOnes);
            Test::Positions(Positions::Predecessors { of, families })
        }
        Test::Posets(crate::posets::PosetTest::Solids { solids, bite, win }) => {
            Test::Posets(crate::posets::PosetTest::Solids { solids, bite, win: !win })
        }
        Test::Rows(Rows::Periods { rows }) if rows == [(782, 25)] => {
            Test::Rows(Rows::Periods { rows: vec![(782, 1)] })
        }
        // Row 7751 has no period at all; row 7739 has one.
        Test::Rows(Rows::Periods { rows }) if rows == [(7751, 720)] => {
            Test::Rows(Rows::Periods { rows: vec![(7739, 2)] })
        }
        Test::Rows(Rows::OnlyPeriods { .. }) => {
            Test::Rows(Rows::OnlyPeriods { periods: vec![1, 2, 3, 4, 6, 8, 9, 27] })
        }
        Test::Sequences(Sequences::Terms { sequence, mut terms }) => {
            terms[39] = 94;
            Test::Sequences(Sequences::Terms { sequence, terms })
        }
        Test::Sequences(Sequences::Strip { sequence, above, below }) => {
            let (above, below) = (other_decimal(&above), other_decimal(&below));
            Test::Sequences(Sequences::Strip { sequence, above, below })
        }
        Test::Sequences(Sequences::Width { sequence, .. }) => {
            Test::Sequences(Sequences::Width { sequence, width: "3.1".to_owned() })
        }
        Test::Sequences(Sequences::AtLeastThird { thirds, .. }) => {
            Test::Sequences(Sequences::AtLeastThird { thirds, floor: true })
        }
        Test::Boards(Boards::All(mut tests)) => {
            for test in &mut tests {
                if let Boards::Blocked { boards, .. } = test {
                    boards.retain(|board| board != "[2456]" && board != "[4447]");
                }
            }
            Test::Boards(Boards::All(tests))
        }
        Test::Boards(Boards::OpeningMove { rows, columns, square: (column, row) }) => {
            Test::Boards(Boards::OpeningMove { rows, columns, square: (row, column) })
        }
        Test::Boards(Boards::CornerLoses { .. }) => Test::Boards(Boards::CornerLoses { from: 7 }),
        Test::Boards(Boards::FewestSquares { .. }) => {
            Test::Boards(Boards::FewestSquares { rows: 6, columns: 13 })
        }
        test => panic!("no correction for {test:?}"),
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

/// The claims about cells to the end of their ranges: three thousand million cells.
#[test]
#[ignore = "half a minute on two idle processors"]
fn every_claim_about_cells() {
    let evidence = Evidence { cells: Some(cells_to(CELLS_ENOUGH)), ..Evidence::default() };
    for (claim, test, _) in computed().filter(|(_, test, _)| matches!(test, Test::Cells(_))) {
        let Decision::Computed { range, .. } = &claim.decision else { unreachable!() };
        let found = test.examine(&evidence).finding.judge(range);
        assert_ne!(found.verdict, Verdict::Wrong, "{}: {}", claim.id, found.figure);
        if let Range::To(_, last) = range {
            assert!(found.reached.is_none_or(|reached| reached >= *last), "{}", claim.id);
        }
    }
}

#[test]
fn a_ledger_is_read_strictly() {
    let good = r#"[Claim(id: "a", sources: [(Page, "1")], claim: "c", decision: Reported(reason: "n", figure: None))]"#;
    assert_eq!(parse(good).unwrap().len(), 1);
    let twice = format!("[{0}, {0}]", &good[1..good.len() - 1]);
    assert!(matches!(parse(&twice), Err(LedgerError::Id(id)) if id == "a"));
    for (from, to) in [
        ("claim: \"c\"", "claim: \"c\", colour: \"red\""),
        ("claim: \"c\"", "claim: \"c\", claim: \"d\""),
        ("claim: \"c\", ", ""),
        ("Page", "Pages"),
        ("figure: None", "figure: None, why: \"w\""),
        ("Reported(reason: \"n\", figure: None)", "Proved"),
        ("\"a\"", "\"\""),
        ("[(Page, \"1\")]", "[]"),
    ] {
        let bad = good.replace(from, to);
        assert_ne!(bad, good);
        assert!(parse(&bad).is_err(), "{bad}");
    }
    assert!(parse(&good.replace("Claim(id", "Claim(id: \"b\", id")).is_err());
}

#[test]
fn each_paper_has_its_claims() {
    for paper in Paper::ALL {
        assert!(CLAIMS.iter().any(|claim| claim.sources[0].0 == paper), "{paper:?}");
    }
    let words = ["2005-8.2-row-782", "2005-8.2-row-7751", "2003-take-over", "page-unique"];
    assert!(words.iter().all(|id| CLAIMS.iter().any(|claim| claim.id == *id)));
}

#[test]
fn the_document_has_every_claim_and_says_what_fails() {
    let judged: Vec<JudgedClaim> = CLAIMS.iter().map(|claim| claim.judge(&EVIDENCE)).collect();
    let text = markdown(&judged, ROWS);
    for claim in &judged {
        let line = format!("**{}**. {} (`{}`)", claim.words(), claim.claim, claim.id);
        assert!(text.contains(&line), "{line}");
    }
    assert_eq!(text, markdown(&judged, ROWS));
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
    assert_eq!((papers.len(), *all.last().unwrap()), (5, judged.len()));
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
    let judge = |evidence| -> Vec<JudgedClaim> {
        CLAIMS.iter().map(|claim| claim.judge(evidence)).collect()
    };
    for (judged, is_short) in [(judge(&Evidence::default()), true), (judge(&EVIDENCE), false)] {
        assert_eq!(judged.iter().any(|claim| claim.verdict == Verdict::OutOfReach), is_short);
        let text = markdown(&judged, ROWS);
        for claim in &judged {
            let explained = text.contains(&format!("\n- *{}", claim.verdict));
            assert!(explained, "{}", claim.verdict);
        }
        assert_eq!(text.contains("*out of reach*"), is_short);
    }
}

/// A record is what a file says. No claim may break on the largest numbers that it can say.
#[test]
fn nothing_panics_on_the_largest_numbers_of_a_record() {
    for records in extreme::all() {
        let mut evidence = Evidence::default();
        for record in &records {
            evidence.add(record);
        }
        for claim in &*CLAIMS {
            println!("{:?}", claim.judge(&evidence).verdict);
        }
    }
}
