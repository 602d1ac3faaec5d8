//! `chomp-mpi`: rows of three-rowed Chomp on many machines.
//!
//! The program parses the command line, calls the library, and prints. Results go to stdout,
//! messages to stderr.

mod arguments;
mod failure;
#[cfg(feature = "mpi")]
mod network;
mod plan;
#[cfg(feature = "mpi")]
mod rows;

use clap::Parser;
use std::process::ExitCode;

use arguments::{Arguments, Command};
use failure::Failure;

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Plan(plan) => Ok(plan::run(&plan)?),
        #[cfg(feature = "mpi")]
        Command::Network(network) => network::run(&network),
        #[cfg(feature = "mpi")]
        Command::Rows(rows) => {
            terminal::log_to_stderr(false, terminal::ProgressForm::Words);
            rows::run(&rows)
        }
    }
}
