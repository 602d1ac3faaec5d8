//! Progress, interruption and checkpoints of a check; and rows that are checked on all processors.

use std::io::{self, Write};

use crate::error::EarlyEnd;

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

/// The first of these whose check ends early; its end.
pub(crate) fn first_end<T: Sync>(
    all: &[T],
    check: impl Fn(&T) -> Option<EarlyEnd> + Sync,
) -> Result<(), EarlyEnd> {
    #[cfg(feature = "parallel")]
    let found = {
        use rayon::prelude::*;
        match rayon::ThreadPoolBuilder::new().build() {
            Ok(pool) => pool.install(|| all.par_iter().find_map_first(&check)),
            // The operating system creates no threads; this one takes longer, and is enough.
            Err(_) => all.iter().find_map(&check),
        }
    };
    #[cfg(not(feature = "parallel"))]
    let found = all.iter().find_map(check);
    found.map_or(Ok(()), Err)
}
