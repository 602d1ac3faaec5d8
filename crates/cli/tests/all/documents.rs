//! Documents: every link leads to a file, and to a heading of it; every command and option exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{chomp, workspace};

/// The Markdown files of the workspace, but for those of tools.
fn documents() -> Vec<PathBuf> {
    let folders = ["", "docs", "outputs", "outputs/deposit", "proofs", "python", "testdata"];
    let mut found = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(workspace(folder)).unwrap().map(|entry| entry.unwrap().path());
        found.extend(entries.filter(|path| path.extension().is_some_and(|name| name == "md")));
    }
    found
}

/// A document without its blocks of code.
fn prose(path: &Path) -> String {
    fs::read_to_string(path).unwrap().split("\n```").step_by(2).collect()
}

/// The names of the headings, as they stand after `#` in a link.
fn anchors(path: &Path) -> Vec<String> {
    let text = prose(path);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let words = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            words.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
        })
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut links = 0;
    for document in documents() {
        let text = prose(&document);
        for target in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if target.starts_with("http") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => document.clone(),
                _ => document.parent().unwrap().join(file),
            };
            let name = document.display();
            assert!(path.exists(), "{name} links to {target}, which is not there");
            let heading = anchor.is_empty() || anchors(&path).iter().any(|name| name == anchor);
            assert!(heading, "{name} links to {target}, and there is no such heading");
            links += 1;
        }
    }
    assert!(links > 100, "{links}");
}

/// Commands in the text of documents, such as `chomp rows --to R`, with all their options. With
/// --help they do nothing.
#[test]
fn every_command_in_a_document_exists() {
    let mut wrong = Vec::new();
    let mut commands = BTreeSet::new();
    for document in documents() {
        let text = prose(&document);
        let spans = text.split('`').skip(1).step_by(2);
        let typed = spans.map(|span| span.split_whitespace().collect::<Vec<_>>().join(" "));
        commands.extend(typed.filter(|span| span.starts_with("chomp ")));
    }
    assert!(commands.len() > 100, "{}", commands.len());
    for command in &commands {
        let words = command.split(['|', '>', '&']).next().unwrap().split(' ').skip(1);
        let mut run = chomp("");
        // An option in brackets may be left out.
        run.args(
            words.map(|word| word.trim_matches(['[', ']', '\''])).filter(|word| !word.is_empty()),
        );
        let output = run.arg("--help").output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        if ["unexpected argument", "unrecognized subcommand"].iter().any(|why| error.contains(why))
        {
            wrong.push(format!("{command}: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// All files with this ending in a folder.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|its| its == ending) {
            found.push(path);
        }
    }
}

/// The options that the arguments in a source define.
fn defined(source: &str) -> impl Iterator<Item = String> {
    let arguments = source.split("#[arg(").skip(1).filter_map(|rest| rest.split_once(")]\n"));
    arguments.filter(|(attribute, _)| attribute.contains("long")).flat_map(|(attribute, field)| {
        let name = attribute.split_once("long = \"").map(|(_, name)| name.split('"').next());
        let field = field.trim_start().trim_start_matches("pub ").split(':').next();
        let aliases = attribute.split_once("aliases = [").map_or("", |(_, names)| names);
        let aliases = aliases.split(']').next().unwrap().split('"').skip(1).step_by(2);
        let names = aliases.chain(name.flatten().or(field)).map(|name| name.replace('_', "-"));
        names.collect::<Vec<_>>()
    })
}

/// The options that a text names.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let is_letter = |c: char| c.is_ascii_lowercase() || c == '-';
    let after = text.split("--").zip(text.split("--").skip(1));
    let begins =
        after.filter(|(before, _)| !before.ends_with(|c: char| c.is_alphanumeric() || c == '-'));
    let names =
        begins.map(move |(_, name)| &name[..name.find(|c| !is_letter(c)).unwrap_or(name.len())]);
    names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// Options of other programs that messages and documents name: of cargo, git and clap; of examples,
/// of the checkers in Python and OCaml, of scripts of the paper and of `experiments`; and those
/// that are gone.
const OF_OTHERS: [&str; 28] = [
    "a",
    "abbrev",
    "always",
    "book",
    "cab",
    "details",
    "dirty",
    "dpi",
    "example",
    "features",
    "heads-to",
    "help",
    "lists",
    "locked",
    "markdown",
    "path",
    "program",
    "rectangles",
    "reference",
    "release",
    "score",
    "several",
    "summary",
    "tex",
    "timings",
    "update",
    "version",
    "workspace",
];

/// Messages, help and documents, but for those on MPI, whose programs have options of their own.
#[test]
fn every_option_that_is_named_exists() {
    let mut sources = Vec::new();
    for folder in fs::read_dir(workspace("crates")).unwrap().map(|entry| entry.unwrap().path()) {
        files(&folder.join("src"), "rs", &mut sources);
    }
    for folder in ["web/src", "python/src", "experiments/src"] {
        files(&workspace(folder), "rs", &mut sources);
    }
    let texts: Vec<String> = sources.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let options: BTreeSet<String> = texts.iter().flat_map(|text| defined(text)).collect();
    assert!(options.len() > 60 && options.contains("to-column"), "{options:?}");
    let documents = documents().into_iter().filter(|path| !path.ends_with("CLUSTER.md"));
    let documents = documents.map(|path| (fs::read_to_string(&path).unwrap(), path));
    let mut wrong = Vec::new();
    for (text, path) in texts.iter().cloned().zip(sources).chain(documents) {
        let is_there = |name: &str| options.contains(name) || OF_OTHERS.contains(&name);
        wrong.extend(
            named(&text).filter(|name| !is_there(name)).map(|name| (path.clone(), name.to_owned())),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
