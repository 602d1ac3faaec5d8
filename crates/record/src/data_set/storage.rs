//! What a writer asks of the file system, so that tests can let each request fail.

use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// Names of files that are being written begin so; what is left of them after a crash is removed.
pub(super) const TEMPORARY_PREFIX: &str = ".writing-";

/// The requests, in the order in which a file is written. The default of each is the real one.
///
/// # Errors
/// What the operating system says.
#[expect(clippy::missing_errors_doc, reason = "said once, for all of them")]
pub trait Storage: Debug + Send + Sync {
    /// Makes a folder, if it is not there.
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)
    }

    /// A new file under a temporary name, removed unless it is renamed. Readable by all whom the
    /// user's umask admits (not only by its owner, as is usual for temporary files: this one becomes
    /// a permanent one).
    fn create(&self, folder: &Path) -> io::Result<NamedTempFile> {
        let mut builder = Builder::new();
        builder.prefix(TEMPORARY_PREFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        builder.tempfile_in(folder)
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

    /// Makes a rename durable. Only Unix lets a folder be opened and synced.
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    }

    /// Reads a file back.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Storage for Disk {}
