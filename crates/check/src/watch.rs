//! Progress and interruption of a check.

/// Watches a check: gets its progress, and can stop it.
pub trait CheckWatch: Sync {
    /// `done` of `all` columns of the heads are done.
    #[expect(unused_variables, reason = "progress is ignored by default")]
    fn progress(&self, done: u64, all: u64) {}

    /// Whether to stop.
    fn stop(&self) -> bool {
        false
    }
}

/// Ignores progress, and never stops.
impl CheckWatch for () {}
