//! The archive of a data set, as it is deposited: a ZIP file with the manifest and the segments.

use std::fmt::Display;
use std::io;
use std::path::Path;

use record::data_set::{MANIFEST_NAME, SegmentEntry};
use tempfile::TempDir;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::failure::{self, Failure};

/// Whether this is a file whose name ends in `.zip`.
pub fn is_one(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "zip") && path.is_file()
}

/// The data set of an archive in a temporary folder, which lives as long as the result. Segments
/// whose rows are all past `last` are left in the archive.
///
/// # Errors
/// A file that is no archive, or that is damaged or packed; no room for its content.
pub fn unpack(archive: &Path, last: Option<u64>) -> Result<TempDir, Failure> {
    let file_error =
        |error: &dyn Display| Failure::File(format!("{}: {error}", failure::shown(archive)));
    let named = |error: ZipError| file_error(&error);
    let folder = TempDir::new()?;
    let (file, _) = files::open(archive, u64::MAX).map_err(|error| file_error(&error))?;
    let mut members = ZipArchive::new(file).map_err(named)?;
    for at in 0..members.len() {
        let mut member = members.by_index(at).map_err(named)?;
        let name = member.name().map_err(named)?.into_owned();
        let is_past = first_row(&name).zip(last).is_some_and(|(first, last)| first > last);
        if name == MANIFEST_NAME || SegmentEntry::is_file_name(&name) && !is_past {
            let mut file = files::create_new(&folder.path().join(name))?;
            io::copy(&mut member, &mut file).map_err(|error| named(error.into()))?;
        }
    }
    Ok(folder)
}

/// The first row of the segment with this name.
fn first_row(name: &str) -> Option<u64> {
    name.strip_prefix("rows-")?.split('-').next()?.parse().ok()
}
