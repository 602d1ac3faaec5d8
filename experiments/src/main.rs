//! `experiments`: the tables and documents of `outputs/` that the program `chomp` does not make.
//! `outputs/rebuild` calls it. It prints to standard output, and writes no other file but that of
//! `perturbed --tsv`. `figures.py` draws the figures.

mod ends;
mod lengths;
mod openings;
mod perturbed;
mod products;
mod rectangles;

use std::error::Error;
use std::process::ExitCode;

use clap::Parser;
use terminal::{ProgressForm, Watcher, exit, log_to_stderr};

/// Tables and documents of outputs/ that the program chomp does not make.
#[derive(Debug, Parser)]
#[command(name = "experiments", max_term_width = 100)]
enum Command {
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
    let error = error.downcast_ref::<driver::Error>();
    error.map_or(exit::INPUT_OR_OUTPUT, |error| exit::code(error.kind()))
}
