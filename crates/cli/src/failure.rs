//! The errors of commands: one type, with message, advice and exit code.
//!
//! The errors of the libraries name no options of the program; advice on them is added here.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use census::export::ExportError;
use census::sequences::TermError;
use driver::{CheckError, Error, Hint, QueryError, Watch, WordsError};
use figures::FigureError;
use record::data_set::{DataSetError, is_being_written};
use record::{HeadForm, escaped};
use sweep::error::SweepError;
use sweep::hypothesis::Hypothesis;
use terminal::{OutputError, exit, no_color};
use thiserror::Error;

/// The exit code if the requested thing does not exist.
const NOTHING: u8 = 1;

/// An error: there is no result, or an incomplete one.
#[derive(Debug, Error)]
pub enum Failure {
    /// The arguments are wrong, or do not fit the data.
    #[error("{0}")]
    Usage(String),
    /// A statement was shown to be wrong.
    #[error("refuted: {0}")]
    Refuted(String),
    /// Work that did not end.
    #[error("incomplete: {0}")]
    Incomplete(String),
    /// The requested thing does not exist, which is the answer.
    #[error("{0}")]
    Nothing(String),
    /// Ctrl-C, or a signal to end.
    #[error("interrupted{0}")]
    Interrupted(String),
    /// A file cannot be read or written.
    #[error("{0}")]
    File(String),
    /// An error of the operating system, or of writing a file.
    #[error(transparent)]
    System(#[from] io::Error),
    /// Standard output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] Error),
    /// A figure cannot be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// A data set cannot be exported.
    #[error(transparent)]
    Export(ExportError),
}

impl From<DataSetError> for Failure {
    fn from(error: DataSetError) -> Self {
        Self::Library(error.into())
    }
}

impl From<TermError> for Failure {
    fn from(error: TermError) -> Self {
        Self::Library(error.into())
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Io(error) => Self::System(error),
            error => Self::Export(error),
        }
    }
}

impl Failure {
    /// A usage error with this message.
    pub fn usage(words: impl Display) -> Self {
        Self::Usage(words.to_string())
    }

    /// Ends long work that was interrupted.
    pub fn if_interrupted(watcher: &impl Watch) -> Result<(), Self> {
        if watcher.stop() { Err(Error::Interrupted.into()) } else { Ok(()) }
    }

    /// Prints the message, and returns the exit code.
    pub fn report(&self) -> ExitCode {
        match self {
            Self::Output(OutputError::Closed) => {}
            Self::Nothing(words) => terminal::tell(words),
            _ => return terminal::fail(&format_args!("{self}{}", self.advice()), self.code()),
        }
        ExitCode::from(self.code())
    }

    fn code(&self) -> u8 {
        match self {
            Self::Usage(_)
            | Self::Export(
                ExportError::NoOffsets | ExportError::NoParquet | ExportError::NotThreeRowed { .. },
            ) => exit::USAGE,
            Self::Refuted(_) => exit::REFUTED,
            Self::Nothing(_) => NOTHING,
            Self::Incomplete(_) | Self::Interrupted(_) => exit::INCOMPLETE,
            Self::Library(error) => exit::code(error.kind()),
            Self::Output(error) => error.code(),
            Self::File(_) | Self::System(_) | Self::Figure(_) | Self::Export(_) => {
                exit::INPUT_OR_OUTPUT
            }
        }
    }

    /// The option or the command that helps.
    fn advice(&self) -> Cow<'static, str> {
        let advice = match self {
            Self::Library(Error::Other { hint: Hint::Check(folder), .. }) => {
                return format!("; `chomp check {}` verifies them", folder.display()).into();
            }
            Self::Library(error) => on_library(error),
            Self::Export(ExportError::NoOffsets) => " (chomp rows --full writes them)",
            Self::Export(ExportError::NoParquet) => {
                " (cargo install --path crates/cli --features parquet)"
            }
            _ => "",
        };
        advice.into()
    }
}

fn on_library(error: &Error) -> &'static str {
    match error {
        Error::Other { hint, .. } | Error::Memory { hint, .. } => of_hint(hint),
        Error::Words(WordsError::CheckpointSpill { .. }) => " (--spill)",
        Error::Words(WordsError::Sweep(error)) | Error::Sweep(error) => on_sweep(error),
        Error::DataSet(error) => on_data_set(error),
        Error::Check(error) => match &**error {
            CheckError::WholeFamily { .. } => "; leave out --rows",
            CheckError::Structure(error) => on_data_set(error),
            _ => "",
        },
        Error::Query(QueryError::NeedsHead { .. }) => of_hint(&Hint::Offsets),
        _ => "",
    }
}

fn of_hint(hint: &Hint) -> &'static str {
    match hint {
        Hint::None | Hint::Check(_) => "",
        Hint::Sweep => "; leave out --engine literal",
        Hint::Threads => " (--threads)",
        Hint::Memory => " (--memory)",
        Hint::NoData => "; leave out --data",
        Hint::Data => "; give them by --data",
        Hint::Offsets => " (--full writes them), or leave out --data",
    }
}

fn on_sweep(error: &SweepError) -> &'static str {
    match error {
        SweepError::Threads { .. } => "; --threads sets their number",
        SweepError::Kernel { .. } => "; leave out --kernel to use the fastest of this machine",
        SweepError::Hypothesis { hypothesis: Hypothesis::WindowsFit, .. } => "",
        SweepError::Hypothesis { .. } | SweepError::EarlyStart { .. } => {
            " (--full computes with it)"
        }
        _ => "",
    }
}

fn on_data_set(error: &DataSetError) -> &'static str {
    match error {
        DataSetError::Missing { path } if is_being_written(path) => {
            "; a run is writing there now: wait for its end, or stop it with Ctrl-C, which keeps \
             the rows so far"
        }
        DataSetError::NotADataSet { .. } => "; choose another folder with --out, or empty it",
        DataSetError::NotAFolder { .. } => "; choose another folder with --out",
        DataSetError::Busy { .. } => "; wait for it, or choose another folder with --out",
        DataSetError::Larger { .. } | DataSetError::OtherFamily { .. } => {
            "; choose another folder with --out, or remove it"
        }
        DataSetError::OtherForm { asked: HeadForm::Offsets, .. } => {
            "; leave out --full, or choose another folder with --out"
        }
        DataSetError::OtherForm { asked: HeadForm::Fingerprint, .. } => {
            "; add --full, or choose another folder with --out"
        }
        DataSetError::OfPoset { .. } => "; `chomp check` and `chomp family` read them",
        _ => "",
    }
}

/// A path in a result, with control characters escaped.
pub fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}

/// Names that commands had, and what has taken their place.
const MOVED: [(&str, &[&str], &str); 6] = [
    (
        "plot",
        &[
            "diagonal",
            "densities",
            "bands",
            "renormalize",
            "levels",
            "level-starts",
            "section",
            "slices",
            "families",
        ],
        FIGURES,
    ),
    ("plot", &["all"], "`outputs/rebuild` draws all figures"),
    (
        "plot",
        &["--resume", "--keep"],
        "`cargo run -p chomp-experiments -- openings N DIR --svg` draws from parts",
    ),
    (
        "board",
        &["--markdown"],
        "`cargo run -p chomp-experiments -- openings N DIR` prints that document",
    ),
    ("", &["perturbed"], "it is `cargo run -p chomp-experiments -- perturbed` now"),
    ("", &["--kernel"], "only `chomp rows` takes it"),
];

const FIGURES: &str = "`cargo run -p chomp-experiments -- figure {}` draws it";

/// Prints help or the version to stdout, or a usage error to stderr.
pub fn answer(mut answer: clap::Error) -> ExitCode {
    use clap::error::{ContextKind, ContextValue};

    // The arguments may be long, and contain escape sequences.
    for kind in [ContextKind::InvalidValue, ContextKind::InvalidArg, ContextKind::InvalidSubcommand]
    {
        if let Some(ContextValue::String(typed)) = answer.get(kind) {
            let is_of =
                |command: &str| command.is_empty() || std::env::args().any(|it| it == command);
            let mut moved = MOVED.iter().filter(|(command, ..)| is_of(command));
            let moved = moved.find(|(_, names, _)| names.contains(&typed.as_str()));
            if let Some((.., now)) = moved.filter(|_| kind != ContextKind::InvalidValue) {
                let now = now.replace("{}", typed);
                return Failure::Usage(format!("{typed} is gone: {now}")).report();
            }
            let short = record::quoted(typed);
            answer.insert(kind, ContextValue::String(short));
        }
    }
    if answer.use_stderr() {
        let plain = answer.render().to_string();
        let lines: String =
            plain.lines().map(|line| terminal::one_line(&quoted(line)) + "\n").collect();
        let _closed = io::stderr().write_all(lines.as_bytes());
        return ExitCode::from(exit::USAGE);
    }
    match print_help(&answer) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

/// Prints help or the version to stdout.
pub fn print_help(help: &clap::Error) -> Result<(), Failure> {
    let colours = io::stdout().is_terminal() && !no_color();
    let text = help.render();
    print(if colours { text.ansi().to_string() } else { text.to_string() }.as_bytes())
}

/// A line of an error of clap, which has typed text in single quotes: in double quotes, as all
/// other errors have them.
fn quoted(line: &str) -> String {
    if !line.starts_with("error:") && !line.starts_with("  tip:") {
        return line.to_owned();
    }
    let (mut quoted, mut is_open, mut before) = (String::new(), false, ' ');
    let mut left = line.chars().peekable();
    while let Some(c) = left.next() {
        let ends = left.peek().is_none_or(|next| next.is_whitespace() || ":;,.".contains(*next));
        let is_quote = c == '\'' && if is_open { ends } else { before.is_whitespace() };
        is_open ^= is_quote;
        quoted.push(if is_quote { '"' } else { c });
        before = c;
    }
    quoted
}

/// Keeps a result, and breaks off at the first error.
pub fn keep<E>(kept: &mut Result<(), E>, result: Result<(), E>) -> ControlFlow<()> {
    *kept = result;
    if kept.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Writes all of it to stdout.
pub fn print(text: &[u8]) -> Result<(), Failure> {
    Ok(terminal::print(text)?)
}

/// Writes a list to stdout, in 100 columns. What does not fit into the line of an entry continues
/// below its last column, which begins after two spaces.
pub fn print_list(list: &str) -> Result<(), Failure> {
    let wrapped = list.split_inclusive('\n').map(|line| {
        let indent = line.rfind("  ").map_or(0, |place| line[..place + 2].chars().count());
        textwrap::fill(line, textwrap::Options::new(100).subsequent_indent(&" ".repeat(indent)))
    });
    print(wrapped.collect::<String>().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_quote_alike() {
        let clap = "error: invalid value '8' for '--memory <SIZE>': the unit is missing";
        let ours = r#"error: invalid value "8" for "--memory <SIZE>": the unit is missing"#;
        assert_eq!(quoted(clap), ours);
        // The notation of Cho has an apostrophe.
        let of_cho = "error: unexpected argument '[1134444]'' found";
        assert_eq!(quoted(of_cho), r#"error: unexpected argument "[1134444]'" found"#);
        assert_eq!(quoted("Usage: chomp 'x'"), "Usage: chomp 'x'");
    }
}
