//! `chomp man`.

use driver::Error;
use std::iter;
use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use crate::Program;
use crate::output::{self, Output};

/// Print the manual pages of all commands (roff), or write them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp man > chomp.1\n  chomp man --out man1")]
pub struct Arguments {
    /// Write a page for each command to this folder: chomp.1, chomp-rows.1, and so on.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut program = Program::command();
    program.build();
    let pages = pages_of(&program);
    let Some(folder) = &arguments.out else {
        let mut text = Vec::new();
        pages.iter().try_for_each(|page| page.render(&mut text))?;
        return output::print(&text);
    };
    let _made = files::Folder::make(folder).map_err(|error| {
        let folder = folder.display();
        Error::file(format!("cannot write the pages to {folder}: {error}; name another folder"))
    })?;
    let outputs = pages.iter().map(|page| Output::open(&folder.join(page.get_filename())));
    let outputs = outputs.collect::<Result<Vec<_>, Error>>()?;
    let mut written = pages.iter().zip(outputs);
    written.try_for_each(|(page, output)| output.write(|mut out| Ok(page.render(&mut out)?)))
}

/// The page of a command, and those of its subcommands that are not hidden.
fn pages_of(command: &clap::Command) -> Vec<Man> {
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let pages = shown.flat_map(pages_of);
    iter::once(Man::new(command.clone())).chain(pages).collect()
}
