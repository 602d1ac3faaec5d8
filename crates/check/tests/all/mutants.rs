//! Records are changed in many ways, and the hashes made right again. Each is refused with row and
//! line, or says the same as before. An untouched control stands beside each lane.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use check::CheckError;
use common::{check, lines, write};
use record::{Certificate, Finite, Head, HeadForm, Periodic, Statement, column_weight, parse_line};
use tempfile::tempdir;

/// A mutant: what was done, and the lines that stand in the place of all records.
struct Mutant {
    what: String,
    lines: Vec<String>,
}

/// The places of the runs of decimal digits in a line, the head left out.
fn numbers(line: &str) -> Vec<(usize, usize)> {
    let end = line.find("head:").unwrap_or(line.len());
    let digit = |place: usize| line.as_bytes()[place].is_ascii_digit();
    let begins: Vec<usize> = (0..end).filter(|&place| digit(place) && !digit(place - 1)).collect();
    let length = |&begin: &usize| line[begin..].bytes().take_while(u8::is_ascii_digit).count();
    begins.iter().map(|begin| (*begin, begin + length(begin))).collect()
}

fn with(line: &str, (begin, end): (usize, usize), new: &str) -> String {
    format!("{}{new}{}", &line[..begin], &line[end..])
}

/// Each number changed; neighbours swapped.
pub(crate) fn number_mutants(line: &str) -> Vec<(String, String)> {
    let mut mutants = Vec::new();
    let places = numbers(line);
    for (index, &place) in places.iter().enumerate() {
        let text = &line[place.0..place.1];
        let value: u64 = text.parse().unwrap();
        let mut news: Vec<String> = [1, 2, 3, 10, 1000, 1 << 33]
            .iter()
            .flat_map(|by| [value.wrapping_add(*by), value.wrapping_sub(*by)])
            .chain([0, value * 2, value / 2, (1 << 63) - 1, 1 << 63, u64::MAX])
            .map(|new| new.to_string())
            .collect();
        news.extend([String::new(), text[1..].to_owned(), format!("{text}0"), format!("-{text}")]);
        news.extend([format!("0{text}"), format!("{text}{text}"), "99999999999999999999".into()]);
        mutants.extend(news.iter().map(|new| (format!("{text} -> {new}"), with(line, place, new))));
        if let Some(&next) = places.get(index + 1) {
            let other = &line[next.0..next.1];
            let swapped = with(&with(line, next, text), place, other);
            mutants.push((format!("{text} <-> {other}"), swapped));
        }
    }
    mutants
}

/// Fields dropped and doubled, the line cut, another variant, another fingerprint.
fn text_mutants(line: &str) -> Vec<(String, String)> {
    let mut mutants = Vec::new();
    for field in ["row", "first", "last", "start", "values", "certificate", "modulus", "above"] {
        let Some(begin) = line.find(&format!("{field}: ")) else { continue };
        let next = line[begin..].find(", ").map_or(line.len(), |length| begin + length + 2);
        let text = &line[begin..next];
        mutants.push((format!("{field} dropped"), line.replacen(text, "", 1)));
        mutants.push((format!("{field} doubled"), line.replacen(text, &text.repeat(2), 1)));
    }
    for part in 1..4 {
        mutants.push((format!("cut at {part}/4"), line[..line.len() * part / 4].to_owned()));
    }
    for (from, to) in [("Finite", "Periodic"), ("Periodic", "Finite"), (", ", ","), ("(", "( ")] {
        if line.contains(from) {
            mutants.push((format!("{from} -> {to}"), line.replacen(from, to, 1)));
        }
    }
    let digits = line.find("head: \"").unwrap() + 7;
    for place in (digits..digits + 16).step_by(5) {
        let digit = u8::from_str_radix(&line[place..=place], 16).unwrap();
        for by in [1, 15] {
            let new = format!("{:x}", (digit + by) % 16);
            mutants.push((format!("head digit {new}"), with(line, (place, place + 1), &new)));
        }
    }
    mutants
}

/// A statement as the writer would print it, whether it is well-formed or not.
fn print(statement: Statement) -> String {
    match statement {
        Statement::Empty { .. } => panic!("a row of three-rowed Chomp"),
        Statement::Finite(Finite { row, first, last, head }) => {
            format!("Finite(row: {row}, first: {first}, last: {last}, head: {head})")
        }
        Statement::Periodic(Periodic { row, first, start, values, certificate, head }) => {
            let Certificate { from, recurs, modulus, filled, above } = certificate;
            format!(
                "Periodic(row: {row}, first: {first}, start: {start}, values: {values:?}, \
                 certificate: (from: {from}, recurs: {recurs}, modulus: \"{modulus}\", \
                 filled: {filled}, above: {above:?}), head: {head})"
            )
        }
    }
}

/// Statements that are consistent, but false: the reader accepts them.
fn meant_mutants(line: &str, other: &str, offsets: &[u64]) -> Vec<(String, String)> {
    let mut mutants: Vec<(&str, Statement)> = Vec::new();
    match parse_line(line, 1).unwrap().statement().clone() {
        Statement::Empty { .. } => panic!("a row of three-rowed Chomp"),
        Statement::Finite(finite) => {
            let Statement::Periodic(mut periodic) =
                parse_line(other, 1).unwrap().statement().clone()
            else {
                panic!("the other row is periodic")
            };
            (periodic.row, periodic.first, periodic.start) =
                (finite.row, finite.first, finite.last);
            mutants.push(("a finite row called periodic", Statement::Periodic(periodic.clone())));
            let distance = periodic.certificate.recurs - periodic.certificate.from;
            periodic.certificate.from = finite.last;
            periodic.certificate.recurs = finite.last + distance;
            periodic.head = HeadForm::Fingerprint.of(finite.row, &offsets[..offsets.len() - 1]);
            mutants.push(("the same with a certificate", Statement::Periodic(periodic)));
        }
        Statement::Periodic(periodic) => {
            let mut change = |what, change: &dyn Fn(&mut record::Periodic)| {
                let mut changed = periodic.clone();
                change(&mut changed);
                mutants.push((what, Statement::Periodic(changed)));
            };
            change("period doubled", &|row| row.values = row.values.repeat(2));
            change("period halved", &|row| row.values.truncate(row.values.len().div_ceil(2)));
            change("phase rotated", &|row| row.values.rotate_left(1));
            change("values reversed", &|row| row.values.reverse());
            change("a value dropped", &|row| row.values.truncate(row.values.len() - 1));
            change("a value doubled", &|row| row.values.extend(row.values.last().copied()));
            for by in [1, 2, 4] {
                change("start late", &|row| {
                    for _ in 0..by {
                        let weight = column_weight(row.start);
                        let Head::Fingerprint(sum) = &mut row.head else { panic!() };
                        *sum = sum.wrapping_add(weight.wrapping_mul(row.values[0]));
                        row.start += 1;
                        row.values.rotate_left(1);
                    }
                });
                change("start late, certificate with it", &|row| {
                    for _ in 0..by {
                        let weight = column_weight(row.start);
                        let Head::Fingerprint(sum) = &mut row.head else { panic!() };
                        *sum = sum.wrapping_add(weight.wrapping_mul(row.values[0]));
                        row.start += 1;
                        row.values.rotate_left(1);
                    }
                    row.certificate.from += by;
                    row.certificate.recurs += by;
                });
                change("certificate late", &|row| {
                    row.certificate.from += by;
                    row.certificate.recurs += by;
                });
                change("certificate longer", &|row| {
                    let distance = row.certificate.recurs - row.certificate.from;
                    row.certificate.recurs += by * distance;
                });
                change("start early", &|row| {
                    for _ in 0..by.min(offsets.len() as u64) {
                        row.start -= 1;
                        row.values.rotate_right(1);
                    }
                    let left = usize::try_from(row.start - row.row).unwrap();
                    row.head = HeadForm::Fingerprint.of(row.row, &offsets[..left]);
                });
                change("values higher", &|row| row.values.iter_mut().for_each(|v| *v += by));
                change("state higher", &|row| row.certificate.filled += by);
                change("state with more", &|row| {
                    let last = row.certificate.above.last().unwrap_or(&row.certificate.filled);
                    row.certificate.above.push(last + by);
                });
            }
            change("state with less", &|row| {
                row.certificate.above.pop();
            });
            change("the certificate of another row", &|row| {
                let other = parse_line(other, 1).unwrap();
                row.certificate = other.periodic().unwrap().certificate.clone();
            });
            change("the values of another row", &|row| {
                let other = parse_line(other, 1).unwrap();
                row.values.clone_from(&other.periodic().unwrap().values);
            });
        }
    }
    mutants.into_iter().map(|(what, statement)| (what.to_owned(), print(statement))).collect()
}

/// All mutants of the record of one row.
fn mutants(all: &[String], row: usize, offsets: &[u64]) -> Vec<Mutant> {
    let line = &all[row];
    let other = all[row + 1..].iter().chain(&all[..row]).find(|line| line.starts_with("Per"));
    let mut lines = number_mutants(line);
    lines.extend(text_mutants(line));
    lines.extend(meant_mutants(line, other.unwrap(), offsets));
    let mut seen = BTreeSet::from([line.clone()]);
    lines.retain(|(_, mutant)| seen.insert(mutant.clone()));
    let whole = |(what, mutant): (String, String)| {
        let mut lines = all.to_vec();
        lines[row] = mutant;
        Mutant { what, lines }
    };
    let mut mutants: Vec<Mutant> = lines.into_iter().map(whole).collect();
    let mut change = |what: &str, change: &dyn Fn(&mut Vec<String>)| {
        let mut lines = all.to_vec();
        change(&mut lines);
        mutants.push(Mutant { what: what.to_owned(), lines });
    };
    change("record dropped", &|lines| {
        lines.remove(row);
    });
    change("record doubled", &|lines| lines.insert(row, lines[row].clone()));
    change("records swapped", &|lines| lines.swap(row - 1, row));
    mutants
}

#[derive(Default)]
struct Tally {
    refused: BTreeMap<&'static str, u32>,
    equal: u32,
    blamed_elsewhere: u32,
}

impl Tally {
    fn total(&self) -> u32 {
        self.refused.values().sum::<u32>() + self.equal
    }

    /// Judges a mutant at the depth that must see it: structure, then tails, then heads.
    fn judge(&mut self, folder: &Path, all: &[String], row: usize, mutant: &Mutant) {
        let Mutant { what, lines } = mutant;
        write(folder, all.len() - 1, lines);
        let found = match check(folder, false) {
            Err(error @ CheckError::Refuted(_)) => Some(("tails", error)),
            Err(error) => Some(("structure", error)),
            Ok(_) => check(folder, true).err().map(|error| ("heads", error)),
        };
        let Some((depth, error)) = found else {
            assert_equal(&all[row], &lines[row]);
            self.equal += 1;
            return;
        };
        let message = error.to_string();
        let names = |word: &str| {
            message.split(word).skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        assert!(names("row ") && names("line "), "{what}: {message}");
        self.blamed_elsewhere += u32::from(!message.contains(&format!("row {row},")));
        *self.refused.entry(depth).or_default() += 1;
    }
}

/// The same statement about the row, proved by another true certificate: not wrong.
fn assert_equal(line: &str, mutant: &str) {
    let statement = |line: &str| {
        let mut row = parse_line(line, 1).unwrap().periodic().unwrap().clone();
        let zero = record::Certificate { from: 0, recurs: 0, modulus: 1, filled: 0, above: vec![] };
        row.certificate = zero;
        row
    };
    assert_eq!(statement(line), statement(mutant), "verified, but not the same");
}

/// What the mutants of a row are made from.
struct Original<'a> {
    /// The records of all rows.
    all: &'a [String],
    row: usize,
    /// The offsets of the row up to its start or end.
    offsets: &'a [u64],
}

/// Mutants of some rows of 0 to `last`.
fn run(last: u64, rows: impl Iterator<Item = usize>, least: u32) {
    let all = lines(last);
    let full = common::records(last, HeadForm::Offsets);
    let originals = rows.map(|row| {
        let Some(Head::Offsets(offsets)) = full[row].head() else { panic!() };
        Original { all: &all, row, offsets }
    });
    judge_all(originals, least);
}

/// Mutants of one row of 0 to `last`, too far for the literal recurrence.
fn run_far(last: u64, row: usize, least: u32) {
    let all = common::many_lines(last);
    let offsets = common::offsets_of(row as u64);
    judge_all([Original { all: &all, row, offsets: &offsets }].into_iter(), least);
}

fn judge_all<'a>(originals: impl Iterator<Item = Original<'a>>, least: u32) {
    let folder = tempdir().unwrap();
    let mut tally = Tally::default();
    for Original { all, row, offsets } in originals {
        write(folder.path(), all.len() - 1, all);
        assert!(check(folder.path(), true).is_ok(), "the control of row {row}");
        for mutant in mutants(all, row, offsets) {
            tally.judge(folder.path(), all, row, &mutant);
        }
    }
    println!(
        "{} mutants: {:?} refused at each depth, {} equal statements, {} refused at another row",
        tally.total(),
        tally.refused,
        tally.equal,
        tally.blamed_elsewhere
    );
    assert!(tally.total() >= least);
}

#[test]
fn mutants_of_a_few_rows() {
    run(200, [5, 100, 103, 118, 119, 120, 121].into_iter(), 900);
}

#[test]
#[ignore = "minutes"]
fn mutants_of_rows_100_to_430() {
    run(432, 100..=430, 10_000);
}

#[test]
#[ignore = "minutes"]
fn mutants_of_rows_2027_and_6541() {
    run(2040, [2027].into_iter(), 100);
    run(6550, [6541].into_iter(), 100);
}

#[test]
#[ignore = "minutes"]
fn mutants_of_row_11036() {
    run_far(11_040, 11_036, 300);
}

#[test]
#[ignore = "minutes"]
fn mutants_of_row_18718() {
    run_far(18_722, 18_718, 300);
}

#[test]
fn the_right_rows_with_a_wrong_hash() {
    let folder = tempdir().unwrap();
    let all = lines(20);
    write(folder.path(), 20, &all);
    let path = folder.path().join("rows-0000000-0000020.ron");
    let text = std::fs::read_to_string(&path).unwrap();
    let digits = text.rfind("blake3: \"").unwrap() + 9;
    for place in digits..digits + 64 {
        let mut forged = text.clone().into_bytes();
        forged[place] = if forged[place] == b'0' { b'1' } else { b'0' };
        std::fs::write(&path, forged).unwrap();
        assert!(matches!(check(folder.path(), true), Err(CheckError::Structure(_))));
    }
}
