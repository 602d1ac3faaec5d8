//! Progress of all ranks on stderr, as `chomp rows` shows it: a bar on a terminal, a line every few
//! seconds elsewhere.

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use std::{
    io::{IsTerminal, stderr},
    time::{Duration, Instant},
};

/// Seconds between lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Where a run stands. Time left is fitted to a cost that grows with a power of what is done; it is
/// shown, and decides nothing.
pub struct Progress {
    all: u64,
    /// Done by an earlier run.
    before: u64,
    exponent: f64,
    /// Cells done and expected.
    cells: (u64, u64),
    began: Instant,
    shown: Instant,
    bar: ProgressBar,
    on_terminal: bool,
}

impl Progress {
    /// Of so many rows, whose cost grows with that power of them; the first are there already.
    pub fn new(all: u64, before: u64, exponent: f64) -> Self {
        let bar = ProgressBar::new(all);
        let style = ProgressStyle::with_template("row {pos} of {len} {bar:30} {elapsed}{msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let (on_terminal, now) = (stderr().is_terminal(), Instant::now());
        Self { all, before, exponent, cells: (0, 0), began: now, shown: now, bar, on_terminal }
    }

    /// Takes in how many cells all ranks have done, and how many are expected.
    pub fn cells(&mut self, done: u64, expected: u64) {
        self.cells = (done, expected);
    }

    /// Takes in how many rows are done.
    pub fn set(&mut self, done: u64) {
        if self.on_terminal {
            if done.is_multiple_of(16) {
                self.bar.set_message(self.words(done));
                self.bar.set_position(done);
            }
        } else if self.shown.elapsed() >= LINE_EVERY {
            self.shown = Instant::now();
            let (all, elapsed, words) =
                (self.all, self.began.elapsed().as_secs(), self.words(done));
            tracing::info!("{done} of {all} rows, {elapsed} s{words}");
        }
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn words(&self, done: u64) -> String {
        let [cells, expected] = [self.cells.0, self.cells.1].map(|n| HumanCount(n / 1_000_000));
        format!(", {cells} of {expected} million cells{}", self.left(done))
    }

    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn left(&self, done: u64) -> String {
        let cost = |done: u64| (done as f64).powf(self.exponent);
        let (left, done) = (cost(self.all) - cost(done), cost(done) - cost(self.before));
        if self.began.elapsed() < Duration::from_secs(1) || done <= 0.0 {
            return String::new();
        }
        let seconds = self.began.elapsed().as_secs_f64() * left / done;
        Duration::try_from_secs_f64(seconds)
            .map_or(String::new(), |left| format!(", about {} left", HumanDuration(left)))
    }
}
