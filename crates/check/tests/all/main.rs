//! What the checker verifies, what it refutes, and in which words; and what the sources of all
//! crates show.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

mod common;
mod damage;
mod extracted;
mod forged;
mod growing;
mod independence;
mod keyed;
mod mutants;
mod python;
mod returns;
mod sources;
