//! Progress of a run on stderr: a bar on a terminal, a line every few seconds elsewhere.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Seconds between lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Where a run to row `last` stands. Time left is fitted to the cost of the literal recurrence,
/// which grows with the cube of the rows done.
pub struct Progress {
    last: u64,
    began: Instant,
    shown: Instant,
    bar: ProgressBar,
    on_terminal: bool,
}

impl Progress {
    /// Begins a run to row `last`.
    pub fn to(last: u64) -> Self {
        let on_terminal = stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(Some(last + 1), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("row {pos} of {len} {bar:30} {elapsed}{msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let now = Instant::now();
        Self { last, began: now, shown: now, bar, on_terminal }
    }

    /// The same, unseen.
    pub fn none(last: u64) -> Self {
        Self { bar: ProgressBar::hidden(), on_terminal: true, ..Self::to(last) }
    }

    /// `done` rows are done.
    pub fn set(&mut self, done: u64) {
        if self.on_terminal {
            if done.is_multiple_of(16) {
                self.bar.set_message(self.left(done));
                self.bar.set_position(done);
            }
        } else if self.shown.elapsed() >= LINE_EVERY {
            self.shown = Instant::now();
            let (rows, elapsed) = (self.last + 1, self.began.elapsed().as_secs());
            tracing::info!("{done} of {rows} rows, {elapsed} s{}", self.left(done));
        }
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn left(&self, done: u64) -> String {
        let cost = |rows: u64| u128::from(rows).pow(3);
        let (all, done) = (cost(self.last + 1), cost(done));
        if self.began.elapsed() < Duration::from_secs(1) || done == 0 {
            return String::new();
        }
        let milliseconds = self.began.elapsed().as_millis() * (all - done) / done;
        format!(", about {} s left", milliseconds.div_ceil(1000))
    }
}
