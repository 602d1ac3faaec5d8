//! `chomp plot`: figures to files. Their names, numbers and limits are those of `figures::subject`.

use std::path::PathBuf;

use ask::options::source;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use driver::{Engine, Error};
use figures::FigureError;
use figures::subject::{DrawError, Subject};
use terminal::Watcher;

use crate::output::Output;
use crate::picture::{Canvas, Picture};

/// Draw a figure for print, as SVG or PNG.
///
/// The ending of the file says which: .svg or .png. Figures are 12 cm wide, with axes, legend and
/// caption. An SVG has the same bytes on every machine. An existing file is replaced when the new
/// one is complete. A link is followed; a device or a FIFO is written to.
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
    tsv: Option<PathBuf>,
    picture: Picture,
}

// The comment of such a struct would be the help of each figure.
#[derive(Args)]
struct Data {
    /// Read the rows from this data set instead of computing them. The figures row, sheet, table
    /// and settling draw offsets: if the data set has only fingerprints of them, they are computed.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

#[derive(Args)]
struct Table {
    /// Write the drawn numbers to this file, too: tab-separated, with a header line.
    #[arg(long, value_name = "FILE")]
    tsv: Option<PathBuf>,
}

fn reads_rows(name: &str) -> bool {
    !Subject::NOT_OF_ROWS.contains(&name)
}

impl Subcommand for Chosen {
    fn augment_subcommands(command: Command) -> Command {
        Subject::augment_subcommands(command).mut_subcommands(|figure| {
            let (rows, table) =
                (reads_rows(figure.get_name()), Subject::WITH_TABLE.contains(&figure.get_name()));
            let figure = if rows { Data::augment_args(figure) } else { figure };
            let figure = Picture::augment_args(figure);
            if table { Table::augment_args(figure) } else { figure }
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
        let (data, tsv) = (path("data"), path("tsv"));
        Ok(Self { subject, data, tsv, picture: Picture::from_arg_matches(given)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|chosen| *self = chosen)
    }
}

/// Draws a figure, after the files to write have been opened.
pub fn run(Arguments { figure }: &Arguments) -> Result<(), Error> {
    let canvas = Canvas::open(&figure.picture)?;
    let output = figure.tsv.as_deref().map(Output::open).transpose()?;
    let source = source(figure.data.as_deref(), Engine::default())?;
    let (drawn, table) = figure.subject.draw(&*source, &Watcher::new()?).map_err(not_drawn)?;
    canvas.write(&drawn)?;
    match output.zip(table) {
        Some((output, table)) => output.write(|out| Ok(out.write_all(table.as_bytes())?)),
        None => Ok(()),
    }
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
