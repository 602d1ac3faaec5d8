//! `experiments openings`: the winning openings of all small rectangles, as a document and as a
//! figure, from the parts that `chomp query --openings N --keep DIR` keeps.

use std::error::Error;
use std::path::PathBuf;

use boards::boundary::Summary;
use boards::openings::{Measure, Openings};
use clap::Args;
use driver::Watch;
use figures::OpeningsPlot;
use game::Square;
use game::number::within;
use record::joined;

/// Print the winning openings of all a x b, a, b <= N, as a document in Markdown, with the smallest
/// boards that have several.
///
/// `chomp query --openings N --keep DIR --verify GAMES` finds the parts, and tests them.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The largest number of rows and columns.
    #[arg(value_name = "N", value_parser = within::<u16>(1..=OpeningsPlot::LONGEST.into()))]
    side: u16,
    /// The folder of the parts. Parts that are not there are found, and kept.
    #[arg(value_name = "DIR")]
    parts: PathBuf,
    /// Print the figure of their numbers instead, as SVG.
    #[arg(long)]
    svg: bool,
}

impl Arguments {
    /// The document, or the figure.
    pub fn text(&self, watch: &dyn Watch) -> Result<String, Box<dyn Error>> {
        let (side, parts) = (self.side, &self.parts);
        let (solution, _) = driver::solve_and_keep_parts(side, side, None, parts, watch)?;
        let openings = Openings::up_to(&solution, side);
        if self.svg {
            return Ok(OpeningsPlot::of(&openings)?.figure().svg());
        }
        Table { side, openings, summary: solution.summary() }.document()
    }
}

/// All rectangles with sides up to some length.
struct Table {
    side: u16,
    openings: Vec<Openings>,
    summary: Summary,
}

impl Table {
    fn p_count(&self, rows: u16, columns: u16) -> u64 {
        self.summary.p_counts[usize::from(rows) - 1][usize::from(columns) - 1]
    }

    /// The table for a person, and the smallest boards with several openings.
    fn document(&self) -> Result<String, Box<dyn Error>> {
        let mut several: Vec<&Openings> =
            self.halved().filter(|found| found.bites.len() > 1).collect();
        several.sort_by_key(|found| (found.rows * found.columns, found.rows));
        let lines = joined(several.iter().map(|found| line_of_several(found)), "");
        let (side, most, checksum) = (self.side, self.most(), self.summary.checksum);
        let (grid, numbers) = (self.grid(), self.numbers_of_boards());
        let (smallest, p_positions) = (self.smallest(&several)?, self.p_positions());
        Ok(format!(
            "# Winning openings of a × b, a, b ≤ {side}\n\n\
             Every bite of the full board that leaves a P-position, as *row,column* of the bitten square,\n\
             counted from 1 at the poison. There are a rows and b columns; for a > b exchange rows and\n\
             columns. Bold: more than one.\n\n\
             {grid}\n\n\
             ## More than one winning opening\n\n\
             | openings | boards a × b, a ≤ b |\n|---|---|\n\
             {numbers}\n\
             No board to {side} × {side} has more than {most}.\n\n\
             | board | squares | perimeter | openings |\n|---|---|---|---|\n\
             {lines}{smallest}\n\
             ## P-positions\n\n\
             Positions and P-positions of n × n. The checksum of all P-positions of {side} × {side} is\n\
             {checksum:016x}: the sum, modulo 2^64, of the outputs of `SplitMix64` whose states are their\n\
             boundary words (`boards::boundary::mix`).\n\n\
             | n | positions | P-positions | one in |\n|---|---|---|---|\n\
             {p_positions}"
        ))
    }

    /// With no more rows than columns.
    fn halved(&self) -> impl Iterator<Item = &Openings> {
        self.openings.iter().filter(|found| found.rows <= found.columns)
    }

    fn most(&self) -> usize {
        self.openings.iter().map(|found| found.bites.len()).max().unwrap_or(0)
    }

    /// The number of boards with each number of openings.
    fn numbers_of_boards(&self) -> String {
        let count = |number| self.halved().filter(|found| found.bites.len() == number).count();
        joined((0..=self.most()).map(|number| format!("| {number} | {} |\n", count(number))), "")
    }

    /// The openings of each board, a line for each number of rows.
    fn grid(&self) -> String {
        let columns: Vec<String> = (1..=self.side).map(|columns| format!(" {columns} |")).collect();
        let rule = "---|".repeat(self.side.into());
        let header = format!("| a \\ b |{}\n|---|{rule}", columns.concat());
        let cell = |Openings { rows, columns, bites }: &Openings| match bites.len() {
            _ if rows > columns => " |".to_owned(),
            0 => " none |".to_owned(),
            1 => format!(" {} |", written(bites, "")),
            _ => format!(" **{}** |", written(bites, " and ")),
        };
        let by_rows = self.openings.chunk_by(|one, other| one.rows == other.rows);
        let of_rows = by_rows.map(|of_row| {
            format!("| **{}** |{}", of_row[0].rows, joined(of_row.iter().map(cell), ""))
        });
        joined(std::iter::once(header).chain(of_rows), "\n")
    }

    /// The smallest boards with two openings, with three, and so on.
    fn smallest(&self, several: &[&Openings]) -> Result<String, Box<dyn Error>> {
        let mut text = String::new();
        for number in 2..=self.most() {
            let several = several.iter().filter(|found| found.bites.len() >= number);
            for (measure, what) in
                [(Measure::Squares, "squares"), (Measure::Perimeter, "perimeter")]
            {
                let sizes = several.clone().map(|found| measure.of(found.rows, found.columns));
                if let Some(most) = sizes.min() {
                    text += &smallest(number, measure, what, most)?;
                }
            }
        }
        Ok(text)
    }

    fn p_positions(&self) -> String {
        let line = |n: u16| {
            let p = self.p_count(n, n);
            let positions = boards::rectangles::positions(n, n);
            format!("| {n} | {positions} | {p} | {} |\n", positions / p)
        };
        joined((1..=self.side).map(line), "")
    }
}

/// `4,9` for row 4, column 9.
pub fn written(bites: &[Square], between: &str) -> String {
    joined(bites.iter().map(|Square { row, column }| format!("{row},{column}")), between)
}

fn line_of_several(Openings { rows, columns, bites }: &Openings) -> String {
    let (squares, perimeter) = (rows * columns, 2 * (rows + columns));
    format!("| {rows} × {columns} | {squares} | {perimeter} | {} |\n", written(bites, " and "))
}

/// The smallest boards with this number of openings, searched without a limit on their sides; one
/// of this measure has them.
fn smallest(
    number: usize,
    measure: Measure,
    what: &str,
    most: u32,
) -> Result<String, Box<dyn Error>> {
    let most = u16::try_from(most).expect("the measure of a small board");
    let smallest = measure.smallest_with(number, most)?;
    let names = smallest.iter().map(|found| format!("{} × {}", found.rows, found.columns));
    let names = joined(names, ", ");
    Ok(format!(
        "\nSmallest with {number} by {what}: {names}, {most}. Every a × b that is smaller was solved, \
         however\nlong.\n"
    ))
}
