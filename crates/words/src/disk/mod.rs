//! Words on disk.
//!
//! | module | contents |
//! |---|---|
//! | `state` | the name of a file of words, its length and its hash |
//! | `file` | one file |
//! | `folder` | the folder of all files |
//! | `space` | the free space on a disk |

mod file;
mod folder;
mod space;
mod state;

pub(crate) use folder::{Folder, HeldPlaces, failure};
pub(crate) use space::require_space;
pub use {
    folder::SpillTo,
    state::{FileState, Place},
};
