//! Data sets with forged parts, their hashes made good again.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use check::{CheckError, CheckWatch, Task, Verified, check_data_set, check_records};
use num_integer::Integer;
use record::data_set::{DataSet, MANIFEST_NAME};
use record::{Certificate, Family, Finite, Head, HeadForm, Lower, Periodic, Record, Statement};

const SEGMENT_ROWS: usize = 10_000;

/// The records of rows 0 to `last`, by the literal recurrence.
pub fn records(last: u64, form: HeadForm) -> Vec<Record> {
    let rows = byrnes::Rows::new().take(usize::try_from(last + 1).unwrap());
    rows.map(|row| row.unwrap().record(form).unwrap()).collect()
}

pub fn lines(last: u64) -> Vec<String> {
    records(last, HeadForm::Fingerprint).iter().map(ToString::to_string).collect()
}

/// The records of rows 0 to `last`, by the sweep: for more rows than the recurrence reaches.
pub fn many_lines(last: u64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut visit = |row: Record| {
        lines.push(row.to_string());
        ControlFlow::Continue(())
    };
    sweep::band::rows(last + 1, sweep::band::Options::default(), &mut visit).unwrap();
    lines
}

/// The column from which the rows of [`long_way`] repeat.
pub const SETTLED: u64 = 1 << 20;

/// A record with these values, whose U(from) is `[0,filled)` and `above`.
fn settled(row: u64, values: Vec<u64>, modulus: u64, filled: u64, above: Vec<u64>) -> Periodic {
    let recurs = SETTLED + modulus.lcm(&(values.len() as u64));
    let certificate = Certificate { from: SETTLED, recurs, modulus, filled, above };
    let head = Head::Fingerprint(1);
    Periodic { row, first: row + 1, start: SETTLED, values, certificate, head }
}

/// Records of rows that never were. *Tails* finds nothing wrong with them if `modulus`, that of the
/// last row, is the least common multiple of `periods`.
///
/// A block for each n of `periods`: rows with the offsets x + 1, .., x + n - 1 in every column, a
/// row with x + n in every n-th column and x in the others, and a row with x there and x + n in the
/// others. So the last row finds all offsets from 2 to w - 1 taken. It takes w, and then 1 while
/// that comes down.
pub fn long_way(periods: &[u64], modulus: u64) -> Vec<Record> {
    let finite = |row| Finite { row, first: row + 1, last: row + 1, head: Head::Fingerprint(1) };
    let mut statements: Vec<_> = (0..10).map(finite).map(Statement::Finite).collect();
    let mut push = |values, modulus, filled, above| {
        let row = statements.len() as u64;
        statements.push(Statement::Periodic(settled(row, values, modulus, filled, above)));
    };
    let one_then = |one: u64, other: u64, count: u64| -> Vec<u64> {
        (0..count).map(|place| if place == 0 { one } else { other }).collect()
    };
    let mut x = 2;
    for &n in periods {
        for offset in x + 1..x + n {
            push(vec![offset], 1, offset, vec![]);
        }
        push(one_then(x + n, x, n), 1, x + 1, vec![]);
        push(one_then(x, x + n, n), n, x, (x + 1..x + n).collect());
        x += n + 1;
    }
    push(one_then(x, 1, x - 1), modulus, 2, vec![]);
    statements.into_iter().map(|statement| Record::of_row(statement).unwrap()).collect()
}

/// The primes from 3 to `last`, doubled.
pub fn doubled_primes(last: u64) -> Vec<u64> {
    let is_prime = |n: &u64| (2..*n).all(|factor| !n.is_multiple_of(&factor));
    (3..=last).filter(is_prime).map(|prime| 2 * prime).collect()
}

/// The offsets of one row up to its start or its end, by the sweep.
pub fn offsets_of(row: u64) -> Vec<u64> {
    let record = fixtures::rows_in_full(row + 1).pop().unwrap();
    record.head_offsets().unwrap().to_vec()
}

/// The text of the single or first segment with these records, and its hash.
pub fn segment(last: usize, lines: &[String]) -> (String, String) {
    segment_after("", 0, last, lines)
}

fn segment_after(previous: &str, first: usize, last: usize, lines: &[String]) -> (String, String) {
    let mut text = format!(
        "Segment(format: 1, first: {first}, last: {last}, head: Fingerprint, previous: \"{previous}\")\n"
    );
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    let hash = blake3::hash(text.as_bytes()).to_string();
    let end = format!("End(rows: {}, blake3: \"{hash}\")\n", lines.len());
    text.push_str(&end);
    (text, hash)
}

/// Writes a data set of rows 0 to `last` with these lines, right or wrong. If they are more or
/// fewer than the rows, the last segment has the difference.
pub fn write(folder: &Path, last: usize, lines: &[String]) {
    let (mut left, mut listed, mut previous) = (lines, String::new(), String::new());
    for first in (0..=last).step_by(SEGMENT_ROWS) {
        let segment_last = last.min(first + SEGMENT_ROWS - 1);
        let is_last = segment_last == last;
        let held = if is_last { left.len() } else { left.len().min(SEGMENT_ROWS) };
        let (here, above) = left.split_at(held);
        let (text, hash) = segment_after(&previous, first, segment_last, here);
        fs::write(folder.join(format!("rows-{first:07}-{segment_last:07}.ron")), text).unwrap();
        let entry =
            format!("        (first: {first}, last: {segment_last}, blake3: \"{hash}\"),\n");
        listed.push_str(&entry);
        (left, previous) = (above, hash);
    }
    let rows = last + 1;
    let manifest = format!(
        "(\n    format: 1,\n    rows: {rows},\n    head: Fingerprint,\n    segments: [\n{listed}    ],\n)\n"
    );
    fs::write(folder.join(MANIFEST_NAME), manifest).unwrap();
}

/// Writes a data set of this family with these lines, right or wrong, in one segment.
pub fn write_keyed(folder: &Path, family: &Family, lines: &[String]) {
    let last = family.count().unwrap() - 1;
    let (format, of_segment, of_manifest) = match &family.lower {
        Lower::Within(within) => {
            let within = format!("within: {:?}", within.parts());
            (2, within.clone(), within)
        }
        Lower::Ideals(ideals) => {
            let lines = ideals.poset().lines();
            let hash = blake3::hash(lines.join("\n").as_bytes());
            (3, format!("poset: \"{hash}\""), format!("poset: {lines:?}"))
        }
    };
    let level = family.level;
    let mut text = format!(
        "Segment(format: {format}, to_level: {level}, {of_segment}, first: 0, last: {last}, head: Splitmix64, previous: \"\")\n"
    );
    text.extend(lines.iter().flat_map(|line| [line, "\n"]));
    let hash = blake3::hash(text.as_bytes()).to_string();
    let end = format!("End(rows: {}, blake3: \"{hash}\")\n", lines.len());
    fs::write(folder.join(format!("rows-0000000-{last:07}.ron")), text + &end).unwrap();
    let manifest = format!(
        "(\n    format: {format},\n    to_level: {level},\n    {of_manifest},\n    rows: {},\n    head: \
         Splitmix64,\n    segments: [\n        (first: 0, last: {last}, blake3: \"{hash}\"),\n    ],\n)\n",
        last + 1
    );
    fs::write(folder.join(MANIFEST_NAME), manifest).unwrap();
}

/// The depth at which these records of a family are refused, in this folder, and why; `None` if all
/// are verified.
pub fn refused(
    folder: &Path,
    family: &Family,
    lines: &[String],
) -> Option<(&'static str, CheckError)> {
    write_keyed(folder, family, lines);
    match check(folder, false) {
        Err(error @ (CheckError::Refuted(_) | CheckError::Incomplete(_))) => Some(("tails", error)),
        Err(error) => Some(("structure", error)),
        Ok(_) => check(folder, true).err().map(|error| ("heads", error)),
    }
}

/// The records of a family, by the engine.
pub fn keyed_records(family: &Family, form: HeadForm) -> Vec<Record> {
    let options = levels::Options { form, ..levels::Options::default() };
    levels::rows(family, &options, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// Checks records of rows 0, 1, 2, ... of three-rowed Chomp.
pub fn check_rows(
    records: &[Record],
    task: &Task,
    watch: &dyn CheckWatch,
) -> Result<Verified, CheckError> {
    let family = Family::three_rowed(0, (records.len() as u64).saturating_sub(1));
    check_records(&family, records, task, watch)
}

pub fn check(folder: &Path, heads: bool) -> Result<Verified, CheckError> {
    check_data_set(&DataSet::open_any(folder)?, &Task { heads, ..Task::default() }, None, &())
}
