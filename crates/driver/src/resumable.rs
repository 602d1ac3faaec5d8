//! The rows of a data set: their memory, words that wait on disk, and sweeps that resume.

use std::path::Path;
use std::time::Duration;

use record::HeadForm;
use record::listeners::{Done, Visitor};
use sweep::band;
use sweep::checkpoints::{Bytes, Checkpoint, Checkpoints, resumable_rows};

use crate::engine::{Computation, Engine, Visit, of_rows};
use crate::error::Hint;
use crate::job::{Cost, Event, Watch};
use crate::{Error, SweepOptions, memory};

/// Refuses rows 0 to `last` if this process may not have the bytes that it needs for its part.
///
/// # Errors
/// [`Error::Memory`].
pub fn require_memory(last: u64, bytes: u64) -> Result<(), Error> {
    of_rows(last, Cost::new(bytes, Duration::ZERO)).require()
}

/// A sweep that finds the rows of a data set, with fingerprints, and writes checkpoints: the sweep
/// of [`Engine::Sweep`], or another one.
pub trait Sweep {
    /// Checks that there is enough memory for rows 0 to `last`, if this budget is given
    /// ([`Target::memory`](crate::Target::memory)). Returns the part of it for words; the others
    /// wait in the folder `words`. By default all of it, and nothing is checked.
    ///
    /// # Errors
    /// Too little memory.
    fn prepare(
        &mut self,
        _last: u64,
        memory: Option<u64>,
        _words: &Path,
        _watch: &dyn Watch,
    ) -> Result<u64, Error> {
        Ok(memory.unwrap_or(0))
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
        memory: Option<u64>,
        words: &Path,
        watch: &dyn Watch,
    ) -> Result<u64, Error> {
        let (engine, end) = (Engine::Sweep(self.options), last.saturating_add(1));
        let besides = band::memory_besides_words(end, self.options.workers());
        let least = besides.saturating_add(sweep::checkpoints::least_words(end));
        let memory = memory.unwrap_or_else(|| memory::half().max(least));
        if memory < least {
            let words = format!(
                "rows to {last} need at least {} of memory, wherever their words wait, and may take \
                 {}; allow more, or choose a smaller row",
                Bytes(least),
                Bytes(memory)
            );
            return Err(Error::usage(words).with(Hint::Memory));
        }
        let mut cost = engine.cost(last);
        // The self-check and the checkpoints have one each.
        cost.helpers += 2;
        if memory >= cost.bytes {
            engine.announce(last, HeadForm::Fingerprint, cost, watch)?;
        } else {
            cost.bytes = memory;
            of_rows(last, cost).require()?;
            let (disk, folder) = (sweep::checkpoints::words_on_disk(end), words.to_owned());
            watch.event(&Event::Spills { cost, disk, folder });
        }
        Ok(memory - besides)
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
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let form = HeadForm::Fingerprint;
    let mut run = Computation::begin(Engine::default().exponent(), last, form, from, watch, visit);
    let rows = sweep.rows(last + 1, checkpoints, &mut run)?.rows;
    run.ending?;
    if rows > last { Ok(()) } else { Err(Error::Interrupted) }
}
