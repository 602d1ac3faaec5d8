//! Progress of a run on stderr: a bar on a terminal, a line every few seconds elsewhere.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Seconds between lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Time between two pictures of the bar.
const REDRAW_EVERY: Duration = Duration::from_millis(50);

/// Where a run stands. Time left is fitted to a cost that grows with a power of what is done; it is
/// shown, and decides nothing.
pub struct Progress {
    what: &'static str,
    exponent: f64,
    /// Cells done and expected, of engines that count them.
    cells: Option<(u64, u64)>,
    all: u64,
    /// Done by an earlier run.
    before: u64,
    began: Instant,
    shown: Instant,
    redrawn: Instant,
    bar: ProgressBar,
    on_terminal: bool,
}

impl Progress {
    /// Begins a run of `all` rows or columns whose cost grows with that power of them.
    pub fn of(what: &'static str, all: u64, exponent: f64) -> Self {
        let on_terminal = stderr().is_terminal();
        // A program that shows no remarks shows no progress either.
        let shown = tracing::enabled!(tracing::Level::INFO);
        let target =
            if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(all), target);
        let style = ProgressStyle::with_template(
            "{prefix} {human_pos} of {human_len} {bar:30} {elapsed}{msg}",
        );
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(what);
        let now = Instant::now();
        Self {
            what,
            exponent,
            cells: None,
            all,
            before: 0,
            began: now,
            shown: now,
            redrawn: now,
            bar,
            on_terminal,
        }
    }

    /// The work of an earlier run does not count for the estimate of the time left.
    pub fn resume(&mut self, before: u64) {
        self.before = before.min(self.all);
    }

    /// Takes in the number of cells that are done, and of those that are expected.
    pub fn cells(&mut self, done: u64, expected: u64) {
        self.cells = Some((done, expected));
    }

    /// Takes in the number of rows or columns that are done.
    pub fn set(&mut self, done: u64) {
        if self.on_terminal {
            if self.redrawn.elapsed() >= REDRAW_EVERY {
                self.redrawn = Instant::now();
                self.bar.set_message(self.cells_words() + &self.left(done));
                self.bar.set_position(done);
            }
        } else if self.shown.elapsed() >= LINE_EVERY {
            self.shown = Instant::now();
            let elapsed = self.began.elapsed().as_secs();
            let count = |number: u64| match self.what {
                // There are billions of them.
                "cell" => HumanCount(number).to_string(),
                _ => number.to_string(),
            };
            let (done_words, all) = (count(done), count(self.all));
            let (what, cells, left) = (self.what, self.cells_words(), self.left(done));
            tracing::info!("{done_words} of {all} {what}s{cells}, {elapsed} s{left}");
        }
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn cells_words(&self) -> String {
        let Some((done, expected)) = self.cells else { return String::new() };
        let millions = |cells: u64| HumanCount(cells / 1_000_000);
        format!(", {} of {} million cells", millions(done), millions(expected))
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
