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
//!    |                |                 .'    L climbs through it: its block reads it
//!    |                |              .' L
//!    |                H has passed it: it is complete, and stored
//!    +------------------------------------------------------ row, in one group of columns
//! ```
//!
//! `H` climbs with slope 1 and `L` with slope 1 + √2, so the block that will read a word is known
//! when it is complete ([`Routes`]). It is stored once and read once, in the order of groups. Seen
//! from one block, its words go to ever later readers as the groups ascend; seen from a reader,
//! they come from ever earlier blocks. Between one block and one reader there is a *run* of words.
//!
//! | module | contents |
//! |---|---|
//! | `routes` | which block reads a word |
//! | `storage` | the trait of those that keep words, and one that keeps them in memory |
//! | `outbox` | words that a block is about to store |
//! | `inbox` | words that a block reads |

mod inbox;
mod outbox;
mod routes;
mod storage;

pub use routes::{MARGIN, Routes, complete_end, source_end};
pub use storage::{BUFFER, BlockListener, RunListener, Storage, WordRun, emptied};
pub(crate) use {inbox::Inbox, outbox::Outbox, routes::source, storage::Memory};
