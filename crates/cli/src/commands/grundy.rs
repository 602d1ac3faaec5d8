//! `chomp grundy`: rows of levels, or the Grundy value of one position.

use clap::{ArgGroup, Args};
use driver::{Engine, Family, GrundyValue, Position, Tail, grundy_value};
use serde_json::{Value, json};
use terminal::Watcher;

use crate::failure::Failure;
use crate::json;
use crate::levels::{self, Asked, Listing, level};
use crate::notation::{self, row};

/// Compute and certify rows of positions with a given Grundy value, or find the value of one.
///
/// Level G is the set of the positions (p,q,r) with Grundy value G; level 0 is the P-positions. A
/// row of a level is finite, periodic or empty: it is empty by x if (x,x,x) has the value G, for an
/// x from 1 to r - 1. A level needs those below it, which are computed as well.
///
/// Without --tsv and --json, prints the records as a data set has them, one per line. With --out,
/// writes levels 0 to the highest as a data set, for `chomp check`, and prints a summary.
///
/// With a position, prints its Grundy value. For a short position of three rows it comes from a
/// full table. Other positions may have any number of rows, and the two longest may have any
/// length; levels are computed until one contains the position.
#[derive(Debug, Args)]
#[command(after_help = "Examples: chomp grundy --level 1 --to 100 --tsv, or \
    chomp grundy --levels 0..6 --to 400 --out levels && chomp check levels --heads, or \
    chomp grundy 8 8 8\n\n\
    Exit codes: 4 if the value of a position is above the levels that were computed.")]
#[command(group = ArgGroup::new("which").required(true).multiple(true)
    .args(["level", "levels", "position"]))]
pub struct Arguments {
    /// A position, in any form of docs/GUIDE.md.
    #[arg(
        value_name = "P Q R ...", num_args = 1.., allow_negative_numbers = true,
        conflicts_with_all = ["levels", "to", "tsv", "out", "full"]
    )]
    position: Vec<String>,
    /// The level; with a position, the highest that is computed (30 by default).
    #[arg(long, value_name = "G", value_parser = level, allow_hyphen_values = true)]
    level: Option<u64>,
    /// The levels, both included.
    #[arg(long, value_name = "A..B", value_parser = levels::range, conflicts_with = "level")]
    levels: Option<(u64, u64)>,
    /// The last row.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true,
        required_unless_present = "position")]
    to: Option<u64>,
    #[command(flatten)]
    listing: Listing,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.listing.refuse_useless(arguments.levels)?;
    if !arguments.position.is_empty() {
        return value(arguments);
    }
    let asked = Asked::of(arguments.level, arguments.levels, Tail::default());
    let family = Family::three_rowed(asked.highest(), arguments.to.unwrap_or(0));
    arguments.listing.rows(&family, &asked, "row")
}

/// The highest level that is computed by default.
const LEVEL: u64 = 30;

/// Prints the Grundy value of the typed position, or a lower bound.
fn value(arguments: &Arguments) -> Result<(), Failure> {
    let position = notation::finite_position(&arguments.position.join(" "))?;
    let Engine::Sweep(options) = arguments.listing.engine.chosen() else {
        let words = "the literal recurrence gives rows, not values; leave out --engine literal";
        return Err(Failure::usage(words));
    };
    let level = arguments.level.unwrap_or(LEVEL);
    let value = grundy_value(&position, level, options, &Watcher::new()?)?;
    let words = || words(&position, &value);
    json::print_or(arguments.listing.json, || object(&position, &value), words)?;
    match value {
        GrundyValue::Is(..) => Ok(()),
        GrundyValue::AtLeast(_) => {
            let words = format!("the value is above level {level}; --level G looks further");
            Err(Failure::Incomplete(words))
        }
    }
}

fn words(position: &Position, value: &GrundyValue) -> String {
    let board = position.as_board();
    match value {
        GrundyValue::Is(value, None) => format!(
            "{board} has the Grundy value {value}.\n\
             This rests on the values of all positions of three rows with p <= {}, computed here.\n",
            position.p()
        ),
        GrundyValue::Is(value, Some(record)) => format!(
            "{board} has the Grundy value {value}.\n\
             This rests on fact 12 of the proofs, and on the rows of levels 0 to {value} with tails \
             within {}, computed here, among them:\n  {}\n",
            position.tail(),
            record.abridged()
        ),
        GrundyValue::AtLeast(least) => {
            format!("{board} has a Grundy value of at least {least}.\n")
        }
    }
}

/// For JSON: the value, if it is known, and its digits, or else those of the lower bound.
pub fn known(value: &GrundyValue) -> (Option<u64>, String) {
    match value {
        GrundyValue::Is(value, _) => (Some(*value), value.to_string()),
        GrundyValue::AtLeast(least) => (None, least.to_string()),
    }
}

fn object(position: &Position, value: &GrundyValue) -> Value {
    let (grundy, at_least) = known(value);
    let record = match value {
        GrundyValue::Is(_, Some(record)) => Some(json::row(&record.abridged())),
        _ => None,
    };
    json!({
        "position": json::lengths(position.rows()),
        "grundy": grundy,
        "at_least": at_least,
        "record": record,
        "source": json::source(None),
    })
}
