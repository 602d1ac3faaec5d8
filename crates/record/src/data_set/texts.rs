//! A data set in memory, for where there are no folders, as in a browser.

use std::collections::BTreeMap;
use std::path::Path;

use super::segment::{Segment, ThreeRowed};
use super::{DataSetError, FORMAT, MANIFEST_NAME, Manifest, SEGMENT_ROWS, SegmentEntry};
use crate::{RowRecord, segments};

/// The files of a data set as texts, by name.
///
/// The texts are those of the files that a writer writes. A segment that it would compress is held
/// as the text itself, under the name that ends in `.ron`; hashes are of the text in any case.
///
/// ```
/// use record::data_set::Texts;
/// let row_0 = "Periodic(row: 0, first: 1, start: 0, values: [1], certificate: (from: 0, \
///     recurs: 1, modulus: \"1\", filled: 1, above: []), head: \"0000000000000000\")";
/// let row_0 = record::parse_line(row_0, 1)?;
/// let texts = Texts::of(&[row_0.clone()]);
/// assert_eq!(texts.iter().map(|(name, _)| name).collect::<Vec<_>>(), [
///     "MANIFEST.ron",
///     "rows-0000000-0000000.ron"
/// ]);
/// assert_eq!(texts.records()?, [row_0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts(BTreeMap<String, String>);

impl Texts {
    /// The data set of these records.
    ///
    /// # Panics
    /// If they are not those of rows 0, 1, 2, ..., at least one, with heads of one form.
    #[must_use]
    pub fn of(records: &[RowRecord]) -> Self {
        let form = records.first().expect("a data set has a row").head().form();
        let in_order = (0..).zip(records).all(|(row, record)| record.row() == row);
        assert!(in_order, "rows are written in order");
        assert!(records.iter().all(|record| record.head().form() == form), "there is one form");
        let (mut entries, mut texts) = (Vec::<SegmentEntry>::new(), BTreeMap::new());
        let full = usize::try_from(SEGMENT_ROWS).expect("it fits into memory");
        for records in records.chunks(full) {
            let (first, last) = (records[0].row(), records[records.len() - 1].row());
            let previous = entries.last().map_or("", |entry| &entry.blake3);
            let Segment { text, hash } =
                Segment::of(&ThreeRowed { form }, records, first, previous);
            texts.insert(segments::file_name(&(first..=last)), text);
            entries.push(SegmentEntry { first, last, blake3: hash, zstd: false });
        }
        let rows = records.len() as u64;
        let manifest = Manifest { format: FORMAT, rows, head: form, segments: entries };
        texts.insert(MANIFEST_NAME.to_owned(), manifest.to_text());
        Self(texts)
    }

    /// The names and texts, the manifest first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// All records in row order, each segment verified as a file (hash, hash chain, canonical form,
    /// row order). Files that the manifest does not speak of do not matter.
    ///
    /// # Errors
    /// [`DataSetError::NotHeld`] for a file that is not there, and what is wrong with one that is.
    pub fn records(&self) -> Result<Vec<RowRecord>, DataSetError> {
        let manifest = self
            .0
            .get(MANIFEST_NAME)
            .ok_or_else(|| DataSetError::NotHeld { name: MANIFEST_NAME.to_owned() })?;
        let manifest = Manifest::parse(manifest, Path::new(MANIFEST_NAME))?;
        let mut records = Vec::new();
        for (index, entry) in manifest.segments.iter().enumerate() {
            let name = segments::file_name(&(entry.first..=entry.last));
            let text =
                self.0.get(&name).ok_or_else(|| DataSetError::NotHeld { name: name.clone() })?;
            records.extend(manifest.parse_segment(index, text, Path::new(&name))?);
        }
        Ok(records)
    }
}

/// Names and texts of files.
impl FromIterator<(String, String)> for Texts {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(files: I) -> Self {
        Self(files.into_iter().collect())
    }
}
