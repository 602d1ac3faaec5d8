//! Words on disk.
//!
//! | module | contents |
//! |---|---|
//! | `state` | the name of a file of words, its length and its hash |
//! | `file` | one file |
//! | `folder` | the folder of all files |
//! | `scope` | the words and files with which a store deals |
//! | `space` | the free space on a disk |

mod file;
mod folder;
mod scope;
mod space;
mod state;

pub use folder::SpillTo;
pub(crate) use folder::{Folder, HeldPlaces, failure};
pub use scope::StoreScope;
pub(crate) use scope::VERSION;
pub(crate) use space::require_space;
pub use state::{FileState, Place};
