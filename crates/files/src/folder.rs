//! Creates, locks, syncs and removes folders.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::file::open_folder;
use crate::roles::{identity, of_metadata};

/// An exclusive lock on a folder, held until this is dropped.
///
/// The folder itself is locked, so that no file is left behind. If the system cannot lock folders,
/// as on some network disks, every request succeeds.
#[derive(Debug)]
pub struct Lock {
    folder: Option<File>,
}

impl Lock {
    /// Locks a folder without waiting; `None` if it is locked already.
    pub fn of(folder: &Path) -> Option<Self> {
        loop {
            let Ok(handle) = open_folder(folder) else { return Some(Self { folder: None }) };
            match handle.try_lock() {
                Err(TryLockError::WouldBlock) => return None,
                Err(TryLockError::Error(_)) => return Some(Self { folder: None }),
                Ok(()) => {}
            }
            // It may have been removed meanwhile, and another one made in its place.
            let locked = handle.metadata().ok().and_then(|metadata| of_metadata(&metadata));
            let lock = Self { folder: Some(handle) };
            if locked == identity(folder) || identity(folder).is_none() {
                return Some(lock);
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing is not enough: a process that another thread is starting has a copy of the
        // handle, and with it the lock, until it begins its own program.
        if let Some(folder) = &self.folder {
            let _harmless = folder.unlock();
        }
    }
}

/// Whether a folder is locked by a [`Lock`]; `false` if the system cannot lock folders.
pub fn is_locked(folder: &Path) -> bool {
    open_folder(folder).is_ok_and(|handle| match handle.try_lock_shared() {
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
        Ok(()) => {
            drop(Lock { folder: Some(handle) });
            false
        }
    })
}

/// Creates a folder and its missing parents. Returns the number of folders that this call has
/// created: if several processes create the same folder, exactly one of them counts it.
///
/// # Errors
/// The error of the operating system; [`io::ErrorKind::NotADirectory`] if something else is there.
pub fn create_folders(folder: &Path) -> io::Result<usize> {
    let Err(error) = fs::create_dir(folder) else { return Ok(1) };
    if fs::metadata(folder).is_ok_and(|there| there.is_dir()) {
        return Ok(0);
    }
    match (error.kind(), folder.parent()) {
        (io::ErrorKind::NotFound, Some(parent)) if !parent.as_os_str().is_empty() => {
            let above = create_folders(parent)?;
            let own = create_folders(folder)?;
            Ok(if own == 0 { 0 } else { above + own })
        }
        (io::ErrorKind::AlreadyExists, _) => {
            Err(io::Error::new(io::ErrorKind::NotADirectory, "it is there, and is no folder"))
        }
        _ => Err(error),
    }
}

/// Removes a folder, then its parents, at most `most` folders in all. Stops at the first one that
/// is not empty.
pub fn remove_if_empty(folder: &Path, most: usize) {
    // The operating system refuses to remove a folder that is not empty.
    let _first_refused = folder.ancestors().take(most).try_for_each(fs::remove_dir);
}

/// Syncs the names in a folder to disk, if the system can.
///
/// # Errors
/// The error of the operating system.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { open_folder(folder)?.sync_all() } else { Ok(()) }
}

/// The absolute path without links and `..` to the same file, which need not exist. Two paths lead
/// to the same file if and only if this function returns equal paths.
///
/// # Errors
/// If the path is empty, or relative and there is no current folder.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    let mut real = PathBuf::new();
    for component in std::path::absolute(path)?.components() {
        if component == Component::ParentDir {
            real.pop();
        } else {
            real.push(component);
            real = real.canonicalize().unwrap_or(real);
        }
    }
    Ok(real)
}

#[cfg(test)]
mod tests {
    use tempfile::tempdir;

    use super::*;

    #[test]
    fn a_folder_has_one_lock() {
        let folder = tempdir().unwrap();
        let lock = Lock::of(folder.path()).unwrap();
        assert!(is_locked(folder.path()) && Lock::of(folder.path()).is_none());
        drop(lock);
        assert!(!is_locked(folder.path()) && Lock::of(folder.path()).is_some());
    }

    /// A copy is what a process has that another thread is starting at that moment.
    #[test]
    fn a_copy_of_the_handle_does_not_keep_the_lock() {
        let folder = tempdir().unwrap();
        let lock = Lock::of(folder.path()).unwrap();
        let copy = lock.folder.as_ref().unwrap().try_clone().unwrap();
        drop(lock);
        assert!(!is_locked(folder.path()) && Lock::of(folder.path()).is_some());
        drop(copy);
    }

    #[test]
    fn folders_are_removed_as_far_as_they_were_made() {
        let folder = tempdir().unwrap();
        let deep = folder.path().join("a/b/c");
        assert_eq!(create_folders(&deep).unwrap(), 3);
        assert_eq!(create_folders(&deep).unwrap(), 0);
        remove_if_empty(&folder.path().join("a"), 3);
        assert!(deep.exists(), "they are not empty");
        remove_if_empty(&deep, 2);
        assert!(folder.path().join("a").exists() && !folder.path().join("a/b").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_place_has_one_real_path() {
        use std::os::unix::fs::symlink;

        let folder = tempdir().unwrap();
        let there = folder.path().canonicalize().unwrap().join("there");
        fs::create_dir(&there).unwrap();
        symlink("there", folder.path().join("link")).unwrap();
        for path in ["there/new/words", "link/new/words", "x/../link/new/y/../words"] {
            assert_eq!(real(&folder.path().join(path)).unwrap(), there.join("new/words"), "{path}");
        }
        assert_eq!(real(&folder.path().join("link/..")).unwrap(), there.parent().unwrap());
    }
}
