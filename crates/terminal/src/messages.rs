//! Writes to standard output and to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write, stderr};
use std::process::ExitCode;
use std::sync::OnceLock;

use ask::json;
use driver::{Error, ErrorKind, Verified};
use record::{escaped, quoted};
use serde::Serialize;
use tracing::level_filters::LevelFilter;

use crate::exit;

/// Writes all of it to standard output.
///
/// # Errors
/// It cannot be written ([`not_printed`]).
pub fn print(text: &[u8]) -> Result<(), Error> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text).and_then(|()| stdout.flush()).map_err(not_printed)
}

/// Prints an object on a line if JSON is asked for, or else the text.
///
/// # Errors
/// As [`print()`].
pub fn print_or<T: Serialize>(
    asked: bool,
    object: impl FnOnce() -> T,
    text: impl FnOnce() -> String,
) -> Result<(), Error> {
    print(if asked { json::line(&object()) } else { text() }.as_bytes())
}

/// Standard output cannot be written. If its reader closed it, there is nobody to tell.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub fn not_printed(error: io::Error) -> Error {
    let is_closed = error.kind() == io::ErrorKind::BrokenPipe;
    let kind = if is_closed { ErrorKind::Closed } else { ErrorKind::InputOrOutput };
    Error::of(kind, format!("cannot write to standard output: {error}"))
}

/// Prints the message of an error and an advice, and returns the exit code.
pub fn report(error: &Error, advice: &str) -> ExitCode {
    match error.kind() {
        ErrorKind::Closed => {}
        ErrorKind::Nothing => tell(&error.to_string()),
        _ => tell(&format!("error: {error}{advice}")),
    }
    ExitCode::from(exit::code(error.kind()))
}

/// The message on the verification of a data set that existed before the run.
pub fn verified_now(verdict: &Verified) -> String {
    format!(
        "Verified now, depths structure and tails: {}.\nAssumed: {}.\n",
        verdict.proved(),
        verdict.assumptions().as_deref().unwrap_or("nothing")
    )
}

/// Prints the message of a failed program, and returns its exit code.
pub fn fail(words: &dyn Display, code: u8) -> ExitCode {
    tell(&format!("error: {words}"));
    ExitCode::from(code)
}

/// The longest message, in characters; only a hostile file makes a longer one.
const LONGEST_MESSAGE: usize = 4000;

/// Prints an error message to standard error, in one write, since other processes may write there,
/// too.
pub fn tell(words: &str) {
    // Nothing can be done if it is closed.
    let _closed = stderr().write_all((one_line(words) + "\n").as_bytes());
}

/// One line of bounded length, with control characters escaped and long quotes shortened.
pub fn one_line(words: &str) -> String {
    let words = &with_short_quotes(words);
    match words.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => escaped(&words[..end]) + "…",
        None => escaped(words),
    }
}

/// The text, with less of what stands between quotation marks if it is long, so that the rest of
/// the message is read. A mark after a backslash is part of the quote.
fn with_short_quotes(words: &str) -> String {
    let (mut text, mut rest) = (String::new(), words);
    while let Some((before, quote)) = rest.split_once('"') {
        let mut is_escaped = false;
        let end = quote.find(|c| {
            let ends = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        });
        let Some(end) = end else { break };
        text += &[before, "\"", &quoted(&quote[..end]), "\""].concat();
        rest = &quote[end + 1..];
    }
    text + rest
}

/// The form of progress on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressForm {
    /// A bar on a terminal, a line every few seconds elsewhere.
    Words,
    /// A JSON object every second, on a line of its own.
    Json,
}

/// The form in this process: words until [`log_to_stderr`] sets it.
static PROGRESS: OnceLock<ProgressForm> = OnceLock::new();

pub(crate) fn progress_form() -> ProgressForm {
    PROGRESS.get().copied().unwrap_or(ProgressForm::Words)
}

/// Sends messages to stderr, without time or module, since they are for the person at the terminal.
/// `CHOMP_LOG=debug` in the environment shows more of them, and `quiet` only warnings and errors.
/// `progress` is the form of progress.
///
/// # Panics
/// If it is called twice.
pub fn log_to_stderr(quiet: bool, progress: ProgressForm) {
    PROGRESS.set(progress).expect("messages are set up once");
    let asked = std::env::var("CHOMP_LOG").ok().and_then(|level| level.parse().ok());
    let level: LevelFilter = asked.unwrap_or(LevelFilter::INFO);
    let level = if quiet { level.min(LevelFilter::WARN) } else { level };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal() && !no_color())
        .without_time()
        .with_target(false)
        // If stderr is closed or full, nobody can be told, and the work continues.
        .log_internal_errors(false)
        .init();
}

/// Whether the user wants no colours anywhere (<https://no-color.org>).
pub fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_line_that_no_terminal_obeys() {
        let words = "rows\u{1b}[2K\r\nVerified: \u{9b}1m\u{202e}C:\\α";
        assert_eq!(one_line(words), "rows\\u{1b}[2K\\r\\nVerified: \\u{9b}1m\\u{202e}C:\\α");
        assert_eq!(one_line(&"α".repeat(1 << 20)), "α".repeat(4000) + "…");
        let long = one_line(&format!("\"{}\\\"\" is no board: give \"3x4\"", "9".repeat(50_000)));
        let short = format!("\"{}… (50002 bytes)\" is no board: give \"3x4\"", "9".repeat(160));
        assert_eq!(long, short);
    }
}
