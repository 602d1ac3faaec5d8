//! `chomp`: the P-positions of three-rowed Chomp, row by row, proved.
//!
//! The driver. It parses what was typed, calls the crates that know the mathematics, and prints.
//! stdout carries results; progress and messages go to stderr. No mathematics lives here.

mod arguments;
mod check;
mod compute;
mod failure;
mod interrupt;
mod periods;
mod progress;
mod rows;
mod show;

use std::io::{IsTerminal, stderr};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use arguments::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    log_to_stderr();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}

fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        Command::Rows(rows) => rows::run(&rows),
        Command::Check(check) => check::run(&check),
        Command::Show(show) => show::run(&show),
        Command::Periods(periods) => periods::run(&periods),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "chomp", &mut text);
            failure::print(&text)
        }
        Command::Man => {
            let mut text = Vec::new();
            clap_mangen::Man::new(Arguments::command()).render(&mut text)?;
            failure::print(&text)
        }
    }
}

/// Messages without time or module: they are for the person at the terminal. `CHOMP_LOG=debug` shows
/// more of them.
fn log_to_stderr() {
    let level = tracing_subscriber::EnvFilter::try_from_env("CHOMP_LOG")
        .unwrap_or_else(|_unset| tracing_subscriber::EnvFilter::new("info"));
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    tracing_subscriber::fmt()
        .with_env_filter(level)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal() && !no_color)
        .without_time()
        .with_target(false)
        .init();
}
