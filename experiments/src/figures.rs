//! The figures that only `outputs/` shows, by name.

mod bands;
mod densities;
mod diagonal;
mod families;
mod four_rows;
mod levels;
mod renormalize;
mod section;
mod slices;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use boards::sieve::Layer;
use byrnes::Perturbation;
use clap::{Args, Subcommand};
use driver::{Engine, Family, HeadForm, PositionsRun, Source, Watch, renormalized};
use figures::FigureError;
use figures::subject::{DrawError, Drawn, ManyRows, single_rows};
use game::number::within;
use record::Record;

use bands::BandsPlot;
use densities::DensitiesPlot;
use diagonal::DiagonalPlot;
use families::FamiliesPlot;
use levels::LevelsPlot;
use renormalize::{ALPHA, RenormalizePlot};
use section::SectionPlot;
use slices::SlicesPlot;

/// The figures.
#[derive(Clone, Debug, Subcommand)]
pub enum Subject {
    /// The diagonal: f(n,n) - αn against n, α = 1 + 1/√2.
    Diagonal(ManyRows),
    /// The density of the rows of each kind against r, with the errors of counting.
    Densities(ManyRows),
    /// The P-positions of several rows about two lines of Friedman and Landsberg: how many, by
    /// distance.
    Bands {
        /// The rows, at most five.
        #[arg(value_name = "R", num_args = 1..=BandsPlot::MOST_ROWS,
            value_parser = within::<u64>(0..=1 << 32), default_values = ["1000", "10000", "100000"])]
        rows: Vec<u64>,
    },
    /// The map of Friedman and Landsberg from a sheet to the next, iterated from Chomp's first
    /// sheet and from a random one: P-positions in units of r, and the bands about the lines.
    Renormalize {
        /// The last row; sheets of rows 128, 256, 512, ... are kept.
        #[arg(long, value_name = "N", value_parser = within::<u32>(128..=16_384),
            default_value = "4096")]
        to: u32,
        /// Which of the random first sheets of `perturbed --random`, from 0: 1 has cells, 2
        /// diagonal values and cells.
        #[arg(long, value_name = "K", value_parser = within::<u64>(0..=99_999),
            default_value = "2")]
        random: u64,
    },
    /// Levels of three-rowed Chomp: how many rows are empty, finite, or of each period.
    Levels(Levels),
    /// Starts of the periodic rows by level: start - √2·r against r.
    LevelStarts(Levels),
    /// All P-positions (A,b,c,d) of four rows in the plane of b and c, shaded by d.
    Section {
        /// The length of the longest row.
        #[arg(value_name = "A", value_parser = within::<u16>(20..=6000))]
        a: u16,
    },
    /// P-positions of four rows by b/a and c/a, for three values of d/a and for HIGH and LOW a.
    Slices(FourRows),
    /// The families HIGH and LOW of four rows: the median and the largest d/a against a.
    Families(FourRows),
}

/// A figure of levels.
#[derive(Clone, Copy, Debug, Args)]
pub struct Levels {
    /// The highest level.
    #[arg(long, value_name = "G", value_parser = within::<u64>(0..=9), default_value = "6")]
    level: u64,
    /// The last row.
    #[arg(long, value_name = "N", value_parser = within::<u64>(0..=1 << 32),
        default_value = "1000")]
    to: u64,
}

/// A figure of four rows.
#[derive(Clone, Copy, Debug, Args)]
pub struct FourRows {
    /// The largest length of the longest row. 1000 takes seconds, 3000 minutes.
    #[arg(long, value_name = "N", value_parser = within::<u16>(20..=6000), default_value = "1000")]
    to: u16,
}

impl Subject {
    /// Draws it, from the rows of a source if it shows rows.
    pub fn draw(&self, source: &dyn Source, watch: &dyn Watch) -> Result<Drawn, DrawError> {
        Ok(match self {
            Self::Diagonal(rows) => rows.draw(DiagonalPlot::default(), source, watch)?,
            Self::Densities(rows) => rows.draw(DensitiesPlot::default(), source, watch)?,
            Self::Bands { rows } => {
                let plot = BandsPlot::of(&single_rows(rows, source, watch)?)?;
                (plot.figure(), Some(plot.tsv()))
            }
            Self::Renormalize { to, random } => {
                let sheets = |first: &Perturbation| renormalized(first, *to, ALPHA, watch);
                let plot = RenormalizePlot::new([
                    ("Chomp".to_owned(), sheets(&Perturbation::default())?),
                    (format!("random sheet {random}"), sheets(&Perturbation::random(*random))?),
                ]);
                (plot.figure(), Some(plot.tsv()))
            }
            Self::Levels(levels) => (levels.plot(watch)?.periods(), None),
            Self::LevelStarts(levels) => (levels.plot(watch)?.starts(), None),
            Self::Section { a } => {
                let mut figure = Err(FigureError::Missing { row: u64::from(*a) });
                of_four_rows(*a, watch, |layer| {
                    if layer.first() == *a {
                        figure = Ok(SectionPlot::of(layer).figure());
                    }
                })?;
                (figure?, None)
            }
            Self::Slices(FourRows { to }) => {
                let mut plot = SlicesPlot::new(*to);
                of_four_rows(*to, watch, |layer| plot.add(layer))?;
                (plot.figure(), None)
            }
            Self::Families(FourRows { to }) => {
                let plot = FamiliesPlot::of(&PositionsRun::new(4, *to).four_rows(watch)?.1);
                (plot.figure(), Some(plot.tsv()))
            }
        })
    }
}

impl Levels {
    fn plot(self, watch: &dyn Watch) -> Result<LevelsPlot, DrawError> {
        let family = Family::three_rowed(self.level, self.to);
        let visit = |_: &Record| ControlFlow::Continue(());
        let rows = Engine::default().family(&family, HeadForm::Fingerprint, watch, visit)?;
        let mut plot = LevelsPlot::default();
        rows.iter().try_for_each(|row| plot.add(row))?;
        Ok(plot)
    }
}

/// Visits the P-positions of four rows by length of row 1.
fn of_four_rows(
    to: u16,
    watch: &dyn Watch,
    mut visit: impl FnMut(&Layer),
) -> Result<(), DrawError> {
    PositionsRun::new(4, to).find(watch, |layer: Layer| {
        visit(&layer);
        ControlFlow::Continue(())
    })?;
    Ok(())
}
