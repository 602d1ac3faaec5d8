//! `experiments perturbed`: which statements about Chomp hold in a recurrence that differs from it
//! near the origin.

mod tally;
#[cfg(test)]
mod tests;
mod text;

use std::error::Error;
use std::path::{Path, PathBuf};

use cascade::Perturbation;
use clap::{ArgGroup, Args};
use driver::{Watch, Work};
use game::notation::within;
use record::escaped;

use tally::Tally;

/// Test the statements about Chomp in recurrences that differ from it near the origin.
///
/// In Chomp, f(q,r) is the least number p >= q that is not blocked. A perturbation blocks more
/// numbers: some count as diagonal values in every row, and some are blocked in one column.
/// Everything else is as in Chomp. FILE has a perturbation in RON, such as
///
///   Perturbation(diagonal: [18, 20], cells: [(5, 9)])
///
/// for the diagonal values 18 and 20, and for 9 in column 5. A dash stands for standard input.
///
/// The output is a tab-separated line for each recurrence, after a header line. It ends with the
/// perturbation, and has for each statement the failures, the cases, and the last failure.
/// `tables.py perturbed` makes a document of it.
///
/// Such a recurrence is no game that we know, so its rows are only printed: no command can take
/// them for rows of Chomp. Nothing is certified: values are those of the recurrence, and periods
/// are read from 2048 columns beyond 2R.
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
    /// Print the rows instead: tab-separated, after two lines that begin with #.
    #[arg(long, conflicts_with = "random")]
    rows: bool,
}

/// The largest last row: memory for it is a few hundred megabytes.
const LAST_ROW: u32 = 30_000;

/// The longest file, in bytes.
const LONGEST: u64 = 1 << 20;

/// The largest number of a perturbation.
const LARGEST: u32 = 10_000;

impl Arguments {
    /// The lines of the recurrences, or rows. Time: the square of the last row for each of them;
    /// some seconds for row 10 000.
    pub fn text(&self, watch: &dyn Watch) -> Result<String, Box<dyn Error>> {
        let perturbations: Vec<Perturbation> = match self.random {
            Some(number) => (0..number).map(Perturbation::random).collect(),
            None => vec![read(self.file.as_deref().unwrap_or(Path::new("-")))?],
        };
        let columns = |of| u64::from(tally::columns(of, self.to).1);
        let all = perturbations.iter().map(columns).sum();
        watch.begin(Work { unit: "column", all, before: 0, exponent: 1.0 });
        let mut done = 0;
        let print = |(number, of): (usize, &Perturbation)| {
            let tally = Tally::of(of, self.to, || {
                done += 1;
                watch.done(done);
                !watch.stop()
            })?;
            Some(if self.rows { text::rows(&tally) } else { text::line(&tally, number == 0) })
        };
        let text: Option<String> = perturbations.iter().enumerate().map(print).collect();
        watch.end();
        Ok(text.ok_or(driver::Error::Interrupted)?)
    }
}

/// The perturbation in a file.
fn read(path: &Path) -> Result<Perturbation, String> {
    let text = files::text_or_stdin(path, LONGEST)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    parse(text.trim())
        .map_err(|error| format!("{} has no perturbation: {}", path.display(), escaped(&error)))
}

/// A perturbation from its text, and why it is none.
fn parse(text: &str) -> Result<Perturbation, String> {
    let perturbation: Perturbation = ron::from_str(text).map_err(|error| {
        format!(
            "{error}; the form is Perturbation(diagonal: [18, 20], cells: [(5, 9)]): numbers that \
             count as diagonal values, and pairs of a column and a number that is blocked in it"
        )
    })?;
    let Perturbation { diagonal, cells } = &perturbation;
    let mut numbers = diagonal.iter().chain(cells.iter().map(|(_, number)| number));
    if let Some(number) = numbers.find(|number| !(1..=LARGEST).contains(*number)) {
        return Err(format!(
            "{number} is out of range: the numbers of a perturbation are 1 to {LARGEST}"
        ));
    }
    if let Some((column, number)) = cells.iter().find(|(column, number)| number < column) {
        return Err(format!(
            "({column}, {number}) has no effect: the numbers of column q are q or greater"
        ));
    }
    Ok(perturbation)
}
