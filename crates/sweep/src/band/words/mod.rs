//! Stored words, from the block that completes them to the block that reads them
//! (proofs/sweep.md, 4.1).
//!
//! ```text
//!  p |                                                  .'
//!    |                                      H  .   ' .'
//!    |                               .   '        .'
//!    |                      .   '              .'
//!    |             .  +-----------------------+   the word waits in the storage
//!    |    .   '       |                    .' |
//!    |                |                 .'    L rises through it: its block reads it
//!    |                |              .' L
//!    |                H has passed it: it is complete, and stored
//!    +------------------------------------------------------ row, in one group of columns
//! ```
//!
//! `H` rises with slope 1 and `L` with slope 1 + √2, so the block that will read a word is known
//! when the word is complete ([`Routes`]). It is stored once and read once, in the order of groups.
//! As the groups ascend, the readers of a block's words ascend, and the sources of a reader's words
//! descend. The words from one block to one reader are a *batch*.
//!
//! | module | contents |
//! |---|---|
//! | `routes` | the block that reads a word |
//! | `outbox` | words that a block is about to store |
//! | `inbox` | words that a block reads |
//! | `batch` | batches of words, and their buffers |
//! | `store` | words that wait: the life of the words of a reader |
//! | `file`, `folder`, `space` | files of words, their folder, the free space on a disk |
//! | `copies` | copies of the state of a run, for checkpoints |

mod batch;
mod copies;
mod error;
mod file;
mod folder;
mod inbox;
mod outbox;
mod routes;
mod space;
mod store;

pub(crate) use copies::{CheckpointJob, Copied, Due, RowsBelow};
pub use error::{FileProblem, WordsError};
pub use file::FileState;
#[cfg(feature = "ranks")]
pub(crate) use folder::mark;
pub(crate) use folder::{HeldFolder, Problem, SpillTo, require_owner};
pub(crate) use routes::MARGIN;
pub(crate) use routes::{Routes, complete_end, source, source_end};
pub(crate) use space::require_space;
pub(crate) use store::{Left, lock};
pub use store::{Share, Store};
pub(crate) use {inbox::Inbox, outbox::Outbox};
