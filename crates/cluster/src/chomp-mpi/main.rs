//! `chomp-mpi`: rows of three-rowed Chomp on many machines.
//!
//! The program. It parses what was typed, asks the library, and prints. stdout carries results;
//! messages go to stderr.

mod arguments;
#[cfg(feature = "mpi")]
mod failure;
#[cfg(feature = "mpi")]
mod interrupt;
#[cfg(feature = "mpi")]
mod network;
mod plan;
#[cfg(feature = "mpi")]
mod progress;
#[cfg(feature = "mpi")]
mod rows;
#[cfg(feature = "mpi")]
mod watcher;

use clap::Parser;
use std::process::ExitCode;

use arguments::{Arguments, Command};

/// Messages are freed by other threads than those that have made them.
#[cfg(feature = "mpi")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit code where something cannot be read, written or sent.
const INPUT_OR_OUTPUT: u8 = 3;

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Plan(plan) => plan::run(&plan),
        #[cfg(feature = "mpi")]
        Command::Network(network) => network::run(&network),
        #[cfg(feature = "mpi")]
        Command::Rows(rows) => {
            log_to_stderr();
            rows::run(&rows)
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(code(&error))
        }
    }
}

#[cfg(feature = "mpi")]
fn code(error: &anyhow::Error) -> u8 {
    error.downcast_ref().map_or(INPUT_OR_OUTPUT, failure::Failure::code)
}

#[cfg(not(feature = "mpi"))]
fn code(_: &anyhow::Error) -> u8 {
    INPUT_OR_OUTPUT
}

/// The environment variable `CHOMP_LOG` says how much is told, as for `chomp`.
#[cfg(feature = "mpi")]
fn log_to_stderr() {
    use std::io::{IsTerminal, stderr};
    use tracing::level_filters::LevelFilter;
    let asked = std::env::var("CHOMP_LOG").ok().and_then(|level| level.parse().ok());
    tracing_subscriber::fmt()
        .with_max_level(asked.unwrap_or(LevelFilter::INFO))
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal())
        .without_time()
        .with_target(false)
        .log_internal_errors(false)
        .init();
}
