//! Words on disk.
//!
//! | module | contents |
//! |---|---|
//! | `state` | which files of words there are, and how far each has been written |
//! | `file` | one file |
//! | `folder` | the folder of all files |
//! | `space` | how much of a disk is free |

mod file;
mod folder;
mod space;
mod state;

pub(crate) use folder::{Folder, HeldPlaces, failure};
pub(crate) use space::require_space;
pub use {
    folder::{Share, SpillTo},
    state::{FileState, Place},
};
