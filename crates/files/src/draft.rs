//! Files that are whole, or not there: each is written under a temporary name, synced and renamed.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::file::create_new;
use crate::folder::{create_folders, remove_if_empty, sync_folder};

/// The beginning of the names of unfinished files. Those of a crashed run are removed.
pub const DRAFT_PREFIX: &str = ".writing-";

/// A new file under a temporary name, removed unless it is renamed. Its permissions are those of
/// the user's umask, not those of temporary files, which only their owner can read: it becomes a
/// permanent file.
///
/// # Errors
/// The error of the operating system.
pub fn draft(folder: &Path) -> io::Result<NamedTempFile> {
    // An error of `tempfile` itself would show the temporary name.
    Builder::new().prefix(DRAFT_PREFIX).make_in(folder, create_new)
}

/// Writes a file, or replaces it when the new one is complete and durable.
///
/// # Errors
/// The error of the operating system, or of `fill`; then the old file is as it was.
pub fn replace<T, E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut std::fs::File) -> Result<T, E>,
) -> Result<T, E> {
    let mut draft = draft(&folder_of(path))?;
    let filled = fill(draft.as_file_mut())?;
    draft.as_file().sync_all()?;
    draft.persist(path).map_err(|error| error.error)?;
    sync_folder(&folder_of(path))?;
    Ok(filled)
}

/// Removes the unfinished files that killed runs have left in a folder, if it is there.
///
/// # Errors
/// If the folder cannot be read, or a file not removed.
pub fn remove_drafts(folder: &Path) -> io::Result<()> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(DRAFT_PREFIX.as_bytes()) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The folder that a file is in, or will be.
pub fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

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
    pub fn make(folder: &Path) -> io::Result<Self> {
        create_folders(folder).map(|made| Self { path: folder.to_owned(), made })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        remove_if_empty(&self.path, self.made);
    }
}
