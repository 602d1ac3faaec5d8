//! Words and patterns against independent simulation, published patterns, and records.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

mod conjectures;
mod levels;
mod machine;
mod perturbed;
mod predictions;
mod records;
mod uniqueness;
mod why;
mod window;
mod words;
