//! `chomp`: the P-positions of three-rowed Chomp, row by row, proved.
//!
//! The program parses its arguments, calls the crate `driver`, and prints results to stdout,
//! progress and messages to stderr. There is no mathematics here. This file has the command line
//! as a whole; the modules beside `commands` are shared by several commands.

mod commands {
    //! The commands: one file each, named after the command. It defines the arguments (their
    //! comments are the help), refuses what makes no sense, does the work and words the messages.
    //!
    //! A new command is a new file with `Arguments` and `run`, the line `pub mod NAME;` and its
    //! name in the list below; the questions of the crate `ask` are commands as they stand there.
    //! Help, manual page and completions follow. Names that commands had still run them.

    pub mod check;
    pub mod cite;
    pub mod completions;
    pub mod export;
    pub mod family;
    pub mod help;
    pub mod man;
    pub mod play;
    pub mod plot;
    pub mod poset;
    pub mod positions;
    pub mod query;
    pub mod reproduce;
    pub mod rows;
    pub mod seq;
    pub mod show;
    pub mod stats;
}

mod drawing;
mod failure;
mod options;
mod output;
#[cfg(test)]
mod schema_test;

use std::ffi::OsString;
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::process::ExitCode;

use ask::Question;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use driver::Error;
use terminal::{ProgressForm, VERSION, Watcher, log_to_stderr, outlive_file_size_limit};

/// All P-positions of three-rowed Chomp with a given bottom row, as a proved finite description.
///
/// A position (p,q,r) has rows of p >= q >= r squares. A P-position is one that the previous player
/// wins. For each bottom row r, either there are finitely many P-positions, or their offsets p - q,
/// taken for q = r, r+1, ..., end in a pattern that repeats (Byrnes 2003). This program computes
/// them, and proves each row.
#[derive(Debug, Parser)]
#[command(name = "chomp", version = VERSION, arg_required_else_help = true)]
#[command(disable_help_subcommand = true)]
#[command(after_help = "Subjects: chomp help notation, chomp help words, chomp help json.\n\n\
                  Names of earlier commands still work: board, moves, grundy, f, why, periods and \
                  tail. chomp help NAME says what they are now.\n\n\
                  Exit codes: 0 done or verified, 1 refuted, 2 usage, 3 input or output, 4 interrupted \
                  or incomplete.")]
struct Program {
    /// The command.
    #[command(subcommand)]
    command: Command,
    /// Print no progress and no remarks on stderr. Warnings and errors still show.
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Print progress for programs: a JSON object every second, on a line of stderr.
    #[arg(
        long, global = true, value_name = "FORM", value_parser = ["json"]
    )]
    progress: Option<String>,
}

macro_rules! commands {
    ($($name:ident),* $(,)?; questions, $($other:ident),* $(,)?) => {
        /// The command, with its arguments.
        #[derive(Debug, Subcommand)]
        #[expect(non_camel_case_types, reason = "the names are those that are typed")]
        enum Command {
            $($name(commands::$name::Arguments),)*
            #[command(flatten)]
            Question(Question),
            $($other(commands::$other::Arguments),)*
        }

        impl Command {
            /// Runs the command.
            fn run(&self) -> Result<(), Error> {
                match self {
                    $(Self::$name(arguments) => commands::$name::run(arguments),)*
                    Self::Question(question) => tell(question, question.is_json()),
                    $(Self::$other(arguments) => commands::$other::run(arguments),)*
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

/// The widest help on a terminal, in columns.
const WIDEST: usize = 100;

/// The width of help that does not go to a terminal.
const USUAL_WIDTH: usize = 80;

fn main() -> ExitCode {
    let Program { command, quiet, progress } = match parse() {
        Ok(typed) => typed,
        Err(answer) => return failure::answer(answer),
    };
    let form = if progress.is_some() { ProgressForm::Json } else { ProgressForm::Words };
    log_to_stderr(quiet, form);
    match run(&command, quiet, progress.is_some()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}

/// Reads the command line.
///
/// # Errors
/// Help, the version, or a usage error.
fn parse() -> Result<Program, clap::Error> {
    let mut command = of_width(Program::command());
    let mut matches = command.try_get_matches_from_mut(renewed(std::env::args_os()))?;
    Program::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// The command with the width of its help.
fn of_width(command: clap::Command) -> clap::Command {
    if stdout().is_terminal() {
        command.max_term_width(WIDEST)
    } else {
        command.term_width(USUAL_WIDTH)
    }
}

fn run(command: &Command, quiet: bool, progress: bool) -> Result<(), Error> {
    none((quiet && progress).then_some("--quiet"), "--progress prints progress")?;
    if matches!(command, Command::completions(_) | Command::man(_) | Command::help(_)) {
        let given = quiet.then_some("--quiet").or(progress.then_some("--progress"));
        none(given, "this command prints no progress and no remarks")?;
    }
    outlive_file_size_limit()?;
    files::claim_open(Path::new("/dev/stdout"))?;
    command.run()
}

/// Fails if the option was given, which has no effect here. clap cannot detect that.
fn none(option: Option<&str>, why: &str) -> Result<(), Error> {
    match option {
        Some(option) => Err(Error::usage(format!("{option} does nothing here: {why}"))),
        None => Ok(()),
    }
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
fn renewed(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
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
fn now(name: &str) -> Option<String> {
    let lines = EARLIER.iter().filter(|(of, ..)| *of == name).map(|(_, option, now)| {
        let with = option.map_or(String::new(), |option| format!(" with {option}"));
        format!("`chomp {name}`{with} is `chomp {}` now.\n", now.join(" "))
    });
    Some(lines.collect::<String>()).filter(|lines| !lines.is_empty())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::builder::ValueParser;
    use clap::parser::ValueSource;
    use clap::{Arg, Command};

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Program::command().debug_assert();
    }

    fn all_within(command: &Command) -> Vec<Command> {
        let within = command.get_subcommands().flat_map(all_within);
        within.chain([command.clone()]).collect()
    }

    /// The arguments that an argument requires; clap has no other way to them.
    fn required_by(argument: &Arg) -> Vec<String> {
        let shown = format!("{argument:?}");
        let (_, list) = shown.split_once("requires: [").unwrap();
        let (list, _) = list.split_once(']').unwrap();
        list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
    }

    /// The argument as it is typed, with any value.
    fn typed(argument: &Arg) -> Vec<String> {
        let name = argument.get_long().map(|name| format!("--{name}"));
        let value = argument.get_action().takes_values().then(|| "1".to_owned());
        name.into_iter().chain(value).collect()
    }

    /// clap does not ask for a required argument that conflicts with a given one. So each option
    /// that requires another is given with every two others.
    #[test]
    fn no_option_comes_without_the_one_that_it_requires() {
        let (mut tried, mut program) = (0, Program::command());
        program.build();
        for command in all_within(&program) {
            let command = command.mut_args(|argument| {
                let takes_values = argument.get_action().takes_values();
                if takes_values { argument.value_parser(ValueParser::string()) } else { argument }
            });
            let all: Vec<&Arg> = command.get_arguments().collect();
            let pairs = || (0..all.len()).flat_map(|one| (0..=one).map(move |other| [one, other]));
            for (option, required) in (0..all.len())
                .flat_map(|it| required_by(all[it]).into_iter().map(move |id| (it, id)))
            {
                for [one, other] in pairs() {
                    // Arguments without a name come first.
                    let given =
                        BTreeSet::from([option, one, other].map(|it| (all[it].get_long(), it)));
                    let words = given.iter().flat_map(|&(_, it)| typed(all[it]));
                    let words: Vec<String> =
                        ["chomp".to_owned()].into_iter().chain(words).collect();
                    tried += 1;
                    if let Ok(matches) = command.clone().try_get_matches_from(&words) {
                        let source = matches.value_source(&required);
                        let is_given = source == Some(ValueSource::CommandLine);
                        assert!(is_given, "{}: {words:?} lacks {required}", command.get_name());
                    }
                }
            }
        }
        assert!(tried > 1000, "{tried}");
    }
}
