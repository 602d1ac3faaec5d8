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
//! | `storage` | the trait for storage and checkpoints, and a storage in memory |
//! | `outbox` | words that a block is about to store |
//! | `inbox` | words that a block reads |

mod inbox;
mod outbox;
mod routes;
mod storage;

pub(crate) use routes::MARGIN;
pub(crate) use routes::{Routes, complete_end, source, source_end};
pub use storage::{BUFFER, Batch, Copied, WordStorage, emptied};
pub(crate) use {inbox::Inbox, outbox::Outbox, storage::Memory};
