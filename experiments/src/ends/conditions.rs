//! The ranges of errors.

use census::Surd;
use census::statistics::{Extreme, Strip};

/// The errors of the conditions of 5.10, n >= from, if k numbers count as diagonal values from the
/// outset: `x_n - 2(n+k) - e(n+k)`, and `r_n - n - k - #{i : x_i + i + k < x_n}`. The ends are by
/// size.
pub(super) fn conditions(ends: &[(u64, u64)], k: u64, from: u64) -> [Option<Strip>; 2] {
    let by_n = || (1..).zip(ends).filter(|&(n, _)| n >= from);
    let ends_to = |y: u64| ends.partition_point(|&(x, _)| x <= y) as u64;
    let sums: Vec<u64> = (1..).zip(ends).map(|(i, (x, _))| x + i + k).collect();
    let less = |x: u64| sums.partition_point(|&sum| sum < x) as u64;
    let of_ends = by_n().map(|(n, &(x, _))| (n, x, 2 * (n + k) + ends_to(n + k)));
    let of_rows = by_n().map(|(n, &(x, row))| (n, row, n + k + less(x)));
    [integers(of_ends), integers(of_rows)]
}

/// The range of `value - line`, of triples (index, value, line).
pub(super) fn integers(terms: impl Iterator<Item = (u64, u64, u64)>) -> Option<Strip> {
    strip(terms.map(|(n, value, line)| (n, Surd::from_line(value, Surd::new(1, 0), line))))
}

pub(super) fn strip(terms: impl Iterator<Item = (u64, Surd)>) -> Option<Strip> {
    terms.fold(None, |strip, (n, distance)| Some(Strip::with(strip, Extreme { n, distance })))
}
