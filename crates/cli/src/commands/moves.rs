//! `chomp moves`: every bite from a position, with the Grundy value that it leaves.

use clap::Args;
use driver::{Bites, Error, GrundySearch, ValuedBite, bites};
use terminal::Watcher;

use super::grundy::Method;
use crate::json;
use crate::levels::level;
use crate::notation;
use crate::options::Threads;

/// List every bite from a position, with the Grundy value that it leaves.
///
/// A bite that leaves the value 0 wins. The value of the position itself is the least that no bite
/// leaves. The values are those of `chomp grundy`, from a table or from the rows of levels 0 to
/// --level.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp moves 7 5 3\n  chomp moves 4x7 --json\n\nExit \
    codes: 4 if a value is above the levels that were computed.")]
pub struct Arguments {
    /// The position, in any form (`chomp help notation`).
    #[arg(value_name = "P Q R ...", required = true, num_args = 1.., allow_negative_numbers = true)]
    position: Vec<String>,
    /// The highest level that is computed.
    #[arg(long, value_name = "G", value_parser = level, allow_hyphen_values = true,
        default_value = "30")]
    level: u64,
    /// The method; by default a table where it takes seconds, and rows of levels otherwise.
    #[arg(long, value_enum)]
    by: Option<Method>,
    #[command(flatten)]
    threads: Threads,
    /// Print the bites as JSON: `chomp help json`.
    #[arg(long)]
    json: bool,
}

/// Prints the bites, and fails if not all of their values are found.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let position = notation::finite_position(&arguments.position.join(" "))?;
    let sweep = arguments.threads.sweep();
    let method = arguments.by.map(Method::chosen);
    let search = GrundySearch { level: arguments.level, method, sweep };
    let found = bites(&position, &search, &Watcher::new()?)?;
    json::print_or(arguments.json, || json::value(&found), || words(&found))?;
    match found.not_found() {
        0 => Ok(()),
        number => Err(Error::incomplete(format!(
            "values above level {}: {number}; --level G looks further",
            arguments.level
        ))),
    }
}

fn words(found: &Bites) -> String {
    let position = found.position.as_board();
    let own = match found.value {
        Some(value) => format!("{position} has the Grundy value {value}."),
        None => format!("The Grundy value of {position} is not found."),
    };
    if found.bites.is_empty() {
        return format!("{own}\nThere is no bite: the next player must take the poison.\n");
    }
    let mut table = terminal::table(["bite", "leaves", "value"], |index| index < 2);
    for ValuedBite { square, leaves, value } in &found.bites {
        table.add_row([square.to_string(), leaves.as_board(), value.to_string()]);
    }
    format!(
        "{own}\nNumber of bites: {}. Those that leave the value 0 win.\n\n{table}\n",
        found.bites.len()
    )
}
