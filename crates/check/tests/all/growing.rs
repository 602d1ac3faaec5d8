//! A data set that grows: each segment is checked against those below, as they are on disk.

use crate::common;

use check::{CheckError, Growing, Task, Verified, check_data_set};
use common::{many_lines, write};
use record::data_set::DataSet;
use tempfile::tempdir;

const LAST: usize = 20_010;

fn all(data_set: &DataSet) -> Result<Growing, CheckError> {
    let mut growing = Growing::default();
    while growing.segments() < data_set.manifest().segments.len() {
        growing.next_segment(data_set, &())?;
    }
    Ok(growing)
}

/// The same verdict and the same refutations as of the whole.
#[test]
fn segment_by_segment_is_as_all_at_once() {
    let folder = tempdir().unwrap();
    let lines = many_lines(LAST as u64);
    write(folder.path(), LAST, &lines);
    let data_set = DataSet::open(folder.path()).unwrap();
    assert_eq!(data_set.manifest().segments.len(), 3);
    assert!(Growing::default().verified().is_none());
    let verdict = check_data_set(&data_set, &Task::default(), None, &()).unwrap();
    // A run in progress has no last segment.
    let verdict = Verified { data: None, ..verdict };
    assert_eq!(all(&data_set).unwrap().verified(), Some(verdict));

    let (values, rotated) = (
        "[10966, 10966, 10963, 10966, 10966, 10966, 10966, 10961]",
        "[10966, 10963, 10966, 10966, 10966, 10966, 10961, 10966]",
    );
    for (row, from, to, words) in [
        (120, "[72, 70]", "[70, 72]", "line 122 of rows-0000000-0009999.ron: values"),
        (11_036, "modulus: \"2\"", "modulus: \"1\"", "line 1038 of rows-0010000-0019999.ron: the"),
        (18_718, values, rotated, "line 8720 of rows-0010000-0019999.ron: values"),
    ] {
        let mut forged = lines.clone();
        forged[row] = lines[row].replacen(from, to, 1);
        assert_ne!(forged[row], lines[row]);
        write(folder.path(), LAST, &forged);
        let data_set = DataSet::open(folder.path()).unwrap();
        let found = all(&data_set).unwrap_err();
        assert!(found.is_refutation());
        assert!(found.to_string().starts_with(&format!("row {row}, {words}")), "{found}");
        let at_once = check_data_set(&data_set, &Task::default(), None, &()).unwrap_err();
        assert_eq!(found.to_string(), at_once.to_string());
    }
}

/// A line that says what no row can be is refuted; one that says nothing cannot be read.
#[test]
fn lines_that_are_refuted_and_lines_that_cannot_be_read() {
    let lines = many_lines(130);
    for (from, to, refuted) in [("first: 206", "first: 99999", true), ("row:", "rwo:", false)] {
        let folder = tempdir().unwrap();
        let mut forged = lines.clone();
        forged[120] = lines[120].replacen(from, to, 1);
        assert_ne!(forged[120], lines[120]);
        write(folder.path(), 130, &forged);
        let outcome =
            check_data_set(&DataSet::open(folder.path()).unwrap(), &Task::default(), None, &());
        assert_eq!(outcome.unwrap_err().is_refutation(), refuted, "{to}");
    }
}

/// Row 9999 as if it repeated from a later column only. It is as stated from there on; but the rows
/// above, all of them in later segments, would then settle later too.
#[test]
fn rows_of_the_segments_below_count() {
    let folder = tempdir().unwrap();
    let mut lines = many_lines(LAST as u64);
    assert!(lines[9999].contains("start: 14142, "), "{}", lines[9999]);
    lines[9999] = lines[9999]
        .replace("start: 14142,", "start: 15142,")
        .replace("from: 14142, recurs: 14143,", "from: 15142, recurs: 15143,");
    write(folder.path(), LAST, &lines);
    let found = all(&DataSet::open(folder.path()).unwrap()).unwrap_err().to_string();
    let in_the_next = found.contains("of rows-0010000-0019999.ron: the certificate's from is");
    assert!(in_the_next && found.contains("because of row 9999"), "{found}");
}
