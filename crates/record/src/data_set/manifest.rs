//! The manifest of a data set.

use std::io::BufRead;
use std::path::Path;

use serde::Deserialize;

use super::DataSetError;
use super::contents::{Contents, FAMILY_FORMAT, FORMAT, HeadName, POSET_FORMAT};
use super::segment::{Header, Segment, converted};
use crate::line::{options, present};
use crate::{Family, GrowingPoset, HeadForm, ReadError, Record, Tail, segments};

/// Name of the manifest file in the folder of a data set.
pub const MANIFEST_NAME: &str = "MANIFEST.ron";

/// The ending of the file names of compressed segments.
const COMPRESSED: &str = ".zst";

/// The largest manifest, in bytes. It has room for the segments of 10^9 rows, hundreds of
/// gigabytes.
#[cfg(feature = "files")]
pub(super) const LARGEST_MANIFEST: u64 = 16 << 20;

/// The content of a data set, as its manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The rows and their format.
    pub contents: Contents,
    /// Number of rows.
    pub rows: u64,
    /// The form of all heads.
    pub head: HeadForm,
    /// The segments, in the order of the rows.
    pub segments: Vec<SegmentEntry>,
}

/// The fields that a manifest of any format has.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

/// A manifest as it is written. The fields of other formats are absent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: u32,
    #[serde(default, deserialize_with = "present")]
    to_level: Option<u64>,
    #[serde(default, deserialize_with = "present")]
    within: Option<Vec<u64>>,
    #[serde(default, deserialize_with = "present")]
    poset: Option<Vec<String>>,
    rows: u64,
    head: HeadName,
    segments: Vec<SegmentEntry>,
}

/// One segment, as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentEntry {
    /// First row.
    pub first: u64,
    /// Last row.
    pub last: u64,
    /// The hash that the segment's `End` line states.
    pub blake3: String,
    /// Whether the file is compressed (`.ron.zst`); written only if it is.
    #[serde(default)]
    pub zstd: bool,
}

impl SegmentEntry {
    /// The name of the segment's file.
    pub fn file_name(&self) -> String {
        let ending = if self.zstd { COMPRESSED } else { "" };
        segments::file_name(&(self.first..=self.last)) + ending
    }

    fn to_text(&self) -> String {
        let Self { first, last, blake3, zstd } = self;
        let zstd = if *zstd { ", zstd: true" } else { "" };
        format!("        (first: {first}, last: {last}, blake3: \"{blake3}\"{zstd}),\n")
    }

    fn has_hash(&self) -> bool {
        let lower_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        self.blake3.len() == 64 && self.blake3.bytes().all(lower_hex)
    }

    /// Whether some segment's file has this name.
    #[cfg(feature = "files")]
    pub fn is_file_name(name: &str) -> bool {
        segments::is_file_name(name.strip_suffix(COMPRESSED).unwrap_or(name))
    }
}

impl Manifest {
    /// Reads the text of a manifest; `path` is for error messages.
    ///
    /// # Errors
    /// A text that is no manifest, is of a later format, or lists segments that do not follow each
    /// other.
    pub fn parse(text: &str, path: &Path) -> Result<Self, DataSetError> {
        let damaged = |what: String| DataSetError::Damaged { path: path.to_owned(), what };
        let in_file = |error| {
            let source = ReadError::of(&error, text, 1);
            DataSetError::Line { path: path.to_owned(), key: None, source }
        };
        if let Some(what) = converted(text) {
            return Err(damaged(what.to_owned()));
        }
        // The format comes first: a later one may have fields that this program does not know.
        if let Ok(Version { format }) = options().from_str(text)
            && ![FORMAT, FAMILY_FORMAT, POSET_FORMAT].contains(&format)
        {
            return Err(DataSetError::Format { path: path.to_owned(), format });
        }
        let Written { format, to_level, within, poset, rows, head, segments } =
            options().from_str(text).map_err(in_file)?;
        let contents = match (format, to_level, within, poset) {
            (FORMAT, None, None, None) => Contents::Rows,
            (FAMILY_FORMAT, Some(level), Some(within), None) => {
                let within =
                    Tail::new(within).map_err(|error| damaged(format!("within: {error}")))?;
                Contents::Family(Family::of_tails(level, within))
            }
            (POSET_FORMAT, Some(level), None, Some(lines)) => {
                let poset = lines.join("\n").parse::<GrowingPoset>();
                let poset = poset.map_err(|error| damaged(format!("poset: {error}")))?;
                let family = Family::of_poset(level, poset);
                Contents::Family(family.map_err(|error| damaged(format!("poset: {error}")))?)
            }
            _ => {
                let what = "to_level is a field of formats 2 and 3, within of 2, and poset of 3";
                return Err(damaged(what.to_owned()));
            }
        };
        let manifest = Self { contents, rows, head: head.form(), segments };
        if manifest.to_text() != text {
            return Err(damaged("it is not as this program writes it".to_owned()));
        }
        if let Some(segment) = manifest.segments.iter().find(|segment| !segment.has_hash()) {
            let name = segment.file_name();
            return Err(damaged(format!("blake3 of {name} is not 64 digits 0-9a-f")));
        }
        if let Contents::Family(family) = &manifest.contents
            && family.count() != Some(rows)
        {
            return Err(damaged(format!(
                "it says that {family} are {rows} rows, and they are not"
            )));
        }
        if !segments::follow(&manifest.segments, rows, |entry| entry.first..=entry.last) {
            return Err(damaged(format!("its segments do not hold {rows} rows, as it says")));
        }
        Ok(manifest)
    }

    /// The rows that the data set holds.
    pub fn family(&self) -> Family {
        match &self.contents {
            Contents::Rows => Family::three_rowed(0, self.rows - 1),
            Contents::Family(family) => family.clone(),
        }
    }

    pub(super) fn to_text(&self) -> String {
        let &Self { ref contents, rows, head, ref segments } = self;
        let format = contents.format();
        let head = contents.name_of(head);
        let poset = |poset: &GrowingPoset| format!("{:?}", poset.lines());
        let fields = contents.fields(poset).map(|field| format!("    {field},\n"));
        let family: String = fields.collect();
        let entries: String = segments.iter().map(SegmentEntry::to_text).collect();
        format!(
            "(\n    format: {format},\n{family}    rows: {rows},\n    head: {head:?},\n    \
             segments: [\n{entries}    ],\n)\n"
        )
    }

    /// The entry and the text of the segment with the records that are due next.
    ///
    /// # Panics
    /// If the records are not those that are due.
    pub(super) fn next_segment(&self, records: &[Record]) -> (SegmentEntry, String) {
        let (first, last) = (self.rows, self.rows + records.len() as u64 - 1);
        let due = self.contents.keys_from(first).take(records.len());
        assert!(due.eq(records.iter().map(|record| record.key().clone())), "rows are in order");
        let previous = self.segments.last().map_or("", |segment| &segment.blake3);
        let header = Header { contents: &self.contents, head: self.head, first, last, previous };
        let Segment { text, hash } = Segment::of(&header, records);
        (SegmentEntry { first, last, blake3: hash, zstd: false }, text)
    }

    /// Takes the segment that is due next.
    pub(super) fn push(&mut self, entry: SegmentEntry) {
        self.rows = entry.last + 1;
        self.segments.push(entry);
    }

    /// Reads the text of segment `index`: its records, if it is whole and the one that this
    /// manifest lists. `path` is for error messages, and `stop` is asked before each line.
    ///
    /// # Errors
    /// A damaged segment, and [`DataSetError::Stopped`].
    ///
    /// # Panics
    /// If there is no such segment.
    pub fn read_segment(
        &self,
        index: usize,
        text: &mut dyn BufRead,
        path: &Path,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Record>, DataSetError> {
        Segment::read(text, path, &self.header(index), &self.segments[index].blake3, stop)
    }

    /// The first line of segment `index`.
    ///
    /// # Panics
    /// If there is no such segment.
    pub fn first_line(&self, index: usize) -> String {
        self.header(index).line()
    }

    /// The header of segment `index`.
    pub(super) fn header(&self, index: usize) -> Header<'_> {
        let &Self { ref contents, head, ref segments, .. } = self;
        let &SegmentEntry { first, last, .. } = &segments[index];
        let previous = index.checked_sub(1).map_or("", |before| &segments[before].blake3);
        Header { contents, head, first, last, previous }
    }
}
