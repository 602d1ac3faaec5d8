//! Records read and verified, from a text, from memory, or from a data set on disk.

use std::sync::OnceLock;

#[cfg(feature = "files")]
use check::check_data_set;
use check::{CheckError, Task, Verified, check_records};
#[cfg(feature = "files")]
use record::data_set::DataSet;
use record::data_set::{Texts, read_texts};
use record::{Record, parse_line};

use crate::Error;
use crate::job::{Running, Watch, Work};
#[cfg(feature = "files")]
use crate::{costs, engine::threads_or_default, job::Event};

/// Reads the records of a text: one per line, as a segment of a data set has them between its first
/// line and its last.
///
/// # Errors
/// The first line that is not a record as it is written, with its number from 1.
///
/// ```
/// let row_1 = r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#;
/// assert_eq!(driver::records::read(row_1)?[0].first(), Some(3));
/// let error = driver::records::read(&format!("{row_1}\nFinite")).unwrap_err();
/// assert!(error.to_string().starts_with("line 2, "), "{error}");
/// # Ok::<(), driver::Error>(())
/// ```
pub fn read(text: &str) -> Result<Vec<Record>, Error> {
    (1..).zip(text.lines()).map(|(line, text)| Ok(parse_line(text, line)?)).collect()
}

/// Verifies a data set whose files are held in memory: structure, tails and, if asked for, heads.
///
/// # Errors
/// Anything but a verdict of *verified*: see [`CheckError`].
///
/// ```
/// use std::ops::ControlFlow;
/// use driver::{Engine, HeadForm, Source, Task, records, texts};
/// let mut held = Vec::new();
/// Engine::default().rows(130, HeadForm::Fingerprint, &(), &mut |row| {
///     held.push(row.record);
///     ControlFlow::Continue(())
/// })?;
/// let task = Task { heads: true, ..Task::default() };
/// let verdict = records::verify_texts(&texts(&held), &task, &())?;
/// assert_eq!((verdict.last, verdict.assumptions()), (130, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify_texts(texts: &Texts, task: &Task, watch: &dyn Watch) -> Result<Verified, CheckError> {
    let (manifest, records) = read_texts(texts)?;
    check_records(&manifest.family(), &records, task, &Checker::new(watch))
}

/// Verifies a data set on disk, by the checker that knows no engine.
///
/// # Errors
/// Anything but a verdict of *verified*: see [`CheckError`].
///
/// ```
/// use driver::{DataSet, Engine, Target, Task, records};
/// let folder = tempfile::tempdir()?;
/// Engine::default().write(&Target::new(folder.path(), 130), &())?;
/// let task = Task { heads: true, ..Task::default() };
/// let verdict = records::verify_data_set(&DataSet::open(folder.path())?, &task, &())?;
/// assert_eq!((verdict.last, verdict.assumptions()), (130, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "files")]
pub fn verify_data_set(
    data_set: &DataSet,
    task: &Task,
    watch: &dyn Watch,
) -> Result<Verified, CheckError> {
    announce_heads(data_set, task, watch);
    check_data_set(data_set, task, None, &Checker::new(watch))
}

/// The records of a data set, in order, each read when it is asked for; its segment was verified as
/// a file before.
///
/// # Errors
/// A segment that cannot be read or is damaged; [`Error::Interrupted`]. Nothing comes after it.
///
/// ```
/// use driver::{DataSet, Engine, Target, records};
/// let folder = tempfile::tempdir()?;
/// Engine::default().write(&Target::new(folder.path(), 10), &())?;
/// let mut periodic = Vec::new();
/// for record in records::of_data_set(&DataSet::open(folder.path())?, &()) {
///     periodic.extend(record?.periodic().map(|row| row.row));
/// }
/// assert_eq!(periodic, [0, 2, 5, 7, 9]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "files")]
pub fn of_data_set<'a>(
    data_set: &'a DataSet,
    watch: &'a dyn Watch,
) -> impl Iterator<Item = Result<Record, Error>> + 'a {
    let all = data_set.manifest().rows;
    let running = Running::new(watch, Work { unit: "row", all, before: 0, exponent: 1.0 });
    (1..).zip(data_set.rows_until(|| watch.stop())).map(move |(done, record)| {
        let record = record?;
        let is_stopped = running.at(done).is_break() && done < all;
        if is_stopped { Err(Error::Interrupted) } else { Ok(record) }
    })
}

/// Passes on the progress of the checker. Its first report gives the number of cells.
pub(crate) struct Checker<'a> {
    watch: &'a dyn Watch,
    running: OnceLock<Running<'a>>,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(watch: &'a dyn Watch) -> Self {
        Self { watch, running: OnceLock::new() }
    }
}

/// Announces a check of the heads of three-rowed Chomp that takes long.
#[cfg(feature = "files")]
pub(crate) fn announce_heads(data_set: &DataSet, task: &Task, watch: &dyn Watch) {
    if let Some(held) = data_set.family().last_row().filter(|_| task.heads) {
        let last = task.rows.map_or(held, |(_, last)| last.min(held));
        let threads = threads_or_default(task.threads);
        let cost = costs::heads(last, threads);
        if cost.is_much() {
            watch.event(&Event::Cost { cost, cheaper: None });
        }
    }
}

impl check::CheckWatch for Checker<'_> {
    fn progress(&self, done: u64, before: u64, all: u64) {
        let work = Work { unit: "cell", all, before, exponent: 1.0 };
        self.running.get_or_init(|| Running::new(self.watch, work));
        self.watch.done(done);
    }

    fn stop(&self) -> bool {
        self.watch.stop()
    }
}
