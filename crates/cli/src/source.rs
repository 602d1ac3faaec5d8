//! The source of the rows of a command: a data set (`--data`), or else an engine.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use driver::{DataSet, Engine, Error, HeadForm, Record, Source};
use terminal::Watcher;

use crate::failure;
use crate::options::Threads;

/// The options for the source of rows.
#[derive(Debug, Args)]
pub struct RowsFrom {
    /// Read the rows of this data set instead of computing them.
    #[arg(long, value_name = "DIR", conflicts_with = "threads")]
    data: Option<PathBuf>,
    #[command(flatten)]
    pub threads: Threads,
}

impl RowsFrom {
    /// The folder of the data set.
    pub fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// The source.
    pub fn open(&self) -> Result<Box<dyn Source>, Error> {
        open(self.data(), self.threads.engine())
    }
}

/// The source of rows in words, and whether the rows are proved.
pub fn in_words(data: Option<&Path>) -> String {
    match data.map(failure::shown) {
        None => "computed, each with its certificate".to_owned(),
        Some(folder) => {
            format!(
                "read from {folder}, not proved again; chomp check {folder} --heads proves them"
            )
        }
    }
}

/// The data set in a folder, or else the engine.
pub fn open(data: Option<&Path>, engine: Engine) -> Result<Box<dyn Source>, Error> {
    Ok(match data {
        Some(folder) => Box::new(DataSet::open(folder)?),
        None => Box::new(engine),
    })
}

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
