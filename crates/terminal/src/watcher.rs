//! How computations are watched: progress and news on stderr, and Ctrl-C.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use driver::{CheckpointEvent, News, Unit, Watch, Work};

use crate::interrupt::Interrupt;
use crate::progress::Progress;

/// Shows how far a computation is, tells its news, and passes an interrupt on.
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

    fn hear(&self, news: &News) {
        match news {
            News::Memory { bytes } => {
                let megabytes = bytes.div_ceil(1_000_000);
                tracing::info!("this will need about {megabytes} MB of memory");
            }
            News::ExactPath { exact, cells } => {
                tracing::info!("{exact} of {cells} cells went by the exact path");
            }
            News::Extends { folder, last } => {
                tracing::info!("extending rows 0 to {last} in {}", folder.display());
            }
            News::GoesOn { row } => tracing::info!("going on from the checkpoint at row {row}"),
            News::PositionsResume { file, next } => {
                tracing::info!("resuming at a = {next} from {}", file.display());
            }
            News::PositionsNotKept { file, problem } => {
                tracing::warn!(
                    "{} cannot be written: {problem}; the run continues",
                    file.display()
                );
            }
            News::CheckpointStays { file } => {
                let file = file.display();
                tracing::info!("{file} stays: a run to a larger row may go on from it");
            }
            News::Checkpoint(news @ CheckpointEvent::Written { .. }) => tracing::debug!("{news}"),
            News::Checkpoint(news) => tracing::warn!("{news}"),
            News::WordsLeft { folder, problem } => {
                let folder = folder.display();
                tracing::warn!("the words in {folder} are left there: {problem}");
            }
            News::CheckpointsLeft { folder, problem } => {
                let folder = folder.display();
                tracing::warn!("the checkpoints in {folder} are left there: {problem}");
            }
        }
    }

    fn stop(&self) -> bool {
        self.interrupt.asked()
    }
}
