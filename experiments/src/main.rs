//! `experiments`: computations that only `outputs/` shows, and that are too much for a script.
//! `outputs/rebuild` calls it. It prints to standard output, and writes no file. `tables.py` and
//! `figures.py` make other tables, and figures.

mod perturbed;

use std::error::Error;
use std::process::ExitCode;

use clap::Parser;
use terminal::{ProgressForm, Watcher, exit, log_to_stderr};

/// Computations that only outputs/ shows.
#[derive(Debug, Parser)]
#[command(name = "experiments", max_term_width = 100)]
enum Command {
    Perturbed(perturbed::Arguments),
}

fn main() -> ExitCode {
    let Command::Perturbed(arguments) = Command::parse();
    log_to_stderr(false, ProgressForm::Words);
    let text = Watcher::new().map_err(Into::into).and_then(|watcher| arguments.text(&watcher));
    match text.and_then(|text| Ok(terminal::print(text.as_bytes())?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => terminal::fail(&error, code(&*error)),
    }
}

/// The exit code of an error.
fn code(error: &(dyn Error + 'static)) -> u8 {
    let error = error.downcast_ref::<driver::Error>();
    error.map_or(exit::INPUT_OR_OUTPUT, |error| exit::code(error.kind()))
}
