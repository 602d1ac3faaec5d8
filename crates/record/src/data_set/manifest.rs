//! The manifest of a data set; and data sets in memory, for where there are no folders, as in a
//! browser.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::Deserialize;

use super::contents::{self, converted};
use super::{Contents, DataSetError, Remedy, SEGMENT_ROWS, io_error};
use crate::line::options;
use crate::{Family, HeadForm, ReadError, Record, Tail};

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
    to_level: Option<u64>,
    within: Option<Vec<u64>>,
    poset: Option<Vec<String>>,
    rows: u64,
    head: HeadForm,
    segments: Vec<SegmentEntry>,
}

/// Whether these segments have exactly rows 0 to `rows - 1`.
fn follow(segments: &[SegmentEntry], rows: u64) -> bool {
    let firsts = (0..rows).step_by(usize::try_from(SEGMENT_ROWS).expect("it fits into memory"));
    let due = firsts.map(|first| contents::segment_of(first, rows - 1));
    (1..1 << 62).contains(&rows) && segments.iter().map(|own| own.first..=own.last).eq(due)
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
        contents::file_name(&(self.first..=self.last)) + ending
    }

    fn to_text(&self) -> String {
        let Self { first, last, blake3, zstd } = self;
        let zstd = if *zstd { ", zstd: true" } else { "" };
        format!("        (first: {first}, last: {last}, blake3: \"{blake3}\"{zstd}),\n")
    }

    /// Whether some segment's file has this name.
    #[cfg(feature = "files")]
    pub fn is_file_name(name: &str) -> bool {
        let number = |digits: &str| digits.len() >= 7 && digits.bytes().all(|b| b.is_ascii_digit());
        let rest = name.strip_suffix(COMPRESSED).unwrap_or(name).strip_prefix("rows-");
        let rows = rest.and_then(|rest| rest.strip_suffix(".ron")?.split_once('-'));
        rows.is_some_and(|(first, last)| number(first) && number(last))
    }
}

impl Manifest {
    /// Reads the text of a manifest; `path` is for error messages.
    ///
    /// # Errors
    /// A text that is no manifest, is of a later format, or lists segments that do not follow each
    /// other.
    pub fn parse(text: &str, path: &Path) -> Result<Self, DataSetError> {
        let damaged = |what: String| DataSetError::damaged(path, what);
        let in_file = |error| {
            let source = ReadError::of(&error, 1);
            DataSetError::Line { path: path.to_owned(), key: None, source }
        };
        let require = |holds: bool, what: String| if holds { Ok(()) } else { Err(damaged(what)) };
        converted(text).map_or(Ok(()), |what| require(false, what.to_owned()))?;
        // The format comes first: a later one may have fields that this program does not know.
        if let Ok(Version { format }) = options().from_str(text)
            && !(1..=3).contains(&format)
        {
            let why = format_args!("has format {format}; this program reads formats 1 to 3");
            return Err(DataSetError::refused(path, why, Remedy::AsSaid));
        }
        let Written { format, to_level, within, poset, rows, head, segments } =
            options().from_str(text).map_err(in_file)?;
        let contents = match (format, to_level, within, poset) {
            (1, None, None, None) => Contents::Rows,
            (2, Some(level), Some(within), None) => {
                let within =
                    Tail::new(within).map_err(|error| damaged(format!("within: {error}")))?;
                Contents::Family(Family::of_tails(level, within))
            }
            (3, Some(level), None, Some(lines)) => {
                let poset = lines.join("\n").parse();
                let family = poset.and_then(|poset| Family::of_poset(level, poset));
                Contents::Family(family.map_err(|error| damaged(format!("poset: {error}")))?)
            }
            _ => {
                let what = "to_level is a field of formats 2 and 3, within of 2, and poset of 3";
                return Err(damaged(what.to_owned()));
            }
        };
        let manifest = Self { contents, rows, head, segments };
        require(manifest.to_text() == text, "it is not as this program writes it".to_owned())?;
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        for segment in &manifest.segments {
            let what = format!("blake3 of {} is not 64 digits 0-9a-f", segment.file_name());
            require(segment.blake3.len() == 64 && segment.blake3.bytes().all(is_digit), what)?;
        }
        if let Contents::Family(family) = &manifest.contents {
            let what = format!("it says that {family} are {rows} rows, and they are not");
            require(family.count() == Some(rows), what)?;
        }
        let follow = follow(&manifest.segments, rows);
        require(follow, format!("its segments do not hold {rows} rows, as it says"))?;
        Ok(manifest)
    }

    /// The rows that the data set holds.
    pub fn family(&self) -> Family {
        match &self.contents {
            Contents::Rows => Family::three_rowed(0, self.rows - 1),
            Contents::Family(family) => family.clone(),
        }
    }

    /// The segment that has the record of this number.
    pub fn entry_of(&self, number: u64) -> Option<&SegmentEntry> {
        self.segments.get(usize::try_from(number / SEGMENT_ROWS).ok()?)
    }

    pub(super) fn to_text(&self) -> String {
        let &Self { ref contents, rows, head, ref segments } = self;
        let format = contents.format();
        let head = contents.name_of(head);
        let fields = contents.fields(|poset| format!("{poset:?}")).into_iter();
        let family: String = fields.map(|field| ["    ", &field, ",\n"].concat()).collect();
        let entries: String = segments.iter().map(SegmentEntry::to_text).collect();
        format!(
            "(\n    format: {format},\n{family}    rows: {rows},\n    head: {head},\n    \
             segments: [\n{entries}    ],\n)\n"
        )
    }
}

/// The files of a data set in memory, by name. They are bytes, so a file that is not text gives the
/// same error as on disk.
///
/// The bytes are the same as in the files of a writer. A segment that it would compress is held as
/// the text itself, under the name that ends in `.ron`; hashes are of the text in any case.
pub type Texts = BTreeMap<String, Vec<u8>>;

/// The data set of these records in memory.
///
/// # Panics
/// If they are not of rows 0, 1, 2, ..., at least one, with heads of one form.
///
/// ```
/// use record::data_set::{read_texts, texts};
/// let row_0 = "Periodic(row: 0, first: 1, start: 0, values: [1], certificate: (from: 0, \
///     recurs: 1, modulus: \"1\", filled: 1, above: []), head: \"0000000000000000\")";
/// let row_0 = record::parse_line(row_0, 1)?;
/// let texts = texts(&[row_0.clone()]);
/// assert_eq!(texts.keys().collect::<Vec<_>>(), ["MANIFEST.ron", "rows-0000000-0000000.ron"]);
/// assert_eq!(read_texts(&texts)?.1, [row_0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn texts(records: &[Record]) -> Texts {
    let first = records.first().and_then(Record::head);
    let head = first.expect("a data set has a row").form();
    let is_right = |record: &Record| record.head().is_some_and(|own| own.form() == head);
    assert!(records.iter().all(is_right), "there is one form");
    let mut manifest = Manifest { contents: Contents::Rows, rows: 0, head, segments: vec![] };
    let mut texts = BTreeMap::new();
    let full = usize::try_from(SEGMENT_ROWS).expect("it fits into memory");
    for records in records.chunks(full) {
        let (next, text) = manifest.extended(records);
        texts.extend(next.segments.last().map(|entry| (entry.file_name(), text.into_bytes())));
        manifest = next;
    }
    texts.insert(MANIFEST_NAME.to_owned(), manifest.to_text().into_bytes());
    texts
}

/// The manifest of a data set in memory, and all records in row order, each segment verified as a
/// file (hash, hash chain, canonical form, row order). Files that the manifest does not list are
/// ignored.
///
/// # Errors
/// [`DataSetError::Refused`] for a file that is not there, and the error of a wrong one.
pub fn read_texts(texts: &Texts) -> Result<(Manifest, Vec<Record>), DataSetError> {
    let file = |name: &str| {
        let why = "is not among the files; a data set has MANIFEST.ron and the segments that it \
                   lists, compressed ones (.ron.zst) unpacked by `zstd -d`";
        let refused = || DataSetError::refused(Path::new(name), why, Remedy::AsSaid);
        texts.get(name).map(Vec::as_slice).ok_or_else(refused)
    };
    let path = Path::new(MANIFEST_NAME);
    let text = io::read_to_string(file(MANIFEST_NAME)?).map_err(io_error("read", path))?;
    let manifest = Manifest::parse(&text, path)?;
    let mut records = Vec::new();
    for (index, entry) in manifest.segments.iter().enumerate() {
        let name = contents::file_name(&(entry.first..=entry.last));
        let mut bytes = file(&name)?;
        records.extend(manifest.read_segment(index, &mut bytes, Path::new(&name), &|| false)?);
    }
    Ok((manifest, records))
}
