//! The model against the simulation, ranks that talk, go silent or are of other builds, and the
//! program.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

mod builds;
mod checkpoints;
mod model;
mod order;
mod program;
mod rows;
mod transport;
