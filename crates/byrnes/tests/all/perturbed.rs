//! Recurrences that differ from Chomp near the origin.

use std::collections::BTreeSet;

use byrnes::{Perturbation, PerturbedColumns};
use game::brouwer::Table;

const COLUMNS: u32 = 150;
const LAST_ROW: u32 = 100;

/// Fact 1 as it is written, with sets, row by row: `f(q,r)` by row and column.
fn literal(perturbation: &Perturbation) -> Vec<Vec<Option<u32>>> {
    let mut rows: Vec<Vec<Option<u32>>> = Vec::new();
    for r in 0..=LAST_ROW {
        let diagonal = |c: u32| rows[c as usize][c as usize].unwrap();
        let by_diagonal: BTreeSet<u32> =
            (0..r).map(diagonal).chain(perturbation.diagonal()).chain([0]).collect();
        let mut row: Vec<Option<u32>> = vec![None; r as usize];
        for q in r..COLUMNS {
            let ended = (r..q).any(|t| row[t as usize] == Some(t));
            let by_cells = perturbation.cells().filter(|&(column, _)| column == q);
            let by_column = rows.iter().filter_map(|below| below[q as usize]);
            let blocked: BTreeSet<u32> =
                by_cells.map(|(_, number)| number).chain(by_column).collect();
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
        let mut columns = PerturbedColumns::new(&perturbation, LAST_ROW);
        for q in 0..COLUMNS {
            let expected: Vec<(u32, u32)> = (0..=LAST_ROW.min(q))
                .filter_map(|r| Some((r, rows[r as usize][q as usize]?)))
                .collect();
            assert_eq!(columns.next_column(), expected, "{perturbation}, column {q}");
        }
    }
}

/// An empty perturbation gives the recurrence of the 2005 paper.
#[test]
fn an_empty_perturbation_is_chomp() {
    let table = Table::up_to(300);
    let mut columns = PerturbedColumns::new(&Perturbation::default(), 300);
    for q in 0..=300 {
        for &(r, value) in columns.next_column() {
            assert_eq!(table.f(q, r.into()), Some(value.into()), "f({q},{r})");
        }
    }
}

#[test]
fn texts() {
    for seed in 0..30 {
        let perturbation = Perturbation::random(seed);
        assert_eq!(perturbation.to_string().parse(), Ok(perturbation.clone()));
        let (diagonal, cells) = (perturbation.diagonal().len(), perturbation.cells().len());
        match seed % 3 {
            0 => assert_eq!(cells, 0),
            1 => assert_eq!(diagonal, 0),
            _ => assert!(cells > 0),
        }
        assert!(perturbation.diagonal().all(|number| number < 60));
        assert!(perturbation.cells().all(|(column, number)| column <= number && number < 80));
    }
    let none = Perturbation::new([0], []).unwrap_err().to_string();
    assert_eq!(none, "0 is out of range: the numbers of a perturbation are 1 to 10000");
    let large = Perturbation::new([], [(3, 10_001)]).unwrap_err().to_string();
    assert!(large.starts_with("10001 is out of range"));
    let refused = |text: &str| text.parse::<Perturbation>().unwrap_err().to_string();
    let below = "(9, 5) has no effect: the numbers of column q are q or greater";
    assert_eq!(refused("Perturbation(diagonal: [], cells: [(9, 5)])"), below);
    for text in ["", "Perturbation()", "Perturbation(diagonal: [-1], cells: [])", "(3)"] {
        assert!(refused(text).contains("the form is Perturbation(diagonal: [18, 20]"), "{text}");
    }
}
