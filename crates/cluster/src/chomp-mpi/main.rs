//! `chomp-mpi`: rows of three-rowed Chomp on many machines.
//!
//! The program parses the command line, calls the library, and prints. Results go to stdout,
//! messages to stderr.

mod arguments;
#[cfg(feature = "mpi")]
mod rows;

use clap::Parser;
use std::process::ExitCode;

use arguments::{Arguments, Command};

fn main() -> ExitCode {
    let Command::Rows(arguments) = Arguments::parse().command;
    terminal::log_to_stderr(false, terminal::ProgressForm::Words);
    let ended = run(&arguments);
    ended.map_or_else(|error| terminal::report(&error, ""), |()| ExitCode::SUCCESS)
}

#[cfg(feature = "mpi")]
use rows::run;

#[cfg(not(feature = "mpi"))]
fn run(_: &arguments::RowsArguments) -> Result<(), terminal::Error> {
    let words = "this chomp-mpi was built without MPI: build it with --features mpi";
    Err(terminal::Error::usage(words))
}
