//! The requests of a writer to the file system, behind a trait, so that tests can let each fail.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// The beginning of the names of unfinished files. Those of a crashed run are removed.
pub const TEMPORARY_PREFIX: &str = ".writing-";

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

    /// A new file under a temporary name, removed unless it is renamed. Its permissions are those
    /// of the user's umask, not those of temporary files, which only their owner can read: it
    /// becomes a permanent file.
    fn create(&self, folder: &Path) -> io::Result<NamedTempFile> {
        // An error of `tempfile` itself would show the temporary name.
        Builder::new().prefix(TEMPORARY_PREFIX).make_in(folder, files::create_new)
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

/// A folder for new files, created if it does not exist. On drop, folders that were created for it
/// and are still empty are removed.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The number of folders that were created, each in the one before it.
    made: usize,
}

impl Folder {
    /// Creates a folder and its missing parents.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn make(folder: &Path, storage: &dyn Storage) -> io::Result<Self> {
        Ok(Self { path: folder.to_owned(), made: storage.create_folder(folder)? })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        files::remove_if_empty(&self.path, self.made);
    }
}
