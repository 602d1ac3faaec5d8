//! The files that the process reads, and those that it will write: none may be both.
//!
//! A file is known by its disk and inode, so a link to it is the same file. An input is noted when
//! it is opened, an output when it is claimed, in any order: the later one of the two is refused.
//! On systems without inodes nothing is noted.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Stdin};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Disk and inode of a folder, which a rename does not change. `None` if there is no folder, or the
/// system has no inodes.
pub fn identity(folder: &Path) -> Option<(u64, u64)> {
    of_metadata(&fs::metadata(folder).ok()?)
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no inodes")]
pub(crate) fn of_metadata(metadata: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;

    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
pub(crate) fn of_metadata(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// Disk and inode of a file; or of its folder, with its name, if it is not there yet.
type FileId = (u64, u64, OsString);

/// Devices and FIFOs have none: they can be read and written at once.
fn id(path: &Path) -> Option<FileId> {
    let (known_by, name) = if let Ok(there) = fs::metadata(path) {
        (Some(there).filter(fs::Metadata::is_file)?, OsString::new())
    } else {
        let path = std::path::absolute(path).ok()?;
        (fs::metadata(path.parent()?).ok()?, path.file_name()?.to_owned())
    };
    of_metadata(&known_by).map(|(disk, inode)| (disk, inode, name))
}

enum Role {
    /// Read by this name.
    Input(PathBuf),
    Output,
}

static ROLES: Mutex<BTreeMap<FileId, Role>> = Mutex::new(BTreeMap::new());

fn roles() -> MutexGuard<'static, BTreeMap<FileId, Role>> {
    ROLES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that a file is read. Fails if it is an output.
pub(crate) fn note_input(path: &Path) -> io::Result<()> {
    let Some(id) = id(path) else { return Ok(()) };
    match roles().entry(id).or_insert_with(|| Role::Input(path.to_owned())) {
        Role::Input(_) => Ok(()),
        Role::Output => Err(refused("the same command writes it")),
    }
}

/// Notes that a file is written. Fails if it is an input; whether it was no output before.
fn note_output(file: FileId) -> io::Result<bool> {
    let mut roles = roles();
    match roles.get(&file) {
        Some(Role::Output) => return Ok(false),
        // The inode of an input that is gone can be that of another file now.
        Some(Role::Input(name)) if id(name).as_ref() == Some(&file) => {
            return Err(refused(&format!("the same command reads it as {}", name.display())));
        }
        _ => roles.insert(file, Role::Output),
    };
    Ok(true)
}

pub(crate) fn refused(words: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, words)
}

/// A file that will be replaced. It cannot be read before that.
#[derive(Debug)]
pub struct ClaimedOutput(Option<FileId>);

impl ClaimedOutput {
    /// Claims the file that a path leads to, whether it exists or not.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] if this process reads the file, or has claimed it already.
    pub fn new(path: &Path) -> io::Result<Self> {
        let id = id(path);
        let is_free = id.clone().map_or(Ok(true), note_output)?;
        if is_free { Ok(Self(id)) } else { Err(refused("the same command writes it twice")) }
    }
}

impl Drop for ClaimedOutput {
    fn drop(&mut self) {
        self.0.as_ref().and_then(|id| roles().remove(id));
    }
}

/// Claims an open file that bytes are appended to, such as `/dev/stdout`.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] if this process reads the file.
pub fn claim_open(path: &Path) -> io::Result<()> {
    id(path).map_or(Ok(true), note_output).map(drop)
}

/// Standard input.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] if it is a file that this process writes.
#[expect(clippy::disallowed_methods, reason = "all other crates read it by this function")]
pub fn stdin() -> io::Result<Stdin> {
    note_input(Path::new("/dev/stdin")).map(|()| io::stdin())
}
