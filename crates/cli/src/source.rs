//! Rows 0 to R: computed, or read from a data set.

use std::ops::ControlFlow;
use std::path::Path;

use driver::{DataSet, Engine, HeadForm, RowRecord, data_set};
use terminal::Watcher;

use crate::failure::Failure;

/// Where records come from.
pub struct Source<'a> {
    /// A data set, or else rows are computed.
    pub data: Option<&'a Path>,
    /// What computes them.
    pub engine: Engine,
}

impl Source<'_> {
    /// Rows 0 to the last one, or to the last one of the data set. Returns which it is.
    pub fn rows(
        &self,
        last: Option<u64>,
        watcher: &Watcher,
        mut visit: impl FnMut(&RowRecord),
    ) -> anyhow::Result<u64> {
        if let Some(folder) = self.data {
            let data_set = DataSet::open(folder)?;
            let last = last_row(&data_set, folder, last)?;
            data_set::rows(&data_set, watcher, |record| {
                visit(&record);
                if record.row() == last {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })?;
            return Ok(last);
        }
        let last = last.expect("the command line requires a row or a data set");
        self.engine.rows(last, HeadForm::Fingerprint, watcher, |row| {
            visit(&row.record);
            ControlFlow::Continue(())
        })?;
        Ok(last)
    }
}

/// The last row that is asked for; by default that of the data set.
pub fn last_row(data_set: &DataSet, folder: &Path, to: Option<u64>) -> Result<u64, Failure> {
    let (held, folder) = (data_set.last_row(), folder.display());
    match to {
        Some(to) if to > held => {
            Err(Failure::Usage(format!("{folder} holds rows 0 to {held}, not row {to}")))
        }
        to => Ok(to.unwrap_or(held)),
    }
}
