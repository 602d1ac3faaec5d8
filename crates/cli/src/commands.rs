//! The commands: one file each, named after the command. It defines the arguments (their comments
//! are the help), refuses what makes no sense, does the work and words the messages.
//!
//! A new command is a new file with `Arguments` and `run`, the line `mod NAME;` and its name in the
//! list below. Help, manual page and completions follow.

use clap::Subcommand;
use driver::Error;

mod board;
mod check;
mod cite;
mod completions;
mod diff;
mod export;
mod f;
mod family;
mod grundy;
mod help;
mod losers;
mod man;
mod moves;
mod periods;
mod play;
mod plot;
mod poset;
mod positions;
mod product;
pub mod query;
mod reproduce;
mod rows;
mod seq;
mod show;
mod stats;
mod tail;
mod why;

macro_rules! commands {
    ($($name:ident),* $(,)?) => {
        /// The command, with its arguments.
        #[derive(Debug, Subcommand)]
        #[expect(non_camel_case_types, reason = "the names are those that are typed")]
        pub enum Command {
            $($name($name::Arguments),)*
        }

        impl Command {
            /// Runs the command.
            pub fn run(&self) -> Result<(), Error> {
                match self {
                    $(Self::$name(arguments) => $name::run(arguments),)*
                }
            }
        }
    };
}

// In the order of the help.
commands! {
    rows, check, show, periods, grundy, moves, tail, family, losers, seq, f, query, play, board, positions, poset, export, diff, stats,
    plot, why, reproduce, cite, completions, man, help,
}
