//! Rows from the engine, with progress and interruption.

use byrnes::{Row, Rows};

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;

/// Computes rows 0 to `last` and hands each to `visit`.
///
/// Returns whether all of them were visited: `Ok(false)` if the run was interrupted.
pub fn visit_rows(
    last: u64,
    mut progress: Progress,
    mut visit: impl FnMut(Row) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    let interrupt = Interrupt::catch()?;
    for (row, done) in Rows::new().zip(1..=last + 1) {
        visit(row?)?;
        progress.set(done);
        if interrupt.asked() && done <= last {
            progress.finish();
            return Ok(false);
        }
    }
    progress.finish();
    Ok(true)
}

/// The same for commands that keep nothing: an interrupt is their failure.
pub fn visit_all_rows(
    last: u64,
    progress: Progress,
    visit: impl FnMut(Row) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if visit_rows(last, progress, visit)? {
        Ok(())
    } else {
        Err(Failure::Interrupted(String::new()).into())
    }
}
