//! Words and patterns against independent simulation, published patterns, and records.

mod levels;
mod machine;
mod predictions;
mod records;
mod why;
mod window;
mod words;
