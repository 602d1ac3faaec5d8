//! From errors to messages and exit codes.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use census::figures::FigureError;
use census::query::QueryError;
use thiserror::Error;

const REFUTED: u8 = 1;
const USAGE: u8 = 2;
const INPUT_OR_OUTPUT: u8 = 3;
const INCOMPLETE: u8 = 4;

/// Failures that are the driver's own.
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

/// Tells the person what went wrong, and the caller by exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if !matches!(error.downcast_ref(), Some(Failure::Closed)) {
        // Nothing can be done if stderr is closed too.
        let _closed = writeln!(io::stderr(), "error: {error}");
    }
    ExitCode::from(code(error))
}

fn code(error: &anyhow::Error) -> u8 {
    match error.downcast_ref() {
        Some(Failure::Usage(_)) => USAGE,
        None if lacks_offsets(error) || lacks_threads(error) => USAGE,
        Some(Failure::Refuted(_)) => REFUTED,
        Some(Failure::Closed | Failure::Interrupted(_) | Failure::Incomplete(_)) => INCOMPLETE,
        None if error.is::<byrnes::RowError>()
            || error.is::<sweep::error::Error>()
            || error.is::<record::Fault>()
            || error.is::<census::sequences::TermError>() =>
        {
            INCOMPLETE
        }
        Some(Failure::Output(_)) | None => INPUT_OR_OUTPUT,
    }
}

/// Whether a data set was asked for offsets that it was not written with.
fn lacks_offsets(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(QueryError::NeedsHead { .. }))
        || matches!(error.downcast_ref(), Some(FigureError::NoOffsets { .. }))
}

/// Whether more threads were asked for than there can be.
fn lacks_threads(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(sweep::error::Error::Threads { .. }))
}

/// Prints what clap has to say: help and version as results, errors on stderr.
pub fn answer(answer: &clap::Error) -> ExitCode {
    if answer.use_stderr() {
        let _closed = answer.print();
        return ExitCode::from(USAGE);
    }
    let text = answer.render();
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
