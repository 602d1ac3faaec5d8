//! The verdicts of the checker, and their words; and rules for the sources of all crates.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

mod common;
mod damage;
mod extracted;
mod forged;
mod growing;
mod independence;
mod keyed;
mod mutants;
mod posets;
mod python;
mod returns;
mod sources;
