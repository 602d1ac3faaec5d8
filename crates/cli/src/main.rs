//! `chomp`: the P-positions of three-rowed Chomp, row by row, proved.
//!
//! The program. It parses what was typed, asks the crate `driver`, and prints. stdout carries
//! results; progress and messages go to stderr. No mathematics lives here.

mod advice;
mod arguments;
mod board;
mod check;
mod drawing;
mod export;
mod f;
mod failure;
mod family;
mod grundy;
mod held;
mod input;
mod json;
mod notation;
mod output;
mod periods;
mod play;
mod plot;
mod poset;
mod query;
mod reproduce;
mod rows;
mod seq;
mod show;
mod stats;
mod useless;
mod why;

use std::io::Write;
use std::iter;
use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::CommandFactory;
use clap_complete::Shell;
use record::data_set::{Disk, Folder};
use terminal::{log_to_stderr, outlive_file_size_limit};

use arguments::{AnySequence, Arguments, Command};
use output::Output;

fn main() -> ExitCode {
    let arguments = match arguments::parse() {
        Ok(arguments) => arguments,
        Err(answer) => return failure::answer(&answer),
    };
    log_to_stderr(arguments.quiet);
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}

fn run(arguments: Arguments) -> anyhow::Result<()> {
    useless::refuse(&arguments)?;
    outlive_file_size_limit()?;
    match arguments.command {
        Command::Rows(rows) => rows::run(&rows),
        Command::Check(check) => check::run(&check),
        Command::Show(show) => show::run(&show),
        Command::Periods(periods) => periods::run(&periods),
        Command::Grundy(grundy) if !grundy.position.is_empty() => grundy::run(&grundy),
        Command::Grundy(grundy) => family::grundy(&grundy),
        Command::Tail(tail) => family::tail(&tail),
        Command::Seq(seq) => seq::run(&seq),
        Command::F(f) => f::run(&f),
        Command::Query(query) => query::run(&query),
        Command::Play(play) => play::run(&play),
        Command::Board(board) => board::run(&board),
        Command::Poset(poset) => poset::run(&poset),
        Command::Export(export) => export::run(&export),
        Command::Stats(stats) => stats::run(&stats),
        Command::Plot(plot) => plot::run(&plot),
        Command::Why(why) => why::run(&why),
        Command::Reproduce(reproduce) => reproduce::run(&reproduce),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "chomp", &mut text);
            if shell == Shell::Fish {
                writeln!(text, "{}", sequences_for_fish())?;
            }
            failure::print(&text)
        }
        Command::Man { out: None } => failure::print(&manual()?),
        Command::Man { out: Some(folder) } => write_manual(&folder),
    }
}

/// The names after `chomp seq`: clap's script for fish completes options only.
fn sequences_for_fish() -> String {
    let names: Vec<String> = AnySequence::all().into_iter().map(|(name, _)| name).collect();
    let names = names.join(" ");
    format!("complete -c chomp -n \"__fish_seen_subcommand_from seq\" -f -a \"{names}\"")
}

/// One page: the program, then each command with its options.
fn manual() -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut program = Arguments::command();
    program.build();
    let page = clap_mangen::Man::new(program.clone());
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    describe_subcommands(&program, "", &mut text)?;
    page.render_extra_section(&mut text)?;
    page.render_version_section(&mut text)?;
    Ok(text)
}

/// A page for the program, and one for each command.
fn write_manual(folder: &Path) -> anyhow::Result<()> {
    let _made = Folder::make(folder, &Disk).map_err(|error| {
        anyhow!("cannot write the pages to {}: {error}; name another folder", folder.display())
    })?;
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    let pages = pages_of(&program).into_iter().map(|page| {
        let output = Output::open(&folder.join(page.get_filename()))?;
        Ok((page, output))
    });
    let pages = pages.collect::<anyhow::Result<Vec<_>>>()?;
    pages
        .into_iter()
        .try_for_each(|(page, output)| output.write(|mut out| Ok(page.render(&mut out)?)))
}

/// The page of a command, and those of its subcommands that are not hidden.
fn pages_of(command: &clap::Command) -> Vec<clap_mangen::Man> {
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let pages = shown.flat_map(pages_of);
    iter::once(clap_mangen::Man::new(command.clone())).chain(pages).collect()
}

fn describe_subcommands(
    program: &clap::Command,
    prefix: &str,
    text: &mut Vec<u8>,
) -> std::io::Result<()> {
    let hidden = |command: &clap::Command| command.is_hide_set() || command.get_name() == "help";
    for command in program.get_subcommands().filter(|command| !hidden(command)) {
        let page = clap_mangen::Man::new(command.clone());
        let name = format!("{prefix}{}", command.get_name().to_uppercase());
        writeln!(text, ".SH {name}")?;
        page.render_synopsis_section(text)?;
        page.render_description_section(text)?;
        page.render_options_section(text)?;
        // Examples, exit codes, columns.
        if command.get_after_help().is_some() || command.get_after_long_help().is_some() {
            page.render_extra_section(text)?;
        }
        describe_subcommands(command, &format!("{name} "), text)?;
    }
    Ok(())
}
