//! Progress, interruption and checkpoints of a check.

use std::io::{self, Write};

/// Watches a check: gets its progress, can stop it, and keeps its checkpoints.
#[expect(unused_variables, reason = "everything is ignored by default")]
pub trait CheckWatch: Sync {
    /// `done` of about `all` cells of the heads are done, or of the look-ups of a family. An
    /// earlier run has done `before` of them.
    fn progress(&self, done: u64, before: u64, all: u64) {}

    /// Whether to stop.
    fn stop(&self) -> bool {
        false
    }

    /// Whether to hand over a checkpoint of the heads before this column. Asked before each group
    /// of columns.
    fn wants_checkpoint(&self, column: u64) -> bool {
        false
    }

    /// Takes a checkpoint of the heads before this column: `save` writes it.
    fn checkpoint(&self, column: u64, save: &dyn Fn(&mut dyn Write) -> io::Result<()>) {}
}

/// Ignores progress, and never stops.
impl CheckWatch for () {}
