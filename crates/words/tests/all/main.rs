//! Interrupted runs resume, with words in memory or on disk.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

mod checkpoints;
mod corpora;
