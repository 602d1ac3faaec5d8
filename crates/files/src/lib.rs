//! Opens files and folders, and checks first that they are of the kind that the caller expects.
//!
//! A path can lead to a FIFO, which blocks a reader for ever, to a device that never ends, or by a
//! link to a file of another user. So all crates open their files here, and `clippy.toml` forbids
//! all other ways:
//!
//! | task | functions | follows links |
//! |---|---|---|
//! | read | [`open`], [`read`], [`text`], [`text_or_stdin`]: regular files of a limited size | yes |
//! | create | [`create_new`]: fails if the name exists | no |
//! | read what can be long | [`stoppable`], around an opened file | |
//! | append, cut | [`append`]: regular files, created if they do not exist; [`cut`] | no |
//! | replace | [`replace`]: under a temporary name until it is whole ([`draft`](fn@draft)) | no |
//!
//! A program that replaces a file which the user names claims it first ([`ClaimedOutput`]): a file
//! cannot be both read and claimed. [`Hashing`] and [`verify_hash`] are for files that end with
//! their hash, and [`ResumeFolder`] keeps such files for work that resumes. [`Folder`] makes a
//! folder for new files, [`Lock`] locks one, and [`real`] resolves a path. This crate does not
//! interpret the content of files.

mod draft;
mod file;
mod folder;
mod resume;
mod roles;

pub use draft::{DRAFT_PREFIX, Folder, draft, folder_of, remove_drafts, replace};
pub use file::{
    Stoppable, append, create_new, cut, invalid, open, process_bytes, process_status, read,
    require_length, stoppable, text, text_or_stdin,
};
pub use folder::{Lock, create_folders, is_locked, real, remove_if_empty, sync_folder};
pub use resume::{HASH, Hashing, Opened, ResumeFolder, verify_hash};
pub use roles::{ClaimedOutput, claim_open, identity, stdin};
