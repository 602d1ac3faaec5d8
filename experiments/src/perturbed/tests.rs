//! The statements about a perturbed recurrence, counted again by their definitions from all values
//! `f(q,r)`.

use byrnes::{Perturbation, PerturbedColumns};

use super::statistics::{Cases, PeriodicRow, PerturbedStatistics};
use super::tally::PerturbedTally;

const LAST_ROW: u32 = 130;

fn small(number: u32) -> usize {
    usize::try_from(number).unwrap()
}

/// `f(q,r)`, by column and row, and the statistics of these values.
fn values(perturbation: &Perturbation) -> (Vec<Vec<Option<usize>>>, PerturbedStatistics) {
    let mut columns = PerturbedColumns::new(perturbation, LAST_ROW);
    let mut tally = PerturbedTally::new(LAST_ROW, perturbation);
    let mut table = Vec::new();
    for _ in 0..tally.columns() {
        let values = columns.next_column();
        tally.add(values);
        let mut column = vec![None; small(LAST_ROW) + 1];
        for &(row, number) in values {
            column[small(row)] = Some(small(number));
        }
        table.push(column);
    }
    (table, tally.finish())
}

/// The cases in which a statement holds and fails.
fn cases(places: &[(usize, bool)]) -> Cases {
    let mut failing = places.iter().filter(|(_, holds)| !holds).map(|&(place, _)| place as u64);
    let (number, failures) = (places.len() as u64, failing.clone().count() as u64);
    Cases { number, failures, last: failing.next_back() }
}

#[test]
fn statements_by_their_definitions() {
    let rows = small(LAST_ROW) + 1;
    let mut failures = 0;
    let chomp = Perturbation::default();
    for perturbation in (0..18).map(Perturbation::random).chain([chomp]) {
        let (table, statistics) = values(&perturbation);
        let end = |r: usize| (r..table.len()).find(|&q| table[q][r] == Some(q));
        let ends: Vec<Option<usize>> = (0..rows).map(end).collect();
        let mut sorted: Vec<(usize, usize)> =
            (0..rows).filter_map(|r| Some((ends[r]?, r))).filter(|&(x, _)| x < rows).collect();
        sorted.sort_unstable();
        let diagonal: Vec<usize> = (0..rows).map(|q| table[q][q].unwrap()).collect();
        let more: Vec<usize> = perturbation.diagonal().map(small).collect();
        let check = |found, expected: &[(usize, bool)], name| {
            assert_eq!(found, cases(expected), "{name}: {perturbation}");
        };

        // (M*): no value x in a row above, in any column before x.
        let is_above = |&(x, c): &(usize, usize)| {
            let above = (0..x).any(|q| (c + 1..rows).any(|r| table[q][r] == Some(x)));
            (x, !above)
        };
        let expected: Vec<_> = sorted.iter().map(is_above).collect();
        check(statistics.ends_not_above, &expected, "(M*)");
        let expected: Vec<_> = sorted.iter().map(|&(x, _)| (x, !diagonal.contains(&x))).collect();
        check(statistics.ends_not_diagonal, &expected, "2.3");
        let is_one = |n: usize| diagonal.contains(&n) || sorted.iter().any(|&(x, _)| x == n);
        let expected: Vec<_> =
            (1..rows).filter(|n| !more.contains(n)).map(|n| (n, is_one(n))).collect();
        check(statistics.ends_or_diagonal, &expected, "2.4");
        let greatest = |q: usize| (q, (0..rows).all(|r| table[q][r] <= Some(diagonal[q])));
        check(statistics.diagonal_greatest, &(0..rows).map(greatest).collect::<Vec<_>>(), "8.3");

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
        check(statistics.columns_of_ends, &expected, "8.10");
        let successive = |&(x, _): &(usize, usize)| {
            (x, columns(x).windows(2).all(|pair| pair[0] + 1 == pair[1]))
        };
        let expected: Vec<_> = sorted.iter().map(successive).collect();
        check(statistics.successive_columns, &expected, "8.10, successive");

        // 8.11 and 8.6.
        let finite: Vec<(usize, usize)> = (0..rows).filter_map(|r| Some((r, ends[r]?))).collect();
        let least =
            |&(r, x): &(usize, usize)| (r, (r + 1..x).all(|q| table[q][r].is_none_or(|p| p > x)));
        check(statistics.ends_least, &finite.iter().map(least).collect::<Vec<_>>(), "8.11");
        let increases = |&(r, x): &(usize, usize)| {
            (r, finite.iter().all(|&(below, end)| below > r || end <= x))
        };
        check(statistics.ends_increase, &finite.iter().map(increases).collect::<Vec<_>>(), "8.6");
        failures += statistics.statements().iter().filter(|(_, cases)| cases.failures > 0).count();

        means(&perturbation, &table, &statistics);
    }
    assert!(failures > 60, "{failures}");
}

/// (M), from the mean of the last columns: for rows with a short period.
fn means(
    perturbation: &Perturbation,
    table: &[Vec<Option<usize>>],
    statistics: &PerturbedStatistics,
) {
    let mut compared = 0;
    for row in &statistics.periodic {
        let Some(read) = &row.read else { continue };
        let r = usize::try_from(row.row).unwrap();
        let period = read.values.len();
        let far = table.len() - period;
        let offsets = (far..table.len()).map(|q| table[q][r].unwrap() - q);
        assert_eq!(offsets.sum::<usize>() as u64, read.mean * period as u64, "{perturbation}");
        let finite = (0..row.row).filter(|c| statistics.ends.contains_key(c)).count() as u64;
        let less = read.mean.cast_signed() - finite.cast_signed();
        let is_last = Some(less) == statistics.mean_less_finite;
        assert!(is_last || statistics.means.failures > 0, "{perturbation}, row {r}");
        if perturbation.cells().len() == 0 {
            // 3.2 of `proofs/uniqueness.md`.
            assert_eq!(read.mean, 1 + perturbation.diagonal().len() as u64 + finite);
        }
        compared += 1;
    }
    assert!(compared > 15, "{perturbation}: {compared}");
}

/// Without a perturbation all statements hold, and row 120 is the first of period 2.
#[test]
fn statements_hold_for_chomp() {
    let (_, found) = values(&Perturbation::default());
    assert_eq!(found.periods.keys().copied().collect::<Vec<_>>(), [1, 2]);
    let is_of_2 = |row: &&PeriodicRow| row.read.as_ref().is_some_and(|it| it.values.len() == 2);
    assert_eq!(found.periodic.iter().find(is_of_2).map(|row| row.row), Some(120));
    assert!(found.statements().iter().all(|(_, cases)| cases.failures == 0));
}
