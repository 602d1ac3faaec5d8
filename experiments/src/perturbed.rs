//! `experiments perturbed`: which statements about Chomp hold in a recurrence that differs from it
//! near the origin.

mod games;
mod statistics;
mod tally;
#[cfg(test)]
mod tests;
mod text;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use byrnes::{Perturbation, PerturbedColumns};
use clap::{ArgGroup, Args};
use driver::{Unit, Watch, Work};
use game::number::within;
use record::escaped;

use games::PerturbedGames;
use statistics::PerturbedStatistics;
use tally::PerturbedTally;

/// Test the statements about Chomp in a recurrence that differs from it near the origin.
///
/// In Chomp, f(q,r) is the least number p >= q that is not blocked. A perturbation blocks more
/// numbers: some count as diagonal values in every row, and some are blocked in one column.
/// Everything else is as in Chomp. FILE has a perturbation in RON, such as
///
///   Perturbation(diagonal: [18, 20], cells: [(5, 9)])
///
/// for the diagonal values 18 and 20, and for 9 in column 5. A dash stands for standard input.
///
/// Such a recurrence is no game that we know, so its rows are only printed: no command can take
/// them for rows of Chomp. Every output begins with the perturbation. Nothing is certified: values
/// are those of the recurrence, and periods are read from columns beyond 2R.
///
/// With --random, the perturbations are random ones, the same in every run, and the output counts
/// in how many of them each statement fails.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").required(true).args(["file", "random"]))]
#[command(after_help = "Examples:\n  \
    echo 'Perturbation(diagonal: [18, 20], cells: [])' | experiments perturbed -\n  \
    experiments perturbed --random 10 --to 500")]
pub struct Arguments {
    /// The file with the perturbation.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Take N random perturbations: the first has diagonal values below 60, the second cells below
    /// 80, the third both, and so on.
    #[arg(long, value_name = "N", value_parser = within::<u64>(1..=100_000))]
    random: Option<u64>,
    /// The last row. Time grows with its square: 10000 takes seconds.
    #[arg(long, value_name = "R", default_value = "1000",
        value_parser = within::<u32>(0..=LAST_ROW.into()))]
    to: u32,
    /// Print the rows as a table in place of the statements: tab-separated, after two lines that
    /// begin with #.
    #[arg(long, conflicts_with = "random")]
    rows: bool,
    /// Write a line for each random perturbation to this file: tab-separated, with a header line.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "rows"])]
    tsv: Option<PathBuf>,
}

/// The largest last row: memory for it is a few hundred megabytes.
const LAST_ROW: u32 = 30_000;

/// The longest file, in bytes.
const LONGEST: u64 = 1 << 20;

impl Arguments {
    /// Statements or rows.
    pub fn text(&self, watch: &dyn Watch) -> Result<String, Box<dyn Error>> {
        if let Some(number) = self.random {
            return self.of_games(number, watch);
        }
        let perturbation = read(self.file.as_deref().unwrap_or(Path::new("-")))?;
        let mut text = String::new();
        perturbed(std::slice::from_ref(&perturbation), self.to, watch, |_, found| {
            text = if self.rows {
                text::rows(&perturbation, &found)
            } else {
                text::statements(&perturbation, &found)
            };
        })?;
        Ok(text)
    }

    #[expect(clippy::disallowed_methods, reason = "the user names the file, a link or a device")]
    fn of_games(&self, number: u64, watch: &dyn Watch) -> Result<String, Box<dyn Error>> {
        let perturbations: Vec<Perturbation> = (0..number).map(Perturbation::random).collect();
        let (mut all, mut lines) = (PerturbedGames::default(), text::header());
        perturbed(&perturbations, self.to, watch, |perturbation, found| {
            all.add(&found);
            lines += &text::line_of(perturbation, &found);
        })?;
        if let Some(file) = &self.tsv {
            fs::write(file, lines)?;
        }
        Ok(text::games(&all, self.to))
    }
}

/// Computes rows 0 to `last` of each recurrence, and hands out the statistics, one after the other.
/// Time: the square of `last`; some seconds for row 10 000.
fn perturbed(
    perturbations: &[Perturbation],
    last: u32,
    watch: &dyn Watch,
    mut found: impl FnMut(&Perturbation, PerturbedStatistics),
) -> Result<(), driver::Error> {
    let tally = |perturbation: &Perturbation| {
        let cells = perturbation.cells().map(|(_, number)| number);
        let reach = perturbation.diagonal().chain(cells).max().unwrap_or(0);
        PerturbedTally::new(last, perturbation.diagonal(), reach)
    };
    let all = perturbations.iter().map(|it| u64::from(tally(it).columns())).sum();
    watch.begin(Work { unit: Unit::Column, all, before: 0, exponent: 1.0 });
    let mut done = 0;
    let finished = perturbations.iter().try_for_each(|perturbation| {
        let mut tally = tally(perturbation);
        let mut columns = PerturbedColumns::new(perturbation, last);
        for _ in 0..tally.columns() {
            if watch.stop() {
                return Err(driver::Error::Interrupted);
            }
            tally.add(columns.next_column());
            done += 1;
            watch.done(done);
        }
        found(perturbation, tally.finish());
        Ok(())
    });
    watch.end();
    finished
}

/// The perturbation in a file.
fn read(path: &Path) -> Result<Perturbation, String> {
    let text = files::text_or_stdin(path, LONGEST)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    text.trim().parse().map_err(|error| {
        let error = escaped(&format!("{error}"));
        format!("{} has no perturbation: {error}", path.display())
    })
}
