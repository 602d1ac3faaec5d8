//! Files and folders, with nothing taken for granted.
//!
//! The name of a file may stand for a FIFO, which keeps a reader waiting for ever, for a device
//! that never ends, or for a link to somebody else's file. So every file of the workspace is opened
//! here, and `clippy.toml` forbids all other ways:
//!
//! | to | by | through links |
//! |---|---|---|
//! | read | [`open`], [`read`], [`text`], [`text_or_stdin`]: regular files of a limited size | yes |
//! | make | [`create_new`]: nothing may have the name | no |
//! | continue | [`append`]: regular files, made if they are not there; [`cut`] | no |
//!
//! A folder is locked with [`Lock`], and [`real`] says which folder a path leads to. This crate
//! does not interpret the content of files.

mod file;
mod folder;
mod process;

pub use file::{append, create_new, cut, open, read, text, text_or_stdin};
pub use folder::{Lock, create_folders, identity, is_locked, real, remove_if_empty, sync_folder};
pub use process::process_status;
