// What the fuzz targets do with their input, and `crates/record/tests/all/corpora.rs` with the
// corpora: whatever is accepted prints as it was read, and nothing panics.
#![allow(dead_code)]

use std::path::Path;

use record::HeadForm;
use record::data_set::{Contents, Manifest, SegmentEntry};

/// One record.
pub fn record_line(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(record) = record::parse_line(text, 1) {
        assert_eq!(record.to_string(), text);
    }
}

/// A segment without its last line, which is made good: else the hash would refuse everything.
pub fn segment(bytes: &[u8]) {
    let Ok(body) = std::str::from_utf8(bytes) else { return };
    let rows = body.lines().count().saturating_sub(1) as u64;
    let hash = blake3::hash(bytes).to_string();
    let text = format!("{body}End(rows: {rows}, blake3: \"{hash}\")\n");
    for head in [HeadForm::Fingerprint, HeadForm::Offsets] {
        let entry =
            SegmentEntry { first: 0, last: rows.max(1) - 1, blake3: hash.clone(), zstd: false };
        let manifest =
            Manifest { contents: Contents::Rows, rows: rows.max(1), head, segments: vec![entry] };
        if let Ok(records) =
            manifest.read_segment(0, &mut text.as_bytes(), Path::new("segment"), &|| false)
        {
            let lines: Vec<String> = records.iter().map(ToString::to_string).collect();
            let printed = lines.iter().fold(String::new(), |text, line| text + line + "\n");
            assert!(body.ends_with(&printed));
            assert_eq!(records.len() as u64, rows);
        }
    }
}

/// A manifest.
pub fn manifest(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(manifest) = Manifest::parse(text, Path::new("manifest")) {
        assert!(!manifest.segments.is_empty());
        assert_eq!(manifest.segments.last().map(|entry| entry.last + 1), Some(manifest.rows));
    }
}
