//! The numbers of section 8 of the 2005 paper and of Brouwer's page, computed again.
//!
//! The paper computed `f(q,r)` for `q, r <= 100000`, the page for 130000: it is rows 0 to 99 999
//! and 0 to 129 999 that decide the ends and diagonal values below these numbers. Both print
//! distances from the lines rounded to the nearest thousandth, so that the very least and largest
//! may lie outside of the printed strip, by less than half a thousandth.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;

use census::statistics::{
    CellCensus, CellStatistics, CellTally, Complementarity, PeriodicRows, Statistics, Strip, Terms,
};
use census::{Decimal, Surd};
use game::brouwer::Table;
use record::listeners::Cells;
use record::{Record, parse_line};
use sweep::band::{self, Options};

/// Rows 0 to 99 999, and 0 to 129 999; one sweep serves all tests.
static PRINTED: LazyLock<(Statistics, Statistics)> = LazyLock::new(|| {
    let (mut statistics, mut paper) = (Statistics::default(), None);
    let mut visit = |row: Record| {
        statistics.add(&row);
        if statistics.rows == 100_000 {
            paper = Some(statistics.clone());
        }
        ControlFlow::Continue(())
    };
    band::rows(130_000, Options::default(), &mut visit).unwrap();
    (paper.unwrap(), statistics)
});

fn cell_statistics(end: u64) -> CellStatistics {
    let mut census = CellCensus::default();
    let mut visit = |row: Record| {
        census.add(&row);
        ControlFlow::Continue(())
    };
    let tally = || CellTally::new(end - 1);
    let (_, tallies) = band::rows_and_cells(end, Options::default(), &mut visit, tally).unwrap();
    census.finish(tallies)
}

fn oeis(sequence: &str) -> Vec<u64> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/oeis");
    let text = fs::read_to_string(folder.join(sequence).with_extension("txt")).unwrap();
    text.lines().map(|line| line.split_once(' ').unwrap().1.parse().unwrap()).collect()
}

/// The frequencies of all differences that occur, each with as many places as it is printed with.
#[track_caller]
fn assert_frequencies(terms: &Terms, printed: &[(i64, &str)]) {
    let differences = &terms.differences;
    let found: Vec<i64> = differences.counts.keys().copied().collect();
    assert_eq!(found, printed.iter().map(|(difference, _)| *difference).collect::<Vec<_>>());
    for &(difference, printed) in printed {
        let printed: Decimal = printed.parse().unwrap();
        assert_eq!(differences.frequency(difference, printed.places()), Some(printed));
    }
}

#[track_caller]
fn assert_strip(terms: &Terms, slope: Surd, low: &str, high: &str) {
    assert_eq!(terms.slope, slope);
    let strip = terms.strip.unwrap();
    assert_eq!(strip.nearest(3).map(|bound| bound.to_string()), [low, high]);
    // Half a thousandth further out on either side, the strip holds all terms.
    let outside = |printed: &str, by: &str| format!("{printed}{by}").parse().unwrap();
    let (low, high) = (low.parse::<Decimal>().unwrap(), outside(high, "5"));
    assert!(strip.within(&outside(&low.to_string(), "5"), &high));
}

/// 8.4.
#[test]
fn the_diagonal_is_as_printed() {
    let (paper, page) = &*PRINTED;
    let frequencies = [(-1, "0.015"), (1, "0.353"), (2, "0.537"), (3, "0.085"), (4, "0.010")];
    for (statistics, number, low) in [(paper, 100_000, "-1.242"), (page, 130_000, "-1.310")] {
        assert_eq!(statistics.diagonal.number, number);
        assert_frequencies(&statistics.diagonal, &frequencies);
        assert_strip(&statistics.diagonal, Surd::ALPHA, low, "2.141");
        // "no decrease larger than 1 occurs"; the first is from 89 to 88, d_51 to d_52.
        let differences = &statistics.diagonal.differences.counts;
        assert_eq!(differences.first_key_value().map(|(least, _)| *least), Some(-1));
        assert_eq!(differences[&-1].first, Some(51));
    }
}

/// 8.6, and sequences (ii) and (iii) of the page.
#[test]
fn finite_rows_are_as_printed() {
    let (paper, page) = &*PRINTED;

    // One of them is 100 000 itself.
    assert_eq!((paper.ends.columns.number, paper.ends.columns.last), (41_421, Some(100_000)));
    let frequencies = [(1, "0.116"), (2, "0.430"), (3, "0.376"), (4, "0.077"), (5, "0.0001")];
    assert_frequencies(&paper.ends.columns, &frequencies);
    assert_strip(&paper.ends.columns, Surd::BETA, "-1.506", "1.493");
    let frequencies = [(1, "0.317"), (2, "0.658"), (3, "0.024")];
    assert_frequencies(&paper.ends.rows, &frequencies);
    assert_strip(&paper.ends.rows, Surd::ALPHA, "-1.853", "0.780");

    assert_eq!(page.ends.columns.number, 53_847);
    assert!(page.ends.columns.last < Some(130_000));
    assert_frequencies(&page.ends.rows, &frequencies);
    assert_strip(&page.ends.rows, Surd::ALPHA, "-1.853", "0.940");
    let frequencies = [(1, "0.117"), (2, "0.429"), (3, "0.376"), (4, "0.078"), (5, "0.00006")];
    assert_frequencies(&page.ends.columns, &frequencies);
    assert_strip(&page.ends.columns, Surd::BETA, "-1.506", "1.493");

    for statistics in [paper, page] {
        assert_eq!(statistics.monotonicity.violations.number, 0);
        // 8.8, with equality for n = 1 only: q_n - 3n is at most -1.
        let thrice = statistics.ends.thrice.strip.unwrap().largest;
        assert_eq!((thrice.n, thrice.distance), (1, Surd::new(-1, 0)));
    }
}

/// "Each number below 130000 belongs to precisely one."
#[test]
fn diagonal_values_and_ends_are_complementary() {
    for statistics in [&PRINTED.0, &PRINTED.1] {
        let complementarity = statistics.complementarity;
        assert_eq!(complementarity.decided, statistics.rows);
        assert_eq!((complementarity.both.number, complementarity.neither.number), (0, 0));
    }
}

/// 8.10, 8.11, 8.3, 8.1.
fn assert_cells(statistics: &CellStatistics) {
    let CellStatistics { last_row, complete_to, frequencies, minima, .. } = statistics;
    // Rows to R decide values to about √2 R, a good deal more than R + 1.
    assert!(complete_to * 100 > last_row * 141, "{complete_to}");
    assert!(frequencies.ends * 100 > last_row * 58);
    assert_eq!(frequencies.exceptions.number, 0);
    let Complementarity { decided, both, neither } = statistics.complementarity;
    assert_eq!((decided, both.number, neither.number), (*complete_to, 0, 0));

    // "Approximately n/2 times": not once too few, at most a few times too many.
    let twice = frequencies.diagonal.twice.unwrap();
    assert!(
        twice.least.distance >= Surd::new(-20, 0) && twice.largest.distance <= Surd::new(20, 0)
    );

    assert_eq!(minima.minima.number, last_row + 1);
    assert!(minima.finite * 100 > last_row * 58);
    for none in [
        minima.decreases,
        minima.repeated_before,
        minima.diagonal_below,
        minima.end_not_minimum,
        minima.repeated_after_end,
        statistics.diagonal_not_largest,
    ] {
        assert_eq!(none.number, 0, "{none:?}");
    }
    assert_eq!(statistics.highest, Some((1, 0, 0)));
}

#[test]
fn cells_are_as_the_paper_says() {
    let statistics = cell_statistics(10_000);
    assert_cells(&statistics);
    let positions = oeis("A029899");
    assert_eq!(statistics.frequencies.positions[..positions.len()], positions);
}

#[test]
#[ignore = "the paper's range; half a minute"]
fn cells_to_100000_are_as_the_paper_says() {
    assert_cells(&cell_statistics(100_000));
}

#[test]
fn the_first_terms_are_those_of_the_oeis() {
    let [diagonal, columns, rows] = ["A029900", "A029901", "A029902"].map(oeis);
    let (mut statistics, mut found) = (Statistics::default(), (vec![], vec![], vec![]));
    let mut visit = |row: Record| {
        let before = statistics.ends.columns.number;
        statistics.add(&row);
        found.0.extend(statistics.diagonal.last);
        if statistics.ends.columns.number > before {
            found.1.extend(statistics.ends.columns.last);
            found.2.extend(statistics.ends.rows.last);
        }
        ControlFlow::Continue(())
    };
    band::rows(200, Options::default(), &mut visit).unwrap();
    assert_eq!(found.0[..diagonal.len()], diagonal);
    assert_eq!(found.1[..columns.len()], columns);
    assert_eq!(found.2[..rows.len()], rows);
}

const ROW_0: &str = "Periodic(row: 0, first: 1, start: 0, values: [1], certificate: (from: 0, \
    recurs: 1, modulus: \"1\", filled: 1, above: []), head: \"0000000000000000\")";

/// Rows that are well-formed, but made up.
fn made_up() -> (Statistics, CellCensus) {
    let finite = [(1, 3, 2), (2, 4, 3), (3, 7, 6), (4, 7, 6)].map(|(row, first, last)| {
        format!("Finite(row: {row}, first: {first}, last: {last}, head: \"0000000000000000\")")
    });
    let (mut statistics, mut census) = (Statistics::default(), CellCensus::default());
    for (number, line) in (1..).zip([ROW_0.to_owned()].into_iter().chain(finite)) {
        let record = parse_line(&line, number).unwrap();
        statistics.add(&record);
        census.add(&record);
    }
    (statistics, census)
}

fn cells(cells: &[(u64, u64, u64)]) -> CellStatistics {
    let mut tally = CellTally::new(4);
    for &(q, r, p) in cells {
        tally.cell(q, r, p);
    }
    made_up().1.finish([tally])
}

#[test]
fn rows_that_contradict_a_claim_are_found() {
    let (statistics, _) = made_up();
    let Statistics { monotonicity, complementarity, diagonal, ends, .. } = &statistics;
    assert_eq!((monotonicity.violations.number, monotonicity.violations.first), (1, Some(4)));
    assert_eq!(monotonicity.furthest, Some((6, 3)));
    // 3 is the diagonal value of row 1 and the end of row 2; 5 is neither.
    assert_eq!((complementarity.both.number, complementarity.both.first), (1, Some(3)));
    assert_eq!((complementarity.neither.number, complementarity.neither.first), (1, Some(5)));
    assert_eq!(diagonal.differences.counts[&0].first, Some(3));
    assert_eq!((ends.columns.number, ends.columns.last, ends.rows.last), (2, Some(3), Some(2)));
}

#[test]
fn cells_that_contradict_a_claim_are_found() {
    // Row 0 is not visited from column 1 on.
    let found = cells(&[
        (0, 0, 1),
        (1, 1, 3),
        (2, 1, 2),
        (2, 2, 4),
        (3, 2, 3),
        (3, 3, 7),
        (4, 3, 9),
        (5, 3, 5),
        (6, 3, 6),
        (4, 4, 7),
        (5, 4, 5),
        (6, 4, 6),
    ]);
    // The minima are 2, 2, 3, 5, 5.
    assert_eq!(found.complete_to, 5);
    assert_eq!(
        (found.minima.end_not_minimum.number, found.minima.end_not_minimum.first),
        (2, Some(3))
    );
    assert_eq!((found.minima.repeated.number, found.minima.repeated.first), (2, Some(1)));
    assert_eq!(found.minima.repeated_before.first, Some(4));
    assert_eq!(found.minima.decreases.number + found.minima.repeated_after_end.number, 0);
    // Column 4 has 9 above 7, in cell (4,3): 9 = 4 + 3 + 2.
    assert_eq!((found.diagonal_not_largest.number, found.diagonal_not_largest.first), (1, Some(4)));
    assert_eq!(found.highest, Some((2, 3, 4)));
    assert_eq!((found.frequencies.ends, found.frequencies.exceptions.number), (2, 0));
    // f(q,r) <= 5: 1, and 2 twice, 3 three times, 4 in (3,0) and (2,2), 5 in (4,0), (5,3), (5,4).
    assert_eq!(found.frequencies.positions, [0, 1, 3, 6, 8, 11]);

    let found = cells(&[(1, 1, 5), (2, 1, 9), (3, 2, 3), (6, 3, 6), (6, 4, 6)]);
    // The minima are 2, 9, 3, 6, 6; 3 = q_2 occurs once before.
    assert_eq!((found.minima.decreases.number, found.minima.decreases.first), (1, Some(2)));
    assert_eq!(
        (found.minima.diagonal_below.number, found.minima.diagonal_below.first),
        (1, Some(2))
    );
    assert_eq!(found.minima.repeated_after_end.first, Some(4));
    assert_eq!(found.frequencies.exceptions.first, Some((1, 2)));
    assert_eq!(found.frequencies.exceptions.number, 2);
}

/// D(r) and the differences of periodic rows, counted from the rows that Brouwer's page does not
/// list as finite (A029902).
#[test]
fn periodic_rows_are_those_that_are_not_finite() {
    let finite: Vec<[u64; 2]> = fixtures::numbers("oeis/A029902.txt");
    let last = finite.last().unwrap()[1];
    let is_finite = |row: u64| finite.iter().any(|term| term[1] == row);
    let periodic: Vec<u64> = (0..=last).filter(|&row| !is_finite(row)).collect();
    let mut statistics = Statistics::default();
    for record in fixtures::rows_in_full(last + 1) {
        statistics.add(&record);
    }
    let found = &statistics.periodic;
    assert_eq!(found.number, periodic.len() as u64);
    let twos = periodic.windows(2).filter(|pair| pair[1] - pair[0] == 2).count();
    assert_eq!(found.differences[&2].number, twos as u64);
    let triple = |rows: &&[u64]| rows.windows(2).map(|pair| pair[1] - pair[0]).eq([2, 3, 2]);
    assert_eq!(found.triples["2 3 2"].number, periodic.windows(4).filter(triple).count() as u64);
    assert_eq!(found.triples["2 3 2"].first, Some(0));
    // Row 0 is periodic, and row 1 is not: D(0) = 2 - √2, D(1) = 3 - 2√2.
    assert_eq!(PeriodicRows::discrepancy_at(1, 0).nearest(3).to_string(), "0.586");
    assert_eq!(PeriodicRows::discrepancy_at(1, 1).nearest(3).to_string(), "0.172");
    let strip = found.discrepancy.unwrap();
    assert!(strip.within(&"-0.527".parse().unwrap(), &"1.584".parse().unwrap()));
}

/// The estimates, by their definitions from Brouwer's table. All ends and diagonal values of
/// rows 0 to 400 are at most 700: the value of row 400 is near 1.71 * 400.
#[test]
fn estimates_are_those_of_brouwers_table() {
    let last = 400;
    let (mut diagonal, mut ends) = (BTreeMap::new(), BTreeMap::new());
    for position in Table::up_to(700).p_positions().filter(|position| position.r() <= last) {
        if position.q() == position.r() {
            diagonal.insert(position.r(), position.p());
        }
        if position.p() == position.q() {
            ends.insert(position.r(), position.q());
        }
    }
    let below = |row: u64| ends.range(..row).count() as u64;
    let difference = |a: u64, b: u64| a.cast_signed() - b.cast_signed();
    let equation = |b: u64| Some(difference(below(below(b)) + 2 * b, 4 * below(b)));
    let end = |b: u64| Some(difference(ends.get(&b)? + below(b), 2 * b));
    let on_diagonal = |y: u64| {
        let greatest = (0..=y).rfind(|&b| 2 * b - below(b) <= y).unwrap();
        Some(difference(diagonal[&y], y + greatest))
    };
    // The ends that rows to 400 decide, in increasing order, and the counts of the ends.
    let mut rows_of_ends: Vec<(u64, u64)> = ends.iter().map(|(&row, &end)| (end, row)).collect();
    rows_of_ends.sort_unstable();
    rows_of_ends.retain(|&(end, _)| end <= last + 1);
    let nth_end = |n: u64| rows_of_ends.get(usize::try_from(n.checked_sub(1)?).unwrap());
    let of_rows = |n: u64| {
        let (end, row) = nth_end(n)?;
        Some(difference(2 * row + 1, end + n))
    };
    let of_columns = |n: u64| {
        let (end, row) = nth_end(n).filter(|(end, _)| *end <= last)?;
        Some(difference(end + row + 1, diagonal[end]))
    };
    let range = |value: &dyn Fn(u64) -> Option<i64>| {
        let values = || (0..=last).filter_map(|n| Some((value(n)?, n)));
        let least = values().min().unwrap();
        let largest = values().max_by_key(|&(value, n)| (value, Reverse(n))).unwrap();
        [least, largest].map(|(value, n)| (Surd::new(value, 0), n))
    };

    let mut statistics = Statistics::default();
    for record in fixtures::rows_in_full(last + 1) {
        statistics.add(&record);
    }
    let found = |strip: Option<Strip>| {
        let Strip { least, largest } = strip.unwrap();
        [least, largest].map(|extreme| (extreme.distance, extreme.n))
    };
    let estimates = &statistics.estimates;
    assert_eq!(found(estimates.equation), range(&equation));
    assert_eq!(found(estimates.ends), range(&end));
    assert_eq!(found(estimates.diagonal), range(&on_diagonal));
    assert_eq!(found(estimates.rows_of_ends), range(&of_rows));
    assert_eq!(found(estimates.columns_of_ends), range(&of_columns));
}
