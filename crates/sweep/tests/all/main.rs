//! The engines against each other and against the papers.

#![allow(clippy::disallowed_methods, reason = "tests open their own files")]

mod assembly;
mod checkpoints;
mod common;
mod corpora;
mod engines;
