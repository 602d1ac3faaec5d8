//! Words on disk.
//!
//! | module | contents |
//! |---|---|
//! | `file` | one file of words |
//! | `folder` | the folder of all files |
//! | `space` | the free space on a disk |

mod file;
mod folder;
mod space;

pub use file::FileState;
pub use folder::SpillTo;
#[cfg(feature = "ranks")]
pub(crate) use folder::mark;
pub(crate) use folder::{HeldFolder, Problem, require_owner};
pub(crate) use space::require_space;
