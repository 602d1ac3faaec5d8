//! `chomp-mpi`: rows of three-rowed Chomp on many machines.
//!
//! The program parses the command line, calls the library, and prints. Results go to stdout,
//! messages to stderr.

mod arguments;
#[cfg(feature = "mpi")]
mod network;
mod plan;
#[cfg(feature = "mpi")]
mod rows;

use clap::Parser;
use std::process::ExitCode;

use arguments::{Arguments, Command};

fn main() -> ExitCode {
    let ended = match Arguments::parse().command {
        Command::Plan(arguments) => plan::run(&arguments),
        #[cfg(feature = "mpi")]
        Command::Network(arguments) => network::run(&arguments),
        #[cfg(feature = "mpi")]
        Command::Rows(arguments) => {
            terminal::log_to_stderr(false, terminal::ProgressForm::Words);
            rows::run(&arguments)
        }
    };
    ended.map_or_else(|error| terminal::report(&error, ""), |()| ExitCode::SUCCESS)
}
