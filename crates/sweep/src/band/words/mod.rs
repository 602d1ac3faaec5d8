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
//! when the word is complete ([`Routes`](super::constants::Routes)). It is stored once and read
//! once, in the order of groups. As the groups ascend, the readers of a block's words ascend, and
//! the sources of a reader's words descend. The words from one block to one reader are a *batch*.
//!
//! | module | contents |
//! |---|---|
//! | `mailboxes` | words that a block is about to store, and words that it reads |
//! | `store` | words that wait: the life of the words of a reader |
//! | `file`, `folder` | batches of words in files; their folder, and the free space on a disk |

mod file;
mod folder;
mod mailboxes;
mod store;

pub use file::FileState;
#[cfg(feature = "ranks")]
pub(crate) use folder::mark;
pub(crate) use folder::{HeldFolder, Problem, SpillTo, require_owner, require_space};
pub(crate) use mailboxes::{Inbox, Outbox};
pub(crate) use store::{Due, Left, News, lock};
pub use store::{Share, Store};
