//! The cost of work, before it begins.

use std::time::Duration;

/// The time and the memory of work, by an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The time; zero if there is no estimate.
    pub time: Duration,
    /// Bytes at most.
    pub bytes: u64,
}
