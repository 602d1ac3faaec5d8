//! The requests of a writer to the file system, behind a trait, so that tests can let each fail.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// The requests, in the order in which a file is written. The default of each is the real one.
///
/// # Errors
/// The error of the operating system.
#[expect(clippy::missing_errors_doc, reason = "said once, for all of them")]
pub trait Storage: Debug + Send + Sync {
    /// Makes a folder and those that it is in; returns how many were not there.
    fn create_folder(&self, folder: &Path) -> io::Result<usize> {
        files::create_folders(folder)
    }

    /// A new file under a temporary name, removed unless it is renamed.
    fn create(&self, folder: &Path) -> io::Result<NamedTempFile> {
        files::draft(folder)
    }

    /// Writes some of the bytes; returns how many.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    /// Makes the bytes durable.
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    /// Gives the file its name, and replaces the file that had it.
    fn rename(&self, file: NamedTempFile, to: &Path) -> io::Result<()> {
        file.persist(to).map(drop).map_err(|error| error.error)
    }

    /// Makes a rename durable.
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        files::sync_folder(folder)
    }

    /// Reads back a file of at most this length.
    fn read(&self, path: &Path, length: u64) -> io::Result<Vec<u8>> {
        files::read(path, length)
    }
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Storage for Disk {}
