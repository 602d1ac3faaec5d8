//! Data sets of format 2: the rows of a [`Family`], by level and tail.
//!
//! `docs/FORMAT.md` specifies them. They are folders as those of format 1 are, with the same hash
//! chain; segments have 10 000 records, whose numbers name the files.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::manifest::{SegmentEntry, Version};
use super::reader::read_file;
use super::segment::{Contents, Expected, Segment};
use super::storage::Disk;
use super::writer::{Files, has_checkpoints, has_foreign_files};
use super::{DataSet, DataSetError, KEYED_FORMAT, MANIFEST_NAME, Manifest, SEGMENT_ROWS};
use crate::segments::{follow, line_of};
use crate::{Family, HeadForm, KeyedRecord, ReadError, RowKey, Tail, parse_keyed_line, quoted};

/// A data set of a family on disk, its manifest read.
#[derive(Clone, Debug)]
pub struct KeyedDataSet {
    folder: PathBuf,
    rows: Rows,
    segments: Vec<SegmentEntry>,
}

/// A data set of either format.
#[derive(Clone, Debug)]
pub enum AnyDataSet {
    /// Rows 0 to R of three-rowed Chomp.
    Rows(DataSet),
    /// The rows of a family.
    Keyed(KeyedDataSet),
}

impl AnyDataSet {
    /// Opens the data set in `folder`. Reads the manifest only.
    ///
    /// # Errors
    /// [`DataSetError::Missing`] if there is none, and a manifest that is none.
    pub fn open(folder: &Path) -> Result<Self, DataSetError> {
        match DataSet::open(folder) {
            Ok(data_set) => Ok(Self::Rows(data_set)),
            Err(DataSetError::Keyed { .. }) => KeyedDataSet::open(folder).map(Self::Keyed),
            Err(error) => Err(error),
        }
    }
}

impl KeyedDataSet {
    /// Opens the data set in `folder`. Reads the manifest only.
    ///
    /// # Errors
    /// [`DataSetError::Missing`] if there is none, and a manifest that is none of format 2.
    pub fn open(folder: &Path) -> Result<Self, DataSetError> {
        let text = Manifest::text_in(folder)?;
        let text = text.ok_or_else(|| DataSetError::Missing { path: folder.to_owned() })?;
        let (rows, segments) = parse(&text, &folder.join(MANIFEST_NAME))?;
        Ok(Self { folder: folder.to_owned(), rows, segments })
    }

    /// Writes the records of a family, which are all its rows in their order.
    ///
    /// # Errors
    /// A folder that holds a data set or other things, and a file that cannot be written. Nothing
    /// is a data set before all of it is.
    ///
    /// # Panics
    /// If the records are not those of the family, or a head is of another form.
    pub fn write(
        folder: &Path,
        family: &Family,
        form: HeadForm,
        records: &[KeyedRecord],
    ) -> Result<Self, DataSetError> {
        require_free(folder)?;
        let rows = Rows { family: family.clone(), form };
        assert_eq!(family.count(), Some(records.len() as u64), "all rows of a family");
        assert!(family.keys().eq(records.iter().map(|record| record.key().clone())), "in order");
        let other = |record: &KeyedRecord| record.head_form().is_some_and(|held| held != form);
        assert!(!records.iter().any(other), "a data set has one form");
        let mut files = Files::new(folder, Box::new(Disk))?;
        for segment in records.chunks(usize::try_from(SEGMENT_ROWS).unwrap_or(usize::MAX)) {
            files.write_segment(&rows, segment)?;
        }
        files.finish(&manifest(&rows, files.segments()))?;
        Self::open(folder)
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Which rows it holds.
    #[must_use]
    pub fn family(&self) -> &Family {
        &self.rows.family
    }

    /// The form of all heads.
    #[must_use]
    pub fn form(&self) -> HeadForm {
        self.rows.form
    }

    /// The segments, in the order of the rows.
    #[must_use]
    pub fn segments(&self) -> &[SegmentEntry] {
        &self.segments
    }

    /// All records in their order, if the files are whole, canonical and in order.
    ///
    /// # Errors
    /// A segment that cannot be read or is damaged.
    pub fn rows(&self) -> Result<Vec<KeyedRecord>, DataSetError> {
        let (mut records, mut keys, mut previous) = (Vec::new(), self.family().keys(), "");
        for entry in &self.segments {
            let &SegmentEntry { first, last, blake3: ref hash, .. } = entry;
            let expected = Expected { contents: &self.rows, first, last, previous, hash };
            let read =
                read_file(&self.folder, entry, |text, path| Segment::read(text, path, &expected))?;
            for (number, (record, due)) in (first..).zip(read.iter().zip(&mut keys)) {
                if due != *record.key() {
                    let path = self.folder.join(entry.file_name());
                    let what = format!("line {} is {}, not {due}", line_of(number), record.key());
                    return Err(DataSetError::Damaged { path, what });
                }
            }
            records.extend(read);
            previous = hash;
        }
        Ok(records)
    }

    /// The record of one row; reads all that come before it as well. `None` if it is none of the
    /// family.
    ///
    /// # Errors
    /// A segment that cannot be read or is damaged.
    pub fn row(&self, key: &RowKey) -> Result<Option<KeyedRecord>, DataSetError> {
        Ok(self.rows()?.into_iter().find(|record| record.key() == key))
    }
}

/// An error if a folder holds anything but the leftovers of a writer.
///
/// # Errors
/// [`DataSetError::Occupied`], [`DataSetError::Unfinished`], [`DataSetError::NotADataSet`] or
/// [`DataSetError::NotAFolder`].
pub fn require_free(folder: &Path) -> Result<(), DataSetError> {
    let path = folder.to_owned();
    if folder.is_file() {
        return Err(DataSetError::NotAFolder { path });
    }
    if folder.join(MANIFEST_NAME).exists() {
        return Err(DataSetError::Occupied { path });
    }
    if has_foreign_files(folder)? {
        Err(DataSetError::NotADataSet { path })
    } else if has_checkpoints(folder)? {
        Err(DataSetError::Unfinished { path })
    } else {
        Ok(())
    }
}

/// What the records of a family are.
#[derive(Clone, Debug)]
struct Rows {
    family: Family,
    form: HeadForm,
}

/// A form of heads, by the name of the weights of its fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum NamedForm {
    Splitmix64,
    Offsets,
}

impl From<HeadForm> for NamedForm {
    fn from(form: HeadForm) -> Self {
        match form {
            HeadForm::Fingerprint => Self::Splitmix64,
            HeadForm::Offsets => Self::Offsets,
        }
    }
}

impl From<NamedForm> for HeadForm {
    fn from(form: NamedForm) -> Self {
        match form {
            NamedForm::Splitmix64 => Self::Fingerprint,
            NamedForm::Offsets => Self::Offsets,
        }
    }
}

/// The first line of a segment.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum Header {
    Segment {
        format: u32,
        to_level: u64,
        within: Vec<u64>,
        first: u64,
        last: u64,
        head: NamedForm,
        previous: String,
    },
}

impl Contents for Rows {
    type Record = KeyedRecord;
    type Header = Header;

    fn header(&self, first: u64, last: u64, previous: &str) -> Header {
        Header::Segment {
            format: KEYED_FORMAT,
            to_level: self.family.level,
            within: self.family.within.parts().to_vec(),
            first,
            last,
            head: self.form.into(),
            previous: previous.to_owned(),
        }
    }

    fn other_format(header: &Header) -> Option<u32> {
        let Header::Segment { format, .. } = header;
        Some(*format).filter(|format| *format != KEYED_FORMAT)
    }

    fn parse(line: &str, place: usize) -> Result<KeyedRecord, ReadError> {
        parse_keyed_line(line, place)
    }

    /// Whether it is the right row is seen when all of them are read.
    fn misplaced(&self, _number: u64, record: &KeyedRecord) -> Option<String> {
        let other = record.head_form().is_some_and(|form| form != self.form);
        other.then(|| format!(", {}, has a head of the other form", record.key()))
    }

    fn row(&self, _number: u64) -> Option<u64> {
        None
    }

    /// Periods are long, and follow no rule: a mebibyte a record.
    fn share(&self, _number: u64) -> u64 {
        1 << 20
    }
}

/// A manifest as RON has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    #[expect(dead_code, reason = "looked at first of all, in whatever else there is")]
    format: u32,
    to_level: u64,
    within: Vec<u64>,
    rows: u64,
    head: NamedForm,
    segments: Vec<SegmentEntry>,
}

/// The one text of a manifest.
fn manifest(rows: &Rows, segments: &[SegmentEntry]) -> String {
    let (level, head) = (rows.family.level, NamedForm::from(rows.form));
    let count = segments.last().map_or(0, |segment| segment.last + 1);
    let within = rows.family.within.parts();
    let entries: String = segments.iter().map(entry).collect();
    format!(
        "(\n    format: {KEYED_FORMAT},\n    to_level: {level},\n    within: {within:?},\n    \
         rows: {count},\n    head: {head:?},\n    segments: [\n{entries}    ],\n)\n"
    )
}

fn entry(SegmentEntry { first, last, blake3, zstd }: &SegmentEntry) -> String {
    let zstd = if *zstd { ", zstd: true" } else { "" };
    format!("        (first: {first}, last: {last}, blake3: \"{blake3}\"{zstd}),\n")
}

/// Reads the text of a manifest.
fn parse(text: &str, path: &Path) -> Result<(Rows, Vec<SegmentEntry>), DataSetError> {
    let damaged = |what: String| DataSetError::Damaged { path: path.to_owned(), what };
    if let Ok(Version { format }) = ron::from_str(text)
        && format != KEYED_FORMAT
    {
        return Err(DataSetError::Format { path: path.to_owned(), format });
    }
    let listed: Listed = ron::from_str(text).map_err(|error| DataSetError::Line {
        path: path.to_owned(),
        row: None,
        source: ReadError::of(&error, text, 1),
    })?;
    let Listed { to_level, within, rows: count, head, segments, .. } = listed;
    let within = Tail::new(within).map_err(|error| damaged(format!("within: {error}")))?;
    let family = Family { level: to_level, within };
    if family.count() != Some(count) {
        let what = format!("it says that {family} are {count} rows, and they are not");
        return Err(damaged(what));
    }
    if let Some(entry) = segments.iter().find(|entry| !entry.has_hash()) {
        let hash = quoted(&entry.blake3);
        return Err(damaged(format!("blake3 \"{hash}\" is not 64 digits 0-9a-f")));
    }
    if !follow(&segments, count, |entry| entry.first..=entry.last) {
        return Err(damaged(format!("its segments do not hold {count} rows, as it says")));
    }
    let rows = Rows { family, form: head.into() };
    if manifest(&rows, &segments) != text {
        return Err(damaged("it is not as this program writes it".to_owned()));
    }
    Ok((rows, segments))
}
