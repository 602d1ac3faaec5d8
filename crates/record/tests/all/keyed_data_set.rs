//! Data sets of format 2, written and read, and damaged.

use std::fs;
use std::path::Path;

use record::data_set::{DataSet, DataSetError, MANIFEST_NAME, Remedy, held, write_family};
use record::{Family, HeadForm, Record, parse_line};
use tempfile::tempdir;

fn family() -> Family {
    Family::of_tails(1, "3,1".parse().unwrap())
}

/// Statements, true or not, for all rows of the family.
fn records() -> Vec<Record> {
    let of = |key: &record::RowKey| {
        let level = if key.level == 0 { String::new() } else { format!(", level: {}", key.level) };
        let parts = key.tail().parts();
        let row = if parts.len() < 2 {
            format!("row: {}", key.first_column())
        } else {
            format!("tail: {parts:?}")
        };
        let line = if key.first_column() == 3 && !key.is_three_rowed() {
            format!("Empty({row}{level}, by: 2)")
        } else {
            let r = key.first_column();
            format!(
                "Finite({row}{level}, first: {}, last: {}, head: \"00000000000000{:02x}\")",
                r + 1,
                r + 2,
                r + 16
            )
        };
        parse_line(&line, 1).unwrap()
    };
    family().keys().map(|key| of(&key)).collect()
}

fn all(data_set: &DataSet) -> Result<Vec<Record>, DataSetError> {
    data_set.rows().collect()
}

fn written(folder: &Path) -> DataSet {
    write_family(folder, &family(), HeadForm::Fingerprint, records()).unwrap()
}

#[test]
fn what_was_written_is_read() {
    let folder = tempdir().unwrap();
    let data_set = written(folder.path());
    assert_eq!(all(&data_set).unwrap(), records());
    assert_eq!(data_set.family(), family());
    let again = DataSet::open(folder.path()).unwrap();
    assert_eq!(all(&again).unwrap(), records());
    let key = records()[5].key().clone();
    assert_eq!(again.row(&key).unwrap(), Some(records()[5].clone()));
    // A second write does not overwrite it.
    let again = write_family(folder.path(), &family(), HeadForm::Fingerprint, records());
    assert!(matches!(&again, Err(DataSetError::Refused { remedy: Remedy::AsSaid, .. })));
    assert!(again.unwrap_err().to_string().contains(" holds a data set already; "));
    // It is not extended to rows of three-rowed Chomp.
    let error = held(folder.path(), None, 9, HeadForm::Fingerprint).unwrap_err().to_string();
    assert!(error.contains("holds levels 0 to 1, tails within (3,1), not level 0, rows 0 to 9"));
}

#[test]
fn the_manifest_is_as_the_format_says() {
    let folder = tempdir().unwrap();
    let data_set = written(folder.path());
    let text = fs::read_to_string(folder.path().join(MANIFEST_NAME)).unwrap();
    let hash = &data_set.manifest().segments[0].blake3;
    let expected = format!(
        "(\n    format: 2,\n    to_level: 1,\n    within: [3, 1],\n    rows: 14,\n    head: \
         Splitmix64,\n    segments: [\n        (first: 0, last: 13, blake3: \"{hash}\"),\n    ],\n)\n"
    );
    assert_eq!(text, expected);
    let segment = fs::read_to_string(folder.path().join("rows-0000000-0000013.ron")).unwrap();
    let header = "Segment(format: 2, to_level: 1, within: [3, 1], first: 0, last: 13, head: Splitmix64, previous: \"\")\n";
    assert!(segment.starts_with(header));
}

#[test]
fn other_manifests_are_refused() {
    for (old, new, words) in [
        ("format: 2", "format: 4", "has format 4; this program reads formats 1 to 3"),
        ("to_level: 1", "to_level: 2", "are 14 rows, and they are not"),
        ("to_level: 1", "to_level: 18446744073709551615", "are 14 rows, and they are not"),
        ("within: [3, 1]", "within: [1, 3]", "do not ascend"),
        ("within: [3, 1]", "within: [4294967296]", "are 14 rows, and they are not"),
        ("within: [3, 1]", "within: [ 3, 1]", "not as this program writes it"),
        ("last: 13", "last: 12", "do not hold 14 rows"),
        ("head: Splitmix64", "head: Fingerprint", "not as this program writes it"),
    ] {
        let folder = tempdir().unwrap();
        let _written = written(folder.path());
        let path = folder.path().join(MANIFEST_NAME);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old));
        fs::write(&path, text.replace(old, new)).unwrap();
        let error = DataSet::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains(words), "{new}: {error}");
    }
}

#[test]
fn damaged_segments_are_refused() {
    let folder = tempdir().unwrap();
    let data_set = written(folder.path());
    let path = folder.path().join("rows-0000000-0000013.ron");
    let text = fs::read(&path).unwrap();
    for place in 0..text.len() {
        let mut damaged = text.clone();
        damaged[place] ^= 4;
        fs::write(&path, &damaged).unwrap();
        assert!(all(&data_set).is_err(), "byte {place}");
        fs::write(&path, &text[..place]).unwrap();
        assert!(all(&data_set).is_err(), "cut at {place}");
    }
}

/// A segment with these lines and a right hash.
fn rewrite(folder: &Path, change: impl Fn(&mut Vec<String>)) -> Result<(), DataSetError> {
    let data_set = written(folder);
    let path = folder.join("rows-0000000-0000013.ron");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let _end = lines.pop();
    change(&mut lines);
    let text = lines.join("\n") + "\n";
    let hash = blake3::hash(text.as_bytes()).to_string();
    let end = format!("End(rows: 14, blake3: \"{hash}\")\n");
    fs::write(&path, text + &end).unwrap();
    let manifest = folder.join(MANIFEST_NAME);
    let old = &data_set.manifest().segments[0].blake3;
    let text = fs::read_to_string(&manifest).unwrap().replace(old, &hash);
    fs::write(&manifest, text).unwrap();
    all(&DataSet::open(folder)?).map(drop)
}

#[test]
fn a_row_stands_in_its_place() {
    type Change = fn(&mut Vec<String>);
    let changes: [(Change, &str); 6] = [
        (|lines| lines.swap(3, 4), "line 4 is row 1 of level 1, not row 1"),
        (
            |lines| lines[3] = lines[3].replace("row: 1", "row: 1, level: 1"),
            "line 4 is row 1 of level 1, not row 1",
        ),
        (
            |lines| lines[5] = lines[5].replace("tail: [1, 1]", "row: 1"),
            "line 6 is row 1, not tail (1,1)",
        ),
        (
            |lines| lines[3] = lines[3].replace("head: \"0000000000000011\"", "head: [1, 2, 0]"),
            "head",
        ),
        (|lines| lines[0] = lines[0].replace("to_level: 1", "to_level: 2"), "line 1 should be"),
        (|lines| drop(lines.pop()), "13 rows, not 14"),
    ];
    assert!(rewrite(tempdir().unwrap().path(), |_| ()).is_ok());
    for (change, words) in changes {
        let error = rewrite(tempdir().unwrap().path(), change).unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
    }
}

#[test]
fn many_segments_follow_each_other() {
    let folder = tempdir().unwrap();
    let family = Family::three_rowed(20, 999);
    let line = |key: record::RowKey| match key.level {
        0 => format!(
            "Finite(row: {0}, first: {0}, last: {0}, head: \"0000000000000001\")",
            key.first_column()
        ),
        level => format!(
            "Finite(row: {0}, level: {level}, first: {0}, last: {0}, head: \"0000000000000001\")",
            key.first_column()
        ),
    };
    let records: Vec<Record> =
        family.keys().map(|key| parse_line(&line(key), 1).unwrap()).collect();
    let data_set =
        write_family(folder.path(), &family, HeadForm::Fingerprint, records.clone()).unwrap();
    assert_eq!(data_set.manifest().segments.len(), 3);
    assert_eq!(all(&data_set).unwrap(), records);
    for number in [0, 9_999, 10_000, 20_999] {
        let record = &records[number];
        assert_eq!(data_set.row(record.key()).unwrap().as_ref(), Some(record));
    }
    assert_eq!(data_set.row(&record::RowKey::of_row(21, 5)).unwrap(), None);
    assert_eq!(data_set.row(&record::RowKey::of_row(0, 1000)).unwrap(), None);
}
