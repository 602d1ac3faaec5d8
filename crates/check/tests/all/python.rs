//! The second checker, in Python, from `docs/FORMAT.md`: the same verdict at the same depth. It
//! reads all three formats.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use check::{CheckError, Verified};
use common::{check, lines, write};
use record::data_set::Contents;
use record::data_set::Writer;
use record::{Finite, HeadForm, Periodic, Record, Statement, parse_line};
use tempfile::tempdir;

const CHECKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/check.py");

/// Its verdicts on these folders; `None` where there is no Python. With heads: of rows 0 to this
/// one.
fn python(folders: &[PathBuf], heads_to: Option<u64>) -> Option<Vec<String>> {
    let mut command = Command::new("python3");
    command.arg(CHECKER);
    if let Some(row) = heads_to {
        command.args(["--heads-to", &row.to_string()]);
    }
    run(command.args(folders), folders.len())
}

/// The lines that it prints. Its exit code must agree with them.
fn run(command: &mut Command, folders: usize) -> Option<Vec<String>> {
    let Ok(output) = command.output() else {
        println!("skipped: there is no python3 to run the second checker with");
        return None;
    };
    let words = String::from_utf8(output.stdout).unwrap();
    let verdicts: Vec<String> = words.lines().map(str::to_owned).collect();
    assert_eq!(verdicts.len(), folders, "{}", String::from_utf8_lossy(&output.stderr));
    let one = |kind| verdicts.iter().any(|verdict| verdict.starts_with(kind));
    let code = match (one("refused "), one("incomplete ")) {
        (true, _) => 1,
        (false, true) => 4,
        (false, false) => 0,
    };
    assert_eq!(output.status.code(), Some(code));
    Some(verdicts)
}

/// How ours judges a folder, with heads or without.
type Judge = fn(&Path, bool) -> Result<Verified, CheckError>;

/// The verdict of ours, in its words.
fn ours(folder: &Path, heads: bool) -> String {
    words(folder, heads, check)
}

fn words(folder: &Path, heads: bool, check: Judge) -> String {
    match (check(folder, false), heads) {
        (Err(CheckError::Refuted(_)), _) => "refused tails: ".to_owned(),
        (Err(CheckError::Incomplete(_)), _) => "incomplete tails: ".to_owned(),
        (Err(_), _) => "refused structure: ".to_owned(),
        (Ok(verdict), false) => format!("verified tails of rows 0 to {}", verdict.last),
        (Ok(_), true) => match check(folder, true) {
            Ok(Verified { last, .. }) => {
                format!("verified heads of rows 0 to {last}, tails of rows 0 to {last}")
            }
            Err(_) => "refused heads: ".to_owned(),
        },
    }
}

/// The last column of its heads.
const FARTHEST: u64 = 20_000;

fn agree(folders: &[PathBuf]) {
    agree_on(folders, check);
}

/// Both say the same of each folder, of format 2 or 3.
pub(crate) fn agree_on(folders: &[PathBuf], check: Judge) {
    let (mut refused, mut too_far) = (0, 0);
    for heads in [None, Some(u64::MAX)] {
        let Some(verdicts) = python(folders, heads) else { return };
        for (folder, theirs) in folders.iter().zip(verdicts) {
            let ours = words(folder, heads.is_some(), check);
            if heads.is_some() && theirs.starts_with("incomplete heads: ") {
                let column = theirs.split("its head goes to column ").nth(1).unwrap();
                let column: u64 = column.split(',').next().unwrap().parse().unwrap();
                assert!(column > FARTHEST && !ours.ends_with("tails: "), "{ours}, but {theirs}");
                too_far += 1;
                continue;
            }
            assert!(theirs.starts_with(&ours), "{}: {ours}, but {theirs}", folder.display());
            refused += u32::from(theirs.starts_with("refused "));
        }
    }
    println!("{} data sets, {refused} refused, {too_far} too far", folders.len());
}

/// A data set of these records in a folder of its own.
fn data_set(folder: &Path, name: &str, records: &[Record]) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir(&path).unwrap();
    let lines: Vec<String> = records.iter().map(ToString::to_string).collect();
    write(&path, records.len() - 1, &lines);
    path
}

/// Rows 302 and 304 are false, and only their heads say so.
#[test]
fn its_verdict_names_the_rows_whose_heads_it_computed() {
    let folder = tempdir().unwrap();
    let records = common::records(306, HeadForm::Fingerprint);
    let forged = |name: &str, row: usize, change: &dyn Fn(Statement) -> Statement| {
        let mut records = records.clone();
        records[row] = Record::of_row(change(records[row].statement().clone())).unwrap();
        data_set(folder.path(), name, &records)
    };
    let folders = [
        forged("302", 302, &|statement| match statement {
            Statement::Finite(row) => Statement::Finite(Finite { last: row.last - 3, ..row }),
            _ => panic!("row 302 is finite"),
        }),
        forged("304", 304, &|statement| match statement {
            Statement::Finite(row) => Statement::Finite(Finite { first: row.first + 1, ..row }),
            Statement::Periodic(row) => {
                Statement::Periodic(Periodic { first: row.first + 1, ..row })
            }
            Statement::Empty { .. } => panic!("row 304 has positions"),
        }),
    ];
    for (heads_to, words) in [
        (None, ["verified tails of rows 0 to 306"; 2]),
        (Some(301), ["verified heads of rows 0 to 301, tails of rows 0 to 306"; 2]),
        (Some(305), ["refused heads: row 302, line 304: ", "refused heads: row 304, line 306: "]),
    ] {
        let Some(verdicts) = python(&folders, heads_to) else { return };
        for (verdict, words) in verdicts.iter().zip(words) {
            if heads_to == Some(305) {
                assert!(verdict.starts_with(words), "{verdict}");
            } else {
                assert_eq!(verdict, words);
            }
        }
    }
    assert!(folders.iter().all(|folder| ours(folder, true) == "refused heads: "));
}

/// True records that it cannot decide, and false ones that it refutes at once.
#[test]
fn what_is_too_far_is_incomplete() {
    let folder = tempdir().unwrap();
    let mut records = common::records(130, HeadForm::Fingerprint);
    let Statement::Periodic(mut late) = records[120].statement().clone() else { panic!() };
    late.certificate.from += FARTHEST;
    late.certificate.recurs += FARTHEST;
    records[120] = Record::of_row(Statement::Periodic(late)).unwrap();
    let late = data_set(folder.path(), "late", &records);
    assert!(check(&late, true).is_ok());
    let Some(verdicts) = python(std::slice::from_ref(&late), Some(130)) else { return };
    let words = "incomplete heads: row 120, line 122: its head goes to column 20170, this checker \
                 to 20000; verified tails of rows 0 to 130";
    assert_eq!(verdicts, [words]);
    let below = python(&[late], Some(119)).unwrap();
    assert_eq!(below, ["verified heads of rows 0 to 119, tails of rows 0 to 130"]);

    let primes = common::doubled_primes(23);
    let product = 2 * 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23;
    let folders =
        [(30, "short"), (product, "long"), (2 * product, "longer")].map(|(modulus, name)| {
            let periods = if modulus == 30 { &[6, 10] } else { primes.as_slice() };
            data_set(folder.path(), name, &common::long_way(periods, modulus))
        });
    let verdicts = python(&folders, None).unwrap();
    let words = ["verified tails of rows 0 to 28", "incomplete tails: ", "refused tails: "];
    for ((verdict, folder), words) in verdicts.iter().zip(&folders).zip(words) {
        assert!(verdict.starts_with(words), "{verdict}");
        assert_eq!(ours(folder, false), words);
    }
}

/// One frame of announced length is read, by the module or the program; anything else is refused.
#[test]
fn a_compressed_data_set() {
    let fixture =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../record/tests/fixtures/format-1-zstd");
    let name = "rows-0000000-0000040.ron.zst";
    let packed = fs::read(fixture.join(name)).unwrap();
    assert_eq!(ours(&fixture, false), "verified tails of rows 0 to 40");
    let folder = tempdir().unwrap();
    let with = |what: &str, packed: &[u8]| {
        let path = folder.path().join(what);
        fs::create_dir(&path).unwrap();
        fs::copy(fixture.join("MANIFEST.ron"), path.join("MANIFEST.ron")).unwrap();
        fs::write(path.join(name), packed).unwrap();
        path
    };
    let skippable = [0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2];
    let empty_frame = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0];
    let mut damaged = packed.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let mut folders = vec![
        with("skippable before", &[&skippable, packed.as_slice()].concat()),
        with("skippable after", &[packed.as_slice(), &skippable].concat()),
        with("two frames", &[packed.as_slice(), &empty_frame].concat()),
        with("damaged", &damaged),
        with("cut", &packed[..packed.len() - 5]),
        with("empty", &[]),
        with("text", b"Segment(format: 1, first: 0, last: 40, head: Offsets, previous: \"\")\n"),
    ];
    let Some(verdicts) = python(&folders, None) else { return };
    assert!(verdicts.iter().all(|verdict| !verdict.starts_with("verified ")), "{verdicts:?}");
    let certain = |verdict: &&String| verdict.starts_with("refused structure: ");
    // Without a decoder, a frame with a wrong end looks whole.
    assert!(verdicts.iter().filter(certain).count() >= 6, "{verdicts:?}");

    // The first writers did not announce the length: the same blocks after a header without it.
    let (kind, lengths) = (packed[4], [usize::from(packed[4] >> 5 & 1), 2, 4, 8]);
    let blocks = 5 + usize::from(kind & 32 == 0) + lengths[usize::from(kind >> 6)];
    let header = [0x28, 0xb5, 0x2f, 0xfd, kind & 4, 0x58];
    let unannounced = with("unannounced", &[header.as_slice(), &packed[blocks..]].concat());
    assert_eq!(ours(&unannounced, false), "verified tails of rows 0 to 40");
    folders = vec![fixture, unannounced];
    for verdict in python(&folders, Some(40)).unwrap() {
        if verdict.contains("it takes the module zstandard or the program zstd") {
            println!("skipped: neither is there");
        } else {
            assert_eq!(verdict, "verified heads of rows 0 to 40, tails of rows 0 to 40");
        }
    }
    let find = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let program = String::from_utf8(find.unwrap().stdout).unwrap();
    // -S: without installed modules.
    let mut alone = Command::new(program.trim());
    alone.args(["-S", CHECKER]).args(&folders).env("PATH", folder.path());
    for verdict in run(&mut alone, 2).unwrap() {
        assert!(verdict.starts_with("incomplete structure: to read it takes"), "{verdict}");
    }
}

/// Every number of some records changed, and lines moved.
#[test]
fn both_checkers_agree_on_forged_records() {
    let folder = tempdir().unwrap();
    let all = lines(124);
    let mut mutants = vec![all.clone()];
    for row in [0, 120, 121] {
        let line = &all[row];
        let words: Vec<&str> = line.split_inclusive([' ', '[', ',']).collect();
        for place in 0..words.len() {
            let word = words[place];
            let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
            let Ok(number) = word[..end].parse::<u64>() else { continue };
            for new in [number + 1, number.wrapping_sub(1), number * 1000, 1 << 63] {
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
        // Only format 2 has empty rows.
        let mut empty = all.clone();
        empty[row] = format!("Empty(row: {row}, by: 1)");
        mutants.push(empty);
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
    agree(&folders);
}

/// The record with certificates that begin some hundred columns later, right and wrong.
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
            lines.extend(Record::of_row(Statement::Periodic(late)).map(|late| late.to_string()));
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
        let mut writer = Writer::new(&path, Contents::Rows, form).unwrap();
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
