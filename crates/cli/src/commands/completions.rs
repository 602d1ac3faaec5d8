//! `chomp completions`.

use driver::Error;
use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::seq;
use crate::Program;
use crate::failure;

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
    if arguments.shell == Shell::Fish {
        // clap's script for fish completes options only, not the names of sequences.
        let names = seq::names().join(" ");
        let known = "complete -c chomp -n \"__fish_seen_subcommand_from seq\" -f -a";
        writeln!(text, "{known} \"{names}\"")?;
    }
    failure::print(&text)
}
