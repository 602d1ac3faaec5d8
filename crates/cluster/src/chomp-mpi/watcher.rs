//! How rank 0 is watched: progress and news on stderr, and signals to end.

use driver::{CheckpointNews, News, Watch, Work};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{interrupt::Interrupt, progress::Progress};

/// Shows how far all ranks are, and passes signals to end on.
pub struct Watcher<'a> {
    interrupt: &'a Interrupt,
    progress: Mutex<Option<Progress>>,
}

impl<'a> Watcher<'a> {
    /// With signals that are caught already.
    pub fn new(interrupt: &'a Interrupt) -> Self {
        Self { interrupt, progress: Mutex::new(None) }
    }

    fn progress(&self) -> MutexGuard<'_, Option<Progress>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Watcher<'_> {
    fn begin(&self, Work { all, before, exponent, .. }: Work) {
        *self.progress() = Some(Progress::new(all, before, exponent));
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
            News::Memory { .. } => {}
            News::ExactPath { exact, cells } => {
                tracing::info!("{exact} of {cells} cells went by the exact path");
            }
            News::Extends { folder, last } => {
                tracing::info!("extending rows 0 to {last} in {}", folder.display());
            }
            News::GoesOn { row } => tracing::info!("going on from the checkpoint at row {row}"),
            News::CheckpointStays { file } => {
                let file = file.display();
                tracing::info!("{file} stays: a run to a larger row may go on from it");
            }
            News::Checkpoint(news @ CheckpointNews::Written { .. }) => tracing::debug!("{news}"),
            News::Checkpoint(news) => tracing::warn!("{news}"),
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
