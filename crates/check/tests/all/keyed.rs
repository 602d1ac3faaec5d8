//! Levels and tails: true records are verified, and forged ones are refused.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{self, keyed_records, refused, write_keyed};
use crate::mutants::number_mutants;
use check::{CheckError, Depth, Task, Verified, check_family};
use record::{Family, Head, HeadForm, Record, RowKey, Statement, Tail, parse_line};
use tempfile::tempdir;

fn family(level: u64, within: &str) -> Family {
    Family::of_tails(level, within.parse().unwrap())
}

fn check(family: &Family, records: &[Record], heads: bool) -> Result<Verified, CheckError> {
    check_family(family, records, &Task { heads, ..Task::default() }, &())
}

#[test]
fn true_records_are_verified() {
    for (level, within) in
        [(6, "60"), (0, "()"), (9, "()"), (2, "12,9"), (0, "30,20"), (1, "5,4,3")]
    {
        let family = family(level, within);
        for form in [HeadForm::Fingerprint, HeadForm::Offsets] {
            let records = keyed_records(&family, form);
            let verdict = check(&family, &records, true).unwrap();
            assert_eq!((verdict.depth, verdict.assumptions()), (Depth::Heads, None));
            assert_eq!(verdict.last + 1, family.count().unwrap());
        }
    }
}

/// The fixture of format 2, which is never rewritten, is verified.
#[test]
fn the_fixture_is_verified() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../record/tests/fixtures/format-2");
    let verdict = common::check(std::path::Path::new(folder), true).unwrap();
    assert_eq!((verdict.depth, verdict.last, verdict.certificates), (Depth::Heads, 53, 19));
}

/// The records of level 0 and tails of one part are those of three-rowed Chomp, for both checks.
#[test]
fn three_rowed_chomp_is_level_0() {
    let family = Family::three_rowed(0, 200);
    let records = common::records(200, HeadForm::Fingerprint);
    assert_eq!(keyed_records(&family, HeadForm::Fingerprint), records);
    let verdict = check(&family, &records, true).unwrap();
    let task = Task { heads: true, ..Task::default() };
    let other = common::check_rows(&records, &task, &()).unwrap();
    assert_eq!(verdict.certificates, other.certificates);
}

/// The same statement about the same row, proved by another certificate.
fn is_equal(line: &str, mutant: &str) -> bool {
    let [line, mutant] = [line, mutant].map(|line| parse_line(line, 1).unwrap());
    let bare = |record: &Record| {
        let mut row = record.periodic()?.clone();
        row.certificate = line.periodic()?.certificate.clone();
        Some((record.key().clone(), row))
    };
    bare(&line).is_some() && bare(&line) == bare(&mutant)
}

/// Other levels, other tails, and other kinds.
fn key_mutants(record: &Record, all: &[Record]) -> Vec<(String, String)> {
    let line = record.to_string();
    let mut mutants = Vec::new();
    let mut of = |what: &str, key: RowKey, statement: &Statement| {
        let mut statement = statement.clone();
        if let Statement::Finite(record::Finite { row, .. })
        | Statement::Periodic(record::Periodic { row, .. }) = &mut statement
        {
            *row = key.first_column();
        }
        if let Ok(mutant) = Record::new(key, statement) {
            mutants.push((what.to_owned(), mutant.to_string()));
        }
    };
    let key = record.key();
    for level in 0..4 {
        of("another level", RowKey::new(level, key.tail().clone()), record.statement());
    }
    for place in 0..key.tail().parts().len() {
        for by in [-1, 1] {
            let mut parts = key.tail().parts().to_vec();
            parts[place] = parts[place].checked_add_signed(by).unwrap();
            if let Ok(tail) = Tail::new(parts) {
                of("another tail", RowKey::new(key.level, tail), record.statement());
            }
        }
    }
    for other in all.iter().filter(|other| other.key() != key) {
        let same_row = other.key().tail() == key.tail();
        let what = if same_row { "a row of another level" } else { "another row" };
        if same_row || other.key().level == key.level {
            of(what, key.clone(), other.statement());
        }
    }
    for by in 0..=key.first_column() {
        of("empty", key.clone(), &Statement::Empty { by });
    }
    mutants.extend(number_mutants(&line));
    let mut seen = BTreeSet::from([line]);
    mutants.retain(|(_, mutant)| seen.insert(mutant.clone()));
    mutants
}

/// Every mutant of every record is refused, or says the same.
fn lane(family: &Family, which: impl Fn(&Record) -> bool, least: u32) {
    let all = keyed_records(family, HeadForm::Fingerprint);
    let lines: Vec<String> = all.iter().map(ToString::to_string).collect();
    let folder = tempdir().unwrap();
    assert!(refused(folder.path(), family, &lines).is_none(), "the control");
    let (mut tally, mut equal) = (BTreeMap::new(), 0);
    for (place, record) in all.iter().enumerate().filter(|(_, record)| which(record)) {
        for (what, mutant) in key_mutants(record, &all) {
            let mut forged = lines.clone();
            forged[place].clone_from(&mutant);
            if let Some((depth, _)) = refused(folder.path(), family, &forged) {
                *tally.entry(depth).or_insert(0) += 1;
            } else {
                assert!(is_equal(&lines[place], &mutant), "{what}: {mutant} is verified");
                equal += 1;
            }
        }
    }
    println!("{tally:?} refused at each depth, {equal} equal statements");
    assert!(tally.values().sum::<u32>() >= least);
}

#[test]
fn mutants_of_levels() {
    lane(&family(3, "40"), |record| record.key().first_column() % 13 == 4, 900);
}

#[test]
fn mutants_of_tails() {
    lane(&family(1, "7,4"), |record| record.key().first_column() > 5, 900);
}

#[test]
#[ignore = "minutes"]
fn mutants_of_many_rows() {
    lane(&family(3, "40"), |_| true, 10_000);
    lane(&family(2, "8,8"), |_| true, 10_000);
    lane(&family(0, "4,4,4"), |_| true, 2_000);
}

#[test]
fn a_forged_empty_row_is_refused_in_the_right_words() {
    let (folder, family) = (tempdir().unwrap(), family(2, "6,2"));
    let all = keyed_records(&family, HeadForm::Fingerprint);
    let place = |key: &str, level: u64| {
        let key = RowKey::new(level, key.parse().unwrap());
        all.iter().position(|record| *record.key() == key).unwrap()
    };
    let forge = |place: usize, line: &str| {
        let mut lines: Vec<String> = all.iter().map(ToString::to_string).collect();
        line.clone_into(&mut lines[place]);
        let (depth, error) = refused(folder.path(), &family, &lines).unwrap();
        format!("{depth}: {error}")
    };
    let file = "rows-0000000-0000053.ron";
    let level_2 = place("4", 2);
    assert_eq!(all[level_2].to_string(), "Empty(row: 4, level: 2, by: 1)");
    assert_eq!(
        forge(level_2, "Empty(row: 4, level: 2, by: 2)"),
        format!(
            "heads: row 4 of level 2, line {} of {file}: by is 2, but the row is empty by 1",
            level_2 + 2
        )
    );
    // At level 0 no row of three-rowed Chomp is empty, so the reader refuses the record.
    let row_4 = place("4", 0);
    let refused = forge(row_4, "Empty(row: 4, by: 1)");
    assert!(refused.starts_with("structure: "), "{refused}");
    let words = format!("row 4, line {}, column 15: no row of three-rowed Chomp", row_4 + 2);
    assert!(refused.contains(&words), "{refused}");
    let row_4 = place("4", 1);
    assert!(matches!(all[row_4].statement(), Statement::Finite(_)));
    assert_eq!(
        forge(row_4, "Empty(row: 4, level: 1, by: 1)"),
        format!(
            "heads: row 4 of level 1, line {} of {file}: by is 1, but the row is not empty",
            row_4 + 2
        )
    );
    let tail = place("5,1", 0);
    assert_eq!(all[tail].to_string(), "Empty(tail: [5, 1], by: 2)");
    let stated = "Finite(tail: [5, 1], first: 6, last: 7, head: \"0000000000000001\")";
    assert_eq!(
        forge(tail, stated),
        format!(
            "heads: tail (5,1), line {} of {file}: the row is empty by 2, but its record states positions",
            tail + 2
        )
    );
}

/// A record that would keep the checker busy for years: the check ends.
#[test]
fn a_row_that_is_said_to_end_far_away() {
    let family = family(1, "30");
    let records = keyed_records(&family, HeadForm::Fingerprint);
    for (place, record) in records.iter().enumerate() {
        let Some(periodic) = record.periodic() else { continue };
        let finite = record::Finite {
            row: periodic.row,
            first: periodic.first,
            last: 1 << 29,
            head: Head::Fingerprint(1),
        };
        let mut forged = records.clone();
        let statement = Statement::Finite(finite);
        forged[place] = Record::new(record.key().clone(), statement).unwrap();
        // The rows above are periodic from a column on where this one has not settled.
        forged.truncate(place + 1);
        let family = Family::of_tails(family.level, record.key().tail().clone());
        forged.extend(
            records[place + 1..]
                .iter()
                .take_while(|row| Some(row.key().tail()) == family.within())
                .cloned(),
        );
        let error = check(&family, &forged, true).unwrap_err();
        assert!(matches!(error, CheckError::Refuted(_)), "{error}");
    }
}

/// The second checker has the same verdict on true and forged records.
#[test]
fn the_checker_in_python_agrees() {
    let folder = tempdir().unwrap();
    let mut folders = Vec::new();
    let mut add = |family: &Family, lines: &[String]| {
        let path = folder.path().join(folders.len().to_string());
        std::fs::create_dir(&path).unwrap();
        write_keyed(&path, family, lines);
        folders.push(path);
    };
    let mut step = 0_usize;
    for (level, within) in [(3, "30"), (2, "6,4"), (0, "12,12"), (1, "3,3,3"), (2, "()")] {
        let family = family(level, within);
        let all = keyed_records(&family, HeadForm::Fingerprint);
        let lines: Vec<String> = all.iter().map(ToString::to_string).collect();
        add(&family, &lines);
        for (place, record) in all.iter().enumerate() {
            for (_, mutant) in key_mutants(record, &all) {
                step += 1;
                if step.is_multiple_of(601) {
                    let mut forged = lines.clone();
                    forged[place] = mutant;
                    add(&family, &forged);
                }
            }
        }
    }
    for form in [HeadForm::Fingerprint, HeadForm::Offsets] {
        let family = family(2, "8,3");
        let path = folder.path().join(format!("{form:?}"));
        record::data_set::write_family(&path, &family, form, keyed_records(&family, form)).unwrap();
        folders.push(path);
    }
    crate::python::agree_on(&folders, common::check);
}
