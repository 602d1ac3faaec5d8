//! `chomp man`.

use driver::Error;
use std::io::Write;
use std::iter;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use crate::Program;
use crate::failure;
use crate::output::Output;

/// Print the manual page (roff), or write a page for each command.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp man > chomp.1\n  chomp man --out man1")]
pub struct Arguments {
    /// Write the pages of all commands to this folder: chomp.1, chomp-rows.1, and so on.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Error> {
    match &arguments.out {
        None => failure::print(&manual()?),
        Some(folder) => write_manual(folder),
    }
}

/// One page: the program, then each command with its options.
fn manual() -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let mut program = Program::command();
    program.build();
    let page = Man::new(program.clone());
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
fn write_manual(folder: &Path) -> Result<(), Error> {
    let _made = files::Folder::make(folder).map_err(|error| {
        Error::file(format!(
            "cannot write the pages to {}: {error}; name another folder",
            folder.display()
        ))
    })?;
    let mut program = Program::command();
    program.build();
    let pages = pages_of(&program).into_iter().map(|page| {
        let output = Output::open(&folder.join(page.get_filename()))?;
        Ok((page, output))
    });
    let pages = pages.collect::<Result<Vec<_>, Error>>()?;
    pages
        .into_iter()
        .try_for_each(|(page, output)| output.write(|mut out| Ok(page.render(&mut out)?)))
}

/// The pages of a command and of its subcommands that are not hidden.
fn pages_of(command: &clap::Command) -> Vec<Man> {
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let pages = shown.flat_map(pages_of);
    iter::once(Man::new(command.clone())).chain(pages).collect()
}

fn describe_subcommands(
    program: &clap::Command,
    prefix: &str,
    text: &mut Vec<u8>,
) -> std::io::Result<()> {
    let hidden = |command: &clap::Command| command.is_hide_set() || command.get_name() == "help";
    for command in program.get_subcommands().filter(|command| !hidden(command)) {
        let page = Man::new(command.clone());
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
