//! The engines against each other, against the papers, and after interruptions.

mod checkpoints;
mod common;
mod corpora;
mod engines;
