//! The folder of checkpoints, and its events while rows are computed.

use super::file::{Checkpoint, end_of, is_damage, problem};
#[cfg(feature = "ranks")]
use crate::band::words::mark;
use crate::band::words::{HeldFolder, SpillTo, lock};
use crate::error::WordsError;
use crate::units::{LANES, RowIndex};
use record::data_set::WORDS_NAME;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fs, io, mem};

/// The folder of checkpoints, the time between them, and the listener to their events.
#[derive(Clone)]
pub struct Checkpoints<'a> {
    pub(super) folder: PathBuf,
    interval: Option<Duration>,
    /// The folder where words wait.
    pub(super) spill: SpillTo,
    pub(super) listener: &'a (dyn Fn(&CheckpointEvent) + Sync),
    stop: &'a (dyn Fn() -> bool + Sync),
    /// The damaged checkpoints that [`newest`](Self::newest) has found, and the damage.
    damaged: Arc<Mutex<Vec<(PathBuf, io::Error)>>>,
}

impl<'a> Checkpoints<'a> {
    /// Checkpoints in `folder`, which is created if it does not exist: every two minutes, or every
    /// twenty times the time to write one, if that is longer. Their words are in files of the
    /// folder `words` in it, which are written with the checkpoints; until then they are in memory.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let (folder, damaged) = (folder.into(), Arc::default());
        let (words, owner) = (folder.join(WORDS_NAME), folder.clone());
        let spill = SpillTo { folder: words, owner, memory: u64::MAX };
        Self { folder, interval: None, spill, listener: &|_| (), stop: &|| false, damaged }
    }

    /// Sets the time from the beginning of one checkpoint to the beginning of the next. Only one is
    /// written at a time; zero means that the next one begins as soon as the previous one has been
    /// written.
    pub fn every(self, interval: Duration) -> Self {
        Self { interval: Some(interval), ..self }
    }

    /// Lets words wait in files of this folder, and in at most `memory` bytes of memory. The folder
    /// serves one run. A checkpoint names the files that it needs.
    pub fn spill(self, words: impl Into<PathBuf>, memory: u64) -> Self {
        Self { spill: SpillTo { folder: words.into(), memory, ..self.spill }, ..self }
    }

    /// Sets a listener, which is called on the thread that writes checkpoints or on the caller's.
    pub fn listener(self, listener: &'a (dyn Fn(&CheckpointEvent) + Sync)) -> Self {
        Self { listener, ..self }
    }

    /// Sets a function that is asked whether to stop while checkpoints and their words are read.
    pub fn stop(self, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { stop, ..self }
    }

    /// The time from the beginning of a checkpoint that took this long to the beginning of the
    /// next.
    pub(super) fn interval(&self, took: Duration) -> Duration {
        self.interval.unwrap_or_else(|| Duration::from_secs(120).max(took.saturating_mul(20)))
    }

    /// The newest checkpoint that is intact. O(bytes): the whole file is read. Nothing is changed
    /// yet: see [`set_damaged_aside`](Self::set_damaged_aside). A checkpoint that cannot be read
    /// may be intact.
    ///
    /// # Errors
    /// [`FileProblem::Unreadable`](crate::checkpoints::FileProblem) if the folder or a checkpoint
    /// cannot be read, [`FileProblem::Unusable`](crate::checkpoints::FileProblem) if the newest
    /// intact one has another format or needs words that cannot be read; [`WordsError::Stopped`].
    pub fn newest(&self) -> Result<Option<Checkpoint>, WordsError> {
        let files = self.files().map_err(|error| problem(&self.folder, &error))?;
        let (mut newest, mut damaged): (Option<Checkpoint>, _) = (None, Vec::new());
        for (row, path) in files {
            let mut opened = Checkpoint::open(path.clone(), row, self.stop);
            if newest.is_none() {
                opened = opened.and_then(|found| found.count_words(&self.spill, self.stop));
            }
            match (opened, &mut newest) {
                // The files that older ones need are kept. Damaged ones need none.
                (Ok(older), Some(newest)) => newest.keep_words_of(&older),
                (Ok(found), none) => *none = Some(found),
                (Err(error), _) if !is_damage(&error) => return Err(self.unusable(&path, &error)),
                (Err(error), None) => damaged.push((path, error)),
                (Err(_), Some(_)) => {}
            }
        }
        *lock(&self.damaged) = damaged;
        Ok(newest)
    }

    /// Tells the listener of the damaged checkpoints that [`newest`](Self::newest) has found. If
    /// the run begins, they are renamed, with `.damaged` appended; a run that is refused changes
    /// nothing.
    pub fn set_damaged_aside(&self, begins: bool) {
        for (file, error) in mem::take(&mut *lock(&self.damaged)) {
            let mut aside = file.clone().into_os_string();
            aside.push(DAMAGED);
            let resumes = "and the run resumes from the one before it, or starts again";
            let now = match begins.then(|| fs::rename(&file, &aside)) {
                None => "it has not been changed".to_owned(),
                Some(Ok(())) => format!("it is now {}, {resumes}", aside.display()),
                Some(Err(refused)) => format!("it cannot be renamed ({refused}), {resumes}"),
            };
            self.warn(format!("the checkpoint {} is damaged ({error}); {now}", file.display()));
        }
    }

    /// The checkpoint at this row, if this process sees it. Its words on disk are not read: the
    /// first of the processes that share a run verifies them.
    ///
    /// # Errors
    /// As [`newest`](Self::newest).
    #[cfg(feature = "ranks")]
    pub fn at(&self, row: u64) -> Result<Option<Checkpoint>, WordsError> {
        let path = self.folder.join(file_name(RowIndex(row)));
        if fs::symlink_metadata(&path).is_err() {
            return Ok(None);
        }
        let opened = Checkpoint::open(path.clone(), RowIndex(row), self.stop);
        opened.map(Some).map_err(|error| self.unusable(&path, &error))
    }

    /// The mark of the run of the program that holds the folder of words, as this process sees it.
    /// The first of the processes that share a run holds the folder.
    #[cfg(feature = "ranks")]
    pub fn mark_of_words(&self) -> Option<String> {
        mark(&self.spill.folder)
    }

    fn unusable(&self, file: &Path, error: &io::Error) -> WordsError {
        if (self.stop)() { WordsError::Stopped } else { problem(file, error) }
    }

    /// The row of the newest checkpoint, by its name: it is not read.
    pub fn newest_row(&self) -> Option<u64> {
        self.files().ok()?.first().map(|(row, _)| row.0)
    }

    /// Removes the checkpoints of runs that end at `end` or before, also damaged and unfinished
    /// ones. For use when such a run is complete and its rows are safe. Returns the remaining ones:
    /// a run that ends later can resume from them, or may be able to.
    ///
    /// # Errors
    /// If the folder cannot be read or a file cannot be removed.
    pub fn remove(&self, end: u64) -> io::Result<Vec<PathBuf>> {
        files::remove_drafts(&self.folder)?;
        let mut left = Vec::new();
        for path in entries(&self.folder)? {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if row_of(name.strip_suffix(DAMAGED).unwrap_or(name)).is_none() {
                continue;
            }
            if may_go(&path, RowIndex(end.next_multiple_of(LANES))) {
                fs::remove_file(&path)?;
            } else {
                left.push(path);
            }
        }
        Ok(left)
    }

    /// Removes the words on disk of the run with these checkpoints. For use when no checkpoint
    /// remains.
    ///
    /// # Errors
    /// If words remain: those of another run, or those that cannot be removed.
    pub fn remove_words(&self) -> io::Result<()> {
        HeldFolder::remove(&self.spill).map_err(|(file, error)| {
            io::Error::new(error.kind(), format!("{}: {error}", file.display()))
        })
    }

    /// Removes unfinished checkpoints of earlier runs, or tells the listener that it cannot.
    pub(super) fn tidy(&self) {
        if let Err(error) = files::remove_drafts(&self.folder) {
            self.warn_not_removed(&error);
        }
    }

    /// Removes all but the two newest checkpoints of runs that end at `end` or before.
    pub(super) fn remove_oldest(&self, end: RowIndex) -> io::Result<()> {
        let files = self.files()?;
        let own = files.iter().filter(|(_, path)| may_go(path, end));
        own.skip(2).try_for_each(|(_, path)| fs::remove_file(path))
    }

    /// The row of the oldest checkpoint.
    pub(super) fn oldest(&self) -> Option<RowIndex> {
        self.files().ok()?.last().map(|(row, _)| *row)
    }

    /// Tells the listener that something is wrong.
    pub(super) fn warn(&self, words: String) {
        (self.listener)(&CheckpointEvent::Warning(words));
    }

    pub(super) fn warn_not_removed(&self, error: &io::Error) {
        let folder = self.folder.display();
        let what = "old or unfinished checkpoints in";
        self.warn(format!("{what} {folder} cannot be removed: {error}"));
    }

    /// The files with the name of a checkpoint, newest first.
    fn files(&self) -> io::Result<Vec<(RowIndex, PathBuf)>> {
        let mut files: Vec<_> = entries(&self.folder)?
            .into_iter()
            .filter_map(|path| Some((row_of(path.file_name()?.to_str()?)?, path)))
            .collect();
        files.sort_unstable_by(|a, b| b.cmp(a));
        Ok(files)
    }
}

const DAMAGED: &str = ".damaged";

/// The name of the checkpoint whose boundary is below `row`.
pub(super) fn file_name(RowIndex(row): RowIndex) -> String {
    format!("checkpoint-{row:010}.bin")
}

fn row_of(name: &str) -> Option<RowIndex> {
    let row = name.strip_prefix("checkpoint-")?.strip_suffix(".bin")?.parse().ok()?;
    let row = RowIndex(row);
    (file_name(row) == name).then_some(row)
}

/// The paths in a folder; none if it does not exist.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Whether a run that ends at `end` may remove this checkpoint: not if a run that ends later can
/// resume from it, or may be able to.
pub(super) fn may_go(path: &Path, end: RowIndex) -> bool {
    match end_of(path) {
        Ok(its) => its <= end,
        Err(error) => is_damage(&error),
    }
}

/// An event about a checkpoint, which displays as a sentence. It changes no row, and the run
/// continues.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckpointEvent {
    /// A checkpoint has been written and synced.
    Written {
        /// Its file.
        file: PathBuf,
        /// Its size.
        bytes: u64,
        /// The time from its first byte on.
        took: Duration,
    },
    /// A checkpoint is damaged or could not be written, or old ones cannot be removed.
    Warning(String),
}

impl Display for CheckpointEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Written { file, bytes, took } => {
                write!(f, "{}: {bytes} bytes in {took:?}", file.display())
            }
            Self::Warning(words) => f.write_str(words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for row in [1216, u64::MAX].map(RowIndex) {
            assert_eq!(row_of(&file_name(row)), Some(row));
        }
        for name in ["checkpoint-1216.bin", "checkpoint-0000001216.bin.damaged", "checkpoint-.bin"]
        {
            assert_eq!(row_of(name), None, "{name}");
        }
    }
}
