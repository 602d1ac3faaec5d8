//! `chomp cite`: citations of a row, of a data set, and of the program.

use std::path::PathBuf;

use ask::input::{self, source};
use clap::Args;
use driver::{DataSet, Engine, Error, HeadForm, RowKey};
use record::data_set::{Contents, Manifest};
use record::joined;
use serde::Serialize;
use terminal::{VERSION, Watcher};

use crate::output;
use ask::json;

/// Print a citation of a row, of a data set, or of the program, as text and for BibTeX.
///
/// It names the version with its commit, and the address of the project if it has one. The record
/// of a row is identified by its BLAKE3 hash: of its line in a data set with fingerprints, without
/// the line break. A data set is identified by the hash of its last segment, which covers all
/// segments before; `chomp check --json` calls it `data`. Nothing is verified here: cite the
/// verdict of `chomp check`, too. Without --data the row is computed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp cite\n  chomp cite 120\n  \
    chomp cite 120 --data chomp-rows\n  chomp cite --data chomp-rows")]
pub struct Arguments {
    /// The row, or the tail.
    #[arg(value_name = "R | TAIL", num_args = 1.., allow_negative_numbers = true)]
    row: Vec<String>,
    /// The data set that is cited, or that has the row.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print the citation as JSON: `chomp help json`.
    #[arg(long)]
    json: bool,
}

/// The title and the year of the program, as `CITATION.cff` and the guide have them.
const TITLE: &str = "Chomp: certified rows of three-rowed Chomp";
const YEAR: &str = "2026";

/// A citation; `--json` prints it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Citation {
    title: String,
    version: &'static str,
    address: &'static str,
    record_blake3: Option<String>,
    data_blake3: Option<String>,
    text: String,
    bibtex: String,
}

/// Prints the citation.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let data = arguments.data.as_deref();
    let data_set = data.map(DataSet::open_any).transpose()?;
    let manifest = data_set.as_ref().map(DataSet::manifest);
    let data_blake3 = manifest.and_then(|all| Some(all.segments.last()?.blake3.clone()));
    let (title, record_blake3) = match (&arguments.row[..], manifest) {
        ([], None) => (TITLE.to_owned(), None),
        ([], Some(Manifest { contents: Contents::Rows, rows, .. })) => {
            (format!("Rows 0 to {} of three-rowed Chomp", rows - 1), None)
        }
        ([], Some(manifest)) => (format!("Rows of Chomp: {}", manifest.family()), None),
        (typed, _) => {
            let key = RowKey::new(0, input::computable_tail(&typed.join(" "))?);
            let source = source(data, Engine::default())?;
            let row = source.row(&key, HeadForm::Fingerprint, &Watcher::new()?)?;
            let line = row.record.abridged().to_string();
            let title = match key.row() {
                Some(row) => format!("Row {row} of three-rowed Chomp"),
                None => format!("P-positions of Chomp with the tail {}", key.tail()),
            };
            (title, Some(blake3::hash(line.as_bytes()).to_string()))
        }
    };
    let citation = citation(title, record_blake3, data_blake3);
    let text = || format!("{}\n\n{}\n", citation.text, citation.bibtex);
    output::print_or(arguments.json, || json::value(&citation), text)
}

fn citation(title: String, record_blake3: Option<String>, data_blake3: Option<String>) -> Citation {
    let (authors, version) = (env!("CARGO_PKG_AUTHORS"), VERSION);
    // An address that ends in `.invalid` is a placeholder (RFC 2606).
    let address = Some(env!("CARGO_PKG_REPOSITORY")).filter(|at| !at.contains(".invalid"));
    let address = address.unwrap_or_default();
    let hash = |of: &str, hash: &Option<String>| {
        hash.as_ref().map(|hash| format!("BLAKE3 hash of the {of} {hash}"))
    };
    let is_of_program = title == TITLE;
    let notes = [
        (!is_of_program).then(|| format!("Computed with {TITLE}")),
        hash("record", &record_blake3),
        hash("data set", &data_blake3),
    ];
    let note = joined(notes.into_iter().flatten(), "; ");
    let by = format!("{} ({YEAR})", authors.replace(':', ", "));
    let sentences = [&by, &title, &note, address, &format!("Version {version}")];
    let text = joined(sentences.into_iter().filter(|part| !part.is_empty()), ". ") + ".";
    // Braces keep letters and names as they are.
    let braced = |text: &str| text.replace("Chomp", "{Chomp}");
    let fields = [
        ("title", braced(&title)),
        ("author", format!("{{{}}}", authors.replace(':', "} and {"))),
        ("year", YEAR.to_owned()),
        ("version", version.to_owned()),
        ("note", braced(&note)),
        ("url", address.to_owned()),
    ];
    let fields = fields.iter().filter(|(_, value)| !value.is_empty());
    let fields = joined(fields.map(|(name, value)| format!("  {name} = {{{value}}},\n")), "");
    let kind = if is_of_program { "software{chomp" } else { "misc{chomp-rows" };
    let bibtex = format!("@{kind},\n{fields}}}");
    Citation { title, version, address, record_blake3, data_blake3, text, bibtex }
}
