//! The archive of a data set, as it is deposited: a ZIP file that compresses nothing. So each file
//! of the data set is a part of it, and is read where it is.

use std::collections::BTreeMap;
use std::io::{self, BufReader};
use std::path::Path;

use zip::{CompressionMethod, ZipArchive};

use super::reader::Parts;
use super::{DataSet, DataSetError, MANIFEST_NAME, SegmentEntry, io_error};

impl DataSet {
    /// Opens the data set in an archive. Reads the directory of the archive and the manifest only.
    /// No two files in the archive may overlap, so all of them together are no longer than it is.
    ///
    /// # Errors
    /// [`DataSetError::Io`] for a file that is no archive, for files that overlap, are compressed
    /// or are encrypted, and if it is to stop; otherwise as [`open_any`](Self::open_any).
    pub fn open_archive(path: &Path, stop: impl Fn() -> bool) -> Result<Self, DataSetError> {
        Self::open_in(path, Some(parts(path, stop).map_err(io_error("read", path))?))
    }
}

/// The places of the files of a data set.
fn parts(path: &Path, stop: impl Fn() -> bool) -> io::Result<Parts> {
    let (file, _) = files::open(path, u64::MAX)?;
    let mut members = ZipArchive::new(BufReader::new(files::stoppable(file, stop)))?;
    if members.has_overlapping_files()? {
        return Err(files::invalid("files in it overlap"));
    }
    let mut parts = BTreeMap::new();
    for at in 0..members.len() {
        let member = members.by_index_raw(at)?;
        let name = member.name()?.into_owned();
        if name != MANIFEST_NAME && !SegmentEntry::is_file_name(&name) {
            continue;
        }
        let is_plain = member.compression() == CompressionMethod::Stored && !member.encrypted();
        let Some(start) = member.data_start().filter(|_| is_plain) else {
            let problem =
                "is compressed or encrypted; unpack the archive, or make it with `zip -0`";
            return Err(files::invalid(format!("{name} in it {problem}")));
        };
        parts.insert(name, start..start + member.compressed_size());
    }
    Ok(parts)
}
