//! The archive of a data set, as it is deposited: a ZIP file with the manifest and the segments.

use std::io;
use std::path::Path;

use record::data_set::{MANIFEST_NAME, SegmentEntry};
use tempfile::TempDir;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::failure::{self, Failure};

/// The data set of an archive in a temporary folder, which lives as long as the result; `None` if
/// this is no file whose name ends in `.zip`.
///
/// # Errors
/// A file that is no archive, or that is damaged or packed; no room for its content.
pub fn unpack(archive: &Path) -> Result<Option<TempDir>, Failure> {
    if archive.extension().is_none_or(|ending| ending != "zip") || !archive.is_file() {
        return Ok(None);
    }
    let named = |error: ZipError| Failure::File(format!("{}: {error}", failure::shown(archive)));
    let folder = TempDir::new()?;
    let (file, _) = files::open(archive, u64::MAX)?;
    let mut members = ZipArchive::new(file).map_err(named)?;
    for at in 0..members.len() {
        let mut member = members.by_index(at).map_err(named)?;
        let name = member.name().map_err(named)?.into_owned();
        if name == MANIFEST_NAME || SegmentEntry::is_file_name(&name) {
            let mut file = files::create_new(&folder.path().join(name))?;
            io::copy(&mut member, &mut file).map_err(|error| named(error.into()))?;
        }
    }
    Ok(Some(folder))
}
