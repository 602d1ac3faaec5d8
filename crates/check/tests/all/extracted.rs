//! The third checker, extracted from the proofs of `proofs/coq`: it verifies what ours verifies and
//! nothing else. It needs Coq and OCaml, so these tests are run by `.ci/verify`, which builds it.

use crate::{common, mutants};

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use check::Task;
use record::{HeadForm, Record, Statement, parse_line};

/// Its exit code on a segment of these lines.
fn theirs(program: &Path, lines: &[String]) -> i32 {
    let rows = lines.len();
    let records = lines.join("\n");
    let header = format!("Segment(format: 1, first: 0, last: {}, head: Offsets", rows - 1);
    let text = format!("{header}, previous: \"\")\n{records}\nEnd(rows: {rows}, blake3: \"\")\n");
    let (input, output) = (Stdio::piped(), Stdio::null());
    let mut child =
        Command::new(program).stdin(input).stdout(output).stderr(Stdio::null()).spawn().unwrap();
    // It does not read on once it has refused a record.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    child.wait().unwrap().code().expect("no signal ended it")
}

/// Whether ours verifies all of it, heads included.
fn ours(lines: &[String]) -> bool {
    let records: Option<Vec<Record>> =
        lines.iter().zip(1..).map(|(line, number)| parse_line(line, number).ok()).collect();
    let all = Task { heads: true, ..Task::default() };
    records.is_some_and(|records| common::check_rows(&records, &all, &()).is_ok())
}

/// Heads with one offset changed, left out, or doubled; certificates that begin later.
fn full_mutants(line: &str) -> Vec<String> {
    let record = parse_line(line, 1).unwrap();
    let (before, head) = line.split_once("head: [").unwrap();
    let offsets: Vec<&str> = head.trim_end_matches("])").split(", ").collect();
    let mut lines = Vec::new();
    for (place, offset) in offsets.iter().enumerate() {
        let Ok(offset) = offset.parse::<u64>() else { continue };
        let others = [Some(offset + 1), offset.checked_sub(1), Some(0)];
        let news = others.into_iter().flatten().map(|new| vec![new]);
        for new in news.chain([vec![], vec![offset, offset]]) {
            let new: Vec<String> = new.iter().map(u64::to_string).collect();
            let mut offsets: Vec<&str> = offsets.clone();
            offsets.splice(place..=place, new.iter().map(String::as_str));
            lines.push(format!("{before}head: [{}])", offsets.join(", ")));
        }
    }
    if let Some(periodic) = record.periodic() {
        for columns in [1, 2, 3, 100] {
            let mut late = periodic.clone();
            late.certificate.from += columns;
            late.certificate.recurs += columns;
            lines.push(Record::of_row(Statement::Periodic(late)).unwrap().to_string());
        }
    }
    lines.retain(|mutant| mutant != line);
    lines
}

/// The program, and the records of rows 0 to 124.
fn extracted(form: HeadForm) -> (PathBuf, Vec<String>) {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/proofs/chomp-verify");
    assert!(program.exists(), "{} is missing; `just verify` builds it", program.display());
    let records = common::records(124, form);
    (program, records.iter().map(ToString::to_string).collect())
}

/// Those that `proofs/coq/Rows.v` has as well, changed so that their parts agree.
#[test]
#[ignore = "it needs chomp-verify (just verify)"]
fn the_extracted_checker_refuses_false_records() {
    let (program, all) = extracted(HeadForm::Offsets);
    let changes: [(usize, &[(&str, &str)]); 5] = [
        // Row 120 from column 169 on, and from column 171 on.
        (120, &[("170, values: [72, 70]", "169, values: [70, 72]"), (", 3])", "])")]),
        (
            120,
            &[
                ("170, values: [72, 70]", "171, values: [70, 72]"),
                ("from: 170, recurs: 172", "from: 171, recurs: 173"),
                ("filled: 71, above: []", "filled: 70, above: [71]"),
                (", 3])", ", 3, 72])"),
            ],
        ),
        // With period 1.
        (120, &[("[72, 70]", "[72]")]),
        (120, &[("[72, 70]", "[72]"), ("recurs: 172", "recurs: 171")]),
        // Row 121 ends one column earlier.
        (121, &[("last: 172", "last: 171"), (", 3, 0])", ", 0])")]),
    ];
    for (row, changes) in changes {
        let mut lines = all.clone();
        for (good, bad) in changes {
            assert!(lines[row].contains(good), "{good}: {}", lines[row]);
            lines[row] = lines[row].replacen(good, bad, 1);
        }
        assert!(!ours(&lines), "{}", lines[row]);
        assert_eq!(theirs(&program, &lines), 1, "{}", lines[row]);
    }
}

#[test]
#[ignore = "it needs chomp-verify (just verify)"]
fn the_extracted_checker_agrees_with_ours() {
    let (program, all) = extracted(HeadForm::Offsets);
    assert!(ours(&all), "the control");
    assert_eq!(theirs(&program, &all), 0, "the control");
    let (mut verified, mut refused) = (0, 0);
    for row in [0, 1, 2, 118, 119, 120, 121] {
        let numbers = mutants::number_mutants(&all[row]).into_iter().map(|(_, line)| line);
        for mutant in numbers.chain(full_mutants(&all[row])) {
            let mut lines = all.clone();
            lines[row].clone_from(&mutant);
            let code = theirs(&program, &lines);
            if ours(&lines) {
                assert_eq!(code, 0, "{mutant}");
                verified += 1;
            } else {
                assert!([1, 3, 4].contains(&code), "{code}: {mutant}");
                refused += 1;
            }
        }
        let mut swapped = all.clone();
        swapped.swap(row, row + 1);
        assert_eq!(theirs(&program, &swapped), 1);
    }
    println!("{verified} other true records verified, {refused} false ones refused");
    assert!(verified >= 8 && refused >= 1000);
}

/// Records with fingerprints: every number changed, and every digit of a fingerprint.
#[test]
#[ignore = "it needs chomp-verify (just verify)"]
fn the_extracted_checker_refuses_forged_fingerprints() {
    let (program, all) = extracted(HeadForm::Fingerprint);
    assert!(ours(&all), "the control");
    assert_eq!(theirs(&program, &all), 0, "the control");
    let mut refused = 0;
    for row in [0, 1, 2, 118, 119, 120, 121] {
        let numbers = mutants::number_mutants(&all[row]).into_iter().map(|(_, line)| line);
        let forged = numbers.chain(forged_fingerprints(&all[row]));
        for mutant in forged.filter(|mutant| *mutant != all[row]) {
            let mut lines = all.clone();
            lines[row].clone_from(&mutant);
            let code = theirs(&program, &lines);
            if ours(&lines) {
                assert_eq!(code, 0, "{mutant}");
            } else {
                assert!([1, 3, 4].contains(&code), "{code}: {mutant}");
                refused += 1;
            }
        }
    }
    println!("{refused} false records with fingerprints refused");
    assert!(refused >= 300);
}

/// The line with each digit of its fingerprint changed.
fn forged_fingerprints(line: &str) -> Vec<String> {
    let (before, sum) = line.split_once("head: \"").unwrap();
    let digits: Vec<char> = sum.chars().collect();
    (0..16)
        .map(|place| {
            let mut digits = digits.clone();
            digits[place] = if digits[place] == '0' { '1' } else { '0' };
            format!("{before}head: \"{}", digits.into_iter().collect::<String>())
        })
        .collect()
}
