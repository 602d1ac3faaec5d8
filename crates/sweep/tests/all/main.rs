//! The engines against each other, against the papers, and after interruptions.

mod assembly;
mod checkpoints;
mod common;
mod corpora;
mod engines;
