//! Families of order ideals (fact 13): true records are verified, and forged ones are refused.

use std::collections::BTreeMap;

use crate::common::{self, keyed_records, refused, write_keyed};
use crate::mutants::number_mutants;
use check::{CheckError, Depth, Task, check_family};
use record::data_set::{DataSet, DataSetError, Remedy, write_family};
use record::{Family, HeadForm, Record, parse_line};
use tempfile::tempdir;

/// Descriptions with irregular columns, permanent ends, limits on either chain, and none of these.
const TEXTS: [(u64, &str); 7] = [
    (2, "c[i] < d[i]\nd[1] < a\nd[2] < b\na < b\nc[3] < e"),
    (
        2,
        "c[i] < d[i]\nc[1] < x1\nc[2] < x2\nx1 < x2\nx1 < y1\nx2 < y2\ny1 < y2\nd[1] < y1\nd[2] < y2",
    ),
    (3, "a\nb\na < b"),
    (2, "c[2] < a\na < c[5]\nc[i] < d[i+1]"),
    (2, "a < c[3]\nb < d[2]\nc[1] < b"),
    (1, "c[i] < d[i-2]\nx0\nx0 < d[3]"),
    (2, "c[2] < d[3]\nx2 < x3\nc[2] < x2"),
];

/// Relations by way of a chain, poison in the finite part, and p that are too small for U(from).
const SUBTLE_TEXTS: [(u64, &str); 5] = [
    (1, "c[i] < d[i]\nc[9] < d[2]\nx1 < c[1]\nc[4] < x0"),
    (2, "a < c[1]\na < d[1]\nb < c[4]\na < b"),
    (2, "c[3] < d[2]\nc[i] < d[i]\nx0 < x1\nd[1] < x0"),
    (3, "c[2] < x1"),
    (1, "c[i] < d[i-1]\nx"),
];

#[test]
fn true_records_are_verified() {
    for (level, text) in TEXTS {
        let family = Family::of_poset(level, text.parse().unwrap()).unwrap();
        for form in [HeadForm::Fingerprint, HeadForm::Offsets] {
            let folder = tempdir().unwrap();
            let records = keyed_records(&family, form);
            write_family(folder.path(), &family, form, records.clone()).unwrap();
            let verdict = common::check(folder.path(), true).unwrap();
            assert_eq!((verdict.depth, verdict.assumptions()), (Depth::Heads, None), "{text}");
            let read = DataSet::open_any(folder.path()).unwrap();
            assert_eq!(
                (read.family(), read.rows().map(Result::unwrap).collect()),
                (family.clone(), records)
            );
            let refused = DataSet::open(folder.path()).unwrap_err();
            assert!(matches!(refused, DataSetError::Refused { remedy: Remedy::OfPoset, .. }));
        }
    }
}

/// Every number of every record, changed: refused, or the same statement with another proof.
#[test]
fn mutants_are_refused() {
    let (mut tally, mut equal) = (BTreeMap::new(), 0);
    for (level, text) in TEXTS {
        let family = Family::of_poset(level, text.parse().unwrap()).unwrap();
        let folder = tempdir().unwrap();
        let lines: Vec<String> = keyed_records(&family, HeadForm::Offsets)
            .iter()
            .map(|record| record.abridged().to_string())
            .collect();
        for (place, line) in lines.iter().enumerate().skip(1).step_by(3) {
            let others = number_mutants(line).into_iter().filter(|(_, mutant)| mutant != line);
            for (what, mutant) in others {
                let mut forged = lines.clone();
                forged[place].clone_from(&mutant);
                if let Some((depth, _)) = refused(folder.path(), &family, &forged) {
                    *tally.entry(depth).or_insert(0) += 1;
                } else {
                    assert!(is_equal(line, &mutant), "{what}: {mutant} is verified in\n{text}");
                    equal += 1;
                }
            }
        }
    }
    println!("{tally:?} refused at each depth, {equal} equal statements");
    assert!(tally.values().sum::<u32>() > 1000 && tally.len() == 3);
}

/// The same statement about the same row, proved by another certificate.
fn is_equal(line: &str, mutant: &str) -> bool {
    let [line, mutant] = [line, mutant].map(|line| parse_line(line, 1).unwrap());
    let bare = |record: &Record| {
        let mut row = record.periodic()?.clone();
        row.certificate = line.periodic()?.certificate.clone();
        Some((record.key().clone(), record.early().to_vec(), row))
    };
    bare(&line).is_some() && bare(&line) == bare(&mutant)
}

/// The second checker, which was written from the documents, has the same verdict on true and
/// forged records.
#[test]
fn the_checker_in_python_agrees() {
    let folder = tempdir().unwrap();
    let (mut folders, mut step) = (Vec::new(), 0_usize);
    for (number, (level, text)) in TEXTS.into_iter().chain(SUBTLE_TEXTS).enumerate() {
        let family = Family::of_poset(level, text.parse().unwrap()).unwrap();
        for form in [HeadForm::Fingerprint, HeadForm::Offsets] {
            let path = folder.path().join(format!("{number} {form:?}"));
            write_family(&path, &family, form, keyed_records(&family, form)).unwrap();
            folders.push(path);
        }
        let records = keyed_records(&family, HeadForm::Fingerprint);
        let lines: Vec<String> = records.iter().map(ToString::to_string).collect();
        for (place, line) in lines.iter().enumerate() {
            for mutant in number_mutants(line).into_iter().map(|(_, mutant)| mutant) {
                step += 1;
                if step.is_multiple_of(101) {
                    let mut forged = lines.clone();
                    forged[place] = mutant;
                    let path = folder.path().join(step.to_string());
                    std::fs::create_dir(&path).unwrap();
                    write_keyed(&path, &family, &forged);
                    folders.push(path);
                }
            }
        }
    }
    crate::python::agree_on(&folders, common::check);
}

/// Positions before the regular columns are left out, or invented.
#[test]
fn early_positions_are_compared() {
    let (level, text) = TEXTS[3];
    let family = Family::of_poset(level, text.parse().unwrap()).unwrap();
    let records = keyed_records(&family, HeadForm::Fingerprint);
    let mut refused = 0;
    for (place, record) in records.iter().enumerate() {
        for left_out in 0..record.early().len() {
            let mut early = record.early().to_vec();
            early.remove(left_out);
            let mut forged = records.clone();
            let (key, statement) = (record.key().clone(), record.statement().clone());
            forged[place] = Record::with_early(key, early, statement).unwrap();
            let task = Task { heads: true, ..Task::default() };
            let error = check_family(&family, &forged, &task, &()).unwrap_err();
            assert!(matches!(error, CheckError::Refuted(_)), "{error}");
            assert!(error.to_string().contains("early says no position for column"), "{error}");
            refused += 1;
        }
    }
    assert!(refused > 10);
}
