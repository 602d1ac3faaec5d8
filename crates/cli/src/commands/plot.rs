//! `chomp plot`: figures to files.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use driver::{
    DataSet, Engine, Family, HeadForm, PositionsRun, RowKey, Source, Tail,
    renormalized_beside_random,
};
use figures::{
    BandsPlot, FamiliesPlot, Figure, FigureError, LevelsPlot, OpeningsPlot, Plot, RenormalizePlot,
    SectionPlot, SheetPlot, Sketch, SlicesPlot, TablePlot, WhyPlot,
};
use terminal::Watcher;

use super::board::openings::Table;
use crate::failure::{Failure, keep};
use crate::notation::row;
use crate::options::{Keep, at_most, within};
use crate::output::Output;
use crate::picture::{Canvas, Form, Picture, PictureFormat, Resolution};
use crate::source;

/// Draw a figure for print, as SVG, PNG or PDF.
///
/// The ending of the file says which: .svg, .png or .pdf. Figures are 12 cm wide, with axes, legend
/// and caption. An SVG, or a PDF, has the same bytes on every machine. An existing file is replaced
/// when the new one is complete. A link is followed; a device or a FIFO is written to.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp plot row 892 --out row-892.pdf\n  \
    chomp plot table --out - > table.svg")]
pub struct Arguments {
    /// Which figure.
    #[command(subcommand)]
    figure: FigureChoice,
}

/// The figures.
#[derive(Debug, Subcommand)]
enum FigureChoice {
    /// The P-positions of row R: offset against column, and the lines of Friedman and Landsberg.
    Row(OneRow),
    /// The sheet of row R: instant winners and P-positions, p - q against q - R, and the lines.
    Sheet(OneSheet),
    /// The table of f(q,r) as in Figure 1 of the 2005 paper, rows coloured by kind.
    Table(OneTable),
    /// Row R around its start: its offsets settle into the pattern; the columns of its certificate.
    Settling(OneRow),
    /// The diagonal: f(n,n) - αn against n, α = 1 + 1/√2.
    Diagonal(ManyRows),
    /// Starts of the periodic rows: start - √2·r against r.
    Starts(ManyRows),
    /// Periods against r, with the number of rows of each, and the finite rows.
    Periods(ManyRows),
    /// Levels of three-rowed Chomp: how many rows are empty, finite, or of each period.
    Levels(LevelsFigure),
    /// Starts of the periodic rows by level: start - √2·r against r.
    LevelStarts(LevelsFigure),
    /// Why row R has its period: the row among those just below it, its hole, and the balls.
    Why(OneRow),
    /// The P-positions of several rows about two lines of Friedman and Landsberg: how many, by
    /// distance.
    Bands(SeveralRows),
    /// The map of Friedman and Landsberg from a sheet to the next, iterated from Chomp's first
    /// sheet and from a random one: P-positions in units of r, and the bands about the lines.
    Renormalize(Iterated),
    /// Four strips: D(r), the number of periodic rows less (√2 - 1)(r + 1); and the diagonal,
    /// finite rows and their ends less their lines (2005 paper, section 8).
    Strips(Counted),
    /// The largest and the least excess of periodic rows over finite ones, by the number of rows of
    /// the interval; and the periodic rows by the difference to the next one, and by h.
    Queue(Counted),
    /// The density of the rows of each kind against r, with the errors of counting.
    Densities(Counted),
    /// How many openings of a x b win, a, b <= N: a heat map.
    Openings(OpeningsFigure),
    /// All P-positions (A,b,c,d) of four rows in the plane of b and c, shaded by d.
    Section(OneSection),
    /// P-positions of four rows by b/a and c/a, for three values of d/a and for HIGH and LOW a.
    Slices(FourRowed),
    /// The families HIGH and LOW of four rows: the median and the largest d/a against a.
    Families(CountedFourRowed),
    /// Every figure, with its usual range, into a folder.
    All(AllFigures),
}

/// A figure of one row.
#[derive(Debug, Args)]
struct OneRow {
    /// The bottom row.
    #[arg(value_name = "R", value_parser = row, allow_hyphen_values = true)]
    row: u64,
    #[command(flatten)]
    drawing: Drawing,
}

/// A figure of the sheet of one row.
#[derive(Debug, Args)]
struct OneSheet {
    /// The bottom row.
    #[arg(value_name = "R", value_parser = sheet, allow_hyphen_values = true)]
    row: u64,
    #[command(flatten)]
    drawing: Drawing,
}

/// A figure of a table.
#[derive(Debug, Args)]
struct OneTable {
    /// The last row and column. To 30 the numbers are shown, beyond that the colours only.
    #[arg(value_name = "N", value_parser = table, allow_hyphen_values = true, default_value = "24")]
    to: u64,
    #[command(flatten)]
    drawing: Drawing,
}

/// A figure of many rows.
#[derive(Debug, Args)]
struct ManyRows {
    /// The last row; by default 100000, or the last row of the data set.
    #[arg(long, value_name = "N", value_parser = row, allow_hyphen_values = true)]
    to: Option<u64>,
    #[command(flatten)]
    drawing: Drawing,
}

/// A figure of several rows that is a table as well.
#[derive(Debug, Args)]
struct SeveralRows {
    /// The rows, at most five.
    #[arg(
        value_name = "R", num_args = 1..=BandsPlot::MOST_ROWS, value_parser = row,
        allow_negative_numbers = true, default_values = ["1000", "10000", "100000"]
    )]
    rows: Vec<u64>,
    /// Write the drawn numbers to this file, too: tab-separated, with a header line.
    #[arg(long, value_name = "FILE")]
    tsv: Option<PathBuf>,
    #[command(flatten)]
    drawing: Drawing,
}

/// A figure of sheets that a map leads to.
#[derive(Debug, Args)]
struct Iterated {
    /// The last row; sheets of rows 128, 256, 512, ... are kept.
    #[arg(long, value_name = "N", value_parser = within::<u32>(128..=16_384),
        allow_hyphen_values = true, default_value = "4096")]
    to: u32,
    /// Which of the random first sheets of `chomp perturbed --random`, from 0: 1 has cells, 2
    /// diagonal values and cells.
    #[arg(long, value_name = "K", value_parser = within::<u64>(0..=99_999),
        allow_hyphen_values = true, default_value = "2")]
    random: u64,
    /// Write the numbers of each sheet to this file, too: tab-separated, with a header line.
    #[arg(long, value_name = "FILE")]
    tsv: Option<PathBuf>,
    #[command(flatten)]
    picture: Picture,
}

/// A figure of many rows that is a table as well.
#[derive(Debug, Args)]
struct Counted {
    #[command(flatten)]
    rows: ManyRows,
    /// Write the drawn numbers to this file, too: tab-separated, with a header line.
    #[arg(long, value_name = "FILE")]
    tsv: Option<PathBuf>,
}

/// A figure of levels.
#[derive(Debug, Args)]
struct LevelsFigure {
    /// The highest level.
    #[arg(long, value_name = "G", value_parser = drawn_level, allow_hyphen_values = true, default_value = "6")]
    level: u64,
    /// The last row.
    #[arg(long, value_name = "N", value_parser = row, allow_hyphen_values = true, default_value = "1000")]
    to: u64,
    #[command(flatten)]
    picture: Picture,
}

/// A figure of openings.
#[derive(Debug, Args)]
struct OpeningsFigure {
    /// The largest number of rows and columns.
    #[arg(
        long, value_name = "N", allow_hyphen_values = true, default_value_t = OPENINGS,
        value_parser = within::<u16>(1..=OpeningsPlot::LONGEST.into())
    )]
    to: u16,
    #[command(flatten)]
    keep: Keep,
    #[command(flatten)]
    picture: Picture,
}

/// A figure of four rows with the same longest row.
#[derive(Debug, Args)]
struct OneSection {
    /// The length of the longest row.
    #[arg(value_name = "A", value_parser = longest, allow_hyphen_values = true)]
    a: u16,
    #[command(flatten)]
    picture: Picture,
}

/// A figure of four rows.
#[derive(Debug, Args)]
struct FourRowed {
    /// The largest length of the longest row. 1000 takes seconds, 3000 minutes.
    #[arg(long, value_name = "N", value_parser = longest, allow_hyphen_values = true, default_value = "1000")]
    to: u16,
    #[command(flatten)]
    picture: Picture,
}

/// A figure of four rows that is a table as well.
#[derive(Debug, Args)]
struct CountedFourRowed {
    #[command(flatten)]
    chosen: FourRowed,
    /// Write the drawn numbers to this file, too: tab-separated, with a header line.
    #[arg(long, value_name = "FILE")]
    tsv: Option<PathBuf>,
}

/// Where rows come from, and where the figure goes.
#[derive(Debug, Args)]
struct Drawing {
    /// Read the rows from this data set instead of computing them. The figures row, sheet, table,
    /// settling and bands draw offsets: if the data set has only fingerprints of them, they are
    /// computed.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    picture: Picture,
}

/// Every figure.
#[derive(Debug, Args)]
struct AllFigures {
    /// The folder to write to; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The form.
    #[arg(long, value_enum, default_value = "svg")]
    format: PictureFormat,
    #[command(flatten)]
    resolution: Resolution,
}

fn sheet(text: &str) -> Result<u64, String> {
    at_most(text, SheetPlot::LARGEST_ROW, "sheets are drawn to row")
}

fn table(text: &str) -> Result<u64, String> {
    at_most(text, TablePlot::LARGEST, "tables are drawn to row")
}

fn drawn_level(text: &str) -> Result<u64, String> {
    at_most(text, LevelsPlot::HIGHEST, "levels are drawn to level")
}

/// The usual side of a figure of openings.
const OPENINGS: u16 = 14;

fn longest(text: &str) -> Result<u16, String> {
    let length = at_most(text, LARGEST_A.into(), "figures of four rows are drawn to a =")?;
    let length = u16::try_from(length).ok().filter(|&a| a >= SMALLEST_A);
    length.ok_or_else(|| format!("figures of four rows begin at a = {SMALLEST_A}"))
}

/// The a of figures of four rows.
const SMALLEST_A: u16 = 20;
const LARGEST_A: u16 = 6000;

/// The usual last row of a figure of many rows.
const MANY_ROWS: u64 = 100_000;

/// Draws a figure, or all.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.figure {
        FigureChoice::Row(chosen) => one(Sketch::row(chosen.row), &chosen.drawing, None),
        FigureChoice::Sheet(chosen) => one(Sketch::sheet(chosen.row), &chosen.drawing, None),
        FigureChoice::Settling(chosen) => one(Sketch::settling(chosen.row), &chosen.drawing, None),
        FigureChoice::Table(chosen) => one(Sketch::table(chosen.to), &chosen.drawing, None),
        FigureChoice::Diagonal(chosen) => many(Sketch::diagonal, chosen, None),
        FigureChoice::Starts(chosen) => many(Sketch::starts, chosen, None),
        FigureChoice::Periods(chosen) => many(Sketch::periods, chosen, None),
        FigureChoice::Levels(chosen) => {
            draw(&chosen.picture, None, || levels(LevelsPlot::periods, chosen.level, chosen.to))
        }
        FigureChoice::LevelStarts(chosen) => {
            draw(&chosen.picture, None, || levels(LevelsPlot::starts, chosen.level, chosen.to))
        }
        FigureChoice::Why(OneRow { row, drawing }) => {
            draw(&drawing.picture, None, || why(*row, drawing.data.as_deref()))
        }
        FigureChoice::Bands(SeveralRows { rows, tsv, drawing }) => {
            draw(&drawing.picture, tsv.as_deref(), || bands(rows, drawing.data.as_deref()))
        }
        FigureChoice::Renormalize(Iterated { to, random, tsv, picture }) => {
            draw(picture, tsv.as_deref(), || renormalize(*to, *random))
        }
        FigureChoice::Strips(chosen) => many(Sketch::strips, &chosen.rows, chosen.tsv.as_deref()),
        FigureChoice::Queue(chosen) => many(Sketch::queue, &chosen.rows, chosen.tsv.as_deref()),
        FigureChoice::Densities(chosen) => {
            many(Sketch::densities, &chosen.rows, chosen.tsv.as_deref())
        }
        FigureChoice::Openings(chosen) => {
            draw(&chosen.picture, None, || openings(chosen.to, chosen.keep.folder.as_deref()))
        }
        FigureChoice::Section(chosen) => draw(&chosen.picture, None, || section(chosen.a.into())),
        FigureChoice::Slices(chosen) => draw(&chosen.picture, None, || slices(chosen.to.into())),
        FigureChoice::Families(CountedFourRowed { chosen, tsv }) => {
            draw(&chosen.picture, tsv.as_deref(), || families(chosen.to.into()))
        }
        FigureChoice::All(chosen) => all(chosen),
    }
}

/// The sketches that `chomp plot all` draws; it draws [`OTHERS`], too.
fn usual() -> [Sketch; 11] {
    [
        Sketch::row(892),
        Sketch::sheet(301),
        Sketch::table(24),
        Sketch::table(130),
        Sketch::settling(6541),
        Sketch::diagonal(MANY_ROWS),
        Sketch::starts(MANY_ROWS),
        Sketch::periods(MANY_ROWS),
        Sketch::strips(MANY_ROWS),
        Sketch::queue(MANY_ROWS),
        Sketch::densities(MANY_ROWS),
    ]
}

/// Takes the records from a source.
fn take(sketch: &mut Sketch, source: &dyn Source) -> Result<(), Failure> {
    let (last, form, watcher) = (sketch.last(), sketch.form(), Watcher::new()?);
    if sketch.is_of_one_row() {
        let own = source.row(&RowKey::of_row(0, last), form, &watcher)?;
        return Ok(sketch.add(&own.record)?);
    }
    let mut added = Ok(());
    source.rows(last, form, &watcher, &mut |row| keep(&mut added, sketch.add(&row.record)))?;
    Ok(added?)
}

fn drawn(sketch: &Sketch) -> Result<Drawn, Failure> {
    match sketch.figure() {
        Err(error @ FigureError::NoPattern { row, .. }) => {
            Err(Failure::Usage(format!("{error}; `chomp plot row {row}` draws it")))
        }
        figure => Ok((figure?, sketch.tsv())),
    }
}

/// A figure, and the table of its numbers if it has one.
type Drawn = (Figure, Option<String>);

/// Draws a figure, after the files to write have been opened.
fn draw(
    picture: &Picture,
    tsv: Option<&Path>,
    figure: impl FnOnce() -> Result<Drawn, Failure>,
) -> Result<(), Failure> {
    let canvas = Canvas::open(picture)?;
    let output = tsv.map(Output::open).transpose()?;
    let (figure, table) = figure()?;
    canvas.write(&figure)?;
    match output.zip(table) {
        Some((output, table)) => output.write(|out| Ok(out.write_all(table.as_bytes())?)),
        None => Ok(()),
    }
}

fn many(
    sketch: fn(u64) -> Sketch,
    ManyRows { to, drawing }: &ManyRows,
    tsv: Option<&Path>,
) -> Result<(), Failure> {
    let last = match (to, &drawing.data) {
        (Some(last), _) => *last,
        (None, Some(folder)) => {
            DataSet::open(folder)?.family().within().map_or(0, Tail::first_column)
        }
        (None, None) => MANY_ROWS,
    };
    one(sketch(last), drawing, tsv)
}

fn one(mut sketch: Sketch, drawing: &Drawing, tsv: Option<&Path>) -> Result<(), Failure> {
    draw(&drawing.picture, tsv, || {
        take(&mut sketch, &*source::open(drawing.data.as_deref(), Engine::default())?)?;
        drawn(&sketch)
    })
}

fn why(row: u64, data: Option<&Path>) -> Result<Drawn, Failure> {
    let source = source::open(data, Engine::default())?;
    let explanation = driver::explain(&*source, row, &Watcher::new()?)?;
    Ok((WhyPlot::new(explanation)?.figure(), None))
}

fn bands(rows: &[u64], data: Option<&Path>) -> Result<Drawn, Failure> {
    let source = source::open(data, Engine::default())?;
    let mut plot = BandsPlot::new(rows.iter().copied());
    for &row in rows {
        let row = source.row(&RowKey::of_row(0, row), HeadForm::Offsets, &Watcher::new()?)?;
        plot.add(&row.record)?;
    }
    Ok((plot.figure()?, plot.tsv()))
}

fn renormalize(to: u32, random: u64) -> Result<Drawn, Failure> {
    let sheets = renormalized_beside_random(to, random, &Watcher::new()?)?;
    let plot = RenormalizePlot::new(sheets);
    Ok((plot.figure(), Some(plot.tsv())))
}

fn levels(
    draw: fn(&LevelsPlot) -> Result<Figure, FigureError>,
    level: u64,
    last: u64,
) -> Result<Drawn, Failure> {
    let mut plot = LevelsPlot::default();
    let mut drawn = Ok(());
    let family = Family::three_rowed(level, last);
    let rows =
        Engine::default().family(&family, HeadForm::Fingerprint, &Watcher::new()?, |record| {
            keep(&mut drawn, plot.add(record))
        });
    drawn?;
    rows?;
    Ok((draw(&plot)?, None))
}

fn openings(side: u16, folder: Option<&Path>) -> Result<Drawn, Failure> {
    let mut plot = OpeningsPlot::default();
    for (rows, columns, number) in Table::of(side, None, folder, 0)?.numbers() {
        plot.add(rows, columns, number)?;
    }
    Ok((plot.figure(), None))
}

/// Visits the P-positions of four rows by length of row 1.
fn four_rows(to: u64, mut visit: impl FnMut(boards::sieve::Layer)) -> Result<(), Failure> {
    let to = u16::try_from(to).expect("a was parsed");
    PositionsRun::new(4, to).find(&Watcher::new()?, |layer| {
        visit(layer);
        ControlFlow::Continue(())
    })?;
    Ok(())
}

fn section(a: u64) -> Result<Drawn, Failure> {
    let mut plot = SectionPlot::new(u16::try_from(a).expect("a was parsed"));
    four_rows(a, |layer| plot.add(&layer))?;
    Ok((plot.figure()?, None))
}

fn slices(to: u64) -> Result<Drawn, Failure> {
    let mut plot = SlicesPlot::new(u16::try_from(to).expect("a was parsed"));
    four_rows(to, |layer| plot.add(&layer))?;
    Ok((plot.figure(), None))
}

fn families(to: u64) -> Result<Drawn, Failure> {
    let to = u16::try_from(to).expect("a was parsed");
    let (_, counts) = PositionsRun::new(4, to).four_rows(&Watcher::new()?)?;
    let plot = FamiliesPlot::of(&counts);
    Ok((plot.figure(), Some(plot.tsv())))
}

/// Draws a figure that ends with this row.
type DrawTo = fn(u64) -> Result<Drawn, Failure>;

/// The other figures that `chomp plot all` draws: levels, why a row has its period, the bands of
/// rows, sheets under renormalization, openings, and four rows. 499 is HIGH, and 497 is LOW.
const OTHERS: [(&str, u64, DrawTo); 10] = [
    ("levels", 1000, |last| levels(LevelsPlot::periods, 6, last)),
    ("level-starts", 1000, |last| levels(LevelsPlot::starts, 6, last)),
    ("why", 6541, |row| why(row, None)),
    ("bands", MANY_ROWS, |last| bands(&[1000, 10_000, last], None)),
    ("renormalize", 4096, |_| renormalize(4096, 2)),
    ("openings", OPENINGS as u64, |_| openings(OPENINGS, None)),
    ("section", 497, section),
    ("section", 499, section),
    ("slices", 1000, slices),
    ("families", 1000, families),
];

/// One run of the engine with offsets for the figures that need them, and one without; and one for
/// each other figure.
fn all(chosen: &AllFigures) -> Result<(), Failure> {
    Form::of(chosen.format, chosen.resolution)?;
    let _made = files::Folder::make(&chosen.out)
        .map_err(|error| Failure::File(format!("cannot make {}: {error}", chosen.out.display())))?;
    let mut sketches = usual();
    let canvas = |name: &str, last: u64| {
        let out = chosen.out.join(format!("{name}-{last}.{}", chosen.format.ending()));
        let (format, resolution) = (Some(chosen.format), chosen.resolution);
        Canvas::open(&Picture { out, format, resolution })
    };
    let canvases = sketches.each_ref().map(|sketch| canvas(sketch.name(), sketch.last()));
    let canvases = canvases.into_iter().collect::<Result<Vec<_>, _>>()?;
    let others = OTHERS.map(|(name, last, draw)| Ok((canvas(name, last)?, last, draw)));
    let others = others.into_iter().collect::<Result<Vec<_>, Failure>>()?;
    for form in [HeadForm::Offsets, HeadForm::Fingerprint] {
        let mut run: Vec<_> = sketches.iter_mut().filter(|sketch| sketch.form() == form).collect();
        compute(&mut run)?;
    }
    for (sketch, canvas) in sketches.iter().zip(canvases) {
        canvas.write(&drawn(sketch)?.0)?;
    }
    others.into_iter().try_for_each(|(canvas, last, draw)| canvas.write(&draw(last)?.0))
}

/// Computes the rows that any of the sketches needs. All sketches need the same form of heads.
fn compute(sketches: &mut [&mut Sketch]) -> Result<(), Failure> {
    let last = sketches.iter().map(|sketch| sketch.last()).max();
    let form = sketches.first().map(|sketch| sketch.form());
    let (Some(last), Some(form)) = (last, form) else { return Ok(()) };
    let mut drawn = Ok(());
    Engine::default().rows(last, form, &Watcher::new()?, |row| {
        keep(&mut drawn, sketches.iter_mut().try_for_each(|sketch| sketch.add(&row.record)))
    })?;
    Ok(drawn?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;
    use crate::Program;

    #[test]
    fn large_sheets_and_tables_are_not_drawn() {
        assert!(sheet("20_000").is_ok() && sheet("20_001").is_err());
        assert!(table("400").is_ok() && table("401").is_err());
    }

    #[test]
    fn all_figures_are_all_that_can_be_chosen() {
        let program = Program::command();
        let plot = program.find_subcommand("plot").expect("it is a command");
        let chosen: BTreeSet<&str> = plot
            .get_subcommands()
            .map(clap::Command::get_name)
            .filter(|&name| name != "all")
            .collect();
        let usual = usual().map(|sketch| sketch.name()).into_iter();
        let others = OTHERS.map(|(name, ..)| name).into_iter();
        assert_eq!(usual.chain(others).collect::<BTreeSet<_>>(), chosen);
    }
}
