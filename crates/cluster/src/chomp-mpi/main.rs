//! `chomp-mpi`: rows of three-rowed Chomp on many machines.
//!
//! The program. It parses what was typed, asks the library, and prints. stdout carries results;
//! messages go to stderr.

mod arguments;
#[cfg(feature = "mpi")]
mod failure;
#[cfg(feature = "mpi")]
mod network;
mod plan;
#[cfg(feature = "mpi")]
mod rows;

use clap::Parser;
use std::process::ExitCode;
use terminal::{OutputError, exit};

use arguments::{Arguments, Command};

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Plan(plan) => plan::run(&plan),
        #[cfg(feature = "mpi")]
        Command::Network(network) => network::run(&network),
        #[cfg(feature = "mpi")]
        Command::Rows(rows) => {
            terminal::log_to_stderr(false);
            rows::run(&rows)
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !matches!(error.downcast_ref(), Some(OutputError::Closed)) {
                terminal::tell(&format!("error: {error}"));
            }
            ExitCode::from(code(&error))
        }
    }
}

fn code(error: &anyhow::Error) -> u8 {
    #[cfg(feature = "mpi")]
    if let Some(failure) = error.downcast_ref::<failure::Failure>() {
        return failure.code();
    }
    error.downcast_ref().map_or(exit::INPUT_OR_OUTPUT, OutputError::code)
}
