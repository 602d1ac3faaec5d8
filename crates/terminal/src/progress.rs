//! Progress of a run on stderr: a bar on a terminal, a line every few seconds elsewhere, or objects
//! for programs.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use driver::{Unit, Work};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use serde::Serialize;
use tracing::{Level, enabled};

use crate::messages::{ProgressForm, progress_form};

/// Time between lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Time between objects.
const OBJECT_EVERY: Duration = Duration::from_secs(1);

/// Time between two drawings of the bar.
const REDRAW_EVERY: Duration = Duration::from_millis(50);

/// A smaller share of the work says nothing of the rest, as its first unit can wait for others.
const LEAST_SHARE: f64 = 1e-4;

/// The progress of a run. The time left is estimated from a cost that grows with a power of the
/// finished part; it is only shown.
pub struct Progress {
    /// The unit.
    what: &'static str,
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
    pub fn of(work: Work) -> Self {
        let what = match work.unit {
            Unit::Row => "row",
            Unit::Column => "column",
            Unit::Cell => "cell",
            Unit::LowerRows => "step",
            Unit::Position => "position",
            Unit::Claim => "claim",
        };
        let done = work.before.min(work.all);
        let display = match progress_form() {
            ProgressForm::Json => Display::Objects,
            // Without messages of level INFO there is no progress either.
            ProgressForm::Words if stderr().is_terminal() && enabled!(Level::INFO) => {
                let style = "{prefix} {human_pos} of {human_len} {wide_bar} {elapsed}{msg}";
                let style = ProgressStyle::with_template(style).expect("it has known keys");
                Display::Bar(ProgressBar::new(work.all).with_style(style).with_prefix(what))
            }
            ProgressForm::Words => Display::Lines,
        };
        let (now, work) = (Instant::now(), Work { before: done, ..work });
        Self { what, work, cells: None, done, began: now, resumed: now, shown: now, display }
    }

    /// Sets the number of cells that are done, and of those that are expected.
    pub fn cells(&mut self, done: u64, expected: u64) {
        self.cells = Some((done, expected));
    }

    /// Sets the number of rows or columns that are done.
    pub fn set(&mut self, done: u64) {
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
                let count = |number: u64| match self.what {
                    // There are billions of them.
                    "cell" => HumanCount(number).to_string(),
                    _ => number.to_string(),
                };
                let (done, all, what) = (count(self.done), count(self.work.all), self.what);
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
                    unit: self.what,
                };
                let line = record::to_json(&ProgressObject { progress }) + "\n";
                // Nothing can be done if stderr is closed or full.
                let _closed = stderr().write_all(line.as_bytes());
            }
        }
    }

    /// Removes the bar from the screen, or prints the last object.
    pub fn finish(&self) {
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
        Work { unit: Unit::Row, all, before, exponent: 1.0 }
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
}
