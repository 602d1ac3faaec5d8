//! A group of eight columns, and what it must remember (proofs/sweep.md, section 4).
//!
//! From high to low `p`, a column is this:
//!
//! ```text
//!                        free: no row has come so high
//! high anchor + 64  ---
//!                        high window, in the group
//! high anchor       ---
//!                        partial word: what has left the high window and does not fill a word yet
//!                   ---
//!                        stored words, 64 numbers each
//! base              ---
//!                        old rows: one table for all columns
//! low anchor + 64   ---
//!                        low window, in the group
//! low anchor        ---
//!                        blocked (V5)
//! q                 ---
//! ```
//!
//! From band to band the low window climbs by 19 or 20 places and reads what it comes to; the high
//! window climbs by 8 and leaves a stored word behind every eighth time. A stored word is read only
//! when the low window comes to it, in a block that is known when the word is complete: it waits
//! for that block in a [`Storage`](super::words::Storage). So a group has few words with it.
//! Numbers that break this picture go into two lists, and a group with such a list is left to the
//! exact path.
//!
//! | module | what |
//! |---|---|
//! | `windows` | the group, as it goes from block to block |
//! | `held` | the group in a block, as tiles see it |
//! | `reach` | what the low windows of a block will come to |
//! | `exceptions` | the two lists |
//! | `exact` | the group, as the exact path sees it: one column at a time |
//! | `serial` | the group in a checkpoint |
//! | `spare` | memory of groups that have ended |

mod exact;
mod exceptions;
mod held;
mod reach;
mod serial;
mod spare;
mod windows;

#[cfg(test)]
mod tests;

pub(crate) use {held::Held, reach::Reach, windows::Masks};
pub use {spare::Spare, windows::Group};
