//! Counts of many ends, 4.3, and the measurements of 5.3, on many rows of an engine, which are
//! compared with the bare recurrence as far as it goes; 5.1 and 5.2 on random sequences.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use record::{Record, Statement};
use sweep::band;

use super::CASES;
use super::table::Table;
use crate::window::cases::Random;

const ROWS: u64 = 100_000;

/// The diagonal values, and the end of each row that is finite.
static DIAGONAL_AND_ENDS: LazyLock<(Vec<i64>, Vec<Option<i64>>)> = LazyLock::new(|| {
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
});

fn index(number: i64) -> usize {
    usize::try_from(number).unwrap()
}

/// The rows of the engine, by the bare recurrence.
#[test]
fn rows_of_the_engine() {
    let table = Table::of_chomp(3000);
    let (diagonal, ends) = &*DIAGONAL_AND_ENDS;
    for r in 0..3000 {
        assert_eq!(diagonal[r], i64::try_from(table.d(r)).unwrap(), "row {r}");
        // A row ends at 2r or before (3.6).
        if r < 1500 {
            assert_eq!(ends[r], table.ends[r].map(|end| i64::try_from(end).unwrap()), "row {r}");
        }
    }
}

/// F(0), F(1), ..., where F(r) is the number of finite rows below row r.
fn counts(finite: impl Iterator<Item = bool>) -> Vec<i64> {
    let mut counts = vec![0];
    for finite in finite {
        counts.push(counts.last().unwrap() + i64::from(finite));
    }
    counts
}

/// The ends that are less than the number of rows, in increasing order, each with its row: all
/// are known, as a row is below its end.
fn sorted(ends: &[Option<i64>]) -> Vec<(i64, i64)> {
    let ends_and_rows = (0..).zip(ends).filter_map(|(row, end)| Some(((*end)?, row)));
    let mut known: Vec<(i64, i64)> =
        ends_and_rows.filter(|&(end, _)| index(end) < ends.len()).collect();
    known.sort_unstable();
    known
}

/// 2.4, 3.6 and 3.7.
#[test]
fn counts_of_many_rows() {
    let (diagonal, ends) = &*DIAGONAL_AND_ENDS;
    let known = sorted(ends);
    for (n, &(x, c)) in (1..).zip(&known) {
        assert!(x <= 2 * c && c < 2 * n && x - c <= n, "end {x} of row {c}");
        assert!(2 * n <= x && x < 3 * n, "end {x} of row {c}");
    }
    // How often each number is an end or a diagonal value.
    let mut times = vec![0; ends.len()];
    let all = diagonal.iter().copied().chain(known.iter().map(|&(end, _)| end));
    for number in all.map(index).filter(|&number| number < ends.len()) {
        times[number] += 1;
    }
    assert!(times[1..].iter().all(|&times| times == 1));
    let finite_below = counts(ends.iter().map(Option::is_some));
    for (half, two) in (0..).zip(finite_below.chunks(2)) {
        assert!(two.iter().all(|&finite| finite >= half), "rows {} and {}", 2 * half, 2 * half + 1);
    }
    // Column q has a position in each row to q that has not ended before q.
    let mut values: Vec<i64> = diagonal.clone();
    values.sort_unstable();
    for q in 1..i64::try_from(ROWS).unwrap() {
        let ended = i64::try_from(known.partition_point(|&(end, _)| end < q)).unwrap();
        let less = i64::try_from(values.partition_point(|&d| d < q)).unwrap();
        assert_eq!(q + 1 - ended, 2 + less, "column {q}");
    }
}

/// Which rows are finite, at random: row 0 is not. In half of the cases F(b) stays near `φb`.
fn random_rows(rows: usize, random: &mut Random) -> Vec<bool> {
    let (near, width) = (random.below(2) == 0, 1 + random.below(12));
    let mut finite: Vec<bool> = vec![false];
    let (mut below, mut row) = (0_u64, 1_u64);
    while finite.len() < rows {
        // 0.5858 is near φ.
        let goal = 5858 * row + 1000 * random.below(10 * width);
        let is_finite = if near { 10_000 * below < goal } else { random.below(13) < width };
        below += u64::from(is_finite);
        row += 1;
        finite.push(is_finite);
    }
    finite
}

/// 5.2, for sequences of any rows: `(1 + √2)(F - φb)` is `F - √2 (b - F)`.
#[test]
fn one_equation_bounds_the_discrepancy() {
    let mut random = Random::new(31);
    let (mut cases, mut near) = (0, 0);
    while cases < CASES {
        let finite = counts(random_rows(300, &mut random).into_iter());
        let mut bound = 0;
        for (b, &f) in (0..).zip(&finite) {
            bound = bound.max((finite[index(f)] - 4 * f + 2 * b).abs());
            let at_most = |f: i64, of: i64| f <= 0 || f * f <= 2 * of * of;
            let root_two = |f: i64, of: i64| f >= 0 && f * f >= 2 * of * of;
            assert!(root_two(f + bound, b - f) && at_most(f - bound, b - f), "F({b}) = {f}");
            // More than half of the bound.
            let half =
                !root_two(2 * f + bound, 2 * (b - f)) || !at_most(2 * f - bound, 2 * (b - f));
            near += usize::from(half);
            cases += 1;
        }
    }
    assert!(near > CASES / 10, "{near}");
}

/// 5.1, with the bound of `coq/Density.v`: for any finite rows, any ends, and the other numbers as
/// diagonal values.
#[test]
fn two_estimates_give_the_equation() {
    let mut random = Random::new(32);
    let (mut cases, mut good) = (0, 0);
    while cases < CASES {
        let rows = random_rows(900, &mut random);
        let finite = counts(rows.iter().copied());
        let lines: Vec<i64> = (0..).zip(&finite).map(|(b, f)| 2 * b - f).collect();
        let spread = 1 + random.below(4);
        let mut ends = BTreeSet::new();
        let mut ends_off = 0;
        for b in (0..rows.len()).filter(|&b| rows[b]) {
            let end = lines[b] + i64::try_from(random.below(spread)).unwrap();
            let end = (end..i64::MAX).find(|end| !ends.contains(end)).unwrap();
            ends.insert(end);
            ends_off = ends_off.max(end - lines[b]);
        }
        let known = lines[rows.len() - 1];
        let diagonal = (1..known).filter(|number| !ends.contains(number));
        let greatest = |y: i64| lines.partition_point(|&line| line <= y).cast_signed() as i64 - 1;
        let off = (0..).zip(diagonal).map(|(y, d): (i64, i64)| (d - y - greatest(y)).abs());
        let bound = 3 * (ends_off + off.max().unwrap()) + 12;
        for (b, &f) in (0..).zip(&finite).take(rows.len() / 2) {
            let error = finite[index(f)] - 4 * f + 2 * b;
            assert!(error.abs() <= bound, "b = {b}: {error}, {bound}");
            cases += 1;
            good += usize::from(bound < b);
        }
    }
    assert!(good > CASES / 10, "{good}");
}

/// 4.2, 4.3, and the measurements of 5.3.
#[test]
fn the_equation_that_is_missing() {
    let (diagonal, ends) = &*DIAGONAL_AND_ENDS;
    let rows = i64::try_from(ROWS).unwrap();
    let finite_below = counts(ends.iter().map(Option::is_some));
    let finite = |row: i64| finite_below[index(row)];
    let periodic = |row: i64| row - finite(row);

    let known = sorted(ends);
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
    let mut p = (0..).zip(ends).filter_map(|(b, end)| Some((*end)? - b - periodic(b)));
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

/// The measurements of 5.10.
#[test]
fn two_conditions_on_ends() {
    let (_, ends) = &*DIAGONAL_AND_ENDS;
    let known = sorted(ends);
    let x: Vec<i64> = known.iter().map(|&(end, _)| end).collect();
    let e = |y: i64| x.partition_point(|&end| end <= y).cast_signed() as i64;
    let sums: Vec<i64> = (1..).zip(&x).map(|(i, end)| end + i).collect();
    let range = |values: &mut dyn Iterator<Item = i64>| {
        let values: Vec<i64> = values.collect();
        (*values.iter().min().unwrap(), *values.iter().max().unwrap())
    };
    let mut of_ends = (1..).zip(&x).map(|(n, end)| end - 2 * n - e(n));
    let mut of_rows = (1..).zip(&known).map(|(n, &(end, row))| {
        let less = sums.partition_point(|&sum| sum < end);
        row - n - less.cast_signed() as i64
    });
    let finite_below = counts(ends.iter().map(Option::is_some));
    let mut of_counts = (0..).zip(&finite_below).map(|(r, finite)| r - finite - e(r));
    assert_eq!(range(&mut of_ends), (-1, 2));
    assert_eq!(range(&mut of_rows), (-1, 1));
    assert_eq!(range(&mut of_counts), (0, 2));
}

/// 5.10 (a), for any ends that satisfy its equation with errors up to C.
#[test]
fn ends_follow_from_their_equation() {
    let mut random = Random::new(33);
    let (mut cases, mut near) = (0, 0);
    while cases < CASES {
        let bound = i64::try_from(random.below(6)).unwrap();
        let one_sided = random.below(2) == 0;
        let mut x = vec![0, 2, 5];
        for n in 3..400 {
            let e = x.partition_point(|&end| end <= n).cast_signed() as i64 - 1;
            let width = u64::try_from(2 * bound + 1).unwrap();
            let error = if one_sided { bound } else { i64::try_from(random.below(width)).unwrap() };
            let least = (2 * n).max(x[index(n - 1)] + 1);
            let end = (2 * n + e + error - if one_sided { 0 } else { bound }).max(least);
            if end > 2 * n + e + bound {
                break;
            }
            x.push(end);
        }
        for (n, &end) in (0..).zip(&x) {
            // (2 - √2) |end - n - √2 n| is the distance of `whole` from √2 `root`.
            let (whole, root) = (2 * end, end + n);
            let at_least = |number: i64| number >= 0 && number * number >= 2 * root * root;
            assert!(at_least(whole + 1 + bound) && (n == 0 || !at_least(whole - 1 - bound)));
            near += usize::from(n > 0 && (at_least(whole - bound) || !at_least(whole + bound)));
            cases += 1;
        }
    }
    assert!(near > 0, "{near}");
}
