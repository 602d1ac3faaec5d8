//! The rows of a command: of a data set (`--data`), or else of an engine.

use std::ops::ControlFlow;

pub use ask::options::{RowsFrom, source as open};
use driver::{Error, HeadForm, Record, Source};
use terminal::Watcher;

/// Visits rows 0 to `last` of three-rowed Chomp, by default to the last row of the source. Returns
/// the last row.
pub fn rows(
    source: &dyn Source,
    last: Option<u64>,
    watcher: &Watcher,
    mut visit: impl FnMut(&Record),
) -> Result<u64, Error> {
    let last = last.or(source.last()).expect("the command line requires a row or a data set");
    source.rows(last, HeadForm::Fingerprint, watcher, &mut |row| {
        visit(&row.record);
        ControlFlow::Continue(())
    })?;
    Ok(last)
}
