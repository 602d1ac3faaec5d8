//! `chomp completions`.

use driver::Error;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Program;
use crate::output;

/// Print a completion script for a shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp completions bash > chomp.bash")]
pub struct Arguments {
    /// The shell.
    shell: Shell,
}

pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Program::command(), "chomp", &mut text);
    output::print(&text)
}
