//! Who watches a check.

/// Who watches a check: shown its progress, and asked whether to go on.
pub trait CheckWatch: Sync {
    /// `done` of `all` columns of the heads are done.
    #[expect(unused_variables, reason = "nobody looks")]
    fn progress(&self, done: u64, all: u64) {}

    /// Whether to stop.
    fn stop(&self) -> bool {
        false
    }
}

/// Nobody.
impl CheckWatch for () {}
