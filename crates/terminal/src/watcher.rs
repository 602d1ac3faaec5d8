//! Progress and events of a computation on stderr, and Ctrl-C.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use driver::{Bytes, Cheaper, CheckpointEvent, Cost, Event, Watch, Work};
use indicatif::HumanDuration;

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
    pub fn of(interrupt: Interrupt) -> Self {
        Self { interrupt, shows_progress: true, progress: Mutex::new(None) }
    }

    fn progress(&self) -> MutexGuard<'_, Option<Progress>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A time that is worth a word.
fn time_in_words(time: Duration) -> Option<String> {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
    match time {
        _ if time < Duration::from_secs(2) => None,
        _ if time > 1000 * YEAR => Some("thousands of years".to_owned()),
        _ => Some(format!("about {}", HumanDuration(time))),
    }
}

/// The cost of work: `this will take about 3 hours and 228 GB of memory`.
pub fn cost_in_words(will: &str, Cost { time, bytes, .. }: Cost) -> String {
    let is_little = bytes < 100_000_000;
    let memory = format!("{} of memory", Bytes(bytes));
    match time_in_words(time) {
        Some(time) if is_little => format!("this {will} take {time}"),
        Some(time) => format!("this {will} take {time} and {memory}"),
        None => format!("this {will} need about {memory}"),
    }
}

fn cheaper_in_words(cheaper: Option<Cheaper>) -> String {
    let (time, way) = match cheaper {
        None => return String::new(),
        Some(Cheaper::Fingerprints(time)) => (time, "with fingerprints instead of all offsets"),
        Some(Cheaper::Sweep(time)) => (time, "by the sweep instead of the literal recurrence"),
    };
    let time = time_in_words(time).unwrap_or_else(|| "a second or two".to_owned());
    format!("; {way}, {time}")
}

impl Watch for Watcher {
    fn begin(&self, work: Work) {
        if self.shows_progress {
            *self.progress() = Some(Progress::of(work));
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
            Event::Cost { cost, cheaper } => {
                tracing::info!("{}{}", cost_in_words("will", *cost), cheaper_in_words(*cheaper));
            }
            Event::MayCost { cost } => tracing::info!("{}", cost_in_words("may", *cost)),
            Event::Spills { cost, disk, folder } => tracing::info!(
                "this uses at most {} of memory, and up to {} of disk in {}{}",
                Bytes(cost.bytes),
                Bytes(*disk),
                folder.display(),
                time_in_words(cost.time)
                    .map_or(String::new(), |time| format!("; it will take {time}"))
            ),
            Event::Kept { file } => tracing::debug!("{} is written", file.display()),
            Event::Remark(words) => tracing::info!("{words}"),
            Event::Warning(words) => tracing::warn!("{words}"),
            Event::Checkpoint(event @ CheckpointEvent::Written { .. }) => {
                tracing::debug!("{event}");
            }
            Event::Checkpoint(event) => tracing::warn!("{event}"),
        }
    }

    fn stop(&self) -> bool {
        self.interrupt.asked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_in_words() {
        let cost =
            |seconds, bytes| Cost { time: Duration::from_secs(seconds), bytes, ..Cost::default() };
        let words = |seconds, bytes| cost_in_words("will", cost(seconds, bytes));
        assert_eq!(
            words(270, 15_134_700_000),
            "this will take about 5 minutes and 15.2 GB of memory"
        );
        assert_eq!(words(40, 1000), "this will take about 40 seconds");
        assert_eq!(words(0, 1_134_700_000), "this will need about 1.2 GB of memory");
        assert_eq!(words(u64::MAX, 0), "this will take thousands of years");
        assert_eq!(cost_in_words("may", cost(40, 1000)), "this may take about 40 seconds");
        let cheaper = cheaper_in_words(Some(Cheaper::Sweep(Duration::from_millis(30))));
        assert_eq!(cheaper, "; by the sweep instead of the literal recurrence, a second or two");
    }
}
