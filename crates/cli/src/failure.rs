//! What the program says of an error: the libraries name no options, and advice on them is here.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use driver::{CheckError, Error, Hint, QueryError, WordsError};
use record::HeadForm;
use record::data_set::{DataSetError, Remedy};
use sweep::error::SweepError;
use sweep::hypothesis::Hypothesis;
use terminal::{exit, no_color, print};

use crate::output::PARQUET;

/// Prints the message of an error with the option or the command that helps, and returns the exit
/// code.
pub fn report(error: &Error) -> ExitCode {
    let advice = match error {
        Error::Other { hint: Hint::Check(folder), .. } => {
            format!("; `chomp check {}` verifies them", folder.display()).into()
        }
        error => Cow::from(on_library(error)),
    };
    terminal::report(error, &advice)
}

fn on_library(error: &Error) -> &'static str {
    match error {
        Error::Other { hint, .. } | Error::Memory { hint, .. } => of_hint(hint),
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
        Hint::OnlyOffsets => " (chomp rows --full writes them)",
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
        DataSetError::Missing { path } if files::is_locked(path) => {
            "; a run is writing there now: wait for its end, or stop it with Ctrl-C, which keeps \
             the rows so far"
        }
        DataSetError::Refused { remedy, .. } => match remedy {
            Remedy::AsSaid => "",
            Remedy::Other => "; choose another folder with --out",
            Remedy::Empty => "; choose another folder with --out, or empty it",
            Remedy::Wait => "; wait for it, or choose another folder with --out",
            Remedy::Remove => "; choose another folder with --out, or remove it",
            Remedy::NotForm(HeadForm::Offsets) => {
                "; leave out --full, or choose another folder with --out"
            }
            Remedy::NotForm(HeadForm::Fingerprint) => {
                "; add --full, or choose another folder with --out"
            }
            Remedy::OfPoset => "; `chomp check` reads them",
        },
        _ => "",
    }
}

/// Names and options that commands had (all commands, if none is named), and what has taken their
/// place.
const MOVED: [(&str, &str, &str); 21] = [
    ("plot", "diagonal densities bands renormalize levels level-starts section", FIGURES),
    ("plot", "slices families queue", FIGURES),
    (
        "plot",
        "starts",
        "`python experiments/figures.py level-starts` in the sources draws them level by level",
    ),
    ("plot", "all", "`outputs/rebuild` draws all figures"),
    ("plot", "--resume --keep", "`chomp plot openings --to N` finds the openings itself"),
    ("plot", "--format --dpi", "figures are SVG; `rsvg-convert -f png` and `-f pdf` convert one"),
    (
        "board",
        "--markdown",
        "`python experiments/tables.py openings N DIR` in the sources prints that document",
    ),
    (
        "reproduce",
        "--markdown",
        "`python experiments/tables.py ledger` in the sources prints that document",
    ),
    ("check", "--archive", "`chomp check FILE` reads an archive of any name"),
    ("", "--cab", "`chomp query '[C,A,B]'` has these numbers in square brackets"),
    ("", "--book", "`chomp query --board` prints the strategy of a position that --list has"),
    ("family grundy tail", "--lists", "`chomp family --tsv` has the period of each row"),
    ("", "--lists", "`python experiments/tables.py lists` in the sources prints them"),
    ("family", "--summary", "`python experiments/tables.py families` in the sources prints it"),
    ("", "perturbed", "it is `cargo run -p chomp-experiments -- perturbed` now"),
    (
        "",
        "diff",
        "`diff -r A B` compares data sets, and `diff` two exports: the guide has an example",
    ),
    ("poset", "--svg", "`--dot FILE` writes the Hasse diagram, and `dot -Tsvg` draws it"),
    ("poset", "--to", "`chomp poset semigroup X G1 G2 ...` decides the bite X"),
    ("rows", "--details", "`chomp stats --data DIR` prints more about the rows of a data set"),
    ("", "--kernel", "only `chomp rows` takes it"),
    ("export positions", "parquet", PARQUET),
];

const FIGURES: &str = "`python experiments/figures.py {}` in the sources draws it";

/// Prints help or the version to stdout, or a usage error to stderr.
pub fn answer(mut answer: clap::Error) -> ExitCode {
    use clap::error::{ContextKind, ContextValue};

    // The arguments may be long, and contain escape sequences.
    for kind in [ContextKind::InvalidValue, ContextKind::InvalidArg, ContextKind::InvalidSubcommand]
    {
        if let Some(ContextValue::String(typed)) = answer.get(kind) {
            let is_given = |command: &str| std::env::args().any(|it| it == command);
            let is_of = |commands: &str| commands.is_empty() || commands.split(' ').any(is_given);
            let mut moved = MOVED.iter().filter(|(commands, ..)| is_of(commands));
            let moved = moved.find(|(_, names, _)| names.split(' ').any(|name| name == typed));
            let is_value = |now: &str| (kind == ContextKind::InvalidValue) == (now == PARQUET);
            if let Some((.., now)) = moved.filter(|(.., now)| is_value(now)) {
                let now = now.replace("{}", typed);
                return report(&Error::usage(format!("{typed} is gone: {now}")));
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
        Err(error) => report(&error),
    }
}

/// Prints help or the version to stdout.
pub fn print_help(help: &clap::Error) -> Result<(), Error> {
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
