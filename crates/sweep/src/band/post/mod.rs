//! Stored words, from the block that completes them to the one that reads them
//! (proofs/sweep.md, 4.1).
//!
//! ```text
//!  p |                                                  .'
//!    |                                      H  .   ' .'
//!    |                               .   '        .'
//!    |                      .   '              .'
//!    |             .  +-----------------------+   the word waits in the post
//!    |    .   '       |                    .' |
//!    |                |                 .'    L climbs through it: its block reads it
//!    |                |              .' L
//!    |                H has passed it: it is complete, and posted
//!    +------------------------------------------------------ row, in one group of columns
//! ```
//!
//! `H` climbs with slope 1 and `L` with slope 1 + √2, so the block that will read a word is known
//! when it is complete ([`Routes`]). It is posted once, and read once, in the order of groups. Seen
//! from one block, its words go to ever later readers as the groups ascend; seen from a reader,
//! they come from ever earlier blocks. Between one block and one reader there is a *run* of words,
//! some 870, whatever the block.
//!
//! | module | what |
//! |---|---|
//! | `routes` | which block reads a word |
//! | `runs` | words from one block to another |
//! | `office` | runs that wait, for those who post and read |
//! | `waiting` | which of them wait where, and what goes to disk when |
//! | `state`, `spill` | which files of words there are, and what is in them |
//! | `folder` | where these are |
//! | `others` | other processes that share the run |
//! | `outbox` | what a block posts |
//! | `inbox` | what a block reads |

mod folder;
mod inbox;
mod office;
mod others;
mod outbox;
mod routes;
mod runs;
mod spill;
mod state;
mod waiting;

pub(crate) use {
    folder::{Folder, SpillTo, Tenant},
    inbox::Inbox,
    office::Office,
    others::{Elsewhere, HandOn, Waits, Way},
    outbox::Outbox,
    routes::{MARGIN, Routes, complete_end, source, source_end},
    runs::{RUN, Run},
    state::{FileState, Place},
    waiting::Left,
};
