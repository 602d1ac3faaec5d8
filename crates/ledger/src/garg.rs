//! Claims of Garg 2026 and A395126 about P-positions `(a,b,c,d)` of four rows: `claims.ron`, and
//! the functions that decide them. The facts are in `proofs/four-rows.md`. Here those that
//! need no sieve, decided by all P-positions of small boards, or by row records; and the sieve of
//! `boards`, for the others.

pub mod medians;
pub mod triples;

use std::collections::{HashMap, HashSet};

use census::Decimal;

use crate::arguments::{Printed, Written};
use crate::evidence::Evidence;
use crate::oracles::{P_POSITIONS, SIDE};
use crate::verdict::Finding;

/// The share in percent, rounded as it is printed.
pub fn share(part: u64, all: u64, Written(printed): &Printed, what: &str) -> Finding {
    let right = Decimal::ratio(100 * part, all, printed.places()) == *printed;
    let exact = Decimal::ratio(100 * part, all, 3);
    Finding::found(right, format!("{part} of {all} {what}, {exact} %"))
}

/// With any number of rows, all rows but the `last` ones determine a P-position: no two boards
/// agree in all of these. A row that a board lacks counts as empty.
pub fn unique_last_row(_: &Evidence, (last,): (usize,)) -> Finding {
    const { assert!(SIDE < 16, "a length takes four bits, and so does the number of rows") };
    let boards = &*P_POSITIONS;
    let mut met = HashSet::new();
    let tuples = boards.iter().flat_map(|board| {
        // With more rows than these the tuple that is left is the whole board.
        let most = (board.rows().len() + last).min(SIDE.into());
        (board.rows().len().max(last + 1)..=most).map(move |length| (board.rows(), length))
    });
    let number = |rows: &[u16], length: usize| {
        let lengths = rows[..rows.len().min(length - last)].iter();
        let places = (0..).step_by(4).zip(lengths);
        places.fold(length as u64, |number, (place, &own)| number | u64::from(own) << 4 << place)
    };
    let wrong = tuples.into_iter().find(|&(rows, length)| !met.insert(number(rows, length)));
    let counterexample = wrong.map(|(rows, length)| {
        let first = (0..length - last).map(|row| rows.get(row).copied().unwrap_or(0));
        let first: Vec<u16> = first.collect();
        format!("two P-positions of {length} rows begin with {first:?}")
    });
    let cases = format!("m x n, m, n <= {SIDE}: {} P-positions", boards.len());
    Finding::in_cases(cases, counterexample)
}

/// The P-positions of four rows of [`SIDE`] squares at most, in lexicographic order.
fn of_four_rows() -> Vec<[u16; 4]> {
    let boards = P_POSITIONS.iter().filter(|board| board.height() <= 4);
    let lengths = |rows: &[u16]| [0, 1, 2, 3].map(|row| rows.get(row).copied().unwrap_or(0));
    let mut found: Vec<[u16; 4]> = boards.map(|board| lengths(board.rows())).collect();
    found.sort_unstable();
    found
}

/// Two P-positions of four rows agree in all rows but the `first` ones.
pub fn shared_tail(_: &Evidence, (first,): (usize,)) -> Finding {
    let found = of_four_rows();
    let mut met = HashMap::new();
    let mut pairs = found.iter().filter_map(|of| Some((met.insert(&of[first..], of)?, of)));
    let pair = pairs.next().map(|(one, other)| format!("{one:?} and {other:?}"));
    let none = || format!("no two of {} P-positions", found.len());
    Finding::found(pair.is_some(), pair.unwrap_or_else(none))
}

/// The numbers d of the first P-positions in lexicographic order.
pub fn last_rows(_: &Evidence, (terms,): (Vec<u16>,)) -> Finding {
    let found = of_four_rows();
    if found.len() < terms.len() {
        return Finding::unless(Some(format!("{} terms to {SIDE}", found.len())));
    }
    let last = found.iter().map(|found| found[3]);
    Finding::terms(1, &terms, last, |n, found| format!("term {n} is {found}"))
        .with(format!("{} terms", terms.len()))
}

/// Some row of three-rowed Chomp has a period that is divisible by this number.
pub fn period_divisible(evidence: &Evidence, (by,): (u64,)) -> Finding {
    let row = evidence.periodic.iter().find(|row| row.period() % by == 0);
    let figure = row.map_or_else(
        || format!("no period of rows 0 to {} is divisible by {by}", evidence.last_row()),
        |row| format!("row {} has period {}", row.row, row.period()),
    );
    Finding::found(row.is_some(), figure)
}
