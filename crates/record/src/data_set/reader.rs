//! Reading a data set.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::compression::Unpacked;
use super::manifest::LARGEST_MANIFEST;
use super::{DataSetError, MANIFEST_NAME, Manifest, Remedy, SEGMENT_ROWS, io_error};
use crate::{Family, Lower, Record, RowKey};

/// A data set on disk, its manifest read.
#[derive(Clone, Debug)]
pub struct DataSet {
    pub(super) folder: PathBuf,
    pub(super) manifest: Manifest,
    /// The places of its files, if `folder` is an archive.
    pub(super) parts: Option<Arc<Parts>>,
}

/// The places of files in an archive, by name.
pub(super) type Parts = BTreeMap<String, Range<u64>>;

/// Opens a file of a data set, of at most this number of bytes, in a folder, or in an archive with
/// these parts. Bytes that are appended later do not count.
pub(super) fn open(
    place: &Path,
    parts: Option<&Parts>,
    name: &str,
    most: u64,
) -> io::Result<Take<File>> {
    let Some(parts) = parts else {
        let (file, length) = files::open(&place.join(name), most)?;
        return Ok(file.take(length));
    };
    let not_there = || io::Error::new(io::ErrorKind::NotFound, "it is not in the archive");
    let part = parts.get(name).ok_or_else(not_there)?;
    let (mut file, length) = (files::open(place, u64::MAX)?.0, part.end - part.start);
    files::require_length(length, most)?;
    file.seek(SeekFrom::Start(part.start))?;
    Ok(file.take(length))
}

impl DataSet {
    /// Opens a data set of levels and tails in `folder`. Reads the manifest only.
    ///
    /// # Errors
    /// As [`open_any`](Self::open_any), and [`Remedy::OfPoset`] for rows that no board has.
    pub fn open(folder: &Path) -> Result<Self, DataSetError> {
        let data_set = Self::open_any(folder)?;
        match data_set.family().lower {
            Lower::Within(_) => Ok(data_set),
            Lower::Ideals(_) => {
                let why = "holds rows of a poset beside two growing chains, which are not those of \
                           a board";
                Err(DataSetError::refused(folder, why, Remedy::OfPoset))
            }
        }
    }

    /// Opens the data set in `folder`, of any format. Reads the manifest only.
    ///
    /// # Errors
    /// [`DataSetError::Missing`] if there is none, a file that cannot be read, and the errors
    /// of [`Manifest::parse`].
    pub fn open_any(folder: &Path) -> Result<Self, DataSetError> {
        Self::open_in(folder, None)
    }

    /// Opens a data set in a folder, or in an archive with these parts.
    pub(super) fn open_in(place: &Path, parts: Option<Parts>) -> Result<Self, DataSetError> {
        let (path, mut text) = (place.join(MANIFEST_NAME), String::new());
        let file = open(place, parts.as_ref(), MANIFEST_NAME, LARGEST_MANIFEST);
        file.and_then(|mut file| file.read_to_string(&mut text)).map_err(|error| {
            let is_missing = error.kind() == io::ErrorKind::NotFound;
            let missing = DataSetError::Missing { path: place.to_owned() };
            if is_missing { missing } else { io_error("read", &path)(error) }
        })?;
        let manifest = Manifest::parse(&text, &path)?;
        Ok(Self { folder: place.to_owned(), manifest, parts: parts.map(Arc::new) })
    }

    /// The folder, or the archive.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The place of the file of segment `index` in the archive; `None` in a folder.
    ///
    /// # Panics
    /// If there is no such segment.
    pub fn place(&self, index: usize) -> Option<Range<u64>> {
        self.parts.as_ref()?.get(&self.manifest.segments[index].file_name()).cloned()
    }

    /// The manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Its rows.
    pub fn family(&self) -> Family {
        self.manifest.family()
    }

    /// The number of the last record; in three-rowed Chomp the last row.
    pub fn last_row(&self) -> u64 {
        self.manifest.rows - 1
    }

    /// All records in row order. Each segment is read and verified (hash, hash chain, canonical
    /// form, row order) before its first record is handed out; the records of one segment are
    /// in memory.
    pub fn rows(&self) -> Records<'_> {
        self.rows_until(|| false)
    }

    /// The same, with [`DataSetError::Stopped`] as its last item if `stop` says so, which is asked
    /// before each line.
    pub fn rows_until<'a>(&'a self, stop: impl Fn() -> bool + 'a) -> Records<'a> {
        let mut is_whole = true;
        let segments = (0..self.manifest.segments.len()).map_while(move |index| {
            let segment = is_whole.then(|| self.segment(index, &stop))?;
            is_whole = segment.is_ok();
            Some(segment)
        });
        Box::new(segments.flat_map(|segment| match segment {
            Ok(records) => records.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        }))
    }

    /// The record of one row; reads the segment that holds it. `None` if the data set does not have
    /// the row.
    ///
    /// # Errors
    /// A segment that cannot be read or is damaged.
    pub fn row(&self, key: &RowKey) -> Result<Option<Record>, DataSetError> {
        let Some(number) = self.family().number(key) else { return Ok(None) };
        let Ok(index) = usize::try_from(number / SEGMENT_ROWS) else { return Ok(None) };
        Ok(self.segment(index, &|| false)?.into_iter().find(|record| record.key() == key))
    }

    /// The records of segment `index`, read and verified. `stop` is asked before each line.
    ///
    /// # Errors
    /// A segment that cannot be read or is damaged, and [`DataSetError::Stopped`].
    ///
    /// # Panics
    /// If there is no such segment.
    pub fn segment(
        &self,
        index: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Record>, DataSetError> {
        let entry = &self.manifest.segments[index];
        let (name, most) = (entry.file_name(), self.manifest.longest_text(index));
        let path = self.folder.join(&name);
        let file = open(&self.folder, self.parts.as_deref(), &name, most);
        let file = file.map_err(io_error("read", &path))?;
        let length = file.limit();
        let mut file = BufReader::new(file);
        if entry.zstd {
            let text = Unpacked::new(file, length).map_err(io_error("read", &path))?;
            self.manifest.read_segment(index, &mut BufReader::new(text), &path, stop)
        } else {
            self.manifest.read_segment(index, &mut file, &path, stop)
        }
    }
}

/// The records of a data set in row order; ends after the first error.
pub type Records<'a> = Box<dyn Iterator<Item = Result<Record, DataSetError>> + 'a>;
