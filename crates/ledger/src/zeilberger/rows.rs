//! Claims about the share and the size of larger periods, decided by row records.

use std::cmp::Reverse;

use census::Decimal;

use crate::evidence::Evidence;
use crate::verdict::Finding;

/// Among the rows r <= rows periods larger than 1 occur, but in less than this percentage of the
/// periodic rows.
pub fn rare(evidence: &Evidence, (rows, percent): (u64, u64)) -> Finding {
    let (all, larger) = larger_periods(evidence, rows);
    let figure = here_and_further(evidence, rows, |last| larger_share(evidence, last));
    let found = Finding::found(larger > 0 && 100 * larger < percent * all, figure);
    evidence.without(rows).unwrap_or(found)
}

/// Up to some row, more than this percentage of the periodic rows has a period larger than 1. The
/// computation that the paper refers to ends with row `rows`.
pub fn take_over(evidence: &Evidence, (rows, percent): (u64, u64)) -> Finding {
    let mut larger = 0;
    let seen = (1..).zip(&evidence.periodic).find_map(|(all, row)| {
        larger += u64::from(row.period() > 1);
        (100 * larger > percent * all).then_some(row.row)
    });
    let figure = here_and_further(evidence, rows, |last| larger_share(evidence, last));
    Finding::sought(evidence.last_row(), seen).with(figure)
}

/// Periodic rows to `last`, and how many of them have a larger period than 1.
fn larger_periods(evidence: &Evidence, last: u64) -> (u64, u64) {
    let known = evidence.periodic.iter().take_while(|periodic| periodic.row <= last);
    known.fold((0, 0), |(all, larger), periodic| {
        (all + 1, larger + u64::from(periodic.period() > 1))
    })
}

fn larger_share(evidence: &Evidence, last: u64) -> String {
    let (all, larger) = larger_periods(evidence, last);
    let percent = Decimal::ratio(100 * larger, all.max(1), 2);
    format!("{larger} of {all} periodic rows r <= {last}, {percent} %, have a larger period")
}

/// Some row has at least this period. The computation that the paper refers to ends with row
/// `rows`.
pub fn largest_period(evidence: &Evidence, (rows, at_least): (u64, u64)) -> Finding {
    let words = |last: u64| {
        let known = evidence.periodic.iter().take_while(|periodic| periodic.row <= last);
        let largest = known.map(|periodic| (periodic.period(), Reverse(periodic.row))).max();
        let (period, Reverse(row)) = largest.unwrap_or((0, Reverse(0)));
        format!("the largest period of rows r <= {last} is {period}, first in row {row}")
    };
    let seen = evidence.periodic.iter().find(|periodic| periodic.period() >= at_least);
    Finding::sought(evidence.last_row(), seen.map(|periodic| periodic.row))
        .with(here_and_further(evidence, rows, words))
}

/// A finding for the rows of a claim, as far as they are known, and for all known rows.
fn here_and_further(evidence: &Evidence, rows: u64, words: impl Fn(u64) -> String) -> String {
    let last = evidence.last_row();
    if last <= rows { words(last) } else { format!("{}; {}", words(rows), words(last)) }
}
