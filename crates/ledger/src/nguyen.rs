//! Claims of the project dannguyen111/chomp: `nguyen/claims.ron`, and those of the functions that
//! no other author needs. All read row records.

use std::collections::{BTreeSet, HashSet};

use num_integer::Integer;
use record::Periodic;

use crate::evidence::Evidence;
use crate::verdict::{Finding, Found};

/// `F(x) + F(floor(βx)) - 2x` is in this range; F(x) is the number of finite rows to row x.
pub fn two_scales(evidence: &Evidence, (least, most): (i64, i64)) -> Finding {
    let count = |x: u64| evidence.finite.partition_point(|finite| finite.row <= x) as u64;
    let further = |x: u64| x + (2 * x * x).isqrt();
    let rows = evidence.last_row();
    let last = (1..=rows).take_while(|&x| further(x) <= rows).last().unwrap_or(0);
    Finding::each(1..=last, |x| {
        let error = (count(x) + count(further(x))).cast_signed() - (2 * x).cast_signed();
        (!(least..=most).contains(&error)).then(|| format!("for x = {x} it is {error}"))
    })
}

/// The numbers of different words of these lengths in the word of the numbers from 1 to `to`, whose
/// letters say whether a number is an end.
pub fn words_of_ends(evidence: &Evidence, (to, said): (u64, Vec<(usize, usize)>)) -> Found {
    evidence.require(to)?;
    let ends = evidence.ends();
    let all: Vec<bool> = (1..=to).map(|number| ends.binary_search(&number).is_ok()).collect();
    let parts = said.into_iter().map(|(length, number)| {
        let found = all.windows(length).collect::<HashSet<_>>().len();
        (found == number, format!("{found} of length {length}"))
    });
    Ok(Finding::all(parts, ", "))
}

/// In columns in which all rows to R repeat, at most this many successive ones have a number.
pub fn successive_columns(evidence: &Evidence, (most,): (usize,)) -> Finding {
    let least = |row: &Periodic| row.values.iter().min().copied();
    let mut rows: Vec<&Periodic> = evidence.periodic.iter().collect();
    rows.sort_by_key(|row| least(row));
    // Columns that have a number are successive if its offsets there are. No offset of one group is
    // next to one of another.
    let mut greatest = None;
    let groups = rows.chunk_by(|row, next| {
        greatest = greatest.max(row.values.iter().max().copied());
        least(next) <= greatest.map(|offset| offset.saturating_add(1))
    });
    let last = |group: &[&Periodic]| group.iter().map(|row| row.row).max().unwrap_or(0);
    let runs: Vec<_> = groups.map(|group| (longest_run(group), last(group))).collect();
    let wrong = runs.iter().filter(|(run, _)| *run > most).min_by_key(|(_, row)| *row);
    let failure = wrong.map(|&(run, row)| (row, format!("{run} columns, by rows to {row}")));
    let longest = runs.iter().map(|(run, _)| run).max().unwrap_or(&0);
    Finding::to(evidence.last_row(), failure).with(format!("the most are {longest}"))
}

/// The most successive offsets at which rows have the same number.
fn longest_run(rows: &[&Periodic]) -> usize {
    let period = rows.iter().fold(1, |period: u64, row| period.lcm(&row.period()));
    let numbers = |row: &&Periodic| -> Vec<(u64, u64)> {
        let first = row.start % period;
        let offsets = row.values.iter().cycle().zip(0..period);
        offsets.map(|(&offset, q)| ((first + q + offset % period) % period, offset)).collect()
    };
    // Modulo the period, each with its offset.
    let numbers: BTreeSet<(u64, u64)> = rows.iter().flat_map(numbers).collect();
    let numbers: Vec<_> = numbers.into_iter().collect();
    let successive = |one: &(u64, u64), next: &(u64, u64)| {
        one.0 == next.0 && one.1.checked_add(1) == Some(next.1)
    };
    numbers.chunk_by(successive).map(<[_]>::len).max().unwrap_or(0)
}
