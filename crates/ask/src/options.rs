//! Arguments that several questions have, and how they are read.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use driver::{Engine, Error, HeadForm, Record, Source, SweepOptions, Watch};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::notation::number;

/// The threads of a computation.
#[derive(Clone, Copy, Debug, Default, Args, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Threads {
    /// Threads; by default as many as there are processors. The result does not depend on them.
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub threads: Option<NonZero<usize>>,
}

impl Threads {
    /// The sweep with these threads.
    pub fn sweep(self) -> SweepOptions {
        let default = SweepOptions::default();
        SweepOptions { threads: self.threads.or(default.threads), ..default }
    }

    /// The engine with these threads.
    pub fn engine(self) -> Engine {
        Engine::Sweep(self.sweep())
    }

    /// The name of the option, if it was given.
    pub fn given(self) -> Option<&'static str> {
        self.threads.is_some().then_some("--threads")
    }
}

/// Visits rows 0 to `last` of three-rowed Chomp, by default to the last row of the source. Returns
/// the last row.
///
/// # Errors
/// As [`Source::rows`].
pub fn visit_rows(
    source: &dyn Source,
    last: Option<u64>,
    watch: &dyn Watch,
    mut visit: impl FnMut(&Record),
) -> Result<u64, Error> {
    let missing = || Error::usage("the last row is missing");
    let last = last.or(source.last()).ok_or_else(missing)?;
    source.rows(last, HeadForm::Fingerprint, watch, &mut |row| {
        visit(&row.record);
        ControlFlow::Continue(())
    })?;
    Ok(last)
}

/// A number of threads.
///
/// # Errors
/// A message on any other text.
pub fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let threads = usize::try_from(number(text)?).ok().and_then(NonZero::new);
    threads.ok_or_else(|| "at least 1 thread is needed".to_owned())
}

/// The source of rows.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowsFrom {
    /// Read the rows of this data set instead of computing them.
    #[arg(long, value_name = "DIR", conflicts_with = "threads")]
    pub data: Option<PathBuf>,
    /// The threads of an engine.
    #[command(flatten)]
    #[serde(flatten)]
    pub threads: Threads,
}

impl RowsFrom {
    /// The source.
    ///
    /// # Errors
    /// As [`source`].
    pub fn open(&self) -> Result<Box<dyn Source>, Error> {
        source(self.data.as_deref(), self.threads.engine())
    }
}

/// The data set in a folder, or else the engine.
///
/// # Errors
/// There is no data set, or no file at all, as in a browser.
pub fn source(data: Option<&Path>, engine: Engine) -> Result<Box<dyn Source>, Error> {
    match data {
        #[cfg(feature = "files")]
        Some(folder) => Ok(Box::new(driver::DataSet::open(folder)?)),
        #[cfg(not(feature = "files"))]
        Some(_) => Err(Error::usage("there are no files here; leave out the data set")),
        None => Ok(Box::new(engine)),
    }
}

/// The largest level that can be typed; no table comes near it.
const LARGEST_LEVEL: u64 = 1_000_000;

/// A level.
///
/// # Errors
/// A message on any other text.
pub fn level(text: &str) -> Result<u64, String> {
    let level = number(text)?;
    if level <= LARGEST_LEVEL { Ok(level) } else { Err(format!("levels go to {LARGEST_LEVEL}")) }
}

/// A value that is a text in JSON.
pub(crate) fn parsed<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: std::fmt::Display>,
{
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}
