//! Data sets: a folder of segment files, a hash chain through them, and a manifest.
//!
//! `docs/FORMAT.md` specifies the formats: 1 holds rows 0 to R of three-rowed Chomp, 2 any family
//! of levels and tails, 3 any of levels and order ideals. They differ in the first line of a
//! segment and in the manifest. A segment `rows-0000000-0009999.ron` (`.ron.zst` if its text is
//! longer than 8 MiB) holds up to [`SEGMENT_ROWS`] rows: a header line, one record a line, and an
//! `End` line with the BLAKE3 hash of all before it. `MANIFEST.ron` lists the segments with their
//! hashes. It is replaced last, by renaming, so a folder has a whole data set or none. Every file
//! is written under a temporary name, synced, read back and renamed, and its folder is synced.
//!
//! The bytes of a data set depend on its rows only, not on the runs that wrote or extended it.

#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "files")]
mod compression;
mod contents;
mod manifest;
#[cfg(feature = "files")]
mod reader;
mod segment;
#[cfg(feature = "files")]
mod writer;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

#[cfg(feature = "files")]
pub use compression::LARGE_TEXT;
pub use contents::{Contents, SEGMENT_ROWS, file_name, line_of, segment_of};
pub use manifest::{MANIFEST_NAME, Manifest, SegmentEntry, Texts, read_texts, texts};
#[cfg(feature = "files")]
pub use reader::{DataSet, Records};
#[cfg(feature = "files")]
pub use writer::{Requests, Writer, disturbs_data_set, held, holds_rows, write_family};

use crate::{HeadForm, ReadError, RowKey};

/// The folder of the words of an unfinished run, in that of its data set.
pub const WORDS_NAME: &str = "words";

/// The errors of reading or writing a data set.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataSetError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The request.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// A line of a file cannot be read, or is not the expected one.
    #[error("{}, {}{source}", path.display(), key.as_ref().map_or(String::new(), |key| format!("{key}, ")))]
    Line {
        /// The file.
        path: PathBuf,
        /// The row whose record should stand there; `None` for other lines.
        key: Option<Box<RowKey>>,
        /// The place and the problem.
        source: ReadError,
    },
    /// A file is damaged, cut short, or not the one that the manifest or its neighbours name.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        what: String,
    },
    /// The reader was asked to stop.
    #[error("stopped")]
    Stopped,
    /// Rows cannot be written to a folder, or this program cannot use those that are there.
    #[error("{words}")]
    Refused {
        /// The folder or file, and why.
        words: String,
        /// What helps.
        remedy: Remedy,
    },
    /// There is no data set at that place.
    #[error("there is no data set in {}: it has no {MANIFEST_NAME}, which a run writes last", path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
    },
}

/// What helps if rows cannot be written to a folder, or cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// What the words say.
    AsSaid,
    /// Another folder.
    Other,
    /// Another folder, or this one without what is in it.
    Empty,
    /// Another folder, or to wait for the run that writes there.
    Wait,
    /// Another folder, or to remove the data set.
    Remove,
    /// Another folder, or heads not of this form, which is asked for.
    NotForm(HeadForm),
    /// The commands that use rows of a poset beside two growing chains.
    OfPoset,
}

impl DataSetError {
    /// A row that was computed again differs from its record.
    pub fn contradicted(row: u64) -> Self {
        let words = format!(
            "row {row} of the data set differs from the row as just computed; the data set is \
             wrong, or this program is"
        );
        Self::Refused { words, remedy: Remedy::AsSaid }
    }

    /// What is the matter with a folder or a file, and what helps.
    fn refused(path: &Path, why: impl std::fmt::Display, remedy: Remedy) -> Self {
        Self::Refused { words: format!("{} {why}", path.display()), remedy }
    }

    fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.into() }
    }
}

#[cfg(feature = "files")]
fn words(form: HeadForm) -> &'static str {
    match form {
        HeadForm::Fingerprint => "fingerprints",
        HeadForm::Offsets => "all offsets",
    }
}

/// For `map_err`: the error of the operating system, with the request and its path.
fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> DataSetError {
    move |source| DataSetError::Io { action, path: path.to_owned(), source }
}
