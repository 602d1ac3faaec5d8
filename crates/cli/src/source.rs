//! Where a command takes rows from: a data set (`--data`), or else an engine.

use std::ops::ControlFlow;
use std::path::Path;

use driver::{DataSet, Engine, HeadForm, Record, Source};
use terminal::Watcher;

use crate::failure::Failure;

/// The data set in a folder, or else the engine.
pub fn open(data: Option<&Path>, engine: Engine) -> Result<Box<dyn Source>, Failure> {
    Ok(match data {
        Some(folder) => Box::new(DataSet::open(folder)?),
        None => Box::new(engine),
    })
}

/// Rows 0 to the last one of three-rowed Chomp, by default to the last one that the source has.
/// Returns which it is.
pub fn rows(
    source: &dyn Source,
    last: Option<u64>,
    watcher: &Watcher,
    mut visit: impl FnMut(&Record),
) -> Result<u64, Failure> {
    let last = last.or(source.last()).expect("the command line requires a row or a data set");
    source.rows(last, HeadForm::Fingerprint, watcher, &mut |row| {
        visit(&row.record);
        ControlFlow::Continue(())
    })?;
    Ok(last)
}
