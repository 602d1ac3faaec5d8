//! The rows of a data set: their memory, words that wait on disk, and sweeps that resume.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use record::HeadForm;
use record::data_set::holds_rows;
use record::listeners::{Done, Visitor};
use sweep::band;
use sweep::checkpoints::{Bytes, Checkpoint, Checkpoints, resumable_rows};

use crate::engine::{Computation, Engine, ProvedRow, of_rows};
use crate::error::Hint;
use crate::job::{Cost, Event, Watch};
use crate::{Error, SweepOptions, costs, memory};

impl Engine {
    /// Whether a data set of rows 0 to `last` can be written with this memory, in bytes, if words
    /// wait on disk ([`Spill`]).
    pub fn can_spill(self, last: u64, form: HeadForm, memory: u64) -> bool {
        let can_resume = matches!(self, Self::Sweep(_)) && form == HeadForm::Fingerprint;
        can_resume && self.words_in_memory(last, memory).is_ok()
    }

    /// The part of the memory for rows 0 to `last` that is left for words.
    pub(crate) fn words_in_memory(self, last: u64, memory: u64) -> Result<u64, Error> {
        let Self::Sweep(options) = self else { return Ok(0) };
        let end = last.saturating_add(1);
        let besides = band::memory_besides_words(end, options.workers());
        let least = besides.saturating_add(sweep::checkpoints::least_words(end));
        if memory < least {
            let words = format!(
                "rows to {last} need at least {} of memory, wherever their words wait, and may take \
                 {}; allow more, or choose a smaller row",
                Bytes(least),
                Bytes(memory)
            );
            return Err(Error::usage(words).with(Hint::Memory));
        }
        Ok(memory - besides)
    }

    /// Rows for a data set, without checkpoints.
    pub(crate) fn visit_to_write(
        self,
        last: u64,
        form: HeadForm,
        watch: &dyn Watch,
        visit: impl FnMut(ProvedRow) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        let mut cost = self.cost_of(last, form);
        if form == HeadForm::Offsets {
            cost = cost.and(costs::full_data_set(last));
        }
        // The self-check has one.
        cost.helpers += 1;
        self.run(last, form, cost, watch, visit)
    }
}

/// Refuses rows 0 to `last` if this process may not have the bytes that it needs for its part.
///
/// # Errors
/// [`Error::Memory`].
pub fn require_memory(last: u64, bytes: u64) -> Result<(), Error> {
    of_rows(last, Cost::new(bytes, Duration::ZERO)).require()
}

/// Where words that are read much later wait on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spill {
    /// The folder, for one run at a time; created if it does not exist.
    pub folder: PathBuf,
    /// The memory budget of the run, in bytes; by default half of the free memory.
    pub memory: Option<u64>,
}

impl Spill {
    /// A data set has its folder to itself: with words among its files, every later run would
    /// refuse the folder.
    pub(crate) fn require_outside(&self, data_set: &Path) -> Result<(), Error> {
        let folder = &self.folder;
        let real = |path| files::real(path).unwrap_or_else(|_| path.to_owned());
        let is_within = real(folder).starts_with(real(data_set));
        if is_within || holds_rows(folder) {
            let data_set = if is_within { data_set } else { folder };
            return Err(Error::usage(format!(
                "words cannot wait in {}: it is in the folder of the data set, {}, which holds \
                 nothing else; choose another folder",
                folder.display(),
                data_set.display()
            )));
        }
        Ok(())
    }
}

/// A sweep that finds the rows of a data set, with fingerprints, and writes checkpoints: the sweep
/// of [`Engine::Sweep`], or another one.
pub trait Sweep {
    /// Checks that there is enough memory for rows 0 to `last`. Returns the bytes of words to keep
    /// in memory if others can wait on disk: by default [`Spill::memory`], and nothing is checked.
    ///
    /// # Errors
    /// Too little memory.
    fn prepare(
        &mut self,
        _last: u64,
        spill: Option<&Spill>,
        _watch: &dyn Watch,
    ) -> Result<u64, Error> {
        Ok(spill.and_then(|spill| spill.memory).unwrap_or(0))
    }

    /// Opens the newest checkpoint. Returns the row to resume from, if any.
    ///
    /// # Errors
    /// A checkpoint that cannot be used.
    fn begin(&mut self, checkpoints: &Checkpoints<'_>) -> Result<Option<u64>, Error>;

    /// Shows every row below `end` to the visitor, in order, as [`resumable_rows`] does, until the
    /// visitor breaks off. If it is interrupted in another way, it shows fewer.
    ///
    /// # Errors
    /// As `resumable_rows`.
    fn rows(
        &mut self,
        end: u64,
        checkpoints: &Checkpoints<'_>,
        visitor: &mut dyn Visitor,
    ) -> Result<Done, Error>;
}

/// The sweep of [`Engine::Sweep`], in threads of this process.
pub(crate) struct ResumableSweep {
    pub(crate) options: SweepOptions,
    /// The checkpoint to resume from.
    pub(crate) from: Option<Checkpoint>,
}

impl Sweep for ResumableSweep {
    fn prepare(
        &mut self,
        last: u64,
        spill: Option<&Spill>,
        watch: &dyn Watch,
    ) -> Result<u64, Error> {
        let engine = Engine::Sweep(self.options);
        let memory = spill.map(|spill| spill.memory.unwrap_or_else(memory::half));
        let words = memory.map_or(Ok(0), |memory| engine.words_in_memory(last, memory))?;
        let form = HeadForm::Fingerprint;
        let mut cost = engine.cost(last);
        // The self-check and the checkpoints have one each.
        cost.helpers += 2;
        match memory.zip(spill).filter(|(memory, _)| *memory < cost.bytes) {
            None => engine.announce(last, form, cost, watch)?,
            Some((memory, spill)) => {
                cost.bytes = memory;
                of_rows(last, cost).require()?;
                let (disk, folder) =
                    (sweep::checkpoints::words_on_disk(last + 1), spill.folder.clone());
                watch.event(&Event::Spills { cost, disk, folder });
            }
        }
        Ok(words)
    }

    fn begin(&mut self, checkpoints: &Checkpoints<'_>) -> Result<Option<u64>, Error> {
        self.from = checkpoints.newest()?;
        Ok(self.from.as_ref().map(Checkpoint::row))
    }

    fn rows(
        &mut self,
        end: u64,
        checkpoints: &Checkpoints<'_>,
        visitor: &mut dyn Visitor,
    ) -> Result<Done, Error> {
        Ok(resumable_rows(end, self.options, checkpoints, self.from.take(), visitor)?)
    }
}

/// Rows 0 to `last` by a sweep, which resumes from the checkpoint of a row, if one is given.
pub(crate) fn visit_by(
    sweep: &mut dyn Sweep,
    last: u64,
    checkpoints: &Checkpoints<'_>,
    from: Option<u64>,
    watch: &dyn Watch,
    visit: impl FnMut(ProvedRow) -> Result<ControlFlow<()>, Error>,
) -> Result<(), Error> {
    let form = HeadForm::Fingerprint;
    let mut run = Computation::begin(Engine::default().exponent(), last, form, from, watch, visit);
    let rows = sweep.rows(last + 1, checkpoints, &mut run)?.rows;
    run.ending?;
    if rows > last { Ok(()) } else { Err(Error::Interrupted) }
}
