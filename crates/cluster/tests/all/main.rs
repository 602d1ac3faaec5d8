//! Ranks that work, fall silent or have other builds; the program.

#![allow(clippy::disallowed_methods, reason = "tests open their own files")]

mod builds;
mod channels;
mod checkpoints;
mod order;
mod program;
mod rows;
mod transport;
