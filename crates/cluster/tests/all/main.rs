//! The model against the simulation, ranks that talk and ranks that go silent, and the program.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

mod checkpoints;
mod model;
mod program;
mod rows;
mod transport;
