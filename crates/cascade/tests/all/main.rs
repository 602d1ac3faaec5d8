//! Words and patterns against independent simulation, published patterns, and records.

mod machine;
mod predictions;
mod records;
mod window;
mod words;
