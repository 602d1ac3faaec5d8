//! Rows 0 to R, read from a data set.

use std::ops::ControlFlow;
use std::path::Path;

use driver::{DataSet, RowRecord, data_set};
use terminal::Watcher;

use crate::failure::Failure;

/// The last row that is asked for: that of the data set, unless it is to be another one.
pub fn last_row(data_set: &DataSet, folder: &Path, to: Option<u64>) -> Result<u64, Failure> {
    let (held, folder) = (data_set.last_row(), folder.display());
    match to {
        Some(to) if to > held => {
            Err(Failure::Usage(format!("{folder} holds rows 0 to {held}, not row {to}")))
        }
        to => Ok(to.unwrap_or(held)),
    }
}

/// Hands on the rows to this one, or all, and says which was the last.
pub fn rows(
    folder: &Path,
    to: Option<u64>,
    watcher: &Watcher,
    mut visit: impl FnMut(&RowRecord),
) -> anyhow::Result<u64> {
    let data_set = DataSet::open(folder)?;
    let last = last_row(&data_set, folder, to)?;
    data_set::rows(&data_set, watcher, |record| {
        visit(&record);
        if record.row() == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(last)
}
