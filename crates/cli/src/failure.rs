//! From errors to messages and exit codes.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use census::export::ExportError;
use driver::ErrorKind;
use figures::FigureError;
use record::escaped;
use thiserror::Error;

use crate::advice::advice;

const REFUTED: u8 = 1;
const NOTHING: u8 = 1;
const USAGE: u8 = 2;
const INPUT_OR_OUTPUT: u8 = 3;
const INCOMPLETE: u8 = 4;

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
    /// stdout cannot be written.
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
    /// The reader of stdout went away: nobody to tell.
    #[error("standard output was closed")]
    Closed,
    /// Ctrl-C, or a signal to end.
    #[error("interrupted{0}")]
    Interrupted(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Output(error) }
    }
}

/// The longest message, in characters: what is beyond comes from a hostile file.
const LONGEST_MESSAGE: usize = 4000;

/// Tells the person what went wrong, and the caller by exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let kind = match error.downcast_ref() {
        Some(Failure::Closed) => return ExitCode::from(code(error)),
        Some(Failure::Nothing(_)) => "",
        _ => "error: ",
    };
    // Nothing can be done if stderr is closed too.
    let _closed = writeln!(io::stderr(), "{kind}{}", message(&format!("{error}{}", advice(error))));
    ExitCode::from(code(error))
}

/// One line of bounded length, whatever of files and their names has come into it: what a terminal
/// would obey is escaped.
fn message(words: &str) -> String {
    match words.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => escaped(&words[..end]) + "…",
        None => escaped(words),
    }
}

/// A path among results, which may have any name.
pub fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}

fn code(error: &anyhow::Error) -> u8 {
    if let Some(error) = error.downcast_ref::<driver::Error>() {
        return match error.kind() {
            ErrorKind::Usage => USAGE,
            ErrorKind::Refuted => REFUTED,
            ErrorKind::InputOrOutput => INPUT_OR_OUTPUT,
            ErrorKind::Incomplete => INCOMPLETE,
        };
    }
    match error.downcast_ref() {
        Some(Failure::Usage(_)) => USAGE,
        None if cannot_be_had(error) => USAGE,
        Some(Failure::Refuted(_)) => REFUTED,
        Some(Failure::Nothing(_)) => NOTHING,
        Some(Failure::Closed | Failure::Interrupted(_) | Failure::Incomplete(_)) => INCOMPLETE,
        None if error.is::<census::sequences::TermError>() => INCOMPLETE,
        Some(Failure::Output(_)) | None => INPUT_OR_OUTPUT,
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
        return ExitCode::from(USAGE);
    }
    let colours = io::stdout().is_terminal() && !no_color();
    let text = if colours { text.ansi().to_string() } else { text.to_string() };
    match print(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(&error),
    }
}

/// Whether the user wants no colours anywhere (<https://no-color.org>).
pub fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Writes all of it to stdout.
pub fn print(text: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text).and_then(|()| stdout.flush()).map_err(Failure::from)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_line_that_no_terminal_obeys() {
        let words = "rows\u{1b}[2K\r\nVerified: \u{9b}1m\u{202e}C:\\α";
        assert_eq!(message(words), "rows\\u{1b}[2K\\r\\nVerified: \\u{9b}1m\\u{202e}C:\\α");
        assert_eq!(message(&"α".repeat(1 << 20)), "α".repeat(4000) + "…");
    }
}
