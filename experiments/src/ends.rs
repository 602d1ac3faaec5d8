//! `experiments ends`: how far ends, starts and finite rows are from what is conjectured of them
//! (`proofs/uniqueness.md`, 5.10, and `proofs/effective.md`, 3); in `columns` also what is blocked
//! in a column, in Chomp and in recurrences that differ from it near the origin.

mod columns;
mod conditions;

use std::error::Error;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use census::Surd;
use census::statistics::{Extreme, Strip};
use clap::Args;
use driver::{DataSet, Engine, HeadForm, Source, Watch};
use record::Statement;

use conditions::{conditions, integers, strip};

/// Print the ranges of several errors. None of them is proved to be bounded.
///
/// `x_n` is the n-th end by size, `r_n` its row, e(n) the number of ends to n, F(b) and K(b) those
/// of the finite and of the periodic rows below b, and N(r) the start of a periodic row, or the
/// column after the end of a finite one.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The last row; by default the last of the data set.
    #[arg(long, value_name = "R", required_unless_present = "data")]
    to: Option<u64>,
    /// Read the rows from this data set instead of computing them.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print a table of ranges from column 300 on, in Chomp and in N random recurrences that differ
    /// from it near the origin (`experiments perturbed`). Time grows with the square of R.
    #[arg(long, value_name = "N", requires = "to", conflicts_with = "data")]
    random: Option<u64>,
}

impl Arguments {
    /// The ranges, one a line.
    pub fn text(&self, watch: &dyn Watch) -> Result<String, Box<dyn Error>> {
        if let (Some(others), Some(to)) = (self.random, self.to) {
            return Ok(columns::table(others, u32::try_from(to)?, watch)?);
        }
        let source: Box<dyn Source> = match &self.data {
            Some(folder) => Box::new(DataSet::open(folder)?),
            None => Box::new(Engine::default()),
        };
        let last = self.to.or(source.last()).unwrap_or(0);
        let (mut settled, mut ends) = (Vec::new(), Vec::new());
        source.rows(last, HeadForm::Fingerprint, watch, &mut |proved| {
            settled.push(proved.record.settled());
            if let Statement::Finite(row) = proved.record.statement() {
                ends.push((row.last, row.row));
            }
            ControlFlow::Continue(())
        })?;
        let mut text = format!("Rows 0 to {last}\n");
        for (name, index, range) in ranges(&settled, &ends) {
            let Some(Strip { least, largest }) = range else { continue };
            let at = |Extreme { n, distance }: Extreme| {
                format!("{} ({index} = {n})", distance.nearest(4).to_string().replace(".0000", ""))
            };
            writeln!(text, "{name:<35} from {} to {}", at(least), at(largest))?;
        }
        Ok(text)
    }
}

/// The errors with their indices and ranges, from the N(r), and the ends with their rows.
fn ranges(
    settled: &[u64],
    ends: &[(u64, u64)],
) -> [(&'static str, &'static str, Option<Strip>); 6] {
    let mut by_size = ends.to_vec();
    by_size.sort_unstable();
    // A row that ends at x is below x, so all ends to this number are known.
    by_size.truncate(by_size.partition_point(|&(x, _)| x <= settled.len() as u64));
    let ends_to = |y: u64| by_size.partition_point(|&(x, _)| x <= y) as u64;
    let finite = |row: u64| ends.partition_point(|&(_, of)| of < row) as u64;
    let rows = || (0..).zip(settled.iter().copied());
    let greatest = settled.iter().scan(0, |greatest, &column| {
        *greatest = column.max(*greatest);
        Some(*greatest)
    });
    let rises = rows().skip(1).zip(greatest).map(|((row, column), below)| (row, column, below));
    let twice = rows().skip(2).map(|(row, column)| (row, column, 2 * row));
    let periodic = rows().map(|(row, _)| (row, row, finite(row) + ends_to(row)));
    let roots = rows().map(|(row, column)| (row, Surd::from_line(column, Surd::ROOT_2, row)));
    let [of_ends, of_rows] = conditions(&by_size, 0, 1);
    [
        ("x_n - 2n - e(n)", "n", of_ends),
        ("r_n - n - #{i: x_i + i < x_n}", "n", of_rows),
        ("K(r) - e(r)", "r", integers(periodic)),
        ("N(r) - 2r, r >= 2", "r", integers(twice)),
        ("N(r) - the greatest N(c), c < r", "r", integers(rises)),
        ("N(r) - √2 r", "r", strip(roots)),
    ]
}
