//! The engines against each other, against the papers, and after interruptions.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

mod assembly;
mod checkpoints;
mod common;
mod corpora;
mod engines;
