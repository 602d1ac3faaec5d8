//! Data sets with forged parts, their hashes made good again.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::path::Path;

use check::{CheckError, Task, Verdict, check_data_set};
use record::data_set::{DataSet, MANIFEST_NAME};
use record::{HeadForm, RowRecord};

/// The records of rows 0 to `last`, by the literal recurrence.
pub fn records(last: u64, form: HeadForm) -> Vec<RowRecord> {
    let rows = byrnes::Rows::new().take(usize::try_from(last + 1).unwrap());
    rows.map(|row| row.unwrap().record(form).unwrap()).collect()
}

pub fn lines(last: u64) -> Vec<String> {
    records(last, HeadForm::Fingerprint).iter().map(ToString::to_string).collect()
}

/// The text of a single segment with these records, and its hash.
pub fn segment(last: usize, lines: &[String]) -> (String, String) {
    let mut text =
        format!("Segment(format: 1, first: 0, last: {last}, head: Fingerprint, previous: \"\")\n");
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    let hash = blake3::hash(text.as_bytes()).to_string();
    let end = format!("End(rows: {}, blake3: \"{hash}\")\n", lines.len());
    text.push_str(&end);
    (text, hash)
}

/// Writes a data set of one segment, rows 0 to `last`, that holds these lines whatever they say.
pub fn write(folder: &Path, last: usize, lines: &[String]) {
    let (text, hash) = segment(last, lines);
    fs::write(folder.join(format!("rows-0000000-{last:07}.ron")), text).unwrap();
    let manifest = format!(
        "(\n    format: 1,\n    rows: {},\n    head: Fingerprint,\n    segments: [\n        \
         (first: 0, last: {last}, blake3: \"{hash}\"),\n    ],\n)\n",
        last + 1
    );
    fs::write(folder.join(MANIFEST_NAME), manifest).unwrap();
}

pub fn check(folder: &Path, heads: bool) -> Result<Verdict, CheckError> {
    check_data_set(&DataSet::open(folder)?, &Task { heads, rows: None }, &())
}
