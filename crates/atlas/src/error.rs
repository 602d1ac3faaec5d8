//! Why no atlas was built.

use std::io;
use std::path::{Path, PathBuf};

use record::data_set::DataSetError;
use thiserror::Error;

/// Why no atlas was built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A data set that cannot be read, or rows that cannot be computed.
    #[error(transparent)]
    Rows(#[from] driver::Error),
    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file of the site that is there before it is written.
    #[error("{} exists; name a new folder, or remove this one", .0.display())]
    Exists(PathBuf),
    /// Two sources that should have the same record of a row.
    #[error("{} and {} differ in row {row}; use data sets of the same rows", of.display(), and.display())]
    Differs {
        /// The row.
        row: u64,
        /// One source.
        of: PathBuf,
        /// The other one.
        and: PathBuf,
    },
    /// A data set of something else.
    #[error("{} is a data set of {family}, and an atlas has rows of three-rowed Chomp", path.display())]
    NotRows {
        /// Its folder.
        path: PathBuf,
        /// Its family of rows.
        family: String,
    },
    /// A data set that a browser cannot read as it is.
    #[error("{} is compressed, and browsers read the segments as text; decompress it (zstd -d), or \
        write the data set without --full", .0.display())]
    Compressed(PathBuf),
    /// A verdict that the atlas cannot state.
    #[error("{}: {problem}", path.display())]
    Verdict {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// A file that is no archive of rows.
    #[error("{0}; `just deposit` makes an archive")]
    Archive(#[source] DataSetError),
}

impl Error {
    /// For `map_err`: a file that cannot be read or written.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| match source.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists(path),
            _ => Self::File { path, source },
        }
    }
}

impl From<DataSetError> for Error {
    fn from(error: DataSetError) -> Self {
        Self::Rows(error.into())
    }
}
