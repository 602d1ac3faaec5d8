//! Progress and events of a computation on stderr, and Ctrl-C.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use driver::{Bytes, CheckpointEvent, Event, Unit, Watch, Work};

use crate::interrupt::Interrupt;
use crate::progress::Progress;

/// Shows the progress and the events of a computation, and passes on an interrupt.
pub struct Watcher {
    interrupt: Interrupt,
    shows_progress: bool,
    progress: Mutex<Option<Progress>>,
}

impl Watcher {
    /// Catches the signals to end from now on.
    ///
    /// # Errors
    /// As [`Interrupt::catch`].
    pub fn new() -> io::Result<Self> {
        Interrupt::catch().map(Self::of)
    }

    /// The same without progress.
    ///
    /// # Errors
    /// As [`Interrupt::catch`].
    pub fn without_progress() -> io::Result<Self> {
        Ok(Self { shows_progress: false, ..Self::new()? })
    }

    /// With signals that are caught already.
    #[must_use]
    pub fn of(interrupt: Interrupt) -> Self {
        Self { interrupt, shows_progress: true, progress: Mutex::new(None) }
    }

    fn progress(&self) -> MutexGuard<'_, Option<Progress>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Watcher {
    fn begin(&self, work: Work) {
        let Work { unit, all, before, exponent } = work;
        let what = match unit {
            Unit::Row => "row",
            Unit::Column => "column",
            Unit::Cell => "cell",
            Unit::LowerRows => "step",
            Unit::Position => "position",
        };
        if self.shows_progress {
            let mut progress = Progress::of(what, all, exponent);
            progress.resume(before);
            *self.progress() = Some(progress);
        }
    }

    fn done(&self, number: u64) {
        if let Some(progress) = &mut *self.progress() {
            progress.set(number);
        }
    }

    fn cells(&self, done: u64, expected: u64) {
        if let Some(progress) = &mut *self.progress() {
            progress.cells(done, expected);
        }
    }

    fn end(&self) {
        if let Some(progress) = self.progress().take() {
            progress.finish();
        }
    }

    fn event(&self, event: &Event) {
        match event {
            Event::Memory { bytes } => {
                tracing::info!("this will need about {} of memory", Bytes(*bytes));
            }
            Event::ExactPath { exact, cells } => {
                tracing::info!("{exact} of {cells} cells went by the exact path");
            }
            Event::Extends { folder, last } => {
                tracing::info!("extending rows 0 to {last} in {}", folder.display());
            }
            Event::Resumes { row } => tracing::info!("resuming from the checkpoint at row {row}"),
            Event::PartsGiven { folder, given, all } => {
                let folder = folder.display();
                tracing::info!("{given} of {all} parts are in {folder}; they are believed");
            }
            Event::PositionsResume { file, next } => {
                tracing::info!("resuming at a = {next} from {}", file.display());
            }
            Event::CheckResumes { file, hash } => {
                let file = file.display();
                tracing::info!("resuming from {file}, hash {hash}; it is assumed to be right");
            }
            Event::CheckKept { file, column, interrupted: true } => {
                let file = file.display();
                tracing::info!(
                    "{file} holds the state; the same command resumes at column {column}"
                );
            }
            Event::CheckKept { file, .. } => tracing::debug!("{} is written", file.display()),
            Event::CheckNotKept { file, problem } | Event::PositionsNotKept { file, problem } => {
                tracing::warn!(
                    "{} cannot be written: {problem}; the run continues",
                    file.display()
                );
            }
            Event::CheckpointStays { file } => {
                let file = file.display();
                tracing::info!("{file} stays: a run to a larger row can resume from it");
            }
            Event::Checkpoint(event @ CheckpointEvent::Written { .. }) => {
                tracing::debug!("{event}");
            }
            Event::Checkpoint(event) => tracing::warn!("{event}"),
            Event::WordsLeft { folder, problem } => {
                let folder = folder.display();
                tracing::warn!("the words in {folder} are left there: {problem}");
            }
            Event::CheckpointsLeft { folder, problem } => {
                let folder = folder.display();
                tracing::warn!("the checkpoints in {folder} are left there: {problem}");
            }
        }
    }

    fn stop(&self) -> bool {
        self.interrupt.asked()
    }
}
