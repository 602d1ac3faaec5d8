//! A data set in memory, for where there are no folders, as in a browser.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use super::{Contents, DataSetError, MANIFEST_NAME, Manifest, SEGMENT_ROWS, io_error};
use crate::{Record, segments};

/// The files of a data set, by name. They are bytes, so a file that is not text gives the same
/// error as on disk.
///
/// The bytes are the same as in the files of a writer. A segment that it would compress is held as
/// the text itself, under the name that ends in `.ron`; hashes are of the text in any case.
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
pub struct Texts(BTreeMap<String, Vec<u8>>);

impl Texts {
    /// The data set of these records.
    ///
    /// # Panics
    /// If they are not of rows 0, 1, 2, ..., at least one, with heads of one form.
    pub fn of(records: &[Record]) -> Self {
        let first = records.first().and_then(Record::head);
        let head = first.expect("a data set has a row").form();
        let is_right = |record: &Record| record.head().is_some_and(|own| own.form() == head);
        assert!(records.iter().all(is_right), "there is one form");
        let mut manifest = Manifest { contents: Contents::Rows, rows: 0, head, segments: vec![] };
        let mut texts = BTreeMap::new();
        let full = usize::try_from(SEGMENT_ROWS).expect("it fits into memory");
        for records in records.chunks(full) {
            let (entry, text) = manifest.next_segment(records);
            texts.insert(entry.file_name(), text.into_bytes());
            manifest.push(entry);
        }
        texts.insert(MANIFEST_NAME.to_owned(), manifest.to_text().into_bytes());
        Self(texts)
    }

    /// The names and bytes, the manifest first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// The manifest.
    ///
    /// # Errors
    /// [`DataSetError::NotHeld`] if it is not there, and the error of a wrong one.
    pub fn manifest(&self) -> Result<Manifest, DataSetError> {
        let path = Path::new(MANIFEST_NAME);
        let mut text = String::new();
        self.file(MANIFEST_NAME)?.read_to_string(&mut text).map_err(io_error("read", path))?;
        Manifest::parse(&text, path)
    }

    /// All records in row order, each segment verified as a file (hash, hash chain, canonical form,
    /// row order). Files that the manifest does not list are ignored.
    ///
    /// # Errors
    /// [`DataSetError::NotHeld`] for a file that is not there, and the error of a wrong one.
    pub fn records(&self) -> Result<Vec<Record>, DataSetError> {
        let manifest = self.manifest()?;
        let mut records = Vec::new();
        for (index, entry) in manifest.segments.iter().enumerate() {
            let name = segments::file_name(&(entry.first..=entry.last));
            let mut bytes = self.file(&name)?;
            records.extend(manifest.read_segment(index, &mut bytes, Path::new(&name), &|| false)?);
        }
        Ok(records)
    }

    fn file(&self, name: &str) -> Result<&[u8], DataSetError> {
        let bytes = self.0.get(name).map(Vec::as_slice);
        bytes.ok_or_else(|| DataSetError::NotHeld { name: name.to_owned() })
    }
}

/// Names and bytes of files.
impl FromIterator<(String, Vec<u8>)> for Texts {
    fn from_iter<I: IntoIterator<Item = (String, Vec<u8>)>>(files: I) -> Self {
        Self(files.into_iter().collect())
    }
}
