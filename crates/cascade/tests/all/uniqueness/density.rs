//! 4.3 and the measurements of 5.3, on many rows of an engine, which are compared with the bare
//! recurrence as far as it goes.

use std::ops::ControlFlow;

use record::{Record, Statement};
use sweep::band;

use super::table::Table;

const ROWS: u64 = 100_000;

/// The diagonal values, and the end of each row that is finite.
fn rows() -> (Vec<i64>, Vec<Option<i64>>) {
    let (mut diagonal, mut ends) = (Vec::new(), Vec::new());
    let mut visit = |record: Record| {
        diagonal.push(i64::try_from(record.diagonal()).unwrap());
        ends.push(match record.statement() {
            Statement::Finite(row) => Some(i64::try_from(row.last).unwrap()),
            _ => None,
        });
        ControlFlow::Continue(())
    };
    band::rows(ROWS, band::Options::default(), &mut visit).unwrap();
    (diagonal, ends)
}

fn index(number: i64) -> usize {
    usize::try_from(number).unwrap()
}

/// The rows of the engine, by the bare recurrence.
#[test]
fn rows_of_the_engine() {
    let table = Table::of_chomp(3000);
    let (diagonal, ends) = rows();
    for r in 0..3000 {
        assert_eq!(diagonal[r], i64::try_from(table.d(r)).unwrap(), "row {r}");
        // A row ends at 2r or before (3.6).
        if r < 1500 {
            assert_eq!(ends[r], table.ends[r].map(|end| i64::try_from(end).unwrap()), "row {r}");
        }
    }
}

/// 4.2, 4.3, and the measurements of 5.3.
#[test]
fn the_equation_that_is_missing() {
    let (diagonal, ends) = rows();
    let rows = i64::try_from(ROWS).unwrap();
    // F of rows 0 to `rows`.
    let mut finite_below = vec![0];
    for end in &ends {
        finite_below.push(finite_below.last().unwrap() + i64::from(end.is_some()));
    }
    let finite = |row: i64| finite_below[index(row)];
    let periodic = |row: i64| row - finite(row);

    // All ends up to the number of rows are known, as a row is below its end.
    let mut known: Vec<(i64, i64)> =
        (0..).zip(&ends).filter_map(|(row, end)| Some(((*end)?, row))).collect();
    known.sort_unstable();
    known.retain(|&(end, _)| end < rows);
    let mut sums: Vec<i64> = known.iter().map(|(end, row)| end + row).collect();
    sums.sort_unstable();
    for (n, &(end, row)) in (1..).zip(&known) {
        // Larger ends have larger sums than this end.
        let less = i64::try_from(sums.partition_point(|&sum| sum < end)).unwrap();
        assert!(row >= n + less, "(B), the end {end} of row {row}");
    }
    for row in 1..=rows {
        assert!(7 * finite(row) <= 5 * row - 2, "4.3, row {row}");
    }

    let range = |values: &mut dyn Iterator<Item = i64>| {
        values.fold((0, 0), |(least, most), value| (least.min(value), most.max(value)))
    };
    let mut z = (0..=rows).map(|b| finite(finite(b)) - 4 * finite(b) + 2 * b);
    let mut p = (0..).zip(&ends).filter_map(|(b, end)| Some((*end)? - b - periodic(b)));
    // b(y) for all y, as b + K(b) increases.
    let mut b = 0;
    let mut q = (0..rows).map(|y| {
        while b < rows && b + 1 + periodic(b + 1) <= y {
            b += 1;
        }
        diagonal[index(y)] - y - b
    });
    assert_eq!((range(&mut z), range(&mut p), range(&mut q)), ((-2, 5), (-2, 2), (-1, 3)));
}
