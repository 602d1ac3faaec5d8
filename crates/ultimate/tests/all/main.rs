//! Sequences and sets against their definitions.

mod common;
mod nat_set;
mod set_sequence;
mod text;
mod ultimate;
