//! `chomp plot`: figures to files. Their names, numbers and limits are those of `figures::subject`.

use std::path::{Path, PathBuf};

use ask::input::source;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, Subcommand, value_parser};
use driver::{Engine, Error};
use figures::FigureError;
use figures::subject::{DrawError, Subject};
use terminal::Watcher;

use crate::output::{self, Output, is_standard};

/// Draw a figure for print, as SVG.
///
/// Figures are 12 cm wide, with axes, legend and caption. They have the same bytes on every
/// machine. An existing file is replaced when the new one is complete. A link is followed; a device
/// or a FIFO is written to.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp plot row 892 --out row-892.svg\n  \
    chomp plot table --out - > table.svg")]
pub struct Arguments {
    #[command(subcommand)]
    figure: Chosen,
}

/// A figure, and the options that the program adds to it: where rows come from, where it goes.
#[derive(Debug)]
struct Chosen {
    subject: Subject,
    data: Option<PathBuf>,
    out: PathBuf,
    tsv: Option<PathBuf>,
}

const DATA: &str = "Read the rows from this data set instead of computing them. The figures row, \
    sheet, table and settling draw offsets: if the data set has only fingerprints of them, they \
    are computed";

fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).value_parser(value_parser!(PathBuf)).help(help)
}

impl Subcommand for Chosen {
    fn augment_subcommands(command: Command) -> Command {
        Subject::augment_subcommands(command).mut_subcommands(|figure| {
            let name = figure.get_name().to_owned();
            let is_of_rows = !Subject::NOT_OF_ROWS.contains(&&*name);
            let has_table = Subject::WITH_TABLE.contains(&&*name);
            let out = option("out", "FILE", "The file to write; - is standard output");
            let table =
                "Write the drawn numbers to this file, too: tab-separated, with a header line";
            figure
                .args(is_of_rows.then(|| option("data", "DIR", DATA)))
                .arg(out.required(true))
                .args(has_table.then(|| option("tsv", "FILE", table)))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Subject::has_subcommand(name)
    }
}

impl FromArgMatches for Chosen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let subject = Subject::from_arg_matches(matches)?;
        let (_, given) = matches.subcommand().expect("a figure was chosen");
        let path = |name| given.try_get_one::<PathBuf>(name).ok().flatten().cloned();
        let out = path("out").expect("it is required");
        Ok(Self { subject, data: path("data"), out, tsv: path("tsv") })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|chosen| *self = chosen)
    }
}

/// Draws a figure, after the files to write have been opened.
pub fn run(
    Arguments { figure: Chosen { subject, data, out, tsv } }: &Arguments,
) -> Result<(), Error> {
    require_svg(out)?;
    let svg = Output::open(out)?;
    let output = tsv.as_deref().map(Output::open).transpose()?;
    let source = source(data.as_deref(), Engine::default())?;
    let (drawn, table) = subject.draw(&*source, &Watcher::new()?).map_err(not_drawn)?;
    svg.write_all(drawn.svg().as_bytes())?;
    if is_standard(out) {
        tracing::info!("{}", drawn.title);
    } else {
        output::print(format!("{}: {}\n", output::shown(out), drawn.title).as_bytes())?;
    }
    output.zip(table).map_or(Ok(()), |(output, table)| output.write_all(table.as_bytes()))
}

/// Refuses the endings of forms that figures had, or may be thought to have.
fn require_svg(out: &Path) -> Result<(), Error> {
    let ending = out.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let Some(ending @ ("pdf" | "png")) = ending.as_deref() else { return Ok(()) };
    let (svg, out) = (output::shown(&out.with_extension("svg")), output::shown(out));
    Err(Error::usage(format!(
        "cannot write {out}: figures are SVG; `rsvg-convert -f {ending} -o {out} {svg}` converts one"
    )))
}

/// The error of a figure that cannot be drawn.
fn not_drawn(error: DrawError) -> Error {
    match error {
        DrawError::Rows(error) => error,
        DrawError::Figure(error @ FigureError::NoPattern { row, .. }) => {
            Error::usage(format!("{error}; `chomp plot row {row}` draws it"))
        }
        DrawError::Figure(error) => Error::file(error),
    }
}
