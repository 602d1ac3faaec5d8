//! The literal recurrence against the two other oracles and against the values that the papers
//! print.

use std::sync::LazyLock;

use byrnes::{Proof, Row, Rows};
use game::brouwer::Table;
use game::{GameTree, Outcome, ThreeRows};
use num_bigint::BigUint;
use record::{Certificate, HeadForm, Periodic};

/// Rows 0 to 402: the range of Zeilberger's ChompData, and the first row of period 4.
static ROWS: LazyLock<Vec<Row>> =
    LazyLock::new(|| Rows::new().take(403).map(|row| row.expect("every row is proved")).collect());

/// `f(q,r)` by the literal recurrence.
fn f(q: u64, r: u64) -> Option<u64> {
    let row = usize::try_from(r).expect("rows are few");
    ROWS[row].f(&BigUint::from(q)).map(|p| u64::try_from(p).expect("values are small"))
}

fn periodic(row: u64) -> Periodic {
    let record = ROWS[usize::try_from(row).expect("rows are few")].record(HeadForm::Offsets);
    let record = record.expect("every row has a record");
    record.periodic().expect("it is periodic").clone()
}

#[test]
fn the_game_tree_agrees_on_all_positions_with_p_to_40() {
    const REACH: u64 = 40;
    let tree = GameTree::up_to(REACH);
    let mut positions = 0;
    for p in 1..=REACH {
        for q in 0..=p {
            for r in 0..=q {
                let outcome = tree.outcome(ThreeRows::new(p, q, r).unwrap()).unwrap();
                assert_eq!(f(q, r) == Some(p), outcome == Outcome::P, "({p},{q},{r})");
                positions += 1;
            }
        }
    }
    // All (p,q,r) with 40 >= p >= q >= r >= 0 but the empty board.
    assert_eq!(positions, 43 * 42 * 41 / 6 - 1);
}

#[test]
fn brouwers_recurrence_agrees_to_400() {
    let table = Table::up_to(400);
    for r in 0..=400 {
        for q in r..=400 {
            // Where row r ended before q, Brouwer's f keeps the last value, less than q.
            let expected = table.f(q, r).filter(|&p| p >= q);
            assert_eq!(f(q, r), expected, "f({q},{r})");
        }
    }
}

#[test]
fn tables_and_figures_of_the_2005_paper() {
    for name in ["brouwer-table-24.tsv", "figure-2.tsv", "figure-3.tsv"] {
        for [q, r, value] in fixtures::numbers(name) {
            if r <= q {
                assert_eq!(f(q, r).unwrap_or(value), value, "{name}: f({q},{r})");
                assert_eq!(f(q, r).is_some(), value >= q, "{name}: f({q},{r})");
            }
        }
    }
}

#[test]
fn rows_0_to_5_as_the_2005_paper_prints_them() {
    let offsets: Vec<String> = ROWS[..6].iter().map(|row| row.offsets().to_string()).collect();
    assert_eq!(offsets, ["[1]^∞", "[2, 0]", "[2]^∞", "[3, 3, 0]", "[4, 4, 4, 0]", "[5, 3][4]^∞"]);
}

#[test]
fn row_120_as_brouwers_page_prints_it() {
    let expected: Vec<u64> = fixtures::numbers::<1>("row-120.txt").concat();
    assert_eq!(expected.len(), 136);
    let found: Vec<u64> = (120..120 + 136).map(|q| f(q, 120).unwrap()).collect();
    assert_eq!(found, expected);

    let row_120 = periodic(120);
    assert_eq!((row_120.first, row_120.start), (206, 170));
    assert_eq!((row_120.values.clone(), row_120.pattern()), (vec![72, 70], vec![1, -1]));
}

#[test]
fn row_120_has_the_certificate_of_the_design() {
    let certificate =
        Certificate { from: 170, recurs: 172, modulus: 1, filled: 71, above: Vec::new() };
    assert_eq!(periodic(120).certificate, certificate);
}

#[test]
fn certificates_begin_no_earlier_than_the_rows_below_have_settled() {
    // Row 3 ends at 5 and row 4 at 7 (2005 paper, section 8), so no row after row 4 is certified
    // before column 8, though row 5 itself repeats from column 7 on.
    assert_eq!((periodic(5).start, periodic(5).certificate.from), (7, 8));
    for row in ROWS.iter().filter(|row| row.offsets().proof().is_some()) {
        let certificate = periodic(row.row()).certificate;
        let below = ROWS.iter().take_while(|below| below.row() < row.row());
        assert!(below.map(Row::settled).all(|settled| settled <= certificate.from));
    }
}

#[test]
fn the_modulus_is_that_of_the_rows_in_the_window() {
    // Row 400 alternates within the window of row 402; row 120 is far below it.
    let (row_400, row_402) = (periodic(400), periodic(402));
    let most = row_402.values.iter().max().unwrap();
    assert!(
        row_400.values.iter().any(|value| value <= most && *value >= row_402.certificate.filled)
    );
    assert_eq!(row_402.certificate.modulus, 2);
    assert_eq!(row_400.certificate.modulus, 1);
}

#[test]
fn periods_above_1_are_those_of_brouwers_page() {
    let periods: Vec<(u64, usize)> = ROWS
        .iter()
        .filter_map(|row| Some((row.row(), row.offsets().members().periodic()?.cycle().len())))
        .filter(|(_, period)| *period > 1)
        .collect();
    assert_eq!(periods, [(120, 2), (400, 2), (402, 4)]);
}

#[test]
fn every_periodic_row_is_proved_twice() {
    for row in &*ROWS {
        if let Some(Proof { classical, .. }) = row.offsets().proof() {
            assert!(classical.checked, "row {}", row.row());
            // M is more than the largest offset, and it is at least the last index of the head.
            assert!(
                classical.bound > BigUint::from(row.settled() - row.row()),
                "row {}",
                row.row()
            );
        }
    }
}

mod oeis {
    use super::*;

    /// The terms of a sequence, its index left out.
    fn terms(name: &str) -> Vec<u64> {
        let numbers = fixtures::numbers(&format!("oeis/{name}.txt"));
        let terms: Vec<u64> = numbers.iter().map(|&[_, term]| term).collect();
        assert!(terms.len() >= 20, "{name} has terms");
        terms
    }

    /// Finite rows with their last column, in row order.
    fn finite() -> Vec<(u64, u64)> {
        ROWS.iter()
            .filter(|row| row.offsets().members().periodic().is_none())
            .map(|row| (row.row(), row.settled() - 1))
            .collect()
    }

    /// Rows of period 1 with their start and value.
    fn constant() -> Vec<(u64, u64, u64)> {
        ROWS.iter()
            .filter_map(|row| match row.offsets().members().periodic()?.cycle() {
                [value] => Some((row.row(), row.settled(), *value)),
                _ => None,
            })
            .collect()
    }

    fn assert_terms(name: &str, found: impl IntoIterator<Item = u64>) {
        let expected = terms(name);
        let found: Vec<u64> = found.into_iter().take(expected.len()).collect();
        assert_eq!(found, expected, "{name}");
    }

    #[test]
    fn a029900_is_the_diagonal() {
        assert_terms("A029900", ROWS.iter().map(|row| row.row() + row.offsets().first()));
    }

    #[test]
    fn a029901_and_a029902_are_the_finite_rows() {
        assert_terms("A029901", finite().into_iter().map(|(_, last)| last));
        assert_terms("A029902", finite().into_iter().map(|(row, _)| row));
    }

    #[test]
    fn a029903_to_a029905_are_the_rows_of_period_1() {
        assert_terms("A029903", constant().into_iter().map(|(_, _, value)| value));
        assert_terms("A029904", constant().into_iter().map(|(_, start, _)| start));
        assert_terms("A029905", constant().into_iter().map(|(row, _, _)| row));
    }
}
