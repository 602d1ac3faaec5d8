//! A group of eight columns, and what it must remember (proofs/sweep.md, section 4).
//!
//! From low to high `p`, a column consists of: numbers below the low window, none of them free; the
//! low window; the old rows' table, which all columns share; the stored words; the high window; and
//! numbers above it, all of them free. What breaks this picture goes into two lists, and a group
//! with such a list is left to the exact path.
//!
//! | module | what |
//! |---|---|
//! | `windows` | the group, as tiles see it |
//! | `exceptions` | the two lists |
//! | `exact` | the group, as the exact path sees it: one column at a time |
//! | `serial` | the group in a checkpoint |

mod exact;
mod exceptions;
mod serial;
mod windows;

#[cfg(test)]
mod tests;

pub(crate) use windows::Group;
