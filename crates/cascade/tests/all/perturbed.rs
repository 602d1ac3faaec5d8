//! Recurrences that differ from Chomp near the origin.

use std::collections::BTreeSet;

use cascade::{Perturbation, PerturbedColumns};
use game::brouwer::Table;

const COLUMNS: u32 = 150;
const LAST_ROW: u32 = 100;

/// Fact 1 as it is written, with sets, row by row: `f(q,r)` by row and column.
fn literal(perturbation: &Perturbation) -> Vec<Vec<Option<u32>>> {
    let mut rows: Vec<Vec<Option<u32>>> = Vec::new();
    for r in 0..=LAST_ROW {
        let diagonal = |c: u32| rows[c as usize][c as usize].unwrap();
        let by_diagonal: BTreeSet<u32> =
            (0..r).map(diagonal).chain(perturbation.diagonal.clone()).chain([0]).collect();
        let mut row: Vec<Option<u32>> = vec![None; r as usize];
        for q in r..COLUMNS {
            let ended = (r..q).any(|t| row[t as usize] == Some(t));
            let by_cells = perturbation.cells.iter().filter(|&&(column, _)| column == q);
            let by_column = rows.iter().filter_map(|below| below[q as usize]);
            let blocked: BTreeSet<u32> =
                by_cells.map(|&(_, number)| number).chain(by_column).collect();
            let is_free = |p: &u32| {
                !by_diagonal.contains(p) && !row.contains(&Some(*p)) && !blocked.contains(p)
            };
            let value = (q..10 * COLUMNS).find(is_free);
            row.push(value.filter(|_| !ended));
        }
        rows.push(row);
    }
    rows
}

#[test]
fn columns_follow_the_recurrence() {
    let chomp = Perturbation::default();
    for perturbation in (0..24).map(Perturbation::random).chain([chomp]) {
        let rows = literal(&perturbation);
        let columns = PerturbedColumns::new(&perturbation, LAST_ROW);
        for (q, found) in (0..COLUMNS).zip(columns) {
            let expected: Vec<(u32, u32)> = (0..=LAST_ROW.min(q))
                .filter_map(|r| Some((r, rows[r as usize][q as usize]?)))
                .collect();
            assert_eq!(found, expected, "{perturbation}, column {q}");
        }
    }
}

/// An empty perturbation gives the recurrence of the 2005 paper.
#[test]
fn an_empty_perturbation_is_chomp() {
    let table = Table::up_to(300);
    let chomp = Perturbation::default();
    for (q, values) in (0..=300).zip(PerturbedColumns::new(&chomp, 300)) {
        for (r, value) in values {
            assert_eq!(table.f(q, r.into()), Some(value.into()), "f({q},{r})");
        }
    }
}

#[test]
fn random_perturbations_are_of_three_kinds() {
    for seed in 0..30 {
        let Perturbation { diagonal, cells } = Perturbation::random(seed);
        match seed % 3 {
            0 => assert!(cells.is_empty()),
            1 => assert!(diagonal.is_empty()),
            _ => assert!(!cells.is_empty()),
        }
        assert!(diagonal.iter().all(|number| (1..60).contains(number)));
        assert!(cells.iter().all(|(column, number)| column <= number && (1..80).contains(number)));
    }
}
