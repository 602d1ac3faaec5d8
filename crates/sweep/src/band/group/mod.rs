//! A group of eight columns, and its memory (proofs/sweep.md, section 4).
//!
//! From high to low `p`, a column has these parts:
//!
//! ```text
//!                        free: no row has come so high
//! high anchor + 24  ---
//!                        high window, in the group
//! high anchor       ---
//!                        partial word: places that have left the high window and do not fill a word
//!                   ---
//!                        stored words, 64 numbers each
//! base              ---
//!                        old rows: one table for all columns
//! low anchor + 40   ---
//!                        low window, in the group
//! low anchor        ---
//!                        blocked (V5)
//! q                 ---
//! ```
//!
//! From band to band the low window rises by 19 or 20 places, and reads the places that enter it.
//! The high window rises by 8, and completes a stored word every eighth time. A stored word is read
//! when the low window reaches it, in a block that is known when the word is complete. It waits for
//! that block in a [`Store`](super::words::Store), so a group has few words with it.
//! Numbers that the windows cannot hold go into two lists, and the exact path computes the tiles of
//! a group with such a list.
//!
//! | module | contents |
//! |---|---|
//! | `columns` | a group between blocks, the two lists, and memory for groups |
//! | `in_block` | a group in a block, with the words that its low windows will reach |
//! | `exact` | the same for the exact path: one column at a time |
//! | `serial` | the group in a checkpoint |

mod columns;
mod exact;
mod in_block;
mod serial;

#[cfg(test)]
mod tests;

pub use columns::{Group, GroupPool};
pub(crate) use columns::{GroupPosition, Masks};
pub(crate) use in_block::{GroupInBlock, WordsAhead};
