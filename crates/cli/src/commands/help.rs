//! `chomp help`: the help of a command, or of a subject that several commands share.

use clap::{Args, CommandFactory};
use driver::Error;

use crate::{Program, failure, now, output};

/// Print this message, the help of a command, or a text on a subject.
///
/// The subjects are `notation`, the forms in which positions, rows, ranges and numbers are typed;
/// `words`, the words that the program uses; and `json`, the fields of what --json prints.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp help rows\n  chomp help notation")]
pub struct Arguments {
    /// The command, or `notation`, `words` or `json`.
    #[arg(value_name = "COMMAND | SUBJECT")]
    about: Vec<String>,
}

/// The texts on subjects: parts of the documents, which a test compares.
const SUBJECTS: [(&str, &str); 3] = [
    ("notation", include_str!("help/notation.md")),
    ("words", include_str!("help/words.md")),
    ("json", include_str!("help/json.md")),
];

/// The end of a text that names documents: an installed program lacks them.
const DOCUMENTS: &str = "\nFiles with names such as `FORMAT.md` are documents of the project.\n";

/// Prints a text.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let subject = match arguments.about.as_slice() {
        [name] => SUBJECTS.iter().find(|(subject, _)| subject == name),
        _ => None,
    };
    match subject {
        Some((_, text)) => {
            let text = without_targets(text);
            let documents = if text.contains(".md`") { DOCUMENTS } else { "" };
            output::print(format!("{text}{documents}").as_bytes())
        }
        None => of_command(&arguments.about),
    }
}

/// Prints the help of the program, or of a command.
fn of_command(names: &[String]) -> Result<(), Error> {
    if let [name] = names
        && let Some(now) = now(name)
    {
        return output::print(now.as_bytes());
    }
    let typed = ["chomp"].into_iter().chain(names.iter().map(String::as_str)).chain(["--help"]);
    let answer = crate::of_width(Program::command()).try_get_matches_from_mut(typed);
    let Err(help) = answer.map(drop) else { return Ok(()) };
    if help.use_stderr() {
        let name = names.join(" ");
        let words = format!(
            "there is no command or subject {name:?}; `chomp help` lists the commands, and the \
             subjects are notation, words and json"
        );
        return Err(Error::usage(words));
    }
    failure::print_help(&help)
}

/// A text in Markdown without the targets of its links, which lead to other documents.
fn without_targets(text: &str) -> String {
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // A bracket that is typed as part of a form is kept.
        let (target, rest) = part.split_once(')').unwrap_or(("", part));
        let is_link = !target.is_empty() && !target.contains([' ', '\n']);
        if let Some(open) = plain.rfind('[').filter(|_| is_link) {
            plain.remove(open);
            plain += rest;
        } else {
            plain += "](";
            plain += part;
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lose_their_targets() {
        let text = "A [row](#a-row) of `[4557]`, see [`FORMAT.md`](FORMAT.md#meaning).";
        assert_eq!(without_targets(text), "A row of `[4557]`, see `FORMAT.md`.");
    }
}
