//! The commands: one file each, named after the command. It defines the arguments (their comments
//! are the help), refuses what makes no sense, does the work and words the messages.
//!
//! A new command is a new file with `Arguments` and `run`, the line `mod NAME;` and its name in the
//! list below; the questions of the crate `ask` are commands as they stand there. Help, manual page
//! and completions follow. Names that commands had still run them.

use std::ffi::OsString;

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

/// A name that a command had, and what is typed now in its place. A line with an option counts only
/// if it is typed; the first line that counts is taken.
const EARLIER: [(&str, Option<&str>, &[&str]); 8] = [
    ("board", None, &["query", "--board"]),
    ("moves", None, &["query", "--moves"]),
    ("grundy", Some("--to"), &["family"]),
    ("grundy", None, &["query", "--grundy"]),
    ("f", None, &["show", "--f"]),
    ("why", None, &["show", "--why"]),
    ("periods", None, &["show", "--periods"]),
    ("tail", None, &["family", "--tail"]),
];

/// The command line, with the name of an earlier command replaced.
pub fn renewed(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    // The options before a command are --quiet and --progress, whose value is a word.
    let is_name = |&at: &usize| !words[at].to_string_lossy().starts_with('-');
    let Some(at) = (1..words.len()).filter(is_name).find(|&at| words[at - 1] != "--progress")
    else {
        return words;
    };
    let is_given = |option: &str| {
        let typed = words[at..].iter().map(|word| word.to_string_lossy());
        typed.into_iter().any(|word| word.split('=').next() == Some(option))
    };
    let mut found = EARLIER.iter().filter(|(name, ..)| words[at] == *name);
    if let Some((.., now)) = found.find(|(_, option, _)| option.is_none_or(is_given)) {
        words.splice(at..=at, now.iter().map(OsString::from));
    }
    words
}

/// What is typed now in place of a name, in words.
pub fn now(name: &str) -> Option<String> {
    let lines = EARLIER.iter().filter(|(of, ..)| *of == name).map(|(_, option, now)| {
        let with = option.map_or(String::new(), |option| format!(" with {option}"));
        format!("`chomp {name}`{with} is `chomp {}` now.\n", now.join(" "))
    });
    Some(lines.collect::<String>()).filter(|lines| !lines.is_empty())
}
