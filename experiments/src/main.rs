//! `experiments`: the figures, tables and documents of `outputs/` that the program `chomp` does not
//! make. `outputs/rebuild` calls it. It prints to standard output, and writes no other file but
//! that of `perturbed --tsv`.

mod ends;
mod figures;
mod lengths;
mod openings;
mod perturbed;
mod products;
mod rectangles;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use ::figures::subject::DrawError;
use clap::Parser;
use driver::{DataSet, Engine, Source};
use terminal::{ProgressForm, Watcher, exit, log_to_stderr};

use figures::Subject;

/// Figures, tables and documents of outputs/ that the program chomp does not make.
#[derive(Debug, Parser)]
#[command(name = "experiments", max_term_width = 100)]
enum Command {
    /// Print a figure as SVG.
    Figure {
        #[command(subcommand)]
        subject: Subject,
        /// Read the rows from this data set instead of computing them.
        #[arg(long, value_name = "DIR", global = true)]
        data: Option<PathBuf>,
        /// Print the table of the drawn numbers instead, if the figure has one: tab-separated.
        #[arg(long, global = true)]
        tsv: bool,
    },
    Ends(ends::Arguments),
    Lengths(lengths::Arguments),
    Openings(openings::Arguments),
    Perturbed(perturbed::Arguments),
    Products(products::Arguments),
    Rectangles(rectangles::Arguments),
}

fn main() -> ExitCode {
    let command = Command::parse();
    log_to_stderr(false, ProgressForm::Words);
    match command.text().and_then(|text| Ok(terminal::print(text.as_bytes())?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => terminal::fail(&error, code(&*error)),
    }
}

impl Command {
    /// What it prints.
    fn text(&self) -> Result<String, Box<dyn Error>> {
        let watcher = Watcher::new()?;
        match self {
            Self::Figure { subject, data, tsv } => {
                let source: Box<dyn Source> = match data {
                    Some(folder) => Box::new(DataSet::open(folder)?),
                    None => Box::new(Engine::default()),
                };
                let (figure, table) = subject.draw(&*source, &watcher)?;
                if *tsv { Ok(table.ok_or("it has no table")?) } else { Ok(figure.svg()) }
            }
            Self::Ends(arguments) => arguments.text(&watcher),
            Self::Lengths(arguments) => arguments.text(&watcher),
            Self::Openings(arguments) => arguments.text(&watcher),
            Self::Perturbed(arguments) => arguments.text(&watcher),
            Self::Products(arguments) => arguments.text(&watcher),
            Self::Rectangles(arguments) => arguments.text(&watcher),
        }
    }
}

/// The exit code of an error.
fn code(error: &(dyn Error + 'static)) -> u8 {
    let error = match error.downcast_ref() {
        Some(DrawError::Rows(error)) => Some(error),
        _ => error.downcast_ref::<driver::Error>(),
    };
    error.map_or(exit::INPUT_OR_OUTPUT, |error| exit::code(error.kind()))
}
