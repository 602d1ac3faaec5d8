//! Rows for the tests.

pub mod extreme;
