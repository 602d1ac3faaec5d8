//! What a writer asks of the file system, so that tests can let each request fail.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Names of files that are being written begin so; what is left of them after a crash is removed.
pub const TEMPORARY_PREFIX: &str = ".writing-";

/// The requests, in the order in which a file is written. The default of each is the real one.
///
/// # Errors
/// What the operating system says.
#[expect(clippy::missing_errors_doc, reason = "said once, for all of them")]
pub trait Storage: Debug + Send + Sync {
    /// Makes a folder and those that it is in; returns how many were not there.
    fn create_folder(&self, folder: &Path) -> io::Result<usize> {
        files::create_folders(folder)
    }

    /// A new file under a temporary name, removed unless it is renamed. Readable by all whom the
    /// user's umask admits (not only by its owner, as is usual for temporary files: this one
    /// becomes a permanent one).
    fn create(&self, folder: &Path) -> io::Result<NamedTempFile> {
        // Opened here, for an error that does not speak of the temporary name.
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

    /// Gives the file its name, in the place of what had it.
    fn rename(&self, file: NamedTempFile, to: &Path) -> io::Result<()> {
        file.persist(to).map(drop).map_err(|error| error.error)
    }

    /// Makes a rename durable.
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        files::sync_folder(folder)
    }

    /// Reads a file back that has this length, or fewer bytes.
    fn read(&self, path: &Path, length: u64) -> io::Result<Vec<u8>> {
        files::read(path, length)
    }
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Storage for Disk {}

/// A folder for files to come, made if it is not there. When this is dropped, what was made and is
/// still empty is removed: to make a folder and write nothing changes nothing.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// How many folders were made, each in the one before it.
    made: usize,
}

impl Folder {
    /// Makes a folder and those that it is to be in, as far as they are not there.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn make(folder: &Path, storage: &dyn Storage) -> io::Result<Self> {
        Ok(Self { path: folder.to_owned(), made: storage.create_folder(folder)? })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        files::remove_if_empty(&self.path, self.made);
    }
}
