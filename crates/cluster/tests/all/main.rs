//! The model against the simulation, ranks that talk and ranks that go silent, and the program.

mod checkpoints;
mod model;
mod program;
mod rows;
mod transport;
