//! `chomp grundy`: rows of levels, or the Grundy value of one position.

use ask::Method;
use ask::{SourceObject, Sourced, grundy_object};
use clap::Args;
use driver::{Error, Family, GrundyBasis, GrundyValue, Position, Tail, grundy_value};
use terminal::Watcher;

use crate::failure;
use crate::levels::{self, Asked, Listing};
use crate::options::level;
use ask::json;
use ask::notation::{self, row};

/// Compute and certify rows of positions with a given Grundy value, or find the value of one.
///
/// Level G is the set of the positions (p,q,r) with Grundy value G; level 0 is the P-positions. A
/// row of a level is finite, periodic or empty: it is empty by x if (x,x,x) has the value G, for an
/// x from 1 to r - 1. A level needs those below it, which are computed as well.
///
/// Without --tsv, --json, --lists and a language, prints the records as a data set has them, one
/// per line. With --out, writes levels 0 to the highest as a data set, for `chomp check`, and
/// prints a summary. In the languages of `chomp show` row R of level 1 is `f_{1}(q,R)`,
/// `f_R_level_1`, `f[1][q, R]` and `B1[R]`; of level 0 it is named as there.
///
/// With a position of any number of rows, prints its Grundy value; one number is a position of one
/// row, not a level. Where a table takes seconds, the value comes from one: of all boards within
/// the position, or of all positions of three rows. Otherwise, levels are computed until one
/// contains the position; then its two longest rows may have any length. If there are too many
/// rows, the table is computed after all. A position with more rows than columns is transposed.
#[derive(Debug, Args)]
#[command(override_usage = "chomp grundy [OPTIONS] <P Q R ...>\n       \
    chomp grundy [OPTIONS] --to <R> <--level <G>|--levels <A..B>>")]
#[command(after_help = "Examples:\n  chomp grundy --level 1 --to 100 --tsv\n  \
    chomp grundy --levels 0..6 --to 400 --out levels && chomp check levels --heads\n  \
    chomp grundy 8x8\n\nExit codes: 4 if the value of a position is above the levels that \
    were computed.")]
pub struct Arguments {
    /// A position, in any form (`chomp help notation`).
    #[arg(
        value_name = "P Q R ...", num_args = 1.., allow_negative_numbers = true,
        conflicts_with_all = ["levels", "to", "tsv", "lists", "out", "full", "language"]
    )]
    position: Vec<String>,
    /// The level; with a position, the highest that is computed (30 by default).
    #[arg(long, value_name = "G", value_parser = level, allow_hyphen_values = true)]
    level: Option<u64>,
    /// The levels, both included.
    #[arg(long, value_name = "A..B", value_parser = levels::range, conflicts_with = "level")]
    levels: Option<(u64, u64)>,
    /// The last row.
    #[arg(long, value_name = "R", value_parser = row, allow_hyphen_values = true)]
    to: Option<u64>,
    /// With a position, the method; by default a table where it takes seconds, and rows of levels
    /// otherwise.
    #[arg(long, value_enum)]
    by: Option<Method>,
    #[command(flatten)]
    listing: Listing,
}

pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.listing.refuse_incomplete(arguments.levels)?;
    if !arguments.position.is_empty() {
        return value(arguments);
    }
    if arguments.by.is_some() {
        return Err(Error::usage("--by is about the value of a position, and none is given"));
    }
    let last = last_row(arguments)?;
    let asked = Asked::of(arguments.level, arguments.levels, Tail::default());
    let family = Family::three_rowed(asked.highest(), last);
    arguments.listing.rows(&family, &asked, "row")
}

/// The last row of the levels. Refuses arguments that ask for neither levels nor a value.
fn last_row(arguments: &Arguments) -> Result<u64, Error> {
    let has_level = arguments.level.is_some() || arguments.levels.is_some();
    let missing = match (has_level, arguments.to) {
        (true, Some(last)) => return Ok(last),
        (true, None) => "the last row is missing: give it by --to",
        (false, Some(_)) => "the level is missing: give it by --level, or several by --levels",
        (false, None) => {
            "give a position, such as 8x8, for its Grundy value; or --level and --to for rows"
        }
    };
    Err(Error::usage(missing))
}

/// Prints the Grundy value of the typed position, or a lower bound.
fn value(arguments: &Arguments) -> Result<(), Error> {
    let position = notation::finite_position(&arguments.position.join(" "))?;
    if let [number] = &arguments.position[..]
        && let Ok(level) = notation::number(number)
    {
        tracing::info!(
            "{} is the position of one row of {level} squares; for the rows of level \
             {level} type --level {level} --to R",
            position.as_board()
        );
    }
    let search = Method::search(arguments.by, arguments.level, arguments.listing.threads);
    let value = grundy_value(&position, &search, &Watcher::new()?)?;
    let object = || {
        let result = grundy_object(&position, &value);
        json::value(Sourced { result, source: SourceObject::of(None) })
    };
    let words = || words(&position, &value);
    failure::print_or(arguments.listing.json, object, words)?;
    match value {
        GrundyValue::Is(..) => Ok(()),
        GrundyValue::AtLeast(_) => {
            let level = search.level;
            let words = format!("the value is above level {level}; --level G looks further");
            Err(Error::incomplete(words))
        }
    }
}

fn words(position: &Position, value: &GrundyValue) -> String {
    let board = position.as_board();
    match value {
        GrundyValue::Is(value, basis) => {
            let is_tall = position.p().finite().is_some_and(|p| *p < position.height().into());
            let transposed = is_tall.then(|| position.transposed()).flatten();
            let transposed = transposed.map_or(String::new(), |transposed| {
                format!("Transposed, it is {}, of the same value.\n", transposed.as_board())
            });
            let basis = words_of(basis, *value);
            format!("{board} has the Grundy value {value}.\n{transposed}{basis}\n")
        }
        GrundyValue::AtLeast(least) => {
            format!("{board} has a Grundy value of at least {least}.\n")
        }
    }
}

fn words_of(basis: &GrundyBasis, value: u64) -> String {
    match basis {
        GrundyBasis::ThreeRows(longest) => format!(
            "This rests on the values of all positions of three rows with p <= {longest}, computed \
             here."
        ),
        GrundyBasis::Within(around) => {
            format!("This rests on the values of all boards within {around}, computed here.")
        }
        GrundyBasis::Rows(record) => format!(
            "This rests on fact 12 of the proofs, and on the rows of levels 0 to {value} with tails \
             within {}, computed here, among them:\n  {}",
            record.key().tail(),
            record.abridged()
        ),
    }
}
