//! `chomp`: the P-positions of three-rowed Chomp, row by row, proved.
//!
//! The program parses its arguments, calls the crate `driver`, and prints results to stdout,
//! progress and messages to stderr. There is no mathematics here. Each command is a file in
//! `commands`; the other modules are shared by several commands.

mod commands;
mod drawing;
mod failure;
mod options;
mod output;
#[cfg(test)]
mod schema_test;

use driver::Error;
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};
use terminal::{ProgressForm, VERSION, log_to_stderr, outlive_file_size_limit};

use commands::{Command, renewed};

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
    options::none((quiet && progress).then_some("--quiet"), "--progress prints progress")?;
    if matches!(command, Command::completions(_) | Command::man(_) | Command::help(_)) {
        let given = quiet.then_some("--quiet").or(progress.then_some("--progress"));
        options::none(given, "this command prints no progress and no remarks")?;
    }
    outlive_file_size_limit()?;
    files::claim_open(Path::new("/dev/stdout"))?;
    command.run()
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
