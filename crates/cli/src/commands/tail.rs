//! `chomp tail`: more than three rows, or two.

use ask::notation::number;
use clap::{ArgGroup, Args};
use driver::{Error, Family, Tail};

use crate::levels::{ChosenLevels, Listing};
use ask::notation::{self, row};

/// Compute and certify rows of Chomp with more than three rows, or with two.
///
/// The tail of a position is all rows but the two longest: the row of tail (3,2) is the set of the
/// P-positions (p,q,3,2). Tail (r) is row r of three-rowed Chomp, and tail () that of two-rowed
/// Chomp. A row may be empty. For example, that of tail (4,1) is empty by 2: a bite leaves two
/// columns, so it leads from each (p,q,4,1) to (2,2,2,1), which is a P-position. A tail needs all
/// those within it, which are computed as well.
///
/// Without --tsv, --json, --lists and a language, prints the records as a data set has them, one
/// per line. With --out, writes all that was computed as a data set, for `chomp check`, and prints
/// a summary. In the languages of `chomp show`, tail (3,2) is named as there; of level 1 it is
/// `f_{1}(q,3,2)`, `f_3_2_level_1`, `f[1][q, 3, 2]` and `B1[3, 2]`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  chomp tail 3,2\n  \
    chomp tail 3,2 --to 60            # (3,2), (4,2), ..., (60,2)\n  \
    chomp tail --parts 2 --to 60 --tsv  # all tails of at most two rows")]
#[command(group = ArgGroup::new("which").required(true).args(["tail", "parts"]))]
pub struct Arguments {
    /// The tail: row lengths, the longest first. `()` has none.
    #[arg(value_name = "TAIL", num_args = 1.., allow_negative_numbers = true)]
    tail: Vec<String>,
    /// All tails with at most K rows.
    #[arg(long, value_name = "K", value_parser = number, allow_hyphen_values = true,
        requires = "to")]
    parts: Option<u64>,
    /// The longest first row of a tail. Of a given tail the first row goes from its own length to
    /// this one, and its other rows stay.
    #[arg(long, value_name = "N", value_parser = row, allow_hyphen_values = true)]
    to: Option<u64>,
    #[command(flatten)]
    levels: ChosenLevels,
    #[command(flatten)]
    listing: Listing,
}

/// Rows of tails.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.listing.refuse_incomplete(arguments.levels.levels)?;
    let (within, from) = match arguments.parts {
        Some(parts) => (all_tails(parts, arguments.to.unwrap_or(0))?, Tail::default()),
        None => lengthened(&arguments.tail.join(" "), arguments.to)?,
    };
    let asked = arguments.levels.asked(from);
    let family = Family::of_tails(asked.highest(), within);
    arguments.listing.rows(&family, &asked, "tail")
}

/// The largest tail with this number of parts, each of this length.
fn all_tails(parts: u64, longest: u64) -> Result<Tail, Error> {
    let parts = usize::try_from(parts).ok().filter(|parts| *parts <= 1000);
    let parts = parts.ok_or_else(|| Error::usage("--parts goes to 1000"))?;
    let parts = if longest == 0 { Vec::new() } else { vec![longest; parts] };
    Tail::new(parts).map_err(Error::usage)
}

/// The tail with its first part lengthened to `to`, and the typed tail.
fn lengthened(text: &str, to: Option<u64>) -> Result<(Tail, Tail), Error> {
    let tail = notation::tail(text)?;
    let (Some(to), first) = (to, tail.first_column()) else { return Ok((tail.clone(), tail)) };
    if first == 0 {
        return Err(Error::usage("the tail () has no first part that could go --to"));
    }
    if to < first {
        return Err(Error::usage(format!("the first part of {tail} is {first}, past --to {to}")));
    }
    let parts = [&[to], &tail.parts()[1..]].concat();
    Ok((Tail::new(parts).map_err(Error::usage)?, tail))
}
