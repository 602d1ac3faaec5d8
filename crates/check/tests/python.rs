//! The second checker, in Python, from `docs/FORMAT.md`: the same verdict at the same depth.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use check::CheckError;
use common::{check, lines, write};
use record::data_set::Writer;
use record::{HeadForm, RowRecord, Statement, parse_line};
use tempfile::tempdir;

/// Its verdicts on these folders; `None` where there is no Python.
fn python(folders: &[PathBuf], heads: bool) -> Option<Vec<String>> {
    let mut command = Command::new("python3");
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/check.py"));
    command.args(heads.then_some("--heads")).args(folders);
    let Ok(output) = command.output() else {
        println!("skipped: there is no python3 to run the second checker with");
        return None;
    };
    let words = String::from_utf8(output.stdout).unwrap();
    let verdicts: Vec<String> = words.lines().map(str::to_owned).collect();
    assert_eq!(verdicts.len(), folders.len(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        output.status.success(),
        verdicts.iter().all(|verdict| verdict.starts_with("verified"))
    );
    Some(verdicts)
}

/// What ours says, in its words.
fn ours(folder: &Path, heads: bool) -> String {
    match (check(folder, false), heads) {
        (Err(CheckError::Refuted(_)), _) => "refused tails".to_owned(),
        (Err(_), _) => "refused structure".to_owned(),
        (Ok(_), false) => "verified tails".to_owned(),
        (Ok(_), true) => match check(folder, true) {
            Ok(_) => "verified heads".to_owned(),
            Err(_) => "refused heads".to_owned(),
        },
    }
}

fn agree(folders: &[PathBuf]) {
    for heads in [false, true] {
        let Some(verdicts) = python(folders, heads) else { return };
        for (folder, theirs) in folders.iter().zip(verdicts) {
            let ours = ours(folder, heads);
            assert!(theirs.starts_with(&ours), "{}: {ours}, but {theirs}", folder.display());
        }
    }
}

/// Every number of some records changed, and lines moved.
#[test]
fn both_checkers_agree_on_forged_records() {
    let folder = tempdir().unwrap();
    let all = lines(124);
    let mut mutants = vec![all.clone()];
    for row in [0, 2, 119, 120, 121] {
        let line = &all[row];
        let words: Vec<&str> = line.split_inclusive([' ', '[', ',']).collect();
        for place in 0..words.len() {
            let word = words[place];
            let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
            let Ok(number) = word[..end].parse::<u64>() else { continue };
            for new in [number + 1, number.wrapping_sub(1), number + 2, number * 1000, 1 << 63] {
                let mut words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
                words[place] = format!("{new}{}", &word[end..]);
                let mut mutant = all.clone();
                mutant[row] = words.concat();
                mutants.push(mutant);
            }
        }
        for (good, bad) in [
            ("above: []", "above: [73]"),
            ("values: [72, 70]", "values: [70, 72]"),
            ("values: [72, 70]", "values: [72, 70, 72, 70]"),
            ("values: [72, 70]", "values: []"),
            ("modulus: \"1\"", "modulus: \"2\""),
            ("first", "frist"),
            ("head: \"", "head: \"0"),
        ] {
            let mut mutant = all.clone();
            mutant[row] = line.replacen(good, bad, 1);
            mutants.push(mutant);
        }
        let mut swapped = all.clone();
        swapped.swap(row, row + 1);
        mutants.push(swapped);
        for late in certified_late(line) {
            let mut mutant = all.clone();
            mutant[row] = late;
            mutants.push(mutant);
        }
    }
    let folders: Vec<PathBuf> =
        (0..mutants.len()).map(|number| folder.path().join(number.to_string())).collect();
    for (folder, mutant) in folders.iter().zip(&mutants) {
        fs::create_dir(folder).unwrap();
        write(folder, 124, mutant);
    }
    println!("{} data sets", folders.len());
    agree(&folders);
}

/// The record with certificates that begin some hundred columns later: as they then must be, and not.
fn certified_late(line: &str) -> Vec<String> {
    let record = parse_line(line, 1).unwrap();
    let Some(periodic) = record.periodic() else { return Vec::new() };
    let mut lines = Vec::new();
    for columns in [800, 801] {
        for (filled, starts_late) in [(0, false), (1, false), (0, true)] {
            let mut late = periodic.clone();
            late.certificate.from += columns;
            late.certificate.recurs += columns;
            late.certificate.filled += filled;
            if starts_late {
                late.start = late.certificate.from;
            }
            lines.extend(RowRecord::new(Statement::Periodic(late)).map(|late| late.to_string()));
        }
    }
    lines
}

#[test]
fn both_checkers_agree_on_true_and_damaged_data_sets() {
    let folder = tempdir().unwrap();
    let mut folders = Vec::new();
    for (form, last) in [(HeadForm::Fingerprint, 300), (HeadForm::Offsets, 40)] {
        let path = folder.path().join(format!("{form:?}"));
        let mut writer = Writer::new(&path, form).unwrap();
        for record in common::records(last, form) {
            writer.push(record).unwrap();
        }
        writer.finish().unwrap();
        folders.push(path);
    }
    let name = "rows-0000000-0000040.ron";
    let good = fs::read(folders[1].join(name)).unwrap();
    let manifest = fs::read(folders[1].join("MANIFEST.ron")).unwrap();
    for (number, place) in (0..good.len()).step_by(good.len() / 20).enumerate() {
        let path = folder.path().join(number.to_string());
        fs::create_dir(&path).unwrap();
        fs::write(path.join("MANIFEST.ron"), &manifest).unwrap();
        let mut damaged = good.clone();
        if number % 2 == 0 {
            damaged.truncate(place);
        } else {
            damaged[place] ^= 1;
        }
        fs::write(path.join(name), damaged).unwrap();
        folders.push(path);
    }
    agree(&folders);
}
