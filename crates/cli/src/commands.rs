//! The commands: one file each, named after the command. It defines the arguments (their comments
//! are the help), refuses what makes no sense, does the work and words the messages.
//!
//! A new command is a new file with `Arguments` and `run`, the line `mod NAME;` and its name in the
//! list below; the questions of the crate `ask` are commands as they stand there. Help, manual page
//! and completions follow.

use ask::Question;
use clap::Subcommand;
use driver::Error;
use terminal::Watcher;

use crate::output;

mod check;
pub mod cite;
mod completions;
mod export;
mod family;
mod help;
mod man;
mod play;
mod plot;
pub mod poset;
pub mod positions;
pub mod query;
pub mod reproduce;
pub mod rows;
mod seq;
mod show;
pub mod stats;

macro_rules! commands {
    ($($name:ident),* $(,)?; questions, $($other:ident),* $(,)?) => {
        /// The command, with its arguments.
        #[derive(Debug, Subcommand)]
        #[expect(non_camel_case_types, reason = "the names are those that are typed")]
        pub enum Command {
            $($name($name::Arguments),)*
            #[command(flatten)]
            Question(Question),
            $($other($other::Arguments),)*
        }

        impl Command {
            /// Runs the command.
            pub fn run(&self) -> Result<(), Error> {
                match self {
                    $(Self::$name(arguments) => $name::run(arguments),)*
                    Self::Question(question) => tell(question, question.is_json()),
                    $(Self::$other(arguments) => $other::run(arguments),)*
                }
            }
        }
    };
}

// In the order of the help.
commands! {
    rows, check, show, family, seq, query;
    questions,
    play, positions, poset, export, stats, plot, reproduce, cite, completions, man, help,
}

/// Prints the answer to a question of the crate `ask`.
fn tell(question: &Question, as_json: bool) -> Result<(), Error> {
    let told = question.ask(&Watcher::new()?)?;
    output::print_or(as_json, || told.object, || told.words)?;
    told.ending
}
