//! Data sets: rows 0 to R computed, certified and written to a folder, or an interrupted run of it
//! resumed, or a smaller data set extended; and the rows of a family, computed and written.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use census::Summary;
use check::{CheckError, Verified};
use record::data_set::{
    self, Contents, DataSet, DataSetError, Records, SEGMENT_ROWS, WORDS_NAME, Writer, holds_rows,
};
use record::{Family, HeadForm, Record};
use sweep::checkpoints::{CheckpointEvent, Checkpoints};

use crate::engine::{Engine, ProvedRow, require_row};
use crate::error::{Hint, Kept};
use crate::job::{Event, Watch};
use crate::records::verify_data_set;
use crate::resumable::{ResumableSweep, Sweep, visit_by};
use crate::self_check::SelfCheck;
use crate::{Error, ErrorKind, Task, costs};

/// The data set to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The folder; created if it does not exist.
    pub folder: PathBuf,
    /// The last row.
    pub last: u64,
    /// The form of heads.
    pub form: HeadForm,
    /// The time between checkpoints of the sweep; by default the larger of two minutes and twenty
    /// times what writing one takes.
    pub checkpoint_every: Option<Duration>,
    /// The folder for words, which are read much later: for one run at a time, created if it does
    /// not exist. By default `words` in the folder of the data set.
    pub spill: Option<PathBuf>,
    /// The memory budget of the sweep, in bytes: other words wait in the folder. By default half of
    /// the free memory, and what the run needs at the least if that is more.
    pub memory: Option<u64>,
}

impl Target {
    /// Rows 0 to `last` with fingerprints.
    pub fn new(folder: impl Into<PathBuf>, last: u64) -> Self {
        let (folder, form) = (folder.into(), HeadForm::Fingerprint);
        Self { folder, last, form, checkpoint_every: None, spill: None, memory: None }
    }

    /// The folder for words.
    fn words(&self) -> PathBuf {
        self.spill.clone().unwrap_or_else(|| self.folder.join(WORDS_NAME))
    }

    /// The checkpoints of its run, which may have these bytes of words in memory.
    fn checkpoints(&self, memory: u64) -> Checkpoints<'static> {
        let checkpoints = Checkpoints::new(&self.folder).spill(self.words(), memory);
        match self.checkpoint_every {
            Some(interval) => checkpoints.every(interval),
            None => checkpoints,
        }
    }

    /// With words among its files, every later run would refuse the folder of a data set.
    fn require_words_apart(&self) -> Result<(), Error> {
        let (words, own) = (self.words(), self.folder.join(WORDS_NAME));
        let real = |path: &Path| files::real(path).unwrap_or_else(|_| path.to_owned());
        let is_within = real(&words).starts_with(real(&self.folder)) && real(&words) != real(&own);
        if is_within || holds_rows(&words) {
            let data_set = if is_within { &self.folder } else { &words };
            return Err(Error::usage(format!(
                "words cannot wait in {}: it is in the folder of the data set, {}, which holds \
                 nothing else but its own folder for them; choose another folder",
                words.display(),
                data_set.display()
            )));
        }
        Ok(())
    }
}

/// A finished data set, and how far it can be relied upon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// The rows, counted.
    pub found: Summary,
    /// Where they come from.
    pub origin: Origin,
}

/// Where the rows of a data set come from, and what was verified or believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The folder held them already. Nothing was computed; this was verified now.
    Held(Verified),
    /// They were computed now, and each proved by its engine.
    Computed {
        /// As [`Kept::self_check`].
        self_check: Option<Verified>,
        /// The row of the checkpoint that the run resumed from. The rows below it are believed, so
        /// the others are proved if it is right.
        believed: Option<u64>,
    },
}

/// As [`Engine::write`], by any sweep, with fingerprints.
///
/// # Errors
/// As [`Engine::write`].
pub fn write_by(
    sweep: &mut dyn Sweep,
    target: &Target,
    watch: &dyn Watch,
) -> Result<Finished, Error> {
    in_folder(target, HeadForm::Fingerprint, watch, |writer, earlier| {
        let words = sweep.prepare(target.last, target.memory, &target.words(), watch)?;
        let listener = |event: &CheckpointEvent| watch.event(&Event::Checkpoint(event.clone()));
        let stop = || watch.stop();
        let checkpoints = &target.checkpoints(words).listener(&listener).stop(&stop);
        let believed = sweep.begin(checkpoints)?;
        let mut run = Writing::new(writer, earlier, believed)?;
        let visit = &mut |row| run.take(row);
        let ended = visit_by(sweep, target.last, checkpoints, believed, watch, visit);
        run.end(ended, target, watch)
    })
}

impl Engine {
    /// Computes, certifies and writes a data set. A smaller one in the folder is extended: its rows
    /// are computed again and compared. An interrupted or killed run is resumed, from the newest
    /// checkpoint if there is one. A finished data set is not computed again, but verified without
    /// its heads.
    ///
    /// While rows are computed, those that are written are read back and verified, on another
    /// thread, as long as that takes no more than 2 % of the processor time.
    ///
    /// # Errors
    /// A folder that holds other things, or more; the errors of
    /// [`Source::rows`](crate::Source::rows) and of the checkers; files that cannot be read or
    /// written; [`Error::WriteInterrupted`], which says what was kept. After any other error the
    /// previous data set is whole.
    ///
    /// ```
    /// use driver::{Engine, Origin, Target};
    /// let folder = tempfile::tempdir()?;
    /// let report = Engine::default().write(&Target::new(folder.path(), 130), &())?;
    /// assert_eq!(report.found.periods[&2].first, Some(120));
    /// assert!(matches!(report.origin, Origin::Computed { believed: None, .. }));
    /// // Once more: nothing is left to compute.
    /// let report = Engine::default().write(&Target::new(folder.path(), 130), &())?;
    /// assert!(matches!(report.origin, Origin::Held(verdict) if verdict.last == 130));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(self, target: &Target, watch: &dyn Watch) -> Result<Finished, Error> {
        match self {
            Self::Sweep(options) if target.form == HeadForm::Fingerprint => {
                write_by(&mut ResumableSweep { options, from: None }, target, watch)
            }
            _ => in_folder(target, target.form, watch, |writer, earlier| {
                let &Target { last, form, .. } = target;
                let mut cost = self.cost_of(last, form);
                if form == HeadForm::Offsets {
                    cost = cost.and(costs::full_data_set(last));
                }
                // The self-check has one.
                cost.helpers += 1;
                let mut run = Writing::new(writer, earlier, None)?;
                let ended = self.run(last, form, cost, watch, &mut |row| run.take(row));
                run.end(ended, target, watch)
            }),
        }
    }

    /// Writes the rows of a family to a folder as a data set of format 2, and verifies it, depths
    /// structure and tails. Nothing is a data set before all rows are computed. A folder that holds
    /// the same rows already is left as it is, and verified.
    ///
    /// # Errors
    /// As [`family`](Self::family), but [`Error::WriteInterrupted`] if it is interrupted, which
    /// leaves the folder as it was; other words if that is when all rows are written; a folder that
    /// holds something else; a file that cannot be written; [`Error::Check`] if the data set is not
    /// verified.
    pub fn write_family(
        &self,
        folder: &Path,
        family: &Family,
        form: HeadForm,
        watch: &dyn Watch,
    ) -> Result<WrittenFamily, Error> {
        let last = family.count().map_or(0, |count| count - 1);
        if let Some(held) = data_set::held(folder, Some(family), last, form)? {
            let verdict = verified_family(&held, watch)?;
            let rows = held.rows().collect::<Result<_, _>>()?;
            return Ok(WrittenFamily { rows, verdict, held: true });
        }
        let rows = self.family(family, form, watch, |_| ControlFlow::Continue(()));
        let rows = rows.map_err(|error| match error {
            Error::Interrupted => Error::WriteInterrupted { kept: None },
            error => error,
        })?;
        let data_set = data_set::write_family(folder, family, form, rows.iter().cloned())?;
        let verdict = verified_family(&data_set, watch)?;
        Ok(WrittenFamily { rows, verdict, held: false })
    }
}

/// A data set of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFamily {
    /// Its records.
    pub rows: Vec<Record>,
    /// The verdict of the checker that knows no engine.
    pub verdict: Verified,
    /// Whether the folder held it already, and nothing was computed.
    pub held: bool,
}

fn verified_family(written: &DataSet, watch: &dyn Watch) -> Result<Verified, Error> {
    let verdict = verify_data_set(written, &Task::default(), watch);
    verdict.map_err(|error| match error {
        CheckError::Interrupted => {
            let (folder, family) = (written.folder().display(), written.family());
            let words = format!("interrupted; {folder} holds {family}, written but not verified");
            Error::of(ErrorKind::Incomplete, words).with(Hint::Check(written.folder().to_owned()))
        }
        error => error.into(),
    })
}

/// Opens the folder of a data set, and runs the work that writes it: with its writer, and the
/// smaller data set in the folder, which is extended. There is no work if the folder holds the data
/// set.
fn in_folder(
    target: &Target,
    form: HeadForm,
    watch: &dyn Watch,
    run: impl FnOnce(Writer, Option<&DataSet>) -> Result<Finished, Error>,
) -> Result<Finished, Error> {
    let &Target { ref folder, last, .. } = target;
    require_row(last)?;
    target.require_words_apart()?;
    let earlier = data_set::held(folder, None, last, form)?;
    if let Some(data_set) = &earlier {
        let (folder, held_to) = (data_set.folder().display(), data_set.last_row());
        if held_to == last {
            return held(data_set, target, watch);
        }
        watch.event(&Event::Remark(format!("extending rows 0 to {held_to} in {folder}")));
    }
    // Until the folder is locked, another run can write checkpoints.
    run(Writer::new(folder, Contents::Rows, form)?, earlier.as_ref())
}

/// A data set that an earlier run has finished: its records are read and counted, and verified at
/// the depths that take no longer than reading them.
fn held(data_set: &DataSet, target: &Target, watch: &dyn Watch) -> Result<Finished, Error> {
    let verdict = verify_data_set(data_set, &Task::default(), watch)?;
    let mut found = Summary::default();
    for record in data_set.rows() {
        found.add(&record?);
    }
    tidy(data_set, target, watch);
    Ok(Finished { found, origin: Origin::Held(verdict) })
}

/// Removes the leftovers of a run that was killed just after it had finished its data set, unless
/// another run writes there, or the folder cannot be written.
fn tidy(data_set: &DataSet, target: &Target, watch: &dyn Watch) {
    if let Ok(writer) = Writer::new(data_set.folder(), Contents::Rows, target.form) {
        remove_checkpoints(target, watch);
        writer.tidy(data_set);
    }
}

/// Removes the checkpoints of runs to this last row or less, and the words that they need.
fn remove_checkpoints(target: &Target, watch: &dyn Watch) {
    let (folder, checkpoints) = (&target.folder, target.checkpoints(0));
    match checkpoints.remove(target.last + 1) {
        Ok(left) if left.is_empty() => {
            if let Err(error) = checkpoints.remove_words() {
                watch.event(&stays("words", &target.words(), &error));
            }
        }
        Ok(left) => {
            for file in left {
                let words = "stays: a run to a larger row can resume from it";
                watch.event(&Event::Remark(format!("{} {words}", file.display())));
            }
        }
        Err(error) => watch.event(&stays("checkpoints", folder, &error)),
    }
}

/// Says that these files stay in a folder.
fn stays(files: &str, folder: &Path, problem: &dyn Display) -> Event {
    let folder = folder.display();
    Event::Warning(format!("the {files} in {folder} are left there: {problem}"))
}

/// A data set that is being written.
struct Writing<'a> {
    writer: Writer,
    found: Summary,
    self_check: SelfCheck,
    /// The rows of the data set that is extended: they are computed again, and must be the same.
    earlier: Option<Records<'a>>,
    /// The row of the checkpoint that it resumes from.
    believed: Option<u64>,
}

impl<'a> Writing<'a> {
    fn new(
        writer: Writer,
        earlier: Option<&'a DataSet>,
        believed: Option<u64>,
    ) -> Result<Self, Error> {
        Ok(Self {
            writer,
            found: Summary::default(),
            self_check: SelfCheck::new(believed)?,
            earlier: earlier.map(DataSet::rows),
            believed,
        })
    }

    fn take(&mut self, row: ProvedRow) -> Result<ControlFlow<()>, Error> {
        let record = row.record;
        self.compare_with_earlier(&record)?;
        self.found.add(&record);
        self.writer.push(record)?;
        if self.writer.next_row().is_multiple_of(SEGMENT_ROWS)
            && let Some(segments) = self.writer.so_far()
        {
            self.self_check.tell(segments);
        }
        self.self_check.found().map(ControlFlow::Continue)
    }

    fn compare_with_earlier(&mut self, record: &Record) -> Result<(), Error> {
        match self.earlier.as_mut().and_then(Iterator::next).transpose()? {
            Some(earlier) if earlier != *record => {
                let checkpoint = self.believed.map_or(String::new(), |row| {
                    format!(", or the checkpoint at row {row} that this run resumed from")
                });
                let words = DataSetError::contradicted(record.row());
                Err(Error::of(ErrorKind::InputOrOutput, format!("{words}{checkpoint}")))
            }
            _ => Ok(()),
        }
    }

    /// Finishes the data set, or keeps the rows of an interrupted run.
    fn end(
        self,
        ended: Result<(), Error>,
        target: &Target,
        watch: &dyn Watch,
    ) -> Result<Finished, Error> {
        match ended {
            Err(Error::Interrupted) => Err(self.keep_interrupted(&target.folder)?),
            Err(error) => Err(error),
            Ok(()) => self.finish(target, watch),
        }
    }

    fn finish(self, target: &Target, watch: &dyn Watch) -> Result<Finished, Error> {
        let Self { found, mut writer, self_check, believed, .. } = self;
        writer.write_rest()?;
        if let Some(segments) = writer.so_far() {
            self_check.tell(segments);
        }
        let self_check = self_check.end()?;
        writer.finish()?;
        remove_checkpoints(target, watch);
        Ok(Finished { found, origin: Origin::Computed { self_check, believed } })
    }

    /// Keeps the rows of an interrupted run, unless the folder holds more already.
    fn keep_interrupted(mut self, folder: &Path) -> Result<Error, Error> {
        let self_check = self.self_check.stop()?;
        let rows = self.writer.next_row();
        let fewer = self.earlier.as_mut().is_some_and(|earlier| earlier.next().is_some());
        if fewer || rows == 0 {
            return Ok(Error::WriteInterrupted { kept: None });
        }
        self.writer.finish()?;
        let kept = Kept { folder: folder.to_owned(), last: rows - 1, self_check };
        Ok(Error::WriteInterrupted { kept: Some(Box::new(kept)) })
    }
}
