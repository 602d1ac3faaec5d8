//! Opening what is to be read: a regular file or a link to one, as far as it reached then.
//!
//! A device or a pipe in the place of a file of a data set would never end, or never begin.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Take};
use std::path::Path;

/// The file, and its length.
///
/// To open a pipe without a writer takes for ever, so the path is looked at before it is opened.
/// What was opened is looked at as well.
pub(super) fn open(path: &Path) -> io::Result<(Take<File>, u64)> {
    require_regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    require_regular(&metadata)?;
    let length = metadata.len();
    Ok((file.take(length), length))
}

fn require_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let words = "it is neither a regular file nor a link to one";
    Err(io::Error::new(io::ErrorKind::InvalidInput, words))
}
