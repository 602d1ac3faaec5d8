//! The statements about a perturbed recurrence, counted again by their definitions from all values
//! `f(q,r)`.

use cascade::{Perturbation, PerturbedColumns};

use super::parse;
use super::tally::{Cases, PeriodicRow, STATEMENTS, Statement, Tally, columns};

const LAST_ROW: u32 = 130;

fn small(number: u32) -> usize {
    usize::try_from(number).unwrap()
}

/// `f(q,r)`, by column and row, and the tally of these values.
fn values(perturbation: &Perturbation) -> (Vec<Vec<Option<usize>>>, Tally) {
    let values = PerturbedColumns::new(perturbation, LAST_ROW);
    let table = values.take(small(columns(perturbation, LAST_ROW).1)).map(|values| {
        let mut column = vec![None; small(LAST_ROW) + 1];
        for (row, number) in values {
            column[small(row)] = Some(small(number));
        }
        column
    });
    (table.collect(), Tally::of(perturbation, LAST_ROW, || true).unwrap())
}

/// The cases of the statement whose name begins like this.
fn cases(found: &Tally, name: &str) -> Cases {
    let statement = STATEMENTS.into_iter().find(|(full, _)| full.starts_with(name));
    statement.unwrap().1(found)
}

fn has_failures(cases: &[(u32, bool)]) -> bool {
    cases.iter().any(|(_, holds)| !holds)
}

#[test]
fn statements_by_their_definitions() {
    let rows = small(LAST_ROW) + 1;
    let mut failures = 0;
    let chomp = Perturbation::default();
    for perturbation in (0..18).map(Perturbation::random).chain([chomp]) {
        let (table, tally) = values(&perturbation);
        let end = |r: usize| (r..table.len()).find(|&q| table[q][r] == Some(q));
        let ends: Vec<Option<usize>> = (0..rows).map(end).collect();
        let mut sorted: Vec<(usize, usize)> =
            (0..rows).filter_map(|r| Some((ends[r]?, r))).filter(|&(x, _)| x < rows).collect();
        sorted.sort_unstable();
        let diagonal: Vec<usize> = (0..rows).map(|q| table[q][q].unwrap()).collect();
        let more: Vec<usize> = perturbation.diagonal.iter().copied().map(small).collect();
        let check = |name, expected: &[(usize, bool)]| {
            let found = cases(&tally, name).into_iter().map(|(place, holds)| (small(place), holds));
            assert!(found.eq(expected.iter().copied()), "{name}: {perturbation}");
        };

        // (M*): no value x in a row above, in any column before x.
        let is_above = |&(x, c): &(usize, usize)| {
            let above = (0..x).any(|q| (c + 1..rows).any(|r| table[q][r] == Some(x)));
            (x, !above)
        };
        let expected: Vec<_> = sorted.iter().map(is_above).collect();
        check("(M*)", &expected);
        let expected: Vec<_> = sorted.iter().map(|&(x, _)| (x, !diagonal.contains(&x))).collect();
        check("no end", &expected);
        let is_one = |n: usize| diagonal.contains(&n) || sorted.iter().any(|&(x, _)| x == n);
        let expected: Vec<_> =
            (1..rows).filter(|n| !more.contains(n)).map(|n| (n, is_one(n))).collect();
        check("each n", &expected);
        let greatest = |q: usize| (q, (0..rows).all(|r| table[q][r] <= Some(diagonal[q])));
        check("8.3", &(0..rows).map(greatest).collect::<Vec<_>>());

        // 8.10: the columns before x that have it.
        let columns =
            |x: usize| -> Vec<usize> { (0..x).filter(|&q| table[q].contains(&Some(x))).collect() };
        let less = |(n, &(x, _)): (usize, &(usize, usize))| {
            let expected = n + more.iter().filter(|&&p| p < x).count();
            columns(x).len().cast_signed() - expected.cast_signed()
        };
        let last = (1..).zip(&sorted).last().map(less);
        let expected: Vec<_> =
            (1..).zip(&sorted).map(|(n, at)| (at.0, Some(less((n, at))) == last)).collect();
        check("8.10: n-th", &expected);
        let successive = |&(x, _): &(usize, usize)| {
            (x, columns(x).windows(2).all(|pair| pair[0] + 1 == pair[1]))
        };
        let expected: Vec<_> = sorted.iter().map(successive).collect();
        check("8.10: these", &expected);

        // 8.11 and 8.6.
        let finite: Vec<(usize, usize)> = (0..rows).filter_map(|r| Some((r, ends[r]?))).collect();
        let least =
            |&(r, x): &(usize, usize)| (r, (r + 1..x).all(|q| table[q][r].is_none_or(|p| p > x)));
        check("8.11", &finite.iter().map(least).collect::<Vec<_>>());
        let increases = |&(r, x): &(usize, usize)| {
            (r, finite.iter().all(|&(below, end)| below > r || end <= x))
        };
        check("8.6", &finite.iter().map(increases).collect::<Vec<_>>());
        let fails = |(_, cases): &&Statement| has_failures(&cases(&tally));
        failures += STATEMENTS.iter().filter(fails).count();

        means(&perturbation, &table, &tally);
    }
    assert!(failures > 60, "{failures}");
}

/// (M), from the mean of the last columns: for rows with a short period.
fn means(perturbation: &Perturbation, table: &[Vec<Option<usize>>], tally: &Tally) {
    let mut compared = 0;
    let last = tally.means().last().map(|(_, less)| less);
    for &PeriodicRow { row, ref values, mean, .. } in &tally.periodic {
        let Some(mean) = mean else { continue };
        let far = table.len() - values.len();
        let offsets = (far..table.len()).map(|q| table[q][small(row)].unwrap() - q);
        assert_eq!(offsets.sum::<usize>() as u64, mean * values.len() as u64, "{perturbation}");
        let ended = |row: &&super::tally::Row| row.end.is_some();
        let finite = tally.rows[..small(row)].iter().filter(ended).count() as u64;
        let less = mean.cast_signed() - finite.cast_signed();
        assert!(tally.means().any(|found| found == (row, less)), "{perturbation}, row {row}");
        let fails = has_failures(&cases(tally, "(M):"));
        assert!(Some(less) == last || fails, "{perturbation}, row {row}");
        if perturbation.cells.is_empty() {
            // 3.2 of `proofs/uniqueness.md`.
            assert_eq!(mean, 1 + perturbation.diagonal.len() as u64 + finite);
        }
        compared += 1;
    }
    assert!(compared > 15, "{perturbation}: {compared}");
}

/// Without a perturbation all statements hold, and row 120 is the first of period 2.
#[test]
fn statements_hold_for_chomp() {
    let (_, found) = values(&Perturbation::default());
    let mut others = found.periodic.iter().filter(|row| row.values.len() != 1);
    assert_eq!(others.next().map(|row| (row.row, row.values.len())), Some((120, 2)));
    assert!(others.all(|row| row.values.len() == 2));
    assert!(STATEMENTS.iter().all(|(_, cases)| !has_failures(&cases(&found))));
}

#[test]
fn texts() {
    for seed in 0..30 {
        let perturbation = Perturbation::random(seed);
        assert_eq!(parse(&perturbation.to_string()), Ok(perturbation));
    }
    let refused = |text: &str| parse(text).unwrap_err();
    let none = refused("Perturbation(diagonal: [0], cells: [])");
    assert_eq!(none, "0 is out of range: the numbers of a perturbation are 1 to 10000");
    let large = refused("Perturbation(diagonal: [], cells: [(3, 10001)])");
    assert!(large.starts_with("10001 is out of range"));
    let below = "(9, 5) has no effect: the numbers of column q are q or greater";
    assert_eq!(refused("Perturbation(diagonal: [], cells: [(9, 5)])"), below);
    for text in ["", "Perturbation()", "Perturbation(diagonal: [-1], cells: [])", "(3)"] {
        assert!(refused(text).contains("the form is Perturbation(diagonal: [18, 20]"), "{text}");
    }
}
