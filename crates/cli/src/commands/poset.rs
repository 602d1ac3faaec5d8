//! `chomp poset`.

use std::path::{Path, PathBuf};

use clap::Args;
use driver::{ChainProduct, Error, PosetAnswer, Spending};
use posets::{DownSet, Graph, LIST, NamedPoset, Poset, PosetError, Solver};
use record::joined;
use serde::Serialize;
use terminal::Watcher;
use terminal::typed::size;

use crate::output::{self, Output};
use ask::{PosetObject, poset_dot, poset_object};

/// Say who wins Chomp on a poset, and with which bites.
///
/// A bite takes an element and all that are above it. If the poset has a least element, that is the
/// poison, and the player who must take it loses (graphs and solids have none). Otherwise the
/// player who cannot bite loses. Without arguments, lists the posets that have a name.
///
/// `graph FILE` reads the edges of a graph, one a line: u v. 3x4x5 is `chains 3 4 5`: an element
/// has a number on each chain, from 1 on, and (1,1,1) is the poison. Anything else is a file of
/// cover relations, one a line: a < b says that b is above a. In both files an element may be alone
/// on a line, and what follows # is a comment.
///
/// A search decides all bites, and remembers each position up to the symmetry of the poset. If it
/// runs out of its memory (--memory), the bites decided so far are printed. With --strategy there
/// is no search.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp poset solid cube\n  \
    chomp poset chains 2 2 5 --dot 2x2x5.dot\n\nExit codes: 0 for P and for N, 2 if there is \
    no such poset or bite, 3 if a file is no poset, 4 if not all bites could be decided.")]
pub struct Arguments {
    /// A name with its numbers, `graph FILE`, `semigroup X G1 G2 ...`, or a file (- for standard
    /// input).
    #[arg(value_name = "FAMILY | FILE", allow_negative_numbers = true)]
    words: Vec<String>,
    /// Begin after this bite, the name of an element; may be given more than once.
    #[arg(long, value_name = "ELEMENT", requires = "words")]
    after: Vec<String>,
    /// Write the Hasse diagram, with the bites that win, to this file, for Graphviz: `dot -Tsvg`
    /// draws it.
    #[arg(long, value_name = "FILE", requires = "words")]
    dot: Option<PathBuf>,
    /// Search for the Grundy value as long as there is memory. By default the search for it ends
    /// after some seconds.
    #[arg(long, requires = "words")]
    grundy: bool,
    /// Name one bite that wins, and verify its strategy by symmetry (fact 11 of the proofs),
    /// instead of a search. There is one for chains N N, for circuits of even length, for solids
    /// other than the tetrahedron, and for subspaces.
    #[arg(long, conflicts_with_all = ["after", "dot", "grundy", "memory"],
        requires = "words")]
    strategy: bool,
    /// The most memory of the search, such as 512M or 8G.
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "1G",
        requires = "words")]
    memory: u64,
    /// Print the answer as JSON: `chomp help json`.
    #[arg(long, requires = "words")]
    json: bool,
}

/// Decides the bites of a poset, or lists the named posets.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    match arguments.words.first().map(String::as_str) {
        None => output::print_list(&list()),
        Some(_) if arguments.strategy => strategy(arguments),
        Some(_) => search(arguments),
    }
}

/// The posets that are not in [`LIST`].
const OTHERS: [(&str, &str); 2] = [
    ("graph FILE", "vertices and edges of a graph; an edge a line: u v"),
    ("FILE", "cover relations, one a line: a < b"),
];

fn list() -> String {
    let lines = LIST.iter().chain(&OTHERS).map(|(usage, what)| format!("{usage:<26}  {what}\n"));
    format!(
        "{}\nEach with `chomp poset` before it says who wins, and with which bites.\n",
        lines.collect::<String>()
    )
}

/// A poset with the name that messages and figures use.
fn named(words: &[String]) -> Result<(String, Poset), Error> {
    let of_file = |file: &str, parse: fn(&str) -> Result<Poset, PosetError>| {
        let poset = parse(&text_of(file, LONGEST_FILE, NAMED)?);
        poset.map_err(|error| Error::file(format!("{file}: {error}")))
    };
    match (words, words.join(" ").parse::<NamedPoset>()) {
        ([graph, file], _) if graph == "graph" => {
            let poset = of_file(file, |text| text.parse::<Graph>()?.poset())?;
            Ok((format!("graph of {}", file_name(file)), poset))
        }
        (_, Ok(named)) => Ok((named.to_string(), named.poset().map_err(Error::usage)?)),
        ([file], Err(PosetError::Name { .. })) if file != "graph" => {
            Ok((file_name(file), of_file(file, str::parse)?))
        }
        (_, Err(PosetError::Name { name, .. })) => {
            Err(Error::usage(format!("there is no poset named {name:?}; `chomp poset` lists them")))
        }
        (_, Err(error)) => Err(Error::usage(error)),
    }
}

/// The last part of a path, if every font has its letters.
fn file_name(file: &str) -> String {
    let file = if file == "-" { "standard input" } else { file };
    let name = Path::new(file).file_name().and_then(|name| name.to_str());
    let plain = name.filter(|name| name.bytes().all(|byte| matches!(byte, b' '..=b'~')));
    plain.unwrap_or("a file").to_owned()
}

/// The longest file, in bytes.
const LONGEST_FILE: u64 = 1_000_000;

/// The names that need no file.
const NAMED: &str = "`chomp poset` lists the posets that need no file";

/// The text of a file, or the hint at what helps.
pub fn text_of(file: &str, longest: u64, hint: &str) -> Result<String, Error> {
    files::text_or_stdin(Path::new(file), longest)
        .map_err(|error| Error::file(format!("cannot read {file}: {error}; {hint}")))
}

fn search(arguments: &Arguments) -> Result<(), Error> {
    let (name, poset) = named(&arguments.words)?;
    let position = after(&poset, &arguments.after)?;
    let dot = arguments.dot.as_deref().map(Output::open).transpose()?;
    let grundy = if arguments.grundy { u64::MAX } else { Spending::USUAL.grundy };
    let spending = Spending { memory: arguments.memory, grundy };
    let answer = answer((&name, &poset), &position, spending, arguments.json)?;
    if !answer.undecided.is_empty() {
        return Err(Error::incomplete(format!(
            "{} bites are undecided after {} positions, and --memory allows no more; give more, or \
             ask for a strategy by symmetry with --strategy",
            answer.undecided.len(),
            answer.limit
        )));
    }
    if let Some(output) = dot {
        output.write_all(poset_dot(&name, &poset, &position, &answer.winning).as_bytes())?;
    }
    match answer.grundy {
        None if arguments.grundy => {
            let words = format!("the Grundy value is not among {} positions", answer.decided);
            Err(Error::incomplete(words + "; give more --memory"))
        }
        _ => Ok(()),
    }
}

/// Searches the bites of a position, and prints what is found.
fn answer(
    (name, poset): (&str, &Poset),
    position: &DownSet,
    spending: Spending,
    as_json: bool,
) -> Result<PosetAnswer, Error> {
    let answer = driver::solve_poset(poset, position, spending, &Watcher::new()?)?;
    let object = poset_object(name, poset, position, &answer);
    output::print_or(as_json, || &object, || words(&object))?;
    Ok(answer)
}

/// Says who wins a product of chains, with ω among them or more than two, and by which bites as far
/// as this is found: in some seconds, or with `all` in 1 GB of memory.
pub fn product(product: &ChainProduct, all: bool, as_json: bool) -> Result<(), Error> {
    /// Some seconds.
    const LITTLE: u64 = 50_000_000;
    const MORE: &[u8] = b"With --all the search takes up to 1 GB of memory.\n";
    let sides = product.finite_sides().filter(|(_, all)| *all <= Solver::LARGEST as u64);
    let Some((sides, _)) = sides else {
        let answer = product.decide().map_err(Error::incomplete)?;
        return output::print_or(as_json, || &answer, || answer.to_string());
    };
    let (name, poset) = named(&[format!("chains {}", joined(&sides, " "))])?;
    let memory = if all { Spending::USUAL.memory } else { LITTLE };
    let spending = Spending { memory, ..Spending::USUAL };
    let answer = answer((&name, &poset), &poset.full(), spending, as_json)?;
    let is_whole = all || as_json || answer.undecided.is_empty();
    if is_whole { Ok(()) } else { output::print(MORE) }
}

/// The position after some bites.
fn after(poset: &Poset, bites: &[String]) -> Result<DownSet, Error> {
    let mut position = poset.full();
    for name in bites {
        let Some(bite) = poset.element(name) else {
            return Err(Error::usage(format!("{name:?} is no element of the poset")));
        };
        let left = poset.after(&position, bite);
        position = left.ok_or_else(|| {
            Error::usage(format!("{name:?} cannot be bitten: it is the poison, or gone"))
        })?;
    }
    Ok(position)
}

fn words(found: &PosetObject) -> String {
    let poison = match found.poison {
        Some(poison) => format!("{poison} is the poison"),
        None => "the player who cannot bite loses".to_owned(),
    };
    let mut lines = vec![format!("{}: {} elements; {poison}.", found.poset, found.elements)];
    if found.left < found.elements {
        lines.push(format!("{} elements are left.", found.left));
    }
    let outcome = match found.outcome.as_deref() {
        Some("P") => "A P-position: the previous player wins.",
        Some(_) => "An N-position: the next player wins.",
        None => "Not decided.",
    };
    lines.push(outcome.to_owned());
    let (winning, undecided) = (&found.winning_bites, &found.undecided_bites);
    if !winning.is_empty() {
        let others = if undecided.is_empty() { ", and no other does" } else { "" };
        lines.push(format!("These bites leave a P-position{others}:"));
        lines.extend(winning.iter().map(|name| format!("  {name}")));
    } else if undecided.is_empty() {
        lines.push("Every bite leaves an N-position.".to_owned());
    } else if found.outcome.is_some() {
        lines.push("A bite wins by strategy stealing: fact 14 (d) of the proofs.".to_owned());
    }
    if !undecided.is_empty() {
        lines.push("These bites are undecided:".to_owned());
        lines.extend(undecided.iter().map(|name| format!("  {name}")));
    }
    if let Some(grundy) = found.grundy {
        lines.push(format!("The Grundy value is {grundy}."));
    } else if undecided.is_empty() {
        lines.push(
            "The Grundy value is not found; `chomp poset` with --grundy searches longer."
                .to_owned(),
        );
    }
    lines.push(format!("This rests on {} positions, up to symmetry and fact 11.", found.positions));
    lines.join("\n") + "\n"
}

/// A strategy by symmetry.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SymmetryObject<'a> {
    /// The number of elements of the poset.
    elements: usize,
    /// The number of involutions on which the strategy rests (fact 11).
    involutions: usize,
    /// P or N.
    outcome: &'static str,
    /// The name of the poset.
    poset: String,
    /// A bite that leaves a P-position; null if the poset is one.
    winning_bite: Option<&'a str>,
}

/// One bite that wins, by symmetry.
fn strategy(arguments: &Arguments) -> Result<(), Error> {
    let text = arguments.words.join(" ");
    let named: NamedPoset = text.parse().map_err(|error: PosetError| Error::usage(error))?;
    let Some(strategy) = named.strategy() else {
        return Err(Error::usage(format!("no strategy by symmetry is known here for {named}")));
    };
    let poset = named.poset().map_err(Error::usage)?;
    strategy.verify(&poset).map_err(Error::refuted)?;
    let winning_bite = strategy.bite.map(|bite| poset.name(bite));
    let found = SymmetryObject {
        elements: poset.len(),
        involutions: strategy.involutions.len(),
        outcome: if winning_bite.is_some() { "N" } else { "P" },
        poset: named.to_string(),
        winning_bite,
    };
    output::print_or(arguments.json, || &found, || words_of_strategy(&found))
}

fn words_of_strategy(found: &SymmetryObject) -> String {
    let SymmetryObject { elements, involutions, poset, winning_bite, .. } = found;
    let what = match winning_bite {
        Some(bite) => format!("An N-position: the bite {bite} leaves a P-position."),
        None => "A P-position: the previous player wins.".to_owned(),
    };
    let plural = if *involutions == 1 { "" } else { "s" };
    format!(
        "{poset}: {elements} elements.\n{what}\nThis rests on {involutions} involution{plural}, \
         verified here, and fact 11 of the proofs. Other bites were not searched.\n"
    )
}
