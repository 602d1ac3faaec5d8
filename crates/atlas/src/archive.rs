//! The places of records in the archive of a data set: a ZIP file that compresses nothing
//! (`outputs/deposit`), and a browser reads a few kilobytes of it.

use std::path::Path;

use driver::Error;
use record::data_set::{DataSet, DataSetError, Manifest, SegmentEntry};
use serde::Serialize;

use crate::failure;
use crate::index::steps;
use crate::verdict::hash;

/// The rows of a part of the archive that a browser reads. It divides the rows of a segment.
const STEP: u64 = 100;

/// Where the records of rows are in an archive. The site has this as `archive.json`, which
/// is `null` without an archive.
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
}

impl Archive {
    /// Finds the places in an archive, and compares its records with the records of a data set.
    /// Takes the time of reading both.
    ///
    /// # Errors
    /// A file that is no archive of rows, or compressed; other rows; a data set that cannot be
    /// read.
    pub fn of(path: &Path, url: String, data_set: &DataSet) -> Result<Self, Error> {
        let no_archive =
            |error: DataSetError| Error::file(format!("{error}; `just deposit` makes an archive"));
        let archive = DataSet::open_archive(path, || false).map_err(no_archive)?;
        let manifest = archive.manifest();
        if let Some(packed) = compressed(manifest) {
            return Err(failure::compressed(&path.join(packed.file_name())));
        }
        let (mut starts, mut end) = (Vec::new(), 0);
        let mut records = data_set.rows();
        for index in 0..manifest.segments.len() {
            let start = archive.place(index).map_or(0, |place| place.start);
            // A line and its line feed.
            end = start + manifest.first_line(index).len() as u64 + 1;
            for record in archive.segment(index, &|| false).map_err(no_archive)? {
                let (row, line) = (record.row(), record.to_string());
                if records.next().transpose()? != Some(record) {
                    return Err(failure::differ(row, path, data_set.folder()));
                }
                if row % STEP == 0 {
                    starts.push(end);
                }
                end += line.len() as u64 + 1;
            }
        }
        let lengths = steps(starts.into_iter().chain([end]));
        let (data, last) = (hash(manifest).to_owned(), manifest.rows - 1);
        Ok(Self { url, data, last, step: STEP, lengths })
    }
}

/// Whether some segment's file is compressed: browsers read text.
pub(crate) fn compressed(manifest: &Manifest) -> Option<&SegmentEntry> {
    manifest.segments.iter().find(|segment| segment.zstd)
}
