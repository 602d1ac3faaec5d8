//! Why no atlas is built: what is wrong with a file or a data set, and what to do.

use std::io;
use std::path::Path;

use driver::Error;

/// For `map_err`: a file that cannot be read or written, or that is there before it is written.
pub fn of_file(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.display().to_string();
    move |error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Error::file(format!("{path} exists; name a new folder, or remove this one"))
        }
        _ => Error::file(format!("{path}: {error}")),
    }
}

/// Two sources that should have the same record of a row.
pub fn differ(row: u64, of: &Path, and: &Path) -> Error {
    let (of, and) = (of.display(), and.display());
    Error::file(format!("{of} and {and} differ in row {row}; use data sets of the same rows"))
}

/// A data set that a browser cannot read as it is.
pub fn compressed(path: &Path) -> Error {
    let path = path.display();
    Error::file(format!(
        "{path} is compressed, and browsers read the segments as text; decompress it (zstd -d), or \
         write the data set without --full"
    ))
}
