//! `chomp-mpi`: rows of three-rowed Chomp on many machines.
//!
//! The program. It parses what was typed, asks the library, and prints. stdout carries results;
//! messages go to stderr.

mod arguments;
#[cfg(feature = "mpi")]
mod network;
mod plan;
#[cfg(feature = "mpi")]
mod rows;

use clap::Parser;
use std::process::ExitCode;

use arguments::{Arguments, Command};

/// The exit code where something cannot be read, written or sent.
const INPUT_OR_OUTPUT: u8 = 3;

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Plan(plan) => plan::run(&plan),
        #[cfg(feature = "mpi")]
        Command::Network(network) => network::run(&network),
        #[cfg(feature = "mpi")]
        Command::Rows(rows) => rows::run(&rows),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(INPUT_OR_OUTPUT)
        }
    }
}
