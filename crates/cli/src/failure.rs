//! From errors to messages and exit codes.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use census::export::ExportError;
use figures::FigureError;
use record::escaped;
use terminal::{OutputError, exit, no_color};
use thiserror::Error;

use crate::advice::advice;

const NOTHING: u8 = 1;

/// Failures that are the program's own.
#[derive(Debug, Error)]
pub enum Failure {
    /// What was typed makes no sense together with what is there.
    #[error("{0}")]
    Usage(String),
    /// A statement was shown to be wrong.
    #[error("refuted: {0}")]
    Refuted(String),
    /// A check that did not come to its end.
    #[error("incomplete: {0}")]
    Incomplete(String),
    /// What was asked for does not exist; that is the answer.
    #[error("{0}")]
    Nothing(String),
    /// Ctrl-C, or a signal to end.
    #[error("interrupted{0}")]
    Interrupted(String),
}

/// Tells the person what went wrong, and the caller by exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if !matches!(error.downcast_ref(), Some(OutputError::Closed)) {
        let is_answer = matches!(error.downcast_ref(), Some(Failure::Nothing(_)));
        let kind = if is_answer { "" } else { "error: " };
        terminal::tell(&format!("{kind}{error}{}", advice(error)));
    }
    ExitCode::from(code(error))
}

/// A path among results, which may have any name.
pub fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}

fn code(error: &anyhow::Error) -> u8 {
    if let Some(error) = error.downcast_ref::<driver::Error>() {
        return exit::code(error.kind());
    }
    match error.downcast_ref() {
        Some(Failure::Usage(_)) => exit::USAGE,
        None if cannot_be_had(error) => exit::USAGE,
        Some(Failure::Refuted(_)) => exit::REFUTED,
        Some(Failure::Nothing(_)) => NOTHING,
        Some(Failure::Interrupted(_) | Failure::Incomplete(_)) => exit::INCOMPLETE,
        None if error.is::<census::sequences::TermError>() => exit::INCOMPLETE,
        None => error.downcast_ref().map_or(exit::INPUT_OR_OUTPUT, OutputError::code),
    }
}

/// Whether something was asked of a data set without the offsets that it needs, or of a program
/// that was built without it.
fn cannot_be_had(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(FigureError::NoOffsets { .. }))
        || matches!(error.downcast_ref(), Some(ExportError::NoOffsets | ExportError::NoParquet))
}

/// Prints what clap has to say: help and version as results, errors on stderr.
pub fn answer(answer: &clap::Error) -> ExitCode {
    let text = answer.render();
    if answer.use_stderr() {
        // What was typed may have been copied from anywhere. If a terminal would obey it, the text
        // comes without clap's colours, for they could not be told from it.
        let mut typed = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
        let _closed = if typed.all(|argument| escaped(&argument) == argument) {
            answer.print()
        } else {
            let plain = text.to_string();
            let lines: String = plain.lines().map(|line| escaped(line) + "\n").collect();
            io::stderr().write_all(lines.as_bytes())
        };
        return ExitCode::from(exit::USAGE);
    }
    let colours = io::stdout().is_terminal() && !no_color();
    let text = if colours { text.ansi().to_string() } else { text.to_string() };
    match print(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(&error),
    }
}

/// Writes all of it to stdout.
pub fn print(text: &[u8]) -> anyhow::Result<()> {
    Ok(terminal::print(text)?)
}
