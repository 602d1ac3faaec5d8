//! The manifest of a data set.

use std::io::BufRead;
use std::path::Path;

use serde::{Deserialize, Serialize};

#[cfg(feature = "files")]
use super::io_error;
use super::segment::{Expected, Segment, ThreeRowed};
use super::{DataSetError, FORMAT, KEYED_FORMAT};
use crate::{HeadForm, ReadError, RowRecord, segments};

/// Name of the manifest file in the folder of a data set.
pub const MANIFEST_NAME: &str = "MANIFEST.ron";

/// What the name of a compressed segment's file ends with.
const COMPRESSED: &str = ".zst";

/// The largest manifest, in bytes: it has room for the segments of 10^9 rows, which would have
/// hundreds of gigabytes.
#[cfg(feature = "files")]
pub(super) const LARGEST_MANIFEST: u64 = 16 << 20;

/// What a data set holds: rows 0 to `rows - 1`, in segments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the format.
    pub format: u32,
    /// Number of rows.
    pub rows: u64,
    /// The form of all heads.
    pub head: HeadForm,
    /// The segments, in row order.
    pub segments: Vec<SegmentEntry>,
}

/// What a manifest of any format has.
#[derive(Deserialize)]
pub(super) struct Version {
    pub(super) format: u32,
}

/// One segment, as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentEntry {
    /// First row.
    pub first: u64,
    /// Last row.
    pub last: u64,
    /// The hash that the segment's `End` line states.
    pub blake3: String,
    /// Whether the file is compressed (`.ron.zst`); written only if it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub zstd: bool,
}

impl SegmentEntry {
    /// The name of the segment's file.
    #[must_use]
    pub fn file_name(&self) -> String {
        let ending = if self.zstd { COMPRESSED } else { "" };
        segments::file_name(&(self.first..=self.last)) + ending
    }

    pub(super) fn has_hash(&self) -> bool {
        let lower_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        self.blake3.len() == 64 && self.blake3.bytes().all(lower_hex)
    }

    /// Whether some segment's file has this name.
    #[cfg(feature = "files")]
    pub(super) fn is_file_name(name: &str) -> bool {
        segments::is_file_name(name.strip_suffix(COMPRESSED).unwrap_or(name))
    }
}

impl Manifest {
    /// Reads the manifest of the data set in `folder`; `None` if there is no manifest.
    ///
    /// # Errors
    /// A file that cannot be read, is no manifest, is of a later format, or lists segments that do
    /// not follow each other.
    #[cfg(feature = "files")]
    pub fn read(folder: &Path) -> Result<Option<Self>, DataSetError> {
        let text = Self::text_in(folder)?;
        text.map(|text| Self::parse(&text, &folder.join(MANIFEST_NAME))).transpose()
    }

    /// The text of the manifest in `folder`, of whatever format; `None` if there is none.
    #[cfg(feature = "files")]
    pub(super) fn text_in(folder: &Path) -> Result<Option<String>, DataSetError> {
        let path = folder.join(MANIFEST_NAME);
        match files::text(&path, LARGEST_MANIFEST) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(io_error("read", &path)(error)),
        }
    }

    /// Reads the text of a manifest; `path` is for error messages.
    ///
    /// # Errors
    /// As `Manifest::read`, which reads it from a folder.
    pub fn parse(text: &str, path: &Path) -> Result<Self, DataSetError> {
        let path = path.to_owned();
        // First of all the format: what a later one holds besides, this program cannot know.
        if let Ok(Version { format }) = ron::from_str(text)
            && format != FORMAT
        {
            return Err(match format {
                KEYED_FORMAT => DataSetError::Keyed { path },
                _ => DataSetError::Format { path, format },
            });
        }
        let manifest: Self = ron::from_str(text).map_err(|error| DataSetError::Line {
            path: path.clone(),
            row: None,
            source: ReadError::of(&error, text, 1),
        })?;
        if manifest.to_text() != text {
            let what = "it is not as this program writes it".to_owned();
            return Err(DataSetError::Damaged { path, what });
        }
        if let Some(segment) = manifest.segments.iter().find(|segment| !segment.has_hash()) {
            let what = format!("blake3 of {} is not 64 digits 0-9a-f", segment.file_name());
            return Err(DataSetError::Damaged { path, what });
        }
        if !manifest.segments_follow() {
            let what = format!("its segments do not hold {} rows, as it says", manifest.rows);
            return Err(DataSetError::Damaged { path, what });
        }
        Ok(manifest)
    }

    pub(super) fn to_text(&self) -> String {
        let config = ron::ser::PrettyConfig::new().depth_limit(2).new_line("\n");
        let text = ron::Options::default().to_string_pretty(self, config);
        text.expect("numbers, strings, lists and structs always print") + "\n"
    }

    /// Reads the text of segment `index`: its records, if it is whole and the one that this
    /// manifest speaks of. `path` is for error messages.
    ///
    /// # Errors
    /// A damaged segment.
    ///
    /// # Panics
    /// If there is no such segment.
    pub fn parse_segment(
        &self,
        index: usize,
        text: &str,
        path: &Path,
    ) -> Result<Vec<RowRecord>, DataSetError> {
        self.read_segment(index, &mut text.as_bytes(), path)
    }

    pub(super) fn read_segment(
        &self,
        index: usize,
        text: &mut dyn BufRead,
        path: &Path,
    ) -> Result<Vec<RowRecord>, DataSetError> {
        let entry = &self.segments[index];
        let expected = Expected {
            contents: &ThreeRowed { form: self.head },
            first: entry.first,
            last: entry.last,
            previous: self.hash_before(index),
            hash: &entry.blake3,
        };
        Segment::read(text, path, &expected)
    }

    /// The hash of the segment before, empty for the first.
    pub(super) fn hash_before(&self, index: usize) -> &str {
        index.checked_sub(1).map_or("", |before| &self.segments[before].blake3)
    }

    fn segments_follow(&self) -> bool {
        segments::follow(&self.segments, self.rows, |entry| entry.first..=entry.last)
    }
}
