//! The places of records in the archive of a data set: a ZIP file that compresses nothing
//! (`outputs/deposit`), and a browser reads a few kilobytes of it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use record::data_set::{DataSet, MANIFEST_NAME, Manifest, SegmentEntry};
use serde::Serialize;
use zip::{CompressionMethod, ZipArchive};

use crate::Error;
use crate::verdict::hash;

/// The rows of a part of the archive that a browser reads. It divides the rows of a segment.
const STEP: u64 = 100;

/// Where the records of rows are in an archive. The site has this as `archive.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Archive {
    /// The address from which browsers read it: a whole one, or the way from the site's folder.
    pub url: String,
    /// The hash of its rows.
    pub data: String,
    /// The last row.
    pub last: u64,
    /// The number of rows from one entry of `lengths` to the next.
    pub step: u64,
    /// The place of the record of row 0, in bytes from the beginning of the archive; the bytes from
    /// there to the record of row `step`, and so on, the last ones to the end of its segment.
    pub lengths: Vec<u64>,
    #[serde(skip)]
    manifest: Manifest,
}

impl Archive {
    /// Finds the places in an archive, and compares its records with the records of a data set.
    /// Takes the time of reading both.
    ///
    /// # Errors
    /// [`Error::Archive`] for a file that is no archive of rows, or compresses some;
    /// [`Error::Differs`] for other rows; a data set that cannot be read.
    pub fn of(path: &Path, url: String, data_set: &DataSet) -> Result<Self, Error> {
        let mut reader = Reader::open(path)?;
        let manifest = reader.manifest()?;
        let (mut starts, mut end) = (Vec::new(), 0);
        let mut records = data_set.rows();
        for entry in &manifest.segments {
            let (start, text) = reader.member(&entry.file_name())?;
            let mut lines = text.split_inclusive('\n');
            end = start + lines.next().map_or(0, str::len) as u64;
            for (row, line) in (entry.first..=entry.last).zip(lines) {
                let record = records.next().transpose()?.map(|record| record.to_string());
                if record.as_deref() != line.strip_suffix('\n') {
                    let (of, and) = (path.to_owned(), data_set.folder().to_owned());
                    return Err(Error::Differs { row, of, and });
                }
                if row % STEP == 0 {
                    starts.push(end);
                }
                end += line.len() as u64;
            }
        }
        let lengths = starts.iter().chain([&end]).scan(0, |before, place| {
            let length = place - *before;
            *before = *place;
            Some(length)
        });
        let (data, last) = (hash(&manifest).to_owned(), manifest.rows - 1);
        Ok(Self { url, data, last, step: STEP, lengths: lengths.collect(), manifest })
    }

    /// The manifest in it.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }
}

struct Reader {
    path: PathBuf,
    members: ZipArchive<File>,
}

impl Reader {
    fn open(path: &Path) -> Result<Self, Error> {
        let (file, _) = files::open(path, u64::MAX).map_err(Error::file(path))?;
        let path = path.to_owned();
        match ZipArchive::new(file) {
            Ok(members) => Ok(Self { path, members }),
            Err(error) => Err(Error::Archive { path, problem: error.to_string() }),
        }
    }

    fn manifest(&mut self) -> Result<Manifest, Error> {
        let (_, text) = self.member(MANIFEST_NAME)?;
        let manifest = Manifest::parse(&text, &self.path.join(MANIFEST_NAME))?;
        match manifest.segments.iter().find(|segment| segment.zstd) {
            Some(packed) => Err(self.refused(&packed.file_name(), "is compressed")),
            None => Ok(manifest),
        }
    }

    /// The place of a member, and its text.
    fn member(&mut self, name: &str) -> Result<(u64, String), Error> {
        let mut text = String::new();
        let found = match self.members.by_name(name) {
            Ok(mut member) if member.compression() == CompressionMethod::Stored => {
                match (member.read_to_string(&mut text), member.data_start()) {
                    (Ok(_), Some(start)) => Ok(start),
                    (Err(error), _) => Err(error.to_string()),
                    (_, None) => Err("has no place".to_owned()),
                }
            }
            Ok(_) => Err("is compressed".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        match found {
            Ok(start) => Ok((start, text)),
            Err(problem) => Err(self.refused(name, &problem)),
        }
    }

    fn refused(&self, member: &str, problem: &str) -> Error {
        Error::Archive { path: self.path.clone(), problem: format!("{member}: {problem}") }
    }
}

/// Whether some segment's file is compressed: browsers read text.
pub(crate) fn compressed(manifest: &Manifest) -> Option<&SegmentEntry> {
    manifest.segments.iter().find(|segment| segment.zstd)
}
