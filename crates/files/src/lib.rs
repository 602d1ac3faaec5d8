//! Files and folders, with nothing taken for granted.
//!
//! The name of a file may stand for a FIFO, which keeps a reader waiting for ever, for a device
//! that never ends, or for a link to somebody else's file. So every file of the workspace is opened
//! here, and `clippy.toml` forbids all other ways:
//!
//! | to | by | through links |
//! |---|---|---|
//! | read | [`open`], [`read`], [`text`]: regular files of a limited size | yes |
//! | make | [`create_new`]: nothing may have the name | no |
//! | continue | [`append`]: regular files, made if they are not there | no |
//!
//! A folder is locked with [`Lock`], and [`real`] says which folder a path leads to. None of this
//! knows what is in a file.

mod file;
mod folder;
mod process;

pub use file::{append, create_new, open, read, text};
pub use folder::{Lock, create_folders, is_locked, real, remove_if_empty, sync_folder};
pub use process::process_status;
