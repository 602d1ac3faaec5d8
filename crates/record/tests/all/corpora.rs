//! Files that are never rewritten: data sets of each version of the format, and the corpora of the
//! fuzz targets.

use std::fs;
use std::path::Path;

use record::Record;
use record::data_set::DataSet;

#[path = "../../../../fuzz/readers.rs"]
mod readers;

fn fixture(name: &str) -> Vec<Record> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    DataSet::open(&folder).unwrap().rows().collect::<Result<_, _>>().unwrap()
}

#[test]
fn data_sets_of_format_1_are_readable() {
    let rows = fixture("format-1");
    assert_eq!(rows.len(), 131);
    assert_eq!(
        rows[120].to_string(),
        "Periodic(row: 120, first: 206, start: 170, values: [72, 70], certificate: (from: 170, \
         recurs: 172, modulus: \"1\", filled: 71, above: []), head: \"8a21679c9ed36f2f\")"
    );
    let full = fixture("format-1-zstd");
    assert_eq!(full.len(), 41);
    for (short, full) in rows.iter().zip(&full) {
        let row = full.row();
        assert_eq!(short.head().unwrap().fingerprint(row), full.head().unwrap().fingerprint(row));
    }
}

#[test]
fn data_sets_of_format_2_are_readable() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/format-2");
    let rows: Vec<_> = DataSet::open(&folder).unwrap().rows().map(Result::unwrap).collect();
    let lines: Vec<String> = rows.iter().map(ToString::to_string).collect();
    assert_eq!(lines.len(), 54);
    // (1,1,1) has the value 2, and (2,2,2,1) the value 0.
    for line in ["Empty(row: 2, level: 2, by: 1)", "Empty(tail: [6, 1], by: 2)"] {
        assert!(lines.iter().any(|found| found == line), "{line}");
    }
}

#[test]
fn no_input_of_the_corpora_panics() {
    for (name, reader) in [
        ("record_line", readers::record_line as fn(&[u8])),
        ("segment", readers::segment),
        ("manifest", readers::manifest),
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
        let mut inputs = 0;
        for entry in fs::read_dir(&folder).unwrap() {
            let input = fs::read(entry.unwrap().path()).unwrap();
            for end in [input.len(), input.len() / 2] {
                reader(&input[..end]);
            }
            inputs += 1;
        }
        assert!(inputs >= 4, "{name}");
    }
}
