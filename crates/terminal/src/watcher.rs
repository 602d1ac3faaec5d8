//! Progress and events of a computation on stderr, and Ctrl-C. Progress is a bar on a terminal, a
//! line every few seconds elsewhere, or objects for programs.

use std::io::{self, IsTerminal, Write, stderr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use driver::{Bytes, Cheaper, CheckpointEvent, Cost, Event, Watch, Work};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use serde::Serialize;
use tracing::{Level, enabled};

use crate::interrupt::Interrupt;
use crate::messages::{ProgressForm, progress_form};

/// Time between lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Time between objects.
const OBJECT_EVERY: Duration = Duration::from_secs(1);

/// Time between two drawings of the bar.
const REDRAW_EVERY: Duration = Duration::from_millis(50);

/// A smaller share of the work says nothing of the rest, as its first unit can wait for others.
const LEAST_SHARE: f64 = 1e-4;

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
    let Some((time, way)) = cheaper else { return String::new() };
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

/// The progress of a run. The time left is estimated from a cost that grows with a power of the
/// finished part; it is only shown.
struct Progress {
    work: Work,
    /// Cells done and expected, of engines that count them.
    cells: Option<(u64, u64)>,
    done: u64,
    began: Instant,
    /// When the first unit began that no earlier run has done.
    resumed: Instant,
    shown: Instant,
    display: Display,
}

/// The progress of a command, for programs.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Progress"))]
pub struct ProgressObject {
    progress: Reached,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Reached {
    all: u64,
    /// Of engines that count cells; `all` is an estimate.
    cells: Option<Cells>,
    /// How many units of `all` are done.
    done: u64,
    /// The time of this run.
    seconds: u64,
    /// An estimate; null before there is one.
    seconds_left: Option<u64>,
    unit: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Cells {
    all: u64,
    done: u64,
}

/// How progress is shown.
enum Display {
    Bar(ProgressBar),
    Lines,
    Objects,
}

impl Progress {
    /// Work that begins. That of an earlier run, and the time to read it, do not count for the
    /// estimate of the time left.
    fn of(work: Work) -> Self {
        let done = work.before.min(work.all);
        let display = match progress_form() {
            ProgressForm::Json => Display::Objects,
            // Without messages of level INFO there is no progress either.
            ProgressForm::Words if stderr().is_terminal() && enabled!(Level::INFO) => {
                let style = "{prefix} {human_pos} of {human_len} {wide_bar} {elapsed}{msg}";
                let style = ProgressStyle::with_template(style).expect("it has known keys");
                Display::Bar(ProgressBar::new(work.all).with_style(style).with_prefix(work.unit))
            }
            ProgressForm::Words => Display::Lines,
        };
        let (now, work) = (Instant::now(), Work { before: done, ..work });
        Self { work, cells: None, done, began: now, resumed: now, shown: now, display }
    }

    /// Sets the number of cells that are done, and of those that are expected.
    fn cells(&mut self, done: u64, expected: u64) {
        self.cells = Some((done, expected));
    }

    /// Sets the number of rows or columns that are done.
    fn set(&mut self, done: u64) {
        self.done = done;
        if done <= self.work.before {
            self.resumed = Instant::now();
        }
        let every = match self.display {
            Display::Bar(_) => REDRAW_EVERY,
            Display::Lines => LINE_EVERY,
            Display::Objects => OBJECT_EVERY,
        };
        if self.shown.elapsed() >= every {
            self.shown = Instant::now();
            self.show();
        }
    }

    fn show(&self) {
        match &self.display {
            Display::Bar(bar) => {
                bar.set_message(self.left_words());
                bar.set_position(self.done);
            }
            Display::Lines => {
                let elapsed = self.began.elapsed().as_secs();
                let count = |number: u64| match self.work.unit {
                    // There are billions of them.
                    "cell" => HumanCount(number).to_string(),
                    _ => number.to_string(),
                };
                let (done, all, what) = (count(self.done), count(self.work.all), self.work.unit);
                let (cells, left) = (self.cells_words(), self.left_words());
                tracing::info!("{done} of {all} {what}s{cells}, {elapsed} s{left}");
            }
            Display::Objects => {
                let progress = Reached {
                    all: self.work.all,
                    cells: self.cells.map(|(done, all)| Cells { all, done }),
                    done: self.done,
                    seconds: self.began.elapsed().as_secs(),
                    seconds_left: self.left().map(|left| left.as_secs()),
                    unit: self.work.unit,
                };
                let line = record::to_json(&ProgressObject { progress }) + "\n";
                // Nothing can be done if stderr is closed or full.
                let _closed = stderr().write_all(line.as_bytes());
            }
        }
    }

    /// Removes the bar from the screen, or prints the last object.
    fn finish(&self) {
        match &self.display {
            Display::Bar(bar) => bar.finish_and_clear(),
            Display::Lines => {}
            Display::Objects => self.show(),
        }
    }

    fn cells_words(&self) -> String {
        let Some((done, expected)) = self.cells else { return String::new() };
        let millions = |cells: u64| HumanCount(cells / 1_000_000);
        format!(", {} of {} million cells", millions(done), millions(expected))
    }

    fn left_words(&self) -> String {
        let words = |left| format!(", about {} left", HumanDuration(left));
        self.left().map_or(String::new(), words)
    }

    fn left(&self) -> Option<Duration> {
        self.left_after(self.resumed.elapsed())
    }

    /// The time left if the units of this run took this time so far; none in the first second, or
    /// from less than a [`LEAST_SHARE`] of the work.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn left_after(&self, time: Duration) -> Option<Duration> {
        let cost = |done: u64| (done as f64).powf(self.work.exponent);
        let left = cost(self.work.all) - cost(self.done);
        let done = cost(self.done) - cost(self.work.before);
        if time < Duration::from_secs(1) || done <= 0.0 || done < LEAST_SHARE * (left + done) {
            return None;
        }
        Duration::try_from_secs_f64(time.as_secs_f64() * left / done).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    fn rows(all: u64, before: u64) -> Work {
        Work { unit: "row", all, before, exponent: 1.0 }
    }

    /// The rows of a checkpoint are read at another speed than rows are computed.
    #[test]
    fn rows_of_a_checkpoint_do_not_count_for_the_time_left() {
        let mut progress = Progress::of(rows(1000, 500));
        sleep(Duration::from_millis(10));
        progress.set(500);
        assert!(progress.resumed > progress.began);
        let resumed = progress.resumed;
        progress.set(600);
        assert_eq!(progress.resumed, resumed);
        // 100 rows took two seconds, and 400 are left.
        assert_eq!(progress.left_after(Duration::from_secs(2)), Some(Duration::from_secs(8)));
        assert_eq!(progress.left_after(Duration::from_millis(999)), None);
    }

    /// A family of 2^20 rows finds the first of them after some seconds.
    #[test]
    fn one_row_of_a_million_says_nothing_of_the_time_left() {
        let mut progress = Progress::of(rows(1 << 20, 0));
        progress.set(1);
        assert_eq!(progress.left_after(Duration::from_secs(25)), None);
        progress.set(1 << 10);
        let left = Duration::from_secs(1023);
        assert_eq!(progress.left_after(Duration::from_secs(1)), Some(left));
    }

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
        let cheaper = cheaper_in_words(Some((Duration::from_millis(30), "by another way")));
        assert_eq!(cheaper, "; by another way, a second or two");
    }
}
