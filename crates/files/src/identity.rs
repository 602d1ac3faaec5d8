//! Which file or folder a name means, whatever its name.

use std::fs;
use std::path::Path;

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
